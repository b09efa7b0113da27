//! Independent sets on a GPU: each round visits the undecided vertices and lists those that remain.

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
    gpu_graph::GpuGraph,
    kernels::{UNITS, cubes_for},
    run::{buffer_bytes, run_on},
};

/// The number of neighbours that a single unit reads per vertex. Of a longer row these are samples from all over it: most
/// vertices wait for one of them. For the rest, the units of a plane share the whole row.
const NARROW: u32 = 16;
/// Independent loads per iteration, which hide the latency of memory.
const AT_A_TIME: u32 = 4;
/// Rounds that are enqueued before the host waits.
const BATCH: usize = 8;
/// Counters per round: the vertices that remain undecided after it, and their edges.
const COUNTS: usize = 2;

pub(super) fn mis(graph: &GpuGraph, options: &MisOptions) -> Result<Mis> {
    let (neighbors, prepare) = graph.neighbors()?;
    check_memory(neighbors)?;
    let (gpu, vertices) = (&graph.gpu, u64::from(graph.vertices()));
    let what = format!("an independent set of {vertices} vertices");
    // Keys, and the lists before and after a round.
    let extra_bytes = buffer_bytes(gpu, vertices, 3);
    gpu.require(&what, graph.bytes_missing_simple()?.saturating_add(extra_bytes))?;
    let (simple, upload) = graph.simple()?;
    let run = run_on(
        gpu,
        || decide_all(simple, Order::new(options)),
        |(keys, steps)| {
            let in_set = gpu.download(&keys)?.iter().map(|&key| key == IN).collect();
            Ok((in_set, steps))
        },
    )?;
    let (in_set, steps) = run.result;
    Ok(Mis::new(in_set, Trace { steps }, Times { upload, prepare, ..run.times }))
}

/// The final keys of the vertices, and one step per round.
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
        // Each round decides at least the undecided vertex with the highest priority.
        if steps.len() > vertices as usize {
            let problem = format!("{} rounds, and {} vertices not decided", steps.len(), left[0]);
            return Err(equipoise_schedule::Error::Schedule(problem).into());
        }
    }
    Ok((rounds.keys, steps))
}

/// The buffers of all rounds.
struct Rounds<'a> {
    graph: &'a DeviceGraph,
    keys: Buffer<u32>,
    /// The undecided vertices before even rounds, and before odd ones.
    lists: [Buffer<u32>; 2],
}

impl<'a> Rounds<'a> {
    fn new(graph: &'a DeviceGraph) -> Result<Self> {
        let empty = || graph.gpu().empty(graph.vertices() as usize);
        Ok(Self { graph, keys: empty()?, lists: [empty()?, empty()?] })
    }

    /// Enqueues a round of a batch. `finished` rounds came before the batch, which starts with `left` vertices.
    fn enqueue(&self, counts: &Buffer<u32>, finished: usize, round: usize, left: u32) {
        let (graph, number) = (self.graph, finished + round);
        let (list, next) = (&self.lists[number % 2], &self.lists[(number + 1) % 2]);
        // SAFETY: each vertex has offsets and a key, edges lead to vertices, lists hold all vertices, and each round has
        // its counters.
        unsafe {
            decide::launch_unchecked::<GpuRuntime>(
                graph.gpu().client(),
                cubes_for(graph.gpu(), graph.vertices()),
                CubeDim::new_1d(UNITS),
                graph.rows(),
                AtomicArray::bind(graph.gpu(), &self.keys),
                list.arg(),
                next.arg(),
                AtomicArray::bind(graph.gpu(), counts),
                (round * COUNTS) as u32,
                if round == 0 { left } else { 0 },
                number == 0,
            );
        }
    }
}

fn set_keys(graph: &DeviceGraph, order: Order, keys: &Buffer<u32>) {
    // SAFETY: each vertex has offsets and a key.
    unsafe {
        find_keys::launch_unchecked::<GpuRuntime>(
            graph.gpu().client(),
            cubes_for(graph.gpu(), graph.vertices()),
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

/// One round: decides vertices of `list`, and appends the others to `next`. Its counters start at `index`. The list has
/// the length that the previous round counted, or `left` if that is not 0.
///
/// A vertex joins if every neighbour is excluded or has a lower priority, and then excludes its neighbours. [`IN`] is the
/// highest priority. Decisions are final, so stale reads are safe.
#[cube(launch_unchecked)]
fn decide(
    rows: &Rows,
    keys: &mut AtomicArray,
    list: &Array<u32>,
    next: &mut Array<u32>,
    counts: &mut AtomicArray,
    index: u32,
    left: u32,
    #[comptime] lists_all: bool,
) {
    // The number of vertices that this cube appends, and the start of its part of the list.
    let appended = SharedMemory::<Atomic<u32>>::new(2usize);
    let mut listed = left;
    if left == 0 {
        listed = counts.get(index - COUNTS as u32);
    }
    let units = CUBE_COUNT as u32 * CUBE_DIM;
    let mut left_edges = 0u32;
    // The same number of turns for all units, because they synchronise.
    for turn in 0..listed.div_ceil(units) {
        if UNIT_POS == 0 {
            appended[0].store(0u32);
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
        // The units of a plane share the long rows whose samples let the vertex join.
        let mut unit = first_unit(is_wide && !waits);
        while unit < PLANE_DIM {
            let row_begin = plane_shuffle(begin, unit);
            let row_end = plane_shuffle(end, unit);
            let row_vertex = plane_shuffle(vertex, unit);
            let row_key = plane_shuffle(key, unit);
            let row_waits = waits_for_any(rows, keys, row_begin, row_end, row_vertex, row_key);
            if !row_waits {
                join(rows, keys, row_vertex, row_begin, row_end, Team::Plane);
            }
            if UNIT_POS_PLANE == unit {
                waits = row_waits;
            }
            unit = first_unit(is_wide && !waits && UNIT_POS_PLANE > unit);
        }
        // Each cube reserves its part of the list once: one counter for all planes would be contended.
        sync_cube();
        let mut offset = 0u32;
        if waits {
            left_edges += end - begin;
            offset = appended[0].fetch_add(1u32);
        }
        sync_cube();
        if UNIT_POS == 0 {
            let count = appended[0].load();
            if count > 0 {
                appended[1].store(counts.fetch_add(index, count));
            }
        }
        sync_cube();
        let start = appended[1].load();
        if waits {
            next[(start + offset) as usize] = vertex;
        }
        sync_cube();
    }
    let all_edges = plane_sum(left_edges);
    if UNIT_POS_PLANE == 0 && all_edges > 0 {
        counts.fetch_add(index + 1, all_edges);
    }
}

/// The first unit of a plane for which `holds` is true, or [`PLANE_DIM`]. All units of the plane must call it.
#[cube]
fn first_unit(holds: bool) -> u32 {
    plane_min(select(holds, UNIT_POS_PLANE, PLANE_DIM))
}

/// Whether a vertex waits for one of at most [`NARROW`] sampled neighbours.
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
        for sample in 0..AT_A_TIME {
            // Past the end, the last sample is read again.
            let edge = begin + min(first + sample, count - 1) * step;
            waits = goes_before(rows, keys, edge, vertex, key) || waits;
        }
        first += AT_A_TIME;
    }
    waits
}

/// Whether a vertex waits for one of its neighbours. All units of a plane must call it.
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
        let mut unit_waits = false;
        #[unroll]
        for load in 0..AT_A_TIME {
            let edge = min(start + load * PLANE_DIM + UNIT_POS_PLANE, end - 1);
            unit_waits = goes_before(rows, keys, edge, vertex, key) || unit_waits;
        }
        waits = plane_any(unit_waits);
        start += AT_A_TIME * PLANE_DIM;
    }
    waits
}

/// Adds a vertex to the set, and excludes its neighbours.
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
        // Load first: concurrent writes to a vertex of high degree are serialised.
        if keys.get(other) != OUT {
            keys.set(other, OUT.runtime());
        }
    }
}

/// Whether the target of an edge has priority over a vertex.
#[cube]
fn goes_before(rows: &Rows, keys: &AtomicArray, edge: u32, vertex: u32, key: u32) -> bool {
    let other = rows.targets[edge as usize];
    let other_key = keys.get(other);
    other_key > key || (other_key == key && other > vertex)
}
