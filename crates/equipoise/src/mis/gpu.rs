//! Independent sets on a GPU: a unit or a plane looks at a vertex that is not decided, round after round.

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
/// The most neighbours that a unit looks at by itself. The units of a plane look at more together.
const NARROW: u32 = 32;
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
    let keys = there.gpu.held_by(4 * vertices.max(1));
    there.gpu.require(&what, kept.bytes_missing(there)?.saturating_add(keys))?;
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
    let keys = gpu.empty(vertices as usize)?;
    set_keys(graph, order, &keys);
    let mut steps: Vec<Step> = Vec::new();
    let mut left = [vertices, graph.edges()];
    while left[0] > 0 {
        let clock = gpu.stopwatch();
        let counts = gpu.filled(COUNTS * BATCH, 0)?;
        (0..BATCH as u32).for_each(|round| enqueue(graph, &keys, &counts, round));
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
    Ok((keys, steps))
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

fn enqueue(graph: &DeviceGraph, keys: &Buffer<u32>, counts: &Buffer<u32>, round: u32) {
    // SAFETY: there are offsets and a key for each vertex, edges lead to vertices, and there are counts for each round.
    unsafe {
        decide::launch_unchecked::<GpuRuntime>(
            graph.gpu().client(),
            cubes(graph),
            CubeDim::new_1d(UNITS),
            graph.rows(),
            AtomicArray::of(graph.gpu(), keys),
            counts.arg(),
            graph.vertices(),
            round * COUNTS as u32,
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

/// Decides the vertices that can be, and counts the others from `place` on. Each unit has a vertex; those with many
/// neighbours are left to the planes of the cube, which take turns.
///
/// A vertex joins if no neighbour goes before that is not left out, and then leaves out its neighbours. One in the set
/// goes before all others. What is decided stays so, and what is read out of date is not wrong.
#[cube(launch_unchecked)]
fn decide(
    rows: &Rows,
    keys: &mut AtomicArray,
    counts: &mut Array<Atomic<u32>>,
    vertices: u32,
    place: u32,
) {
    let mut wide = SharedMemory::<u32>::new(comptime!(UNITS as usize));
    let wide_count = SharedMemory::<Atomic<u32>>::new(1usize);
    let mut left = 0u32;
    let mut left_edges = 0u32;
    for block in cube_grid_stride_range(0, vertices.div_ceil(UNITS)) {
        if UNIT_POS == 0 {
            wide_count[0].store(0u32);
        }
        sync_cube();
        let vertex = block * UNITS + UNIT_POS;
        if vertex < vertices {
            let key = keys.get(vertex);
            if key != OUT && key != IN {
                let degree = rows.offsets[vertex as usize + 1] - rows.offsets[vertex as usize];
                if degree > NARROW {
                    let index = wide_count[0].fetch_add(1u32);
                    wide[index as usize] = vertex;
                } else if !joins(rows, keys, vertex, key, Team::Unit) {
                    left += 1;
                    left_edges += degree;
                }
            }
        }
        sync_cube();
        let planes = UNITS / PLANE_DIM;
        for index in step_range(UNIT_POS / PLANE_DIM, wide_count[0].load(), planes) {
            let vertex = wide[index as usize];
            // It may be left out while units look: all of them go by what the first one has seen. One that is left
            // out waits for the neighbour in the set until the next round.
            let key = plane_shuffle(keys.get(vertex), 0u32);
            if !joins(rows, keys, vertex, key, Team::Plane) && UNIT_POS_PLANE == 0 {
                left += 1;
                left_edges += rows.offsets[vertex as usize + 1] - rows.offsets[vertex as usize];
            }
        }
        // The list is not begun again before all have read it.
        sync_cube();
    }
    let all_left = plane_sum(left);
    let all_edges = plane_sum(left_edges);
    if UNIT_POS_PLANE == 0 && all_left > 0 {
        counts[place as usize].fetch_add(all_left);
        counts[place as usize + 1].fetch_add(all_edges);
    }
}

/// Whether a vertex that is not decided joins the set now. All units of a team call it together.
#[cube]
fn joins(
    rows: &Rows,
    keys: &mut AtomicArray,
    vertex: u32,
    key: u32,
    #[comptime] team: Team,
) -> bool {
    let begin = rows.offsets[vertex as usize];
    let end = rows.offsets[vertex as usize + 1];
    let mut waits = false;
    let mut start = begin;
    while !waits && start < end {
        if comptime!(team == Team::Unit) {
            waits = goes_before(rows, keys, start, vertex, key);
            start += 1;
        } else {
            let edge = start + UNIT_POS_PLANE;
            let mut before = false;
            if edge < end {
                before = goes_before(rows, keys, edge, vertex, key);
            }
            waits = plane_any(before);
            start += PLANE_DIM;
        }
    }
    if !waits {
        if leads_team(team) {
            keys.set(vertex, IN.runtime());
        }
        for edge in team_range(begin, end, team) {
            keys.set(rows.targets[edge as usize], OUT.runtime());
        }
    }
    !waits
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
