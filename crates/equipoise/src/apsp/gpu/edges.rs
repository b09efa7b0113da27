//! The edges of a graph in the memory of a GPU, with their lengths, in a kernel.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    engine::DeviceGraph,
    input::Input,
};

use super::length::DeviceLength;

/// The edges that leave each vertex.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Edges<L: Numeric> {
    /// Where the edges of each vertex start, and where the last one's end.
    pub offsets: Input<u32>,
    /// Where each edge leads.
    pub targets: Input<u32>,
    /// How long it is.
    pub weights: Input<L>,
}

/// The argument that binds the edges of a graph, with their weights.
pub(super) fn edges_arg<T: DeviceLength>(
    graph: &DeviceGraph,
    weights: &Buffer<T>,
) -> EdgesLaunch<T, GpuRuntime> {
    EdgesLaunch::new(graph.offsets().arg(), graph.targets().arg(), weights.arg())
}
