//! `scan`: the next list is built by counting and prefix sums instead of atomic counters (Pathak et al., scan BFS).

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    engine::*,
    input::Input,
    primitives,
    ranges::*,
};

use crate::{
    NONE, Result,
    traversal::{
        iteration::{GraphOp, GraphSizes, Iterate, SearchState, UNITS},
        options::Strategy,
        vertex_labels::*,
    },
};

/// Relaxes the edges of the vertices in a list. Records the finder of each found vertex, as an index in the list, and the
/// number of vertices that each one found.
#[cube(launch_unchecked)]
pub(crate) fn claim(
    rows: &Rows,
    labels: &mut VertexLabels,
    list: &ThisList,
    finders: &mut Array<u32>,
    counts: &mut Array<u32>,
) {
    for index in grid_stride_range(0, list.count) {
        let vertex = list.vertices[index as usize];
        let label = labels.label(vertex);
        let (begin, end) = (rows.offsets[vertex as usize], rows.offsets[(vertex + 1) as usize]);
        let mut found = 0u32;
        for edge in begin..end {
            let target = rows.targets[edge as usize];
            if labels.relax(label, edge, target) {
                finders[target as usize] = index;
                found += 1;
            }
        }
        counts[index as usize] = found;
    }
}

/// The index in the next list at which each vertex writes the vertices that it found.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct NextStarts {
    /// The prefix sums of the numbers of found vertices.
    pub sums: Input<u32>,
}

/// Writes the found vertices to the next list. Of parallel edges, the first counts.
#[cube(launch_unchecked)]
pub(crate) fn write_found(
    rows: &Rows,
    list: &ThisList,
    starts: &NextStarts,
    finders: &mut Array<u32>,
    next: &mut Array<u32>,
    listed: &mut Array<u32>,
    none: u32,
) {
    if ABSOLUTE_POS == 0 {
        listed[0] = starts.sums[list.count as usize];
    }
    for index in grid_stride_range(0, list.count) {
        let vertex = list.vertices[index as usize];
        let mut next_index = starts.sums[index as usize];
        let last = starts.sums[(index + 1) as usize];
        let mut edge = rows.offsets[vertex as usize];
        while next_index < last {
            let target = rows.targets[edge as usize];
            if finders[target as usize] == index {
                finders[target as usize] = none;
                next[next_index as usize] = target;
                next_index += 1;
            }
            edge += 1;
        }
    }
}

#[derive(Default)]
pub(super) struct Scan {
    /// The index in the worklist of each vertex' finder, or [`NONE`].
    finders: Option<Buffer<u32>>,
}

impl<'g, Op: GraphOp> Iterate<'g, Op> for Scan {
    fn names(&self) -> &'static [Strategy] {
        &[Strategy::Scan]
    }

    fn words(&self, _: Strategy, sizes: &GraphSizes) -> u64 {
        sizes.vertices + sizes.sums()
    }

    fn launch(&mut self, _: Strategy, search: &mut SearchState<'g, Op>) -> Result<u32> {
        let count = search.list_vertices()?;
        let gpu = search.gpu();
        let finders = match &self.finders {
            Some(finders) => finders.clone(),
            None => gpu.filled(search.graph.vertices() as usize, NONE)?,
        };
        let counts = gpu.empty(count as usize)?;
        // SAFETY: the list has `count` vertices, as has `counts`; each vertex of the graph has a finder.
        unsafe {
            claim::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                search.cubes(count),
                CubeDim::new_1d(UNITS),
                search.rows.arg(),
                search.labels_arg(),
                search.this_arg(count),
                finders.arg(),
                counts.arg(),
            );
        }
        let sums = primitives::offsets(gpu, &counts)?;
        // SAFETY: as above; `sums` has one number more, and the next list has room for all vertices.
        unsafe {
            write_found::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                search.cubes(count),
                CubeDim::new_1d(UNITS),
                search.rows.arg(),
                search.this_arg(count),
                NextStartsLaunch::new(sums.arg()),
                finders.arg(),
                search.lists.next.arg(),
                search.lists.count.arg(),
                NONE,
            );
        }
        self.finders = Some(finders);
        search.swap_lists();
        Ok(1)
    }

    fn forget(&mut self) {
        self.finders = None;
    }
}
