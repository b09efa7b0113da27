//! Communities on a GPU.

mod label_propagation;
mod louvain;
mod moves;
mod table;

use equipoise_graph::Csr;
use equipoise_schedule::device::Gpu;

pub(super) use self::{label_propagation::label_propagation, louvain::louvain};
use crate::{Result, run::buffer_bytes};

/// Fails without memory for `missing` bytes of rows; keys, sums and weights of edges; and words per vertex.
fn require_memory(
    gpu: &Gpu,
    algorithm: &str,
    neighbors: &Csr,
    words_per_vertex: u64,
    missing: u64,
) -> Result<()> {
    let vertices = u64::from(neighbors.rows());
    let edge_bytes = buffer_bytes(gpu, neighbors.entries(), 5);
    let vertex_bytes = buffer_bytes(gpu, vertices, words_per_vertex);
    let bytes = missing.saturating_add(edge_bytes).saturating_add(vertex_bytes);
    Ok(gpu.require(&format!("{algorithm} among {vertices} vertices"), bytes)?)
}
