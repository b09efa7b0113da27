//! `node`: a unit for each vertex of the worklist (Raval et al., BS; Pathak et al., queue BFS).

use cubecl::prelude::*;
use equipoise_schedule::device::GpuRuntime;
use equipoise_schedule::ranges::*;

use super::super::{
    field::*,
    metric::*,
    metric_on::MetricOn,
    search::{Search, UNITS},
};
use crate::Result;

/// Goes along the edges of the vertices in a list.
#[cube(launch_unchecked)]
pub(crate) fn push_nodes<M: Metric>(
    rows: &Rows,
    field: &mut Field<M>,
    list: &ThisList,
    next: &mut NextList,
) {
    for index in grid_stride_range(0, list.count) {
        let vertex = list.vertices[index as usize];
        let label = field.label(vertex);
        let (begin, end) = (rows.offsets[vertex as usize], rows.offsets[(vertex + 1) as usize]);
        for edge in begin..end {
            let target = rows.targets[edge as usize];
            if field.reach(label, edge, target) {
                next.add(target);
            }
        }
    }
}

impl<M: MetricOn> Search<'_, M> {
    pub(in crate::traverse::gpu) fn node(&mut self) -> Result<()> {
        let count = self.list_vertices()?;
        // SAFETY: the list has `count` vertices, and the next one room for all of the graph; no
        // vertex is told twice in a turn that it was found.
        unsafe {
            push_nodes::launch_unchecked::<M, GpuRuntime>(
                self.gpu.client(),
                self.cubes(count),
                CubeDim::new_1d(UNITS),
                self.graph.leaving.arg(),
                self.field(),
                self.this_arg(count),
                self.next_arg(),
            );
        }
        self.turn_lists();
        Ok(())
    }
}
