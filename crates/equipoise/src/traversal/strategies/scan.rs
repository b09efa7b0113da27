//! `scan`: the next list is built by counting and adding up instead of by atomic counters (Pathak
//! et al., scan BFS).

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    engine::*,
    input::Input,
    primitives,
    ranges::*,
};

use super::{
    super::{
        field::*,
        graph::OnGraph,
        iteration::{Search, UNITS},
    },
    Iterate, Sizes,
};
use crate::{NONE, Result, traversal::Strategy};

/// Relaxes the edges of the vertices in a list, recording for each vertex found who found it, and
/// how many each one found.
#[cube(launch_unchecked)]
pub(crate) fn claim(
    rows: &Rows,
    field: &mut Field,
    list: &ThisList,
    finders: &mut Array<u32>,
    counts: &mut Array<u32>,
) {
    for index in grid_stride_range(0, list.count) {
        let vertex = list.vertices[index as usize];
        let label = field.label(vertex);
        let (begin, end) = (rows.offsets[vertex as usize], rows.offsets[(vertex + 1) as usize]);
        let mut found = 0u32;
        for edge in begin..end {
            let target = rows.targets[edge as usize];
            if field.relax(label, edge, target) {
                finders[target as usize] = index;
                found += 1;
            }
        }
        counts[index as usize] = found;
    }
}

/// Where each vertex of a list writes what it found.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Places {
    /// How many the vertices before each found, and all of them.
    pub sums: Input<u32>,
}

/// Writes the vertices that were found to their places. Of parallel edges, the first counts.
#[cube(launch_unchecked)]
pub(crate) fn place(
    rows: &Rows,
    list: &ThisList,
    places: &Places,
    finders: &mut Array<u32>,
    next: &mut Array<u32>,
    listed: &mut Array<u32>,
    none: u32,
) {
    if ABSOLUTE_POS == 0 {
        listed[0] = places.sums[list.count as usize];
    }
    for index in grid_stride_range(0, list.count) {
        let vertex = list.vertices[index as usize];
        let mut place = places.sums[index as usize];
        let last = places.sums[(index + 1) as usize];
        let mut edge = rows.offsets[vertex as usize];
        while place < last {
            let target = rows.targets[edge as usize];
            if finders[target as usize] == index {
                finders[target as usize] = none;
                next[place as usize] = target;
                place += 1;
            }
            edge += 1;
        }
    }
}

/// As node, with the next worklist built by adding up.
#[derive(Default)]
pub(super) struct Scan {
    /// The place in the worklist of whoever found each vertex, or [`NONE`].
    finders: Option<Buffer<u32>>,
}

impl<'g, Op: OnGraph> Iterate<'g, Op> for Scan {
    fn names(&self) -> &'static [Strategy] {
        &[Strategy::Scan]
    }

    fn words(&self, _: Strategy, graph: &Sizes) -> u64 {
        graph.vertices + graph.sums()
    }

    fn launch(&mut self, _: Strategy, search: &mut Search<'g, Op>) -> Result<u32> {
        let count = search.list_vertices()?;
        let gpu = search.gpu();
        let finders = match &self.finders {
            Some(finders) => finders.clone(),
            None => gpu.filled(search.graph.vertices() as usize, NONE)?,
        };
        let counts = gpu.empty(count as usize)?;
        // SAFETY: the list has `count` vertices, as has `counts`; there is a finder for each vertex.
        unsafe {
            claim::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                search.cubes(count),
                CubeDim::new_1d(UNITS),
                search.graph.leaving.arg(),
                search.field(),
                search.this_arg(count),
                finders.arg(),
                counts.arg(),
            );
        }
        let sums = primitives::offsets(gpu, &counts)?;
        // SAFETY: as above; `sums` has one number more, and the next list room for all vertices.
        unsafe {
            place::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                search.cubes(count),
                CubeDim::new_1d(UNITS),
                search.graph.leaving.arg(),
                search.this_arg(count),
                PlacesLaunch::new(sums.arg()),
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
