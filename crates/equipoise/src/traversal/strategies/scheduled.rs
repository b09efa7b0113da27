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

use crate::{
    Result,
    traversal::{
        iteration::{GraphOp, GraphSizes, Iterate, SearchState},
        options::Strategy,
        vertex_labels::*,
    },
};

/// Relaxes edges: a tile is a vertex, an atom an edge of it.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct RelaxEdges {
    pub labels: VertexLabels,
    pub targets: Input<u32>,
    /// The vertices found.
    pub next: NextList,
}

impl WorkKind for RelaxEdges {
    const REDUCES: bool = false;
}

#[cube]
impl Work for RelaxEdges {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn atom(&mut self, vertex: u32, edge: u32) -> u32 {
        let label = self.labels.label(vertex);
        let target = self.targets[edge as usize];
        if self.labels.relax(label, edge, target) {
            self.next.add(target);
        }
        0u32.runtime()
    }

    fn combine(a: u32, _b: u32) -> u32 {
        a
    }

    fn end(&mut self, _vertex: u32, _total: u32) {}
}

/// The strategies that are schedules of the model.
pub(super) struct Scheduled;

fn schedule(name: Strategy) -> ScheduleName {
    match name {
        Strategy::Group => ScheduleName::GroupMapped,
        Strategy::Plane => ScheduleName::PlaneMapped,
        Strategy::Cube => ScheduleName::CubeMapped,
        Strategy::Binned => ScheduleName::Binned,
        _ => ScheduleName::MergePath,
    }
}

impl<'g, Op: GraphOp> Iterate<'g, Op> for Scheduled {
    fn names(&self) -> &'static [Strategy] {
        use Strategy::{Binned, Cube, Group, MergePath, Plane};
        &[Group, Plane, Cube, MergePath, Binned]
    }

    fn words(&self, name: Strategy, sizes: &GraphSizes) -> u64 {
        let GraphSizes { vertices, edges, .. } = sizes;
        sizes.sums()
            + match name {
                Strategy::MergePath => (vertices + edges) / 256,
                Strategy::Binned => 3 * vertices + vertices / 256,
                _ => 0,
            }
    }

    fn launch(&mut self, name: Strategy, search: &mut SearchState<'g, Op>) -> Result<u32> {
        let count = search.list_vertices()?;
        let gpu = search.gpu();
        let listed = gpu.upload(&[count])?;
        let rows = search.rows;
        let this = search.lists.this.clone();
        let list = VertexList::with_room(gpu, &rows.offsets, this, listed, count as usize)?;
        let tiles = list.tiles(search.frontier.edges)?;
        let options = ScheduleOptions::from(schedule(name));
        let plan = Plan::<ListedRows, RelaxEdges>::new(gpu, options, &tiles)?;
        let work =
            || RelaxEdgesLaunch::new(search.labels_arg(), rows.targets.arg(), search.next_arg());
        // SAFETY: each edge has a target and a weight, and each vertex a label; the next list has room for all vertices,
        // each of which is listed once.
        unsafe { plan.run(&tiles, work) };
        search.swap_lists();
        Ok(1)
    }
}
