//! `scan`: the next list is built by counting and adding up instead of by atomic counters (Pathak
//! et al., scan BFS).

use cubecl::prelude::*;
use equipoise_schedule::device::GpuRuntime;
use equipoise_schedule::{input::Input, primitives, ranges::*};

use super::super::{
    field::*,
    metric::*,
    metric_on::MetricOn,
    search::{Search, UNITS},
};
use crate::{NONE, Result};

/// Goes along the edges of the vertices in a list, noting for each vertex found who found it, and
/// how many each one found.
#[cube(launch_unchecked)]
pub(crate) fn claim<M: Metric>(
    rows: &Rows,
    field: &mut Field<M>,
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
            if field.reach(label, edge, target) {
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

impl<M: MetricOn> Search<'_, M> {
    pub(in crate::traverse::gpu) fn scan(&mut self) -> Result<()> {
        let count = self.list_vertices()?;
        let finders = match &self.finders {
            Some(finders) => finders.clone(),
            None => self.gpu.filled(self.graph.vertices() as usize, NONE)?,
        };
        let counts = self.gpu.empty(count as usize)?;
        // SAFETY: the list has `count` vertices, as has `counts`; there is a finder for each vertex.
        unsafe {
            claim::launch_unchecked::<M, GpuRuntime>(
                self.gpu.client(),
                self.cubes(count),
                CubeDim::new_1d(UNITS),
                self.graph.leaving.arg(),
                self.field(),
                self.this_arg(count),
                finders.arg(),
                counts.arg(),
            );
        }
        let sums = primitives::offsets(self.gpu, &counts)?;
        // SAFETY: as above; `sums` has one number more, and the next list room for all vertices.
        unsafe {
            place::launch_unchecked::<GpuRuntime>(
                self.gpu.client(),
                self.cubes(count),
                CubeDim::new_1d(UNITS),
                self.graph.leaving.arg(),
                self.this_arg(count),
                PlacesLaunch::new(sums.arg()),
                finders.arg(),
                self.next.arg(),
                self.count.arg(),
                NONE,
            );
        }
        self.finders = Some(finders);
        self.turn_lists();
        Ok(())
    }
}
