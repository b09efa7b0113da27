//! Operations of searches on a graph in the memory of a GPU.

use equipoise_schedule::{
    device::{Buffer, Gpu, GpuRuntime},
    engine::{EdgeOpKind, Operation, SearchOp},
};

use super::strategies::{Implementation, whole::EndsLaunch};
use crate::gpu_graph::{DeviceRows, GpuGraph};

/// An operation whose weights, if it has some, are those of a graph.
pub(crate) trait OnGraph: SearchOp + EdgeOpKind + Sized {
    /// The algorithm that it is the operation of.
    const ALGORITHM: &'static str;

    /// The strategies that only this algorithm has.
    fn own_strategies<'g>() -> Vec<Implementation<'g, Self>>;

    /// The operation along edges in the order of these rows, for a kernel.
    fn arg(gpu: &Gpu, rows: &DeviceRows, labels: &Buffer<u32>) -> Self::RuntimeArg<GpuRuntime>;

    /// The operation along the edges that leave vertices.
    fn on<'o>(graph: &'o GpuGraph, labels: &'o Buffer<u32>) -> Operation<'o, Self> {
        // SAFETY: there is a label for each vertex, and a weight for each edge.
        unsafe { Operation::unchecked(|| Self::arg(&graph.gpu, &graph.leaving, labels)) }
    }
}

/// The arrays of edges in coordinate form, for a kernel.
pub(crate) fn ends_arg(origins: &Buffer<u32>, targets: &Buffer<u32>) -> EndsLaunch<GpuRuntime> {
    EndsLaunch::new(origins.arg(), targets.arg(), targets.len() as u32)
}
