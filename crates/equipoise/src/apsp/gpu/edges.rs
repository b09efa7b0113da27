//! The edges of a graph in the memory of a GPU, with their lengths.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    input::Input,
};

use super::length::DeviceLength;
use crate::{
    Result,
    gpu_graph::{DeviceRows, GpuGraph},
};

/// The edges that leave each vertex, or enter it.
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
    /// Those that leave the vertices of a graph that is there.
    pub fn leaving(graph: &GpuGraph) -> Result<Self> {
        graph.upload_weights()?;
        Self::of(&graph.leaving)
    }

    /// Those that enter them.
    pub fn entering(graph: &GpuGraph) -> Result<Self> {
        Self::of(graph.entering_with_weights()?)
    }

    fn of(rows: &DeviceRows) -> Result<Self> {
        Ok(Self {
            offsets: rows.offsets.clone(),
            targets: rows.targets.clone(),
            weights: T::weights(rows)?,
            vertices: rows.offsets.len() as u32 - 1,
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
