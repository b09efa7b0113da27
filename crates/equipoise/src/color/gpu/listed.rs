//! The uncolored vertices as a tile set, and a schedule of the model over it.

use equipoise_schedule::{
    ScheduleName,
    device::{Buffer, GpuRuntime},
    plan::{Plan, ScheduleOptions},
    primitives,
    tiles::{ListedRows, VertexList},
    work::*,
};

use super::graph::DeviceNeighbors;
use crate::Result;

/// Vertices of a graph, with a schedule prepared for them.
pub(super) struct Listed<W: Work> {
    list: VertexList,
    plan: Plan<ListedRows, W>,
    /// How many vertices there are.
    pub count: u32,
}

impl<W: Work> Listed<W> {
    /// Those that have a flag.
    pub fn new(
        graph: &DeviceNeighbors,
        flags: &Buffer<u32>,
        schedule: ScheduleName,
    ) -> Result<Self> {
        let gpu = graph.gpu;
        let found = primitives::compact(gpu, flags)?;
        let count = found.read_count(gpu)?;
        let list =
            VertexList::with_room(gpu, &graph.offsets, found.indices, found.count, count as usize)?;
        let plan = Plan::new(gpu, ScheduleOptions::from(schedule), &list.tiles(graph.edges)?)?;
        Ok(Self { list, plan, count })
    }

    /// Does a work with all of them.
    ///
    /// # Safety
    ///
    /// For each vertex and edge of the graph, the work reads and writes within its arrays only.
    pub unsafe fn run(
        &self,
        graph: &DeviceNeighbors,
        work: impl Fn() -> W::RuntimeArg<GpuRuntime>,
    ) -> Result<()> {
        // SAFETY: the list has vertices of the graph; the caller sees to the work.
        unsafe { self.plan.run(&self.list.tiles(graph.edges)?, work) };
        Ok(())
    }
}
