//! The algorithms with a GPU for each rank.
//!
//! What a rank does with its own edges is done by operators of the engine that one machine has, too; between two steps, the
//! values of mirrors that changed go to the host, to their owners by an [`Exchange`](crate::Exchange), and to the GPUs of
//! these. Results are those of the cpu: levels, distances, labels and colors are equal, and each verifier is the same.

#[allow(missing_docs, reason = "what CubeCL's macros generate has none")]
mod bfs;
#[allow(missing_docs, reason = "what CubeCL's macros generate has none")]
mod color;
mod components;
mod open;
mod product;
#[allow(missing_docs, reason = "what CubeCL's macros generate has none")]
mod sssp;
#[allow(missing_docs, reason = "what CubeCL's macros generate has none")]
mod values;

use equipoise_schedule::{
    Error as DeviceError, Result as DeviceResult,
    engine::{DeviceGraph, DeviceRows},
};

use crate::DistGraph;

pub use equipoise_schedule::device::{Device, Gpu, OpenDevice};

pub use self::{
    bfs::Bfs,
    color::color,
    components::components,
    open::{RankDevice, open},
    product::{pagerank, spmv},
    sssp::ShortestPaths,
};

/// Copies a rank's part of a graph to its GPU: the rows of owned vertices, then those of mirrors, which are empty. Fails
/// where there is no room for it and `words` words for each vertex beside it.
///
/// An undirected graph's rows are those of the edges that enter vertices, too.
fn upload(gpu: &Gpu, graph: &DistGraph, words: u64) -> DeviceResult<DeviceGraph> {
    let (local, vertices) = (&graph.local, u64::from(graph.local.vertices()));
    let beside = gpu.held_by(4 * vertices.max(1)).saturating_mul(words);
    let what = format!("a part of {vertices} vertices and {} edges", local.edges());
    gpu.require(&what, DeviceRows::bytes_of(gpu, local.csr()).saturating_add(beside))?;
    match graph.is_undirected() {
        false => DeviceGraph::upload(gpu, local),
        true => {
            local.check().map_err(|error| DeviceError::Schedule(error.to_string()))?;
            // SAFETY: the rows were checked.
            unsafe { DeviceGraph::from_neighbors(gpu, local.csr()) }
        }
    }
}
