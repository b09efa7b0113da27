//! A frontier that is being made.

use cubecl::prelude::*;

use super::{DeviceGraph, Frontier};
use crate::{
    Result,
    device::{Buffer, GpuRuntime},
    input::Input,
};

/// A frontier that is being made: vertices that are listed once in an iteration.
#[derive(CubeType, CubeLaunch)]
pub(super) struct NextFrontier {
    list: Array<u32>,
    /// How many vertices are listed, and how many edges leave them.
    counts: Array<Atomic<u32>>,
    /// For each vertex, the last iteration that listed it.
    marks: Array<Atomic<u32>>,
    offsets: Input<u32>,
}

#[cube]
impl NextFrontier {
    /// Lists a vertex unless it is listed.
    pub fn add(&mut self, vertex: u32, iteration: u32) {
        if self.marks[vertex as usize].fetch_max(iteration) < iteration {
            let degree = self.offsets[vertex as usize + 1] - self.offsets[vertex as usize];
            let place = self.counts[0].fetch_add(1u32);
            self.counts[1].fetch_add(degree);
            self.list[place as usize] = vertex;
        }
    }
}

/// Room for a frontier that is being made.
pub(super) struct NextBuffers<'g> {
    graph: &'g DeviceGraph,
    pub list: Buffer<u32>,
    pub counts: Buffer<u32>,
}

impl<'g> NextBuffers<'g> {
    pub fn new(graph: &'g DeviceGraph) -> Result<Self> {
        let gpu = graph.gpu();
        let list = gpu.empty(graph.vertices() as usize)?;
        Ok(Self { graph, list, counts: gpu.filled(2, 0)? })
    }

    pub fn arg(&self, marks: &Buffer<u32>) -> NextFrontierLaunch<GpuRuntime> {
        NextFrontierLaunch::new(
            self.list.arg(),
            self.counts.arg(),
            marks.arg(),
            self.graph.offsets().arg(),
        )
    }

    pub fn read(self) -> Result<Frontier<'g>> {
        Frontier::read(self.graph, self.list, self.counts)
    }
}
