//! The edges of a graph in the memory of a GPU, with their lengths.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    input::Input,
};

use super::length::DeviceLength;
use crate::{
    Error, Result,
    gpu_graph::{GpuGraph, WeightedRows},
};

/// The edges that leave or enter each vertex.
pub(super) struct DeviceEdges<T: DeviceLength> {
    offsets: Buffer<u32>,
    targets: Buffer<u32>,
    weights: Buffer<T>,
    pub vertices: u32,
}

/// The edges of each vertex in a kernel.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Edges<L: Numeric> {
    /// The start of each vertex's edges, and the end of the last one's.
    pub offsets: Input<u32>,
    pub targets: Input<u32>,
    pub weights: Input<L>,
}

impl<T: DeviceLength> DeviceEdges<T> {
    /// The edges that leave each vertex.
    pub fn leaving(graph: &GpuGraph) -> Result<Self> {
        Self::new(graph.leaving_with_weights()?)
    }

    /// The edges that enter each vertex.
    pub fn entering(graph: &GpuGraph) -> Result<Self> {
        Self::new(graph.entering_with_weights()?)
    }

    fn new(rows: &WeightedRows) -> Result<Self> {
        let Some(weights) = rows.weights().and_then(T::weights) else {
            return Err(Error::Wrong("lengths are of another type than weights".into()));
        };
        Ok(Self {
            offsets: rows.offsets.clone(),
            targets: rows.targets.clone(),
            weights: weights.clone(),
            vertices: rows.offsets.len() as u32 - 1,
        })
    }

    pub fn arg(&self) -> EdgesLaunch<T, GpuRuntime> {
        EdgesLaunch::new(self.offsets.arg(), self.targets.arg(), self.weights.arg())
    }

    pub fn mean_degree(&self) -> u32 {
        self.targets.len() as u32 / self.vertices.max(1)
    }
}
