//! `node`: a unit for each vertex of the worklist (Raval et al., BS; Pathak et al., queue BFS).

use cubecl::prelude::*;
use equipoise_schedule::{device::GpuRuntime, engine::*, ranges::*};

use super::{
    super::{
        field::*,
        graph::OnGraph,
        iteration::{Search, UNITS},
    },
    Iterate,
};
use crate::{Result, traversal::Strategy};

/// Relaxes the edges of the vertices in a list.
#[cube(launch_unchecked)]
pub(crate) fn push_nodes(rows: &Rows, field: &mut Field, list: &ThisList, next: &mut NextList) {
    for index in grid_stride_range(0, list.count) {
        let vertex = list.vertices[index as usize];
        let label = field.label(vertex);
        let (begin, end) = (rows.offsets[vertex as usize], rows.offsets[(vertex + 1) as usize]);
        for edge in begin..end {
            let target = rows.targets[edge as usize];
            if field.relax(label, edge, target) {
                next.add(target);
            }
        }
    }
}

/// A unit for each vertex of the worklist.
pub(super) struct Node;

impl<'g, Op: OnGraph> Iterate<'g, Op> for Node {
    fn names(&self) -> &'static [Strategy] {
        &[Strategy::Node]
    }

    fn launch(&mut self, _: Strategy, search: &mut Search<'g, Op>) -> Result<u32> {
        let count = search.list_vertices()?;
        // SAFETY: the list has `count` vertices, and the next one room for all of the graph; no
        // vertex joins twice in an iteration.
        unsafe {
            push_nodes::launch_unchecked::<GpuRuntime>(
                search.gpu().client(),
                search.cubes(count),
                CubeDim::new_1d(UNITS),
                search.graph.leaving.arg(),
                search.field(),
                search.this_arg(count),
                search.next_arg(),
            );
        }
        search.swap_lists();
        Ok(1)
    }
}
