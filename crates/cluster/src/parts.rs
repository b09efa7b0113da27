//! A graph in a folder: one part per rank, and a manifest. Any number of ranks can read it.
//!
//! `manifest.json` has the `format` (`equipoise-parts`), its `version` (1), the numbers of
//! `vertices` and of directed `edges`, whether the graph is `undirected` (then each edge stands in both directions), the
//! type of the `weights` (`u32`, `f32`, `f64` or null), how many bytes an edge's target takes (`target_bytes`, 4 or 8), the
//! `ids` of vertices (`{"from": N}`, `"table"` or `"names"`), and the `parts`: each one's `file`, `first` vertex, number of
//! `vertices` and `edges`, the bytes of its names, all its `bytes`, and its `checksum`.
//!
//! A part is numbers in little-endian order, section after section: 8 bytes that say what it is; the offsets of its rows
//! (`u64`, one more than vertices, from 0 on), the targets, which are vertices of the whole graph in any order in each row,
//! the weights, the ids of its vertices (`u64`; of names, where each ends in the part) and the names, in UTF-8. The checksum
//! is that of `.eqp`: the XXH3 of the XXH3 of each block of 1 MiB of each section in turn.

mod manifest;
mod write;

use std::path::Path;

use crate::{Comm, ReadSlice, Result, SliceOptions, agree, rows};

pub use write::write_parts;

use manifest::MAGIC;

/// Reads this rank's rows of the graph in `folder`.
pub(crate) fn read(comm: &dyn Comm, folder: &Path, options: &SliceOptions) -> Result<ReadSlice> {
    let (files, sum) = agree(comm, manifest::open(folder))?;
    manifest::check_same(comm, folder, sum)?;
    agree(comm, check_start(comm, &files))?;
    rows::read(comm, &files, options)
}

/// Checks the first bytes of the parts; each rank checks some.
fn check_start(comm: &dyn Comm, files: &rows::RowFiles) -> Result<()> {
    for file in files.files.iter().skip(comm.rank()).step_by(comm.size()) {
        if file.start(MAGIC.len() as u64)? != MAGIC {
            return Err(file.wrong("is no part of a graph: it does not start as one"));
        }
    }
    Ok(())
}
