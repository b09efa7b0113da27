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

/// From this class on, a cube copies the neighbours of a vertex; below, a unit does.
const MANY: u32 = 6;

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
    let narrow = starts[MANY as usize];
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
    let taken = SharedMemory::<Atomic<u32>>::new(2usize);
    for place in step_range(
        narrow + CUBE_POS as u32,
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
