//! The algorithms with a GPU per rank.
//!
//! Operators of the engine work on the edges of a rank; between two steps, hosts read changed values of mirrors, exchange them
//! by an [`Exchange`](crate::Exchange), and write them to GPUs. Levels, distances, labels and colors equal those of the CPU,
//! and verifiers are the same.

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

/// Copies a rank's part of a graph to its GPU: the rows of owned vertices, then empty rows of mirrors. Fails if memory does
/// not suffice for it and `words` additional words per vertex.
///
/// The rows of an undirected graph are also those of entering edges.
fn upload(gpu: &Gpu, graph: &DistGraph, words: u64) -> DeviceResult<DeviceGraph> {
    let (local, vertices) = (&graph.local, u64::from(graph.local.vertices()));
    let extra_bytes = gpu.held_by(4 * vertices.max(1)).saturating_mul(words);
    let what = format!("a part of {vertices} vertices and {} edges", local.edges());
    gpu.require(&what, DeviceRows::bytes_of(gpu, local.csr()).saturating_add(extra_bytes))?;
    if !graph.is_undirected() {
        return DeviceGraph::upload(gpu, local);
    }
    local.check().map_err(|error| DeviceError::Schedule(error.to_string()))?;
    // SAFETY: the rows were checked.
    unsafe { DeviceGraph::from_neighbors(gpu, local.csr()) }
}
