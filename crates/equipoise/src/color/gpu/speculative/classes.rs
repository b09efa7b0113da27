//! Vertices in classes by how many neighbours they have, and of each vertex' neighbours those of its
//! own class and higher ones in front: those of lower classes are colored after it, and it does not
//! look at them.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    primitives,
    ranges::*,
};

use super::super::graph::{DeviceNeighbors, UNITS};
use crate::Result;

/// The classes that there are at most: those of 32-bit degrees.
pub(super) const CLASSES: u32 = u32::BITS;
/// From this class on, a plane takes a vertex, and from the next one on, a cube; below, a unit does,
/// and a vertex has fewer than 64 neighbours.
pub(super) const MEDIUM: u32 = 6;
pub(super) const LARGE: u32 = 12;

/// The vertices in the order of their classes, and their neighbours.
pub(super) struct Classes {
    /// The vertices, those with few neighbours first.
    pub order: Buffer<u32>,
    /// Where in the order each class starts, and where the last one ends.
    pub starts: Buffer<u32>,
    /// The neighbours of each vertex, those that count in front.
    pub targets: Buffer<u32>,
    /// Where those that count end.
    pub ends: Buffer<u32>,
}

impl Classes {
    pub fn new(graph: &DeviceNeighbors) -> Result<Self> {
        let (gpu, vertices) = (graph.gpu, graph.vertices);
        let classes = gpu.empty(vertices as usize)?;
        // SAFETY: there are a class and offsets for each vertex.
        unsafe {
            find_classes::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                graph.cubes(),
                CubeDim::new_1d(UNITS),
                graph.offsets.arg(),
                classes.arg(),
                vertices,
            );
        }
        let sorted = primitives::sort_by_class(gpu, &classes, CLASSES)?;
        let targets = gpu.empty(graph.edges as usize)?;
        let ends = gpu.empty(vertices as usize)?;
        // SAFETY: there are a class, offsets and an end for each vertex, and as many places as
        // neighbours; the order has all vertices, and there is a start for each class and one more.
        unsafe {
            put_in_front::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                gpu.cubes(gpu.properties().cubes_at_work().into()),
                CubeDim::new_1d(UNITS),
                sorted.order.arg(),
                sorted.offsets.arg(),
                classes.arg(),
                graph.offsets.arg(),
                graph.targets.arg(),
                targets.arg(),
                ends.arg(),
            );
        }
        Ok(Self { order: sorted.order, starts: sorted.offsets, targets, ends })
    }
}

#[cube(launch_unchecked)]
fn find_classes(offsets: &Array<u32>, classes: &mut Array<u32>, vertices: u32) {
    for vertex in grid_stride_range(0, vertices) {
        let degree = offsets[vertex as usize + 1] - offsets[vertex as usize];
        classes[vertex as usize] = 31 - (degree | 1).leading_zeros();
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
    let narrow = starts[MEDIUM as usize];
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
    for place in step_range(narrow + CUBE_POS as u32, starts[CLASSES as usize], CUBE_COUNT as u32) {
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
