//! A rank's part of a generated graph, from the spec alone.

use equipoise_graph::generate::{Spec, SpecBlocks};

use super::{ReadSlice, SliceOptions};
use crate::{
    Comm, EdgeSlice, Result, SliceIds, agree,
    memory::{check_memory, slice_bytes},
    share::{share, sum_before},
};

/// Makes the edges of this rank's blocks.
pub(super) fn read(comm: &dyn Comm, spec: &Spec, options: &SliceOptions) -> Result<ReadSlice> {
    let blocks = agree(comm, SpecBlocks::new(spec).map_err(Into::into))?;
    let mine = share(comm, blocks.count());
    let most = blocks.most_edges(mine.clone());
    // Edges are made between ids of 32 bits, which are there until they are longer ones.
    let narrow = most.saturating_mul(8);
    let bytes = slice_bytes(most, 4 * u64::from(spec.weights.is_some())).saturating_add(narrow);
    check_memory(comm, format_args!("{most} edges of {spec}"), bytes, options.ranks_on_node)?;

    let ends = agree(comm, blocks.ends(mine).map_err(Into::into));
    let (sources, targets) = ends?;
    let count = sources.len() as u64;
    // How many edges a block has can be up to chance: weights go by their numbers among all edges.
    let (first, _) = sum_before(comm, count);
    let weights = agree(comm, blocks.weights(first..first + count).map_err(Into::into))?;
    let edges = EdgeSlice {
        vertices: blocks.vertices(),
        sources: widened(sources),
        targets: widened(targets),
        weights,
        undirected: !spec.directed,
        duplicates: blocks.duplicates(),
        self_loops: blocks.self_loops(),
    };
    Ok(ReadSlice { edges, ids: SliceIds::Dense { first: 0 } })
}

fn widened(vertices: Vec<u32>) -> Vec<u64> {
    vertices.into_iter().map(u64::from).collect()
}
