//! The neighbours of each vertex in the memory of a GPU.

use cubecl::prelude::*;
use equipoise_graph::Csr;
use equipoise_schedule::device::{Buffer, Gpu};

use crate::{ColorDegrees, Result};

/// Units a cube.
pub(super) const UNITS: u32 = 256;

/// The neighbours of each vertex.
pub(super) struct DeviceNeighbors<'g> {
    pub gpu: &'g Gpu,
    /// Where those of each vertex start, and where the last one's end.
    pub offsets: Buffer<u32>,
    pub targets: Buffer<u32>,
    pub vertices: u32,
    pub edges: u32,
    pub degrees: ColorDegrees,
}

impl<'g> DeviceNeighbors<'g> {
    /// Copies them. There are as many entries as 32 bits count.
    pub fn upload(gpu: &'g Gpu, neighbors: &Csr, degrees: ColorDegrees) -> Result<Self> {
        let offsets: Vec<u32> = neighbors.offsets().iter().map(|&offset| offset as u32).collect();
        Ok(Self {
            gpu,
            offsets: gpu.upload(&offsets)?,
            targets: gpu.upload(neighbors.indices())?,
            vertices: neighbors.rows(),
            edges: neighbors.entries() as u32,
            degrees,
        })
    }

    /// The bytes that they take.
    pub fn bytes(neighbors: &Csr) -> u64 {
        4 * (u64::from(neighbors.rows()) + 1 + neighbors.entries())
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
