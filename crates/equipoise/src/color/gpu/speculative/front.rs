//! Rows with the neighbours of the same or a higher degree class in front. The neighbours of lower classes are colored
//! later, and not read.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    engine::DegreeClasses,
    ranges::*,
};

use super::super::graph::DeviceNeighbors;
use crate::{
    Result,
    kernels::{UNITS, concurrent_cubes, inclusive_sum},
};

/// The classes from which on a plane, or a cube, copies the neighbours of a vertex. In lower classes, a unit does.
const BY_PLANES: u32 = 4;
const BY_CUBES: u32 = 8;

/// Rows with the neighbours of the same or a higher class in front.
pub(super) struct Front {
    pub targets: Buffer<u32>,
    /// The end of these neighbours in each row.
    pub ends: Buffer<u32>,
}

impl Front {
    pub fn new(graph: &DeviceNeighbors, classes: &DegreeClasses) -> Result<Self> {
        let (gpu, rows) = (graph.gpu, graph.graph);
        let targets = gpu.empty(rows.edges() as usize)?;
        let ends = gpu.empty(graph.vertices as usize)?;
        // SAFETY: each vertex has a class, offsets and an end, and each edge a target; the order contains all vertices;
        // `starts` has an element per class and one more.
        unsafe {
            put_in_front::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                concurrent_cubes(gpu),
                CubeDim::new_1d(UNITS),
                classes.order.arg(),
                classes.starts.arg(),
                classes.of_vertices.arg(),
                rows.offsets().arg(),
                rows.targets().arg(),
                targets.arg(),
                ends.arg(),
            );
        }
        Ok(Self { targets, ends })
    }
}

/// Copies rows: neighbours of the same or a higher class from the start of the row, the others from its end.
#[cube(launch_unchecked)]
fn put_in_front(
    order: &Array<u32>,
    starts: &Array<u32>,
    classes: &Array<u32>,
    offsets: &Array<u32>,
    from: &Array<u32>,
    to: &mut Array<u32>,
    ends: &mut Array<u32>,
) {
    let narrow = starts[BY_PLANES as usize];
    let wide = starts[BY_CUBES as usize];
    for index in grid_stride_range(0, narrow) {
        let vertex = order[index as usize];
        let class = classes[vertex as usize];
        let begin = offsets[vertex as usize];
        let end = offsets[vertex as usize + 1];
        let mut front = begin;
        let mut back = end;
        for edge in begin..end {
            let target = from[edge as usize];
            if classes[target as usize] >= class {
                to[front as usize] = target;
                front += 1;
            } else {
                back -= 1;
                to[back as usize] = target;
            }
        }
        ends[vertex as usize] = front;
    }
    let planes = CUBE_DIM / PLANE_DIM;
    let first = narrow + CUBE_POS as u32 * planes + UNIT_POS / PLANE_DIM;
    for index in step_range(first, wide, CUBE_COUNT as u32 * planes) {
        put_by_plane(order[index as usize], classes, offsets, from, to, ends);
    }
    // The numbers of targets copied to the front and to the back.
    let taken = SharedMemory::<Atomic<u32>>::new(2usize);
    for index in step_range(
        wide + CUBE_POS as u32,
        starts[comptime!(DegreeClasses::COUNT as usize)],
        CUBE_COUNT as u32,
    ) {
        let vertex = order[index as usize];
        let class = classes[vertex as usize];
        let begin = offsets[vertex as usize];
        let end = offsets[vertex as usize + 1];
        if UNIT_POS < 2 {
            taken[UNIT_POS as usize].store(0u32);
        }
        sync_cube();
        for edge in cube_stride_range(begin, end) {
            let target = from[edge as usize];
            if classes[target as usize] >= class {
                let slot = begin + taken[0].fetch_add(1u32);
                to[slot as usize] = target;
            } else {
                let slot = end - 1 - taken[1].fetch_add(1u32);
                to[slot as usize] = target;
            }
        }
        sync_cube();
        if UNIT_POS == 0 {
            ends[vertex as usize] = begin + taken[0].load();
        }
        sync_cube();
    }
}

/// Copies the neighbours of a vertex, one per unit at a time. All units of a plane must call it.
#[cube]
fn put_by_plane(
    vertex: u32,
    classes: &Array<u32>,
    offsets: &Array<u32>,
    from: &Array<u32>,
    to: &mut Array<u32>,
    ends: &mut Array<u32>,
) {
    let class = classes[vertex as usize];
    let begin = offsets[vertex as usize];
    let end = offsets[vertex as usize + 1];
    let mut front = begin;
    let mut back = end;
    let mut start = begin;
    while start < end {
        let edge = start + UNIT_POS_PLANE;
        let mut target = 0u32;
        let mut in_front = 0u32;
        if edge < end {
            target = from[edge as usize];
            in_front = u32::cast_from(classes[target as usize] >= class);
        }
        let count = inclusive_sum(in_front);
        if edge < end {
            let mut slot = front + count - 1;
            if in_front == 0 {
                slot = back - (UNIT_POS_PLANE + 1 - count);
            }
            to[slot as usize] = target;
        }
        let total = plane_shuffle(count, PLANE_DIM - 1);
        front += total;
        back -= min(PLANE_DIM, end - start) - total;
        start += PLANE_DIM;
    }
    if UNIT_POS_PLANE == 0 {
        ends[vertex as usize] = front;
    }
}
