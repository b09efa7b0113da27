//! The neighbours of each vertex in the memory of a GPU.

use cubecl::prelude::*;
use equipoise_schedule::{device::Gpu, engine::DeviceGraph};

use crate::{
    color::ColorDegrees,
    kernels::{UNITS, cubes_for},
};

pub(super) struct DeviceNeighbors<'g> {
    pub gpu: &'g Gpu,
    pub graph: &'g DeviceGraph,
    pub vertices: u32,
    pub degrees: ColorDegrees,
}

impl<'g> DeviceNeighbors<'g> {
    pub fn new(graph: &'g DeviceGraph, degrees: ColorDegrees) -> Self {
        Self { gpu: graph.gpu(), graph, vertices: graph.vertices(), degrees }
    }

    /// Cubes for one unit per vertex, at most as many as run at once.
    pub fn cubes(&self) -> CubeCount {
        cubes_for(self.gpu, self.vertices)
    }

    /// The number of units that run at once.
    pub fn units(&self) -> u64 {
        u64::from(self.gpu.properties().cubes_at_work()) * u64::from(UNITS)
    }
}
