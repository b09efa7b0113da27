//! `group`, `plane`, `cube`, `merge-path`, `binned`: the schedules of the model over the frontier
//! (Osama et al.).

use cubecl::prelude::*;
use equipoise_schedule::{
    ScheduleName,
    input::Input,
    plan::{Plan, ScheduleOptions},
    tiles::{ListedRows, VertexList},
    work::*,
};

use super::super::{field::*, metric::*, metric_on::MetricOn, search::Search};
use crate::Result;

/// Goes along edges: a tile is a vertex, an atom an edge of it.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct RelaxEdges<M: Metric> {
    /// The labels.
    pub field: Field<M>,
    /// Where each edge leads.
    pub targets: Input<u32>,
    /// The vertices found.
    pub next: NextList,
}

impl<M: Metric> WorkKind for RelaxEdges<M> {
    const REDUCES: bool = false;
}

#[cube]
impl<M: Metric> Work for RelaxEdges<M> {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn atom(&mut self, vertex: u32, edge: u32) -> u32 {
        let label = self.field.label(vertex);
        let target = self.targets[edge as usize];
        if self.field.reach(label, edge, target) {
            self.next.add(target);
        }
        0u32.runtime()
    }

    fn combine(a: u32, _b: u32) -> u32 {
        a
    }

    fn end(&mut self, _vertex: u32, _total: u32) {}
}

impl<M: MetricOn> Search<'_, M> {
    pub(in crate::traverse::gpu) fn scheduled(&mut self, schedule: ScheduleName) -> Result<()> {
        let count = self.list_vertices()?;
        let listed = self.gpu.upload(&[count])?;
        let offsets = &self.graph.leaving.offsets;
        let list =
            VertexList::with_room(self.gpu, offsets, self.this.clone(), listed, count as usize)?;
        let tiles = list.tiles(self.frontier.edges)?;
        let options = ScheduleOptions::from(schedule);
        let plan = Plan::<ListedRows, RelaxEdges<M>>::new(self.gpu, options, &tiles)?;
        let targets = &self.graph.leaving.targets;
        let work = || RelaxEdgesLaunch::new(self.field(), targets.arg(), self.next_arg());
        // SAFETY: there is a target and a weight for each edge, a label for each vertex, and room in
        // the next list for all of them, each of which is listed once.
        unsafe { plan.run(&tiles, work) };
        self.turn_lists();
        Ok(())
    }
}
