//! The edges of a graph in the memory of a GPU, with their lengths.

use cubecl::prelude::*;
use equipoise_graph::Graph;
use equipoise_schedule::{
    device::{Buffer, Gpu, GpuRuntime},
    input::Input,
};
use rayon::prelude::*;

use super::matrix::DeviceLength;
use crate::{Result, gpu_graph::GpuGraph};

/// The edges that leave each vertex.
pub(super) struct DeviceEdges<T: DeviceLength> {
    offsets: Buffer<u32>,
    targets: Buffer<u32>,
    weights: Buffer<T>,
    pub vertices: u32,
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

    /// Those that leave the vertices of a graph that is there.
    pub fn leaving(graph: &GpuGraph) -> Result<Self> {
        graph.upload_weights()?;
        let rows = &graph.leaving;
        Ok(Self {
            offsets: rows.offsets.clone(),
            targets: rows.targets.clone(),
            weights: T::weights(rows)?,
            vertices: graph.vertices(),
        })
    }

    pub fn upload(gpu: &Gpu, graph: &Graph) -> Result<Self> {
        let offsets: Vec<u32> = graph.csr().offsets().iter().map(|&offset| offset as u32).collect();
        let edges = (0..graph.edges() as usize).into_par_iter();
        let weights: Vec<T> = edges.map(|edge| T::weight_of(graph, edge)).collect();
        Ok(Self {
            offsets: gpu.upload(&offsets)?,
            targets: gpu.upload(graph.csr().indices())?,
            weights: gpu.upload(&weights)?,
            vertices: graph.vertices(),
        })
    }

    pub fn arg(&self) -> EdgesLaunch<T, GpuRuntime> {
        EdgesLaunch::new(self.offsets.arg(), self.targets.arg(), self.weights.arg())
    }

    /// Edges of a vertex, on average.
    pub fn mean_degree(&self) -> u32 {
        self.targets.len() as u32 / self.vertices.max(1)
    }
}
