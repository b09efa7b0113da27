//! Breadth-first search without atomic operations (Pathak et al.): `level-synchronous`, one unit per vertex of the graph, and
//! `scan`, whose next worklist is built in four kernels.
//!
//! Units that reach a vertex at the same time all write the same level. Each also writes its edge; the last write wins, and
//! later kernels see only that edge.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    engine::*,
    primitives,
    ranges::*,
};

use super::gpu::Discover;
use crate::{
    NONE, Result,
    traversal::{
        GraphSizes, Iterate, Listed, SearchState, Strategy, ThisList, ThisListLaunch, UNITS,
    },
};

/// Sets the levels of the unreached neighbours of a level's vertices, and `flag` if any is unreached.
#[cube(launch_unchecked)]
fn visit_level(
    rows: &Rows,
    levels: &mut Array<u32>,
    flag: &mut Array<u32>,
    vertices: u32,
    level: u32,
) {
    for vertex in grid_stride_range(0, vertices) {
        if levels[vertex as usize] == level {
            let mut found = false;
            for edge in rows.offsets[vertex as usize]..rows.offsets[(vertex + 1) as usize] {
                let target = rows.targets[edge as usize] as usize;
                if levels[target] > level + 1 {
                    levels[target] = level + 1;
                    found = true;
                }
            }
            if found {
                flag[0] = 1u32;
            }
        }
    }
}

/// The first kernel: sets the levels of the unreached neighbours of a list's vertices, and the edge by which each was reached.
#[cube(launch_unchecked)]
fn next_layer(
    rows: &Rows,
    list: &ThisList,
    levels: &mut Array<u32>,
    reached_by: &mut Array<u32>,
    level: u32,
) {
    for index in grid_stride_range(0, list.count) {
        let vertex = list.vertices[index as usize];
        for edge in rows.offsets[vertex as usize]..rows.offsets[(vertex + 1) as usize] {
            let target = rows.targets[edge as usize] as usize;
            if levels[target] > level + 1 {
                levels[target] = level + 1;
                reached_by[target] = edge;
            }
        }
    }
}

/// The second: counts, for each vertex of a list, the vertices reached by its edges.
#[cube(launch_unchecked)]
fn count_reached(rows: &Rows, list: &ThisList, reached_by: &Array<u32>, counts: &mut Array<u32>) {
    for index in grid_stride_range(0, list.count) {
        let vertex = list.vertices[index as usize];
        let mut count = 0u32;
        for edge in rows.offsets[vertex as usize]..rows.offsets[(vertex + 1) as usize] {
            let target = rows.targets[edge as usize] as usize;
            count += u32::cast_from(reached_by[target] == edge);
        }
        counts[index as usize] = count;
    }
}

/// The fourth, after the prefix sums of these counts: writes the reached vertices to the next list.
#[cube(launch_unchecked)]
fn populate_next(
    rows: &Rows,
    list: &ThisList,
    reached_by: &Array<u32>,
    sums: &Array<u32>,
    next: &mut Array<u32>,
    listed: &mut Array<u32>,
) {
    if ABSOLUTE_POS == 0 {
        listed[0] = sums[list.count as usize];
    }
    for index in grid_stride_range(0, list.count) {
        let vertex = list.vertices[index as usize];
        let mut next_index = sums[index as usize] as usize;
        for edge in rows.offsets[vertex as usize]..rows.offsets[(vertex + 1) as usize] {
            let target = rows.targets[edge as usize];
            if reached_by[target as usize] == edge {
                next[next_index] = target;
                next_index += 1;
            }
        }
    }
}

pub(super) struct LevelSynchronous;

impl<'g> Iterate<'g, Discover> for LevelSynchronous {
    fn names(&self) -> &'static [Strategy] {
        &[Strategy::LevelSynchronous]
    }

    fn launch(&mut self, name: Strategy, search: &mut SearchState<'g, Discover>) -> Result<u32> {
        let vertices = search.graph.vertices();
        // SAFETY: each vertex has a level, and edges lead to vertices.
        unsafe {
            visit_level::launch_unchecked::<GpuRuntime>(
                search.gpu().client(),
                search.cubes(vertices),
                CubeDim::new_1d(UNITS),
                search.rows.arg(),
                search.labels.arg(),
                search.found.arg(),
                vertices,
                search.iteration,
            );
        }
        // `found` is a flag here: whether the frontier has vertices.
        search.listed = Listed::Own(name, 0);
        Ok(1)
    }
}

#[derive(Default)]
pub(super) struct Scan {
    /// The edge by which each vertex was reached.
    reached_by: Option<Buffer<u32>>,
}

impl<'g> Iterate<'g, Discover> for Scan {
    fn names(&self) -> &'static [Strategy] {
        &[Strategy::Scan]
    }

    fn words(&self, _: Strategy, sizes: &GraphSizes) -> u64 {
        sizes.vertices + sizes.sums()
    }

    fn launch(&mut self, _: Strategy, search: &mut SearchState<'g, Discover>) -> Result<u32> {
        let count = search.list_vertices()?;
        let (gpu, rows) = (search.gpu(), search.rows);
        let reached_by = match self.reached_by.take() {
            Some(reached_by) => reached_by,
            None => gpu.filled(search.graph.vertices() as usize, NONE)?,
        };
        let list = || ThisListLaunch::new(search.lists.this.arg(), count);
        let (cubes, units) = (search.cubes(count), CubeDim::new_1d(UNITS));
        let counts = gpu.empty(count as usize)?;
        // SAFETY: the list has `count` vertices, as has `counts`; each vertex has a level and an edge, and edges
        // lead to vertices.
        unsafe {
            next_layer::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes.clone(),
                units,
                rows.arg(),
                list(),
                search.labels.arg(),
                reached_by.arg(),
                search.iteration,
            );
            count_reached::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes.clone(),
                units,
                rows.arg(),
                list(),
                reached_by.arg(),
                counts.arg(),
            );
        }
        let sums = primitives::offsets(gpu, &counts)?;
        // SAFETY: as above; `sums` has one number more, and the next list has room for all vertices.
        unsafe {
            populate_next::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes,
                units,
                rows.arg(),
                list(),
                reached_by.arg(),
                sums.arg(),
                search.lists.next.arg(),
                search.lists.count.arg(),
            );
        }
        self.reached_by = Some(reached_by);
        search.swap_lists();
        Ok(1)
    }

    fn forget(&mut self) {
        self.reached_by = None;
    }
}
