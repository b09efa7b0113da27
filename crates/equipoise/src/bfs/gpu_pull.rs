//! `pull` on a GPU: one unit for each vertex of the graph (Verstraaten et al.).

use cubecl::prelude::*;
use equipoise_schedule::{device::GpuRuntime, engine::*, ranges::*};

use super::gpu::Discover;
use crate::{
    NONE, Result,
    traversal::{Count, Iterate, Listed, OnGraph, Search, Sizes, Strategy, Tally, UNITS},
};

/// Those not reached look for a neighbour in the frontier, among the edges that enter them, up to the
/// first.
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
    let mut looked = 0u32;
    for vertex in grid_stride_range(0, vertices) {
        if op.is_open(vertex) {
            let end = entering.offsets[(vertex + 1) as usize];
            let mut edge = entering.offsets[vertex as usize];
            let mut found = false;
            while edge < end && !found {
                found = op.is_at(entering.targets[edge as usize], level);
                edge += 1;
            }
            looked += edge - entering.offsets[vertex as usize];
            // Others look for `level` only, so that they may see this or not.
            if found {
                op.pull(vertex, level, NONE.runtime());
                tally.count(total, count);
            }
        }
    }
    tally.finish(total, count);
    // How many edges were looked at, a plane at a time.
    let of_plane = plane_sum(looked);
    if UNIT_POS_PLANE == 0 {
        total[1].fetch_add(of_plane);
    }
}

/// One unit for each vertex of the graph.
pub(super) struct Pull;

impl<'g> Iterate<'g, Discover> for Pull {
    fn names(&self) -> &'static [Strategy] {
        &[Strategy::Pull]
    }

    fn words(&self, _: Strategy, graph: &Sizes) -> u64 {
        graph.entering
    }

    fn prepare(&mut self, _: Strategy, search: &Search<'g, Discover>) -> Result<()> {
        search.graph.entering().map(drop)
    }

    fn launch(&mut self, _: Strategy, search: &mut Search<'g, Discover>) -> Result<u32> {
        let vertices = search.graph.vertices();
        // SAFETY: there is a label and an offset for each vertex.
        unsafe {
            pull_vertices::launch_unchecked::<Discover, GpuRuntime>(
                search.gpu().client(),
                search.cubes(vertices),
                CubeDim::new_1d(UNITS),
                search.graph.entering()?.arg(),
                Discover::arg(search.gpu(), &search.graph.leaving, &search.labels),
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
