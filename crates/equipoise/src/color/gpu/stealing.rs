//! Work stealing between cubes (Che et al., after Tsigas and Cederman).
//!
//! Each cube has a queue, whose elements are blocks of vertices. A cube takes from the tail of its queue; once that is
//! empty, from the head of the next non-empty queue, which all its units search for.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
    ranges::*,
};

use super::{
    super::{ColorOptions, QueueUse, queues::COUNTERS},
    all_vertices::*,
    ends::*,
    graph::DeviceNeighbors,
    lanes::{EACH, gather_stealing},
};
use crate::{Error, NONE, Result, kernels::UNITS};

/// The fewest elements per queue with the default number of queues.
const ELEMENTS_EACH: u32 = 4;

/// The queues of a graph's vertices.
pub(super) struct DeviceQueues {
    /// Head and tail of each queue.
    ends: Buffer<u32>,
    /// The counters of the passes between two readbacks, per readback.
    counters: Vec<Buffer<u32>>,
    shape: QueueShape,
    /// Units per cube.
    units: u32,
    steals: bool,
    steals_within: bool,
}

/// The distribution of vertices over queues.
#[derive(Clone, Copy)]
struct QueueShape {
    queues: u32,
    /// Elements per queue; the last queues may have fewer.
    elements: u32,
    /// Vertices per element.
    block: u32,
}

impl QueueShape {
    /// Elements have `least` vertices, or a multiple of that if queues would be too long.
    fn new(vertices: u32, queues: u32, least: u32) -> Self {
        let each = vertices.div_ceil(queues).max(1);
        let block = each.div_ceil(LONGEST).max(least).next_multiple_of(least);
        let elements = vertices.div_ceil(block).div_ceil(queues).max(1);
        Self { queues, elements, block }
    }
}

impl DeviceQueues {
    /// The requested number of queues; by default, one per concurrent cube, if each has enough elements.
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
        // A cube with an empty queue searches all others, so empty queues are avoided.
        let most = properties.max_cubes.min(graph.vertices.max(1));
        let shape = QueueShape::new(graph.vertices, queues.min(most), block);
        let ends = graph.gpu.empty(shape.queues as usize)?;
        let steals = !options.no_steal;
        let counters = Vec::new();
        Ok(Self { ends, counters, shape, units, steals, steals_within: steal_within })
    }

    /// Allocates the counters of the next passes.
    pub fn add_passes(&mut self, gpu: &Gpu, passes: u32) -> Result<()> {
        let counters = COUNTERS * self.shape.queues as usize * passes as usize;
        self.counters.push(gpu.filled(counters, 0u32)?);
        Ok(())
    }

    /// Fills the queues, and gathers over the neighbours of all uncolored vertices in them. `pass` is an index among the
    /// passes added last.
    pub fn run<Op: GatherOp>(
        &self,
        graph: &DeviceNeighbors,
        keys: &Buffer<u32>,
        op: Op::RuntimeArg<GpuRuntime>,
        pass: u32,
    ) {
        let QueueShape { queues, elements, block } = self.shape;
        let client = graph.gpu.client();
        let Some(counters) = self.counters.last() else { return };
        let first = pass * COUNTERS as u32 * queues;
        // SAFETY: each queue has ends, and counters in each added pass. Elements are blocks of vertices, cut off at the
        // last vertex; each vertex has a key and offsets.
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
                QueuesLaunch::new(self.ends.arg(), counters.arg(), first, queues, elements),
                graph.vertices,
                block,
                self.steals,
                self.steals_within.then_some(self.units as usize),
            );
        }
    }

    /// The statistics, if the first `passes` passes had uncolored vertices.
    pub fn read(&self, gpu: &Gpu, passes: usize) -> Result<QueueUse> {
        let mut counters = Vec::new();
        for buffer in &self.counters {
            counters.extend(gpu.download(buffer)?);
        }
        Ok(QueueUse::from_counters(self.shape.queues as usize, &counters, passes))
    }
}

#[derive(CubeType, CubeLaunch)]
struct Queues {
    /// Head and tail of each queue.
    ends: Array<Atomic<u32>>,
    counters: Array<u32>,
    /// The index of the first counter of this pass.
    first: u32,
    count: u32,
    /// Elements per queue.
    elements: u32,
}

#[cube]
impl Queues {
    /// Takes the last element of the own queue, or the first element of another. Returns its index among those of all
    /// queues, or `NONE`.
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

    /// Takes the first element of the next non-empty queue, or returns `NONE`. All units of a cube must call it; `shared`
    /// broadcasts the result.
    fn steal(&self, own: u32, shared: &mut SharedMemory<u32>) -> u32 {
        let nearest = SharedMemory::<Atomic<u32>>::new(1usize);
        let mut taken = NONE.runtime();
        let mut retries = true;
        while retries {
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
                shared[0] = distance;
                shared[1] = NONE.runtime();
                if distance != NONE {
                    shared[1] = self.take((own + distance) % self.count, false);
                }
            }
            sync_cube();
            taken = shared[1];
            // Another cube may have taken the last element first.
            retries = shared[0] != NONE && taken == NONE;
            sync_cube();
        }
        taken
    }
}

/// Distributes all elements evenly over the queues.
#[cube(launch_unchecked)]
fn fill_queues(ends: &mut Array<u32>, all: u32, elements: u32) {
    for queue in grid_stride_range(0, ends.len() as u32) {
        let start = min(queue * elements, all);
        ends[queue as usize] = min(elements, all - start);
    }
}

/// Gathers over the neighbours of the vertices in the queues. One cube per queue.
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
    let mut shared = SharedMemory::<u32>::new(2usize);
    let stolen_within = SharedMemory::<Atomic<u32>>::new(1usize);
    if UNIT_POS == 0 {
        stolen_within[0].store(0u32);
    }
    let own = CUBE_POS as u32;
    let mut consumed = 0u32;
    let mut stolen = 0u32;
    let mut has_element = true;
    while has_element {
        if UNIT_POS == 0 {
            shared[0] = queues.take(own, true);
        }
        sync_cube();
        let mut element = shared[0];
        sync_cube();
        if comptime!(steals) {
            let is_empty = element == NONE;
            if is_empty {
                element = queues.steal(own, &mut shared);
            }
            stolen += u32::cast_from(is_empty && element != NONE);
        }
        has_element = element != NONE;
        if has_element {
            consumed += 1;
            let start = element * block;
            let end = min(start + block, vertices);
            match comptime!(steals_within) {
                Some(units) => {
                    let lanes = SharedMemory::<Atomic<u32>>::new(units);
                    let taken = gather_stealing::<Op>(keys, rows, op, start, end, &lanes);
                    stolen_within[0].fetch_add(taken);
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
        let index = queues.first + own;
        queues.counters[index as usize] = consumed;
        queues.counters[(index + queues.count) as usize] = stolen;
        queues.counters[(index + 2 * queues.count) as usize] = stolen_within[0].load();
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
