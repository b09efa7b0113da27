//! The part of a generated graph on a rank.

use equipoise_graph::generate::{Spec, SpecBlocks, WeightRange};

use crate::{
    Comm, EdgeSlice, ReadSlice, Result, SliceIds, SliceOptions, agree,
    memory::{check_memory, slice_bytes},
    share::{share, sum_before},
};

/// Generates the edges of this rank's blocks.
pub(super) fn read(comm: &dyn Comm, spec: &Spec, options: &SliceOptions) -> Result<ReadSlice> {
    let blocks = agree(comm, SpecBlocks::new(spec).map_err(Into::into))?;
    let mine = share(comm, blocks.count());
    let most = blocks.most_edges(mine.clone());
    // Generators make ids of 32 bits, which exist until they are widened.
    let narrow = most.saturating_mul(8);
    let bytes =
        slice_bytes(most, spec.weights.map_or(0, WeightRange::bytes_each)).saturating_add(narrow);
    check_memory(comm, format_args!("{most} edges of {spec}"), bytes, options.ranks_on_node)?;

    let ends = agree(comm, blocks.ends(mine).map_err(Into::into));
    let (sources, targets) = ends?;
    let count = sources.len() as u64;
    // The number of edges of a block may be random: weights depend on the index among all edges.
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
