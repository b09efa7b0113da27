//! The part of a text file on a rank: a range of bytes, cut at line ends.

use std::path::Path;

use equipoise_graph::{
    Duplicates, SelfLoops, Weights,
    io::{TextFile, TextPart, TextPiece, TextVertices, WeightKinds},
};

use super::numbered::number;
use crate::{
    Comm, EdgeSlice, Error, ReadSlice, Reduction, Result, SliceIds, SliceOptions, agree,
    memory::{check_memory, slice_bytes},
};

/// Reads the edges of this rank's part of the file.
pub(super) fn read(comm: &dyn Comm, path: &Path, options: &SliceOptions) -> Result<ReadSlice> {
    let file = agree(comm, TextFile::open(path, &options.read).map_err(Into::into))?;
    check_same(comm, path, file.length())?;
    let piece = agree(comm, file.piece(comm.rank(), comm.size()).map_err(Into::into))?;
    let lines = piece.lines();
    // Concatenation needs columns twice; weights have up to 64 bits.
    let bytes = slice_bytes(lines, 8 * u64::from(file.has_weights())).saturating_mul(2);
    let what = format_args!("reading {lines} lines of {}", path.display());
    check_memory(comm, what, bytes, options.ranks_on_node)?;

    let mut part = agree(comm, piece.read().map_err(Into::into))?;
    let weights = weights(comm, &mut part, &piece)?;
    let mut found = [part.found];
    comm.all_reduce(&mut found, Reduction::Sum);
    agree(comm, file.check_edges(found[0]).map_err(Into::into))?;

    let edges = EdgeSlice {
        vertices: 0,
        sources: part.sources,
        targets: part.targets,
        weights,
        undirected: file.is_undirected(),
        duplicates: Duplicates::Keep,
        self_loops: SelfLoops::Keep,
    };
    named(comm, &file, edges, options)
}

/// Checks that all ranks see a file of the same length; a missing or older file would be cut elsewhere.
pub(super) fn check_same(comm: &dyn Comm, path: &Path, length: u64) -> Result<()> {
    let (mut least, mut most) = ([length], [length]);
    comm.all_reduce(&mut least, Reduction::Min);
    comm.all_reduce(&mut most, Reduction::Max);
    if least == most {
        Ok(())
    } else {
        Err(Error::Disagree(format!(
            "{} has {} bytes for one and {} for another: all machines need the same file",
            path.display(),
            least[0],
            most[0]
        )))
    }
}

/// The weights of this rank's part, in the common type of all ranks.
fn weights(comm: &dyn Comm, part: &mut TextPart, piece: &TextPiece) -> Result<Option<Weights>> {
    let kinds = part.kinds();
    let mut any = [u64::from(kinds.beyond_u32), u64::from(kinds.reals)];
    comm.all_reduce(&mut any, Reduction::Max);
    let kinds = WeightKinds { beyond_u32: any[0] == 1, reals: any[1] == 1 };
    agree(comm, part.weights(piece, kinds).map_err(Into::into))
}

/// The edges between vertices from 0 on, and their ids in the file.
fn named(
    comm: &dyn Comm,
    file: &TextFile,
    mut edges: EdgeSlice,
    options: &SliceOptions,
) -> Result<ReadSlice> {
    let ids = match file.vertices() {
        &TextVertices::Counted { vertices, first } => {
            edges.vertices = vertices;
            SliceIds::Dense { first }
        }
        TextVertices::UpToLargest => {
            let largest = edges.sources.iter().chain(&edges.targets).max();
            let mut needed = [largest.map_or(0, |largest| largest + 1)];
            comm.all_reduce(&mut needed, Reduction::Max);
            edges.vertices = needed[0];
            SliceIds::Dense { first: 0 }
        }
        TextVertices::Any { without_edges, stated_count } => {
            // All ranks read the head of the file; one adds its entries.
            let further = if comm.rank() == 0 { &without_edges[..] } else { &[] };
            let numbered = number(comm, &mut edges, further, options.ranks_on_node)?;
            edges.vertices = numbered.vertices;
            agree(comm, file.check_vertices(numbered.vertices).map_err(Into::into))?;
            match stated_count {
                Some(_) => SliceIds::Table { first: numbered.first, table: numbered.ids },
                None => numbered.ids(comm),
            }
        }
    };
    Ok(ReadSlice { edges, ids })
}
