//! Of each vertex' neighbours, those of its own class of degrees and of higher ones in front: those
//! of lower classes are colored after it, and it does not look at them.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    engine::DegreeClasses,
    ranges::*,
};

use super::super::graph::{DeviceNeighbors, UNITS};
use crate::Result;

/// From this class on, a plane copies the neighbours of a vertex, and from the next one on, a cube;
/// below, a unit does.
const BY_PLANES: u32 = 4;
const BY_CUBES: u32 = 8;

/// The neighbours of each vertex, those that count in front.
pub(super) struct Front {
    pub targets: Buffer<u32>,
    /// Where those that count end.
    pub ends: Buffer<u32>,
}

impl Front {
    pub fn new(graph: &DeviceNeighbors, classes: &DegreeClasses) -> Result<Self> {
        let (gpu, rows) = (graph.gpu, graph.graph);
        let targets = gpu.empty(rows.edges() as usize)?;
        let ends = gpu.empty(graph.vertices as usize)?;
        // SAFETY: there are a class, offsets and an end for each vertex, and as many places as
        // neighbours; the order has all vertices, and there is a start for each class and one more.
        unsafe {
            put_in_front::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                gpu.cubes(gpu.properties().cubes_at_work().into()),
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

/// Copies neighbours, those of the same class or a higher one from the start of a vertex' places,
/// the others from their end.
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
    for place in grid_stride_range(0, narrow) {
        let vertex = order[place as usize];
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
    for place in step_range(first, wide, CUBE_COUNT as u32 * planes) {
        put_by_plane(order[place as usize], classes, offsets, from, to, ends);
    }
    let taken = SharedMemory::<Atomic<u32>>::new(2usize);
    for place in step_range(
        wide + CUBE_POS as u32,
        starts[comptime!(DegreeClasses::COUNT as usize)],
        CUBE_COUNT as u32,
    ) {
        let vertex = order[place as usize];
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
                let place = begin + taken[0].fetch_add(1u32);
                to[place as usize] = target;
            } else {
                let place = end - 1 - taken[1].fetch_add(1u32);
                to[place as usize] = target;
            }
        }
        sync_cube();
        if UNIT_POS == 0 {
            ends[vertex as usize] = begin + taken[0].load();
        }
        sync_cube();
    }
}

/// Copies the neighbours of a vertex, as many at a time as a plane has units. All of them call it
/// together.
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
        let mut counts = 0u32;
        if edge < end {
            target = from[edge as usize];
            counts = u32::cast_from(classes[target as usize] >= class);
        }
        let up_to = sum_up_to(counts);
        if edge < end {
            let mut place = front + up_to - 1;
            if counts == 0 {
                place = back - (UNIT_POS_PLANE + 1 - up_to);
            }
            to[place as usize] = target;
        }
        let all = plane_shuffle(up_to, PLANE_DIM - 1);
        front += all;
        back -= min(PLANE_DIM, end - start) - all;
        start += PLANE_DIM;
    }
    if UNIT_POS_PLANE == 0 {
        ends[vertex as usize] = front;
    }
}

/// The sum of the values of a plane's units up to this one.
#[cube]
fn sum_up_to(value: u32) -> u32 {
    let mut sum = value;
    let mut distance = 1u32;
    while distance < PLANE_DIM {
        let before = plane_shuffle_up(sum, distance);
        if UNIT_POS_PLANE >= distance {
            sum += before;
        }
        distance *= 2;
    }
    sum
}
