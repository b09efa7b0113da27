//! `node`: one unit per vertex of the worklist (Raval et al., BS; Pathak et al., queue BFS).

use cubecl::prelude::*;
use equipoise_schedule::{device::GpuRuntime, engine::*, ranges::*};

use crate::{
    Result,
    traversal::{
        iteration::{GraphOp, Iterate, SearchState, UNITS},
        options::Strategy,
        vertex_labels::*,
    },
};

/// Relaxes the edges of the vertices in a list.
#[cube(launch_unchecked)]
pub(crate) fn push_nodes(
    rows: &Rows,
    labels: &mut VertexLabels,
    list: &ThisList,
    next: &mut NextList,
) {
    for index in grid_stride_range(0, list.count) {
        let vertex = list.vertices[index as usize];
        let label = labels.label(vertex);
        let (begin, end) = (rows.offsets[vertex as usize], rows.offsets[(vertex + 1) as usize]);
        for edge in begin..end {
            let target = rows.targets[edge as usize];
            if labels.relax(label, edge, target) {
                next.add(target);
            }
        }
    }
}

pub(super) struct Node;

impl<'g, Op: GraphOp> Iterate<'g, Op> for Node {
    fn names(&self) -> &'static [Strategy] {
        &[Strategy::Node]
    }

    fn launch(&mut self, _: Strategy, search: &mut SearchState<'g, Op>) -> Result<u32> {
        let count = search.list_vertices()?;
        // SAFETY: the list has `count` vertices, and the next one has room for all vertices of the graph, none of which
        // joins twice in an iteration.
        unsafe {
            push_nodes::launch_unchecked::<GpuRuntime>(
                search.gpu().client(),
                search.cubes(count),
                CubeDim::new_1d(UNITS),
                search.rows.arg(),
                search.labels_arg(),
                search.this_arg(count),
                search.next_arg(),
            );
        }
        search.swap_lists();
        Ok(1)
    }
}
