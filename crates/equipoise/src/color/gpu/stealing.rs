//! Queues that cubes steal from each other (Che et al., after Tsigas and Cederman).
//!
//! There is a queue a cube, and an element of it is a block of vertices. A cube takes from the tail
//! of its own queue; when that is empty, from the head of the next one that is not, which all its
//! units look for.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
    ranges::*,
};

use super::{
    super::{ColorOptions, QueueUse, queues::FACTS},
    all_vertices::*,
    ends::*,
    graph::{DeviceNeighbors, UNITS},
    lanes::{EACH, gather_stealing},
};
use crate::{Error, NONE, Result};

/// The fewest elements of a queue, unless more queues are asked for.
const ELEMENTS_EACH: u32 = 4;

/// The queues of a graph's vertices.
pub(super) struct DeviceQueues {
    /// Head and tail of each queue.
    ends: Buffer<u32>,
    /// What is counted of each queue, pass by pass, for some passes each.
    used: Vec<Buffer<u32>>,
    shape: QueueShape,
    /// Units a cube.
    units: u32,
    steals: bool,
    steals_within: bool,
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
    /// Elements are of so many vertices, or of a multiple of that where queues would be too long.
    fn new(vertices: u32, queues: u32, least: u32) -> Self {
        let each = vertices.div_ceil(queues).max(1);
        let block = each.div_ceil(LONGEST).max(least).next_multiple_of(least);
        let elements = vertices.div_ceil(block).div_ceil(queues).max(1);
        Self { queues, elements, block }
    }
}

impl DeviceQueues {
    /// As many queues as asked for; otherwise as there are cubes at work, if all have elements.
    pub fn new(graph: &DeviceNeighbors, options: &ColorOptions) -> Result<Self> {
        let properties = graph.gpu.properties();
        let ColorOptions { cube_size: units, steal_within, .. } = *options;
        let most = properties.max_units;
        if units > most {
            let message =
                format!("`cube-size` is {units}: a cube of this GPU has at most {most} units");
            return Err(Error::Option(message));
        }
        let block = if steal_within { units * EACH } else { units };
        let enough = graph.vertices / (block * ELEMENTS_EACH);
        let at_work = || properties.cubes_at_work().min(enough).max(1);
        let queues = options.queues.unwrap_or_else(at_work);
        // Who has nothing in its queue looks into all others: no more than can have something.
        let most = properties.max_cubes.min(graph.vertices.max(1));
        let shape = QueueShape::new(graph.vertices, queues.min(most), block);
        let ends = graph.gpu.empty(shape.queues as usize)?;
        let steals = !options.no_steal;
        Ok(Self { ends, used: Vec::new(), shape, units, steals, steals_within: steal_within })
    }

    /// Makes room for what is counted in so many passes.
    pub fn expect(&mut self, gpu: &Gpu, passes: u32) -> Result<()> {
        let counts = FACTS * self.shape.queues as usize * passes as usize;
        self.used.push(gpu.filled(counts, 0u32)?);
        Ok(())
    }

    /// Fills the queues, and gathers over the neighbours of all uncolored vertices in them; this is
    /// the pass of that place among those expected.
    pub fn run<Op: GatherOp>(
        &self,
        graph: &DeviceNeighbors,
        keys: &Buffer<u32>,
        op: Op::RuntimeArg<GpuRuntime>,
        place: u32,
    ) {
        let QueueShape { queues, elements, block } = self.shape;
        let client = graph.gpu.client();
        let Some(used) = self.used.last() else { return };
        let first = place * FACTS as u32 * queues;
        // SAFETY: there is a word for each queue, and one for each thing counted of it in a pass
        // that was expected. Elements are blocks of vertices, cut off at the last one, which all
        // have a key and an offset.
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
                CubeDim::new_1d(self.units),
                keys.arg(),
                graph.graph.rows(),
                op,
                QueuesLaunch::new(self.ends.arg(), used.arg(), first, queues, elements),
                graph.vertices,
                block,
                self.steals,
                self.steals_within.then_some(self.units as usize),
            );
        }
    }

    /// What came of it, if so many passes had something to color.
    pub fn read(&self, gpu: &Gpu, passes: usize) -> Result<QueueUse> {
        let mut used = Vec::new();
        for buffer in &self.used {
            used.extend(gpu.download(buffer)?);
        }
        Ok(QueueUse::of(self.shape.queues as usize, &used, passes))
    }
}

/// Queues in a kernel.
#[derive(CubeType, CubeLaunch)]
struct Queues {
    /// Head and tail of each.
    ends: Array<Atomic<u32>>,
    used: Array<u32>,
    /// Where in `used` this pass starts.
    first: u32,
    count: u32,
    /// Elements a queue.
    elements: u32,
}

#[cube]
impl Queues {
    /// Takes the last element of a queue, or the first one: its number among those of all queues,
    /// or `NONE`.
    fn take(&self, queue: u32, #[comptime] is_own: bool) -> u32 {
        let mut taken = NONE.runtime();
        let mut ends = self.ends[queue as usize].load();
        while taken == NONE && has_some(ends) {
            let after = without(ends, is_own);
            let before = self.ends[queue as usize].compare_exchange_weak(ends, after);
            if before == ends {
                taken = queue * self.elements + element(ends, is_own);
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
                if has_some(ends) {
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
    #[comptime] steals_within: Option<usize>,
) {
    let mut room = SharedMemory::<u32>::new(2usize);
    let within = SharedMemory::<Atomic<u32>>::new(1usize);
    if UNIT_POS == 0 {
        within[0].store(0u32);
    }
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
            let end = min(start + block, vertices);
            match comptime!(steals_within) {
                Some(units) => {
                    let lanes = SharedMemory::<Atomic<u32>>::new(units);
                    within[0].fetch_add(gather_stealing::<Op>(keys, rows, op, start, end, &lanes));
                }
                None => {
                    for vertex in cube_stride_range(start, end) {
                        gather_vertex::<Op>(keys, rows, op, vertex);
                    }
                }
            }
        }
    }
    sync_cube();
    if UNIT_POS == 0 {
        let place = queues.first + own;
        queues.used[place as usize] = consumed;
        queues.used[(place + queues.count) as usize] = stolen;
        queues.used[(place + 2 * queues.count) as usize] = within[0].load();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queues_hold_every_vertex() {
        for (vertices, queues) in [(1, 1), (1, 16), (100_000, 4), (3_000_000_000, 3), (257, 300)] {
            for least in [1, 64, UNITS, UNITS * EACH] {
                let shape = QueueShape::new(vertices, queues, least);
                let QueueShape { queues, elements, block } = shape;
                assert!(elements <= LONGEST && block % least == 0);
                let room = u64::from(queues) * u64::from(elements) * u64::from(block);
                assert!(room >= u64::from(vertices), "{vertices} vertices, room for {room}");
            }
        }
    }
}
