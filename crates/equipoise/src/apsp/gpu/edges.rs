//! The edges of a graph in the memory of a GPU, with their lengths.

use cubecl::prelude::*;
use equipoise_graph::Graph;
use equipoise_schedule::{
    device::{Buffer, Gpu, GpuRuntime},
    engine::DeviceGraph,
    input::Input,
};
use rayon::prelude::*;

use super::matrix::DeviceLength;
use crate::Result;

/// The edges that leave each vertex.
pub(super) struct DeviceEdges<T: DeviceLength> {
    pub graph: DeviceGraph,
    pub weights: Buffer<T>,
}

/// The same, in a kernel.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Edges<L: Numeric> {
    /// Where the edges of each vertex start, and where the last one's end.
    pub offsets: Input<u32>,
    /// Where each edge leads.
    pub targets: Input<u32>,
    /// How long it is.
    pub weights: Input<L>,
}

impl<T: DeviceLength> DeviceEdges<T> {
    /// The bytes that the edges of a graph take.
    pub fn bytes(gpu: &Gpu, graph: &Graph) -> u64 {
        let offsets = gpu.held_by(4 * (u64::from(graph.vertices()) + 1));
        // An empty buffer takes as much as one element.
        offsets + 2 * gpu.held_by(4 * graph.edges().max(1))
    }

    pub fn upload(gpu: &Gpu, graph: &Graph) -> Result<Self> {
        let edges = (0..graph.edges() as usize).into_par_iter();
        let weights: Vec<T> = edges.map(|edge| T::weight_of(graph, edge)).collect();
        Ok(Self { graph: DeviceGraph::upload(gpu, graph)?, weights: gpu.upload(&weights)? })
    }
}

/// The argument that binds the edges of a graph, with their weights.
pub(super) fn edges_arg<T: DeviceLength>(
    graph: &DeviceGraph,
    weights: &Buffer<T>,
) -> EdgesLaunch<T, GpuRuntime> {
    EdgesLaunch::new(graph.offsets().arg(), graph.targets().arg(), weights.arg())
}
