//! Communities on a GPU.

mod aggregate;
mod arithmetic;
mod label_propagation;
mod level;
mod louvain;
mod movers;
mod moves;
mod refinement;
mod row_op;
mod table;

use equipoise_graph::Csr;
use equipoise_schedule::device::Gpu;

pub(super) use self::{label_propagation::label_propagation, louvain::louvain};
use crate::{
    Result,
    run::buffer_bytes,
    votes::{choose, slots, visits},
};

/// Fails without memory for `missing` bytes of rows, words per edge, and words per vertex.
fn require_memory(
    gpu: &Gpu,
    algorithm: &str,
    neighbors: &Csr,
    words: [u64; 2],
    missing: u64,
) -> Result<()> {
    let vertices = u64::from(neighbors.rows());
    let [per_edge, per_vertex] = words;
    let edge_bytes = buffer_bytes(gpu, neighbors.entries(), per_edge);
    let vertex_bytes = buffer_bytes(gpu, vertices, per_vertex);
    let bytes = missing.saturating_add(edge_bytes).saturating_add(vertex_bytes);
    Ok(gpu.require(&format!("{algorithm} among {vertices} vertices"), bytes)?)
}
