//! Queues that cubes steal from each other (Che et al., after Tsigas and Cederman).
//!
//! There is a queue a cube, and an element of it is a block of vertices. A cube takes from the tail
//! of its own queue; when that is empty, from the head of the next one that is not, which all its
//! units look for. Head and tail stand in one word, the head in the upper half, so that one
//! compare-and-swap moves either, whoever else tries.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
    ranges::*,
};

use super::{
    super::QueueUse,
    all_vertices::*,
    graph::{DeviceNeighbors, UNITS},
};
use crate::{NONE, Result};

/// The most elements of a queue: half a word counts them.
const LONGEST: u32 = (1 << 16) - 1;
/// The fewest elements of a queue, unless more queues are asked for.
const ELEMENTS_EACH: u32 = 4;

/// The queues of a graph's vertices.
pub(super) struct DeviceQueues {
    /// Head and tail of each queue.
    ends: Buffer<u32>,
    /// The elements that the cube of each queue has consumed, and after these those it has stolen.
    used: Buffer<u32>,
    shape: QueueShape,
    steals: bool,
}

/// How the vertices lie in queues.
#[derive(Clone, Copy)]
struct QueueShape {
    queues: u32,
    /// Elements a queue; the last ones may have fewer.
    elements: u32,
    /// Vertices an element.
    block: u32,
}

impl QueueShape {
    fn new(vertices: u32, queues: u32) -> Self {
        let each = vertices.div_ceil(queues).max(1);
        let block = each.div_ceil(LONGEST).max(UNITS).next_multiple_of(UNITS);
        let elements = vertices.div_ceil(block).div_ceil(queues).max(1);
        Self { queues, elements, block }
    }
}

impl DeviceQueues {
    /// As many queues as asked for; otherwise as there are cubes at work, if all have elements.
    pub fn new(graph: &DeviceNeighbors, queues: Option<u32>, steals: bool) -> Result<Self> {
        let properties = graph.gpu.properties();
        let enough = graph.vertices / (UNITS * ELEMENTS_EACH);
        let queues = queues.unwrap_or_else(|| properties.cubes_at_work().min(enough).max(1));
        // Who has nothing in its queue looks into all others: no more than can have something.
        let most = properties.max_cubes.min(graph.vertices.max(1));
        let shape = QueueShape::new(graph.vertices, queues.min(most));
        let ends = graph.gpu.empty(shape.queues as usize)?;
        let used = graph.gpu.filled(2 * shape.queues as usize, 0u32)?;
        Ok(Self { ends, used, shape, steals })
    }

    /// Fills the queues, and gathers over the neighbours of all uncolored vertices in them.
    pub fn run<Op: GatherOp>(
        &self,
        graph: &DeviceNeighbors,
        keys: &Buffer<u32>,
        op: Op::RuntimeArg<GpuRuntime>,
    ) {
        let QueueShape { queues, elements, block } = self.shape;
        let client = graph.gpu.client();
        // SAFETY: there is a word for each queue, and two for its use. Elements are blocks of
        // vertices, cut off at the last one, which all have a key and an offset.
        unsafe {
            fill_queues::launch_unchecked::<GpuRuntime>(
                client,
                graph.gpu.cubes(u64::from(queues.div_ceil(UNITS))),
                CubeDim::new_1d(UNITS),
                self.ends.arg(),
                graph.vertices.div_ceil(block),
                elements,
            );
            from_queues::launch_unchecked::<Op, GpuRuntime>(
                client,
                CubeCount::Static(queues, 1, 1),
                CubeDim::new_1d(UNITS),
                keys.arg(),
                graph.graph.rows(),
                op,
                QueuesLaunch::new(self.ends.arg(), self.used.arg(), queues, elements),
                graph.vertices,
                block,
                self.steals,
            );
        }
    }

    /// What came of it.
    pub fn read(&self, gpu: &Gpu) -> Result<QueueUse> {
        let used = gpu.download(&self.used)?;
        let (consumed, stolen) = used.split_at(self.shape.queues as usize);
        Ok(QueueUse {
            consumed: consumed.iter().map(|&count| count.into()).collect(),
            stolen: stolen.iter().map(|&count| u64::from(count)).sum(),
        })
    }
}

/// Queues in a kernel.
#[derive(CubeType, CubeLaunch)]
struct Queues {
    /// Head and tail of each.
    ends: Array<Atomic<u32>>,
    used: Array<u32>,
    count: u32,
    /// Elements a queue.
    elements: u32,
}

#[cube]
impl Queues {
    /// Takes the last element of a queue, or the first one: its number among those of all queues,
    /// or `NONE`.
    ///
    /// Where a swap fails for no reason, as WGSL allows, it looks as if it had not: the element is
    /// then taken again by somebody, which does no harm.
    fn take(&self, queue: u32, #[comptime] is_own: bool) -> u32 {
        let mut taken = NONE.runtime();
        let mut ends = self.ends[queue as usize].load();
        while taken == NONE && (ends >> 16) < (ends & 0xffff) {
            let mut element = ends >> 16;
            let mut after = ends + 0x1_0000;
            if comptime!(is_own) {
                element = (ends & 0xffff) - 1;
                after = ends - 1;
            }
            let before = self.ends[queue as usize].compare_exchange_weak(ends, after);
            if before == ends {
                taken = queue * self.elements + element;
            }
            ends = before;
        }
        taken
    }

    /// Takes the first element of the next queue that has one. All units of a cube call it
    /// together; `room` is shared memory for what they find.
    fn steal(&self, own: u32, room: &mut SharedMemory<u32>) -> u32 {
        let nearest = SharedMemory::<Atomic<u32>>::new(1usize);
        let mut taken = NONE.runtime();
        let mut is_on = true;
        while is_on {
            if UNIT_POS == 0 {
                nearest[0].store(NONE.runtime());
            }
            sync_cube();
            for distance in step_range(1 + UNIT_POS, self.count, CUBE_DIM) {
                let ends = self.ends[((own + distance) % self.count) as usize].load();
                if (ends >> 16) < (ends & 0xffff) {
                    nearest[0].fetch_min(distance);
                }
            }
            sync_cube();
            if UNIT_POS == 0 {
                let distance = nearest[0].load();
                room[0] = distance;
                room[1] = NONE.runtime();
                if distance != NONE {
                    room[1] = self.take((own + distance) % self.count, false);
                }
            }
            sync_cube();
            taken = room[1];
            // Somebody else may have been faster.
            is_on = room[0] != NONE && taken == NONE;
            sync_cube();
        }
        taken
    }
}

/// Puts all elements into queues, as many in each.
#[cube(launch_unchecked)]
fn fill_queues(ends: &mut Array<u32>, all: u32, elements: u32) {
    for queue in grid_stride_range(0, ends.len() as u32) {
        let start = min(queue * elements, all);
        ends[queue as usize] = min(elements, all - start);
    }
}

/// Gathers over the neighbours of the vertices of queues' elements. A cube a queue.
#[cube(launch_unchecked)]
fn from_queues<Op: GatherOp>(
    keys: &Array<u32>,
    rows: &Rows,
    op: &mut Op,
    queues: &mut Queues,
    vertices: u32,
    block: u32,
    #[comptime] steals: bool,
) {
    let mut room = SharedMemory::<u32>::new(2usize);
    let own = CUBE_POS as u32;
    let mut consumed = 0u32;
    let mut stolen = 0u32;
    let mut is_on = true;
    while is_on {
        if UNIT_POS == 0 {
            room[0] = queues.take(own, true);
        }
        sync_cube();
        let mut element = room[0];
        sync_cube();
        if comptime!(steals) {
            let is_empty = element == NONE;
            if is_empty {
                element = queues.steal(own, &mut room);
            }
            stolen += u32::cast_from(is_empty && element != NONE);
        }
        is_on = element != NONE;
        if is_on {
            consumed += 1;
            let start = element * block;
            for vertex in cube_stride_range(start, min(start + block, vertices)) {
                gather_vertex::<Op>(keys, rows, op, vertex);
            }
        }
    }
    if UNIT_POS == 0 {
        queues.used[own as usize] += consumed;
        queues.used[(queues.count + own) as usize] += stolen;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queues_hold_every_vertex() {
        for (vertices, queues) in [(1, 1), (1, 16), (100_000, 4), (3_000_000_000, 3), (257, 300)] {
            let QueueShape { queues, elements, block } = QueueShape::new(vertices, queues);
            assert!(elements <= LONGEST && block % UNITS == 0);
            let room = u64::from(queues) * u64::from(elements) * u64::from(block);
            assert!(room >= u64::from(vertices), "{vertices} vertices, room for {room}");
        }
    }
}
