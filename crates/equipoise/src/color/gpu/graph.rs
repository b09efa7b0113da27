//! The neighbours of each vertex in the memory of a GPU.

use cubecl::prelude::*;
use equipoise_schedule::{device::Gpu, engine::DeviceGraph};

use crate::color::ColorDegrees;

/// Units a cube.
pub(super) const UNITS: u32 = 256;

/// The neighbours of each vertex.
pub(super) struct DeviceNeighbors<'g> {
    pub gpu: &'g Gpu,
    pub graph: &'g DeviceGraph,
    pub vertices: u32,
    pub degrees: ColorDegrees,
}

impl<'g> DeviceNeighbors<'g> {
    pub fn of(graph: &'g DeviceGraph, degrees: ColorDegrees) -> Self {
        Self { gpu: graph.gpu(), graph, vertices: graph.vertices(), degrees }
    }

    /// Cubes for one unit a vertex, but not more than are at work at the same time.
    pub fn cubes(&self) -> CubeCount {
        let enough = self.vertices.div_ceil(UNITS);
        self.gpu.cubes(enough.min(self.gpu.properties().cubes_at_work()).into())
    }

    /// How many vertices the device works on at the same time, a unit each.
    pub fn units(&self) -> u64 {
        u64::from(self.gpu.properties().cubes_at_work()) * u64::from(UNITS)
    }
}
