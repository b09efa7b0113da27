//! Independent sets on a GPU: vertices that are not decided are looked at, round after round, until there are none.

use cubecl::prelude::*;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, GpuRuntime},
    engine::*,
    ranges::*,
};

use super::{
    Mis, MisOptions, check_memory,
    order::{IN, OUT, Order, key_of},
};
use crate::{
    Result, Step, Times, Trace,
    gpu_graph::GraphOnGpu,
    neighbors::Neighbors,
    times::{empty_wait, finished, less_wait, timed_on},
};

/// Units a cube.
const UNITS: u32 = 256;
/// Neighbours of a vertex that one unit looks at. Where there are more, they are from all over the row: most vertices
/// wait for one of these. For the others, the units of a plane look at all neighbours together.
const NARROW: u32 = 16;
/// How many a unit looks at at a time: memory takes long to answer, but answers several as fast as one.
const AT_A_TIME: u32 = 4;
/// Rounds that are enqueued before the host waits.
const BATCH: usize = 8;
/// What is counted of a round: the vertices that are left after it, and their edges.
const COUNTS: usize = 2;

/// As [`mis`](super::mis()), on a GPU.
pub(super) fn mis(there: &GraphOnGpu, kept: &Neighbors, options: &MisOptions) -> Result<Mis> {
    let (neighbors, prepare) = kept.of(there.graph)?;
    check_memory(neighbors)?;
    let vertices = u64::from(neighbors.rows());
    let what = format!("an independent set of {vertices} vertices");
    // Their keys, and lists of those that are left before and after a round.
    let beside = there.gpu.held_by(4 * vertices.max(1)).saturating_mul(3);
    there.gpu.require(&what, kept.bytes_missing(there)?.saturating_add(beside))?;
    let (graph, upload) = kept.on_gpu(there)?;
    let found = run(graph, Order::of(options))?;
    Ok(Mis { times: Times { upload, prepare, ..found.times }, ..found })
}

/// Finds a set among neighbours that are on a GPU. Times are from then on.
fn run(graph: &DeviceGraph, order: Order) -> Result<Mis> {
    let gpu = graph.gpu();
    gpu.wake();
    let wait = empty_wait(gpu)?;
    let stopwatch = gpu.stopwatch();
    let ((keys, steps), time) = finished(gpu, || decide_all(graph, order))?;
    let compile = stopwatch.compiled();
    let (in_set, download) = timed_on(gpu, || {
        Ok::<_, equipoise_schedule::Error>(
            gpu.download(&keys)?.iter().map(|&key| key == IN).collect(),
        )
    });
    let times = less_wait(Times { compile, download, ..Times::default() }, time, wait);
    Ok(Mis::of(in_set?, Trace { steps }, times))
}

/// What vertices are in the end, and the rounds that took.
fn decide_all(graph: &DeviceGraph, order: Order) -> Result<(Buffer<u32>, Vec<Step>)> {
    let (gpu, vertices) = (graph.gpu(), graph.vertices());
    let rounds = Rounds::new(graph)?;
    set_keys(graph, order, &rounds.keys);
    let mut steps: Vec<Step> = Vec::new();
    let mut left = [vertices, graph.edges()];
    while left[0] > 0 {
        let clock = gpu.stopwatch();
        let counts = gpu.filled(COUNTS * BATCH, 0)?;
        for round in 0..BATCH {
            rounds.enqueue(&counts, steps.len(), round, left[0]);
        }
        let counts = gpu.download(&counts)?;
        let time = clock.elapsed() / BATCH as u32;
        for &after in counts.as_chunks::<COUNTS>().0 {
            let (frontier, edges) = (left[0].into(), left[1].into());
            let found = u64::from(left[0].saturating_sub(after[0]));
            let step = Step::new(steps.len() as u32, "all left");
            steps.push(Step { frontier, edges, found, time, ..step });
            left = after;
            if left[0] == 0 {
                break;
            }
        }
        // In each round the first vertex of those left is decided.
        if steps.len() > vertices as usize {
            let problem = format!("{} rounds, and {} vertices not decided", steps.len(), left[0]);
            return Err(equipoise_schedule::Error::Schedule(problem).into());
        }
    }
    Ok((rounds.keys, steps))
}

/// What rounds work with.
struct Rounds<'a> {
    graph: &'a DeviceGraph,
    keys: Buffer<u32>,
    /// The vertices that are left before even rounds, and before odd ones.
    lists: [Buffer<u32>; 2],
}

impl<'a> Rounds<'a> {
    fn new(graph: &'a DeviceGraph) -> Result<Self> {
        let empty = || graph.gpu().empty(graph.vertices() as usize);
        Ok(Self { graph, keys: empty()?, lists: [empty()?, empty()?] })
    }

    /// Enqueues a round of a batch, before which there were so many and so many vertices were left.
    fn enqueue(&self, counts: &Buffer<u32>, before: usize, round: usize, left: u32) {
        let (graph, number) = (self.graph, before + round);
        let (list, next) = (&self.lists[number % 2], &self.lists[(number + 1) % 2]);
        // SAFETY: there are offsets and a key for each vertex, edges lead to vertices, lists have room for all, and there
        // are counts for each round.
        unsafe {
            decide::launch_unchecked::<GpuRuntime>(
                graph.gpu().client(),
                cubes(graph),
                CubeDim::new_1d(UNITS),
                graph.rows(),
                AtomicArray::of(graph.gpu(), &self.keys),
                list.arg(),
                next.arg(),
                AtomicArray::of(graph.gpu(), counts),
                (round * COUNTS) as u32,
                if round == 0 { left } else { 0 },
                number == 0,
            );
        }
    }
}

/// Cubes for a unit a vertex, but not more than are at work at the same time.
fn cubes(graph: &DeviceGraph) -> CubeCount {
    let gpu = graph.gpu();
    gpu.cubes(graph.vertices().div_ceil(UNITS).min(gpu.properties().cubes_at_work()).into())
}

fn set_keys(graph: &DeviceGraph, order: Order, keys: &Buffer<u32>) {
    // SAFETY: there are offsets and a key for each vertex.
    unsafe {
        find_keys::launch_unchecked::<GpuRuntime>(
            graph.gpu().client(),
            cubes(graph),
            CubeDim::new_1d(UNITS),
            graph.offsets().arg(),
            keys.arg(),
            graph.vertices(),
            order.random.multiplier,
            u32::from(order.by_degree),
        );
    }
}

#[cube(launch_unchecked)]
fn find_keys(
    offsets: &Array<u32>,
    keys: &mut Array<u32>,
    vertices: u32,
    multiplier: u32,
    by_degree: u32,
) {
    for vertex in grid_stride_range(0, vertices) {
        let degree = offsets[vertex as usize + 1] - offsets[vertex as usize];
        keys[vertex as usize] = key_of(vertex, degree, multiplier, by_degree);
    }
}

/// Decides those vertices of a list that can be, and lists and counts the others; their counts are from `place` on. The
/// list has as many as the round before has counted, or `left` where that is not 0.
///
/// A vertex joins if no neighbour goes before that is not left out, and then leaves out its neighbours. One in the set
/// goes before all others. What is decided stays so, and what is read out of date is not wrong.
#[cube(launch_unchecked)]
fn decide(
    rows: &Rows,
    keys: &mut AtomicArray,
    list: &Array<u32>,
    next: &mut Array<u32>,
    counts: &mut AtomicArray,
    place: u32,
    left: u32,
    #[comptime] lists_all: bool,
) {
    let here = SharedMemory::<Atomic<u32>>::new(2usize);
    let mut listed = left;
    if left == 0 {
        listed = counts.get(place - COUNTS as u32);
    }
    let units = CUBE_COUNT as u32 * CUBE_DIM;
    let mut left_edges = 0u32;
    // As often for all units.
    for turn in 0..listed.div_ceil(units) {
        if UNIT_POS == 0 {
            here[0].store(0u32);
        }
        let mut vertex = turn * units + ABSOLUTE_POS as u32;
        let is_listed = vertex < listed;
        if comptime!(!lists_all) && is_listed {
            vertex = list[vertex as usize];
        }
        let mut key = OUT.runtime();
        let mut begin = 0u32;
        let mut end = 0u32;
        if is_listed {
            key = keys.get(vertex);
            begin = rows.offsets[vertex as usize];
            end = rows.offsets[vertex as usize + 1];
        }
        let mut waits = false;
        let is_open = key != OUT && key != IN;
        let is_wide = is_open && end - begin > NARROW;
        if is_open {
            waits = waits_for_some(rows, keys, begin, end, vertex, key);
            if !waits && !is_wide {
                join(rows, keys, vertex, begin, end, Team::Unit);
            }
        }
        // The units of a plane look together at all neighbours of those that wait for none so far.
        let mut unit = first_unit(is_wide && !waits);
        while unit < PLANE_DIM {
            let from = plane_shuffle(begin, unit);
            let to = plane_shuffle(end, unit);
            let of = plane_shuffle(vertex, unit);
            let before = waits_for_any(rows, keys, from, to, of, plane_shuffle(key, unit));
            if !before {
                join(rows, keys, of, from, to, Team::Plane);
            }
            if UNIT_POS_PLANE == unit {
                waits = before;
            }
            unit = first_unit(is_wide && !waits && UNIT_POS_PLANE > unit);
        }
        // Places in the list are counted by cubes: all planes at one counter would wait for each other.
        sync_cube();
        let mut index = 0u32;
        if waits {
            left_edges += end - begin;
            index = here[0].fetch_add(1u32);
        }
        sync_cube();
        if UNIT_POS == 0 {
            let count = here[0].load();
            if count > 0 {
                here[1].store(counts.fetch_add(place, count));
            }
        }
        sync_cube();
        let start = here[1].load();
        if waits {
            next[(start + index) as usize] = vertex;
        }
        sync_cube();
    }
    let all_edges = plane_sum(left_edges);
    if UNIT_POS_PLANE == 0 && all_edges > 0 {
        counts.fetch_add(place + 1, all_edges);
    }
}

/// The first unit of a plane for which this holds, or [`PLANE_DIM`]. All of them call it together.
#[cube]
fn first_unit(holds: bool) -> u32 {
    plane_min(select(holds, UNIT_POS_PLANE, PLANE_DIM))
}

/// Whether a vertex waits for one of some neighbours: all of them where they are few.
#[cube]
fn waits_for_some(
    rows: &Rows,
    keys: &AtomicArray,
    begin: u32,
    end: u32,
    vertex: u32,
    key: u32,
) -> bool {
    let count = min(end - begin, NARROW.runtime());
    let step = max((end - begin) / NARROW, 1u32);
    let mut waits = false;
    let mut first = 0u32;
    while !waits && first < count {
        #[unroll]
        for place in 0..AT_A_TIME {
            // The last is looked at again where there are no more.
            let edge = begin + min(first + place, count - 1) * step;
            waits = goes_before(rows, keys, edge, vertex, key) || waits;
        }
        first += AT_A_TIME;
    }
    waits
}

/// Whether a vertex waits for one of its neighbours. All units of a plane call it together.
#[cube]
fn waits_for_any(
    rows: &Rows,
    keys: &AtomicArray,
    begin: u32,
    end: u32,
    vertex: u32,
    key: u32,
) -> bool {
    let mut waits = false;
    let mut start = begin;
    while !waits && start < end {
        let mut before = false;
        #[unroll]
        for place in 0..AT_A_TIME {
            let edge = min(start + place * PLANE_DIM + UNIT_POS_PLANE, end - 1);
            before = goes_before(rows, keys, edge, vertex, key) || before;
        }
        waits = plane_any(before);
        start += AT_A_TIME * PLANE_DIM;
    }
    waits
}

/// Puts a vertex into the set, and leaves out its neighbours.
#[cube]
fn join(
    rows: &Rows,
    keys: &mut AtomicArray,
    vertex: u32,
    begin: u32,
    end: u32,
    #[comptime] team: Team,
) {
    if leads_team(team) {
        keys.set(vertex, IN.runtime());
    }
    for edge in team_range(begin, end, team) {
        let other = rows.targets[edge as usize];
        // A vertex with many neighbours would be written by many at a time, one after the other.
        if keys.get(other) != OUT {
            keys.set(other, OUT.runtime());
        }
    }
}

/// Whether the neighbour that an edge leads to goes before a vertex.
#[cube]
fn goes_before(rows: &Rows, keys: &AtomicArray, edge: u32, vertex: u32, key: u32) -> bool {
    let other = rows.targets[edge as usize];
    let other_key = keys.get(other);
    other_key > key || (other_key == key && other > vertex)
}

#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod tests {
    use equipoise_graph::{Edges, GraphBuilder};
    use equipoise_schedule::lower::{self, Nvrtc};

    use super::*;

    #[test]
    fn every_kernel_compiles_for_cuda() {
        let gpu = lower::gpu();
        let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)])).unwrap();
        let there = GraphOnGpu::new(&gpu, &graph);
        // Nothing runs here, so that it does not end as it should: what is launched until then counts.
        let _ = mis(&there, &Neighbors::default(), &MisOptions::default());
        let kernels = lower::kernels(&gpu).unwrap();
        for name in ["find_keys", "decide"] {
            assert!(kernels.iter().any(|kernel| kernel.name.contains(name)), "{name}");
        }
        Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels)).unwrap();
    }
}
