//! `pull` on a GPU: one unit per vertex of the graph (Verstraaten et al.).

use cubecl::prelude::*;
use equipoise_schedule::{device::GpuRuntime, engine::*, ranges::*};

use super::gpu::Discover;
use crate::{
    NONE, Result,
    traversal::{Count, GraphOp, GraphSizes, Iterate, Listed, SearchState, Strategy, Tally, UNITS},
};

/// Unreached vertices examine the edges that enter them, up to the first from the frontier.
#[cube(launch_unchecked)]
fn pull_vertices<Op: PullOp>(
    entering: &Rows,
    op: &mut Op,
    total: &mut Array<Atomic<u32>>,
    vertices: u32,
    level: u32,
    #[comptime] count: Count,
) {
    let mut tally = Tally::new();
    let mut examined = 0u32;
    for vertex in grid_stride_range(0, vertices) {
        if op.is_open(vertex) {
            let end = entering.offsets[(vertex + 1) as usize];
            let mut edge = entering.offsets[vertex as usize];
            let mut found = false;
            while edge < end && !found {
                found = op.is_at(entering.targets[edge as usize], level);
                edge += 1;
            }
            examined += edge - entering.offsets[vertex as usize];
            // Other units search for `level`, so that it does not matter whether they see this write.
            if found {
                op.pull(vertex, level, NONE.runtime());
                tally.count(total, count);
            }
        }
    }
    tally.finish(total, count);
    // The number of examined edges, added per plane.
    let of_plane = plane_sum(examined);
    if UNIT_POS_PLANE == 0 {
        total[1].fetch_add(of_plane);
    }
}

pub(super) struct Pull;

impl<'g> Iterate<'g, Discover> for Pull {
    fn names(&self) -> &'static [Strategy] {
        &[Strategy::Pull]
    }

    fn words(&self, _: Strategy, sizes: &GraphSizes) -> u64 {
        sizes.entering
    }

    fn prepare(&mut self, _: Strategy, search: &SearchState<'g, Discover>) -> Result<()> {
        search.graph.entering().map(drop)
    }

    fn launch(&mut self, _: Strategy, search: &mut SearchState<'g, Discover>) -> Result<u32> {
        let vertices = search.graph.vertices();
        // SAFETY: each vertex has a label and an offset.
        unsafe {
            pull_vertices::launch_unchecked::<Discover, GpuRuntime>(
                search.gpu().client(),
                search.cubes(vertices),
                CubeDim::new_1d(UNITS),
                search.graph.entering()?.arg(),
                Discover::arg(search.gpu(), search.rows, &search.labels),
                search.found.arg(),
                vertices,
                search.iteration,
                search.settings.count,
            );
        }
        search.listed = Listed::Nothing;
        Ok(1)
    }
}
