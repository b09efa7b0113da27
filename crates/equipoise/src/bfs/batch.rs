//! Up to 32 breadth-first searches in one pass: one word per vertex, with one bit per search.

use cubecl::prelude::*;
use equipoise_schedule::{
    ScheduleName,
    atomics::*,
    device::{Buffer, GpuRuntime},
    input::Input,
    plan::Plan,
    ranges::*,
    tiles::CsrRows,
    work::*,
};

use super::{Bfs, BfsOptions};
use crate::{
    NONE, Result, Step, Times, Trace,
    gpu_graph::GpuGraph,
    times::{timed, times_of_steps},
    traversal::{UNITS, check_host_memory, parents_of_levels, totals},
    tree::check_vertex,
};

/// The searches per pass: the bits of a word.
pub(crate) const SEARCHES: usize = 32;

/// Propagates the searches at a vertex along its edges.
#[derive(CubeType, CubeLaunch)]
struct Propagate {
    /// The searches in whose frontier each vertex is.
    frontier: Input<u32>,
    reached: Input<u32>,
    targets: Input<u32>,
    /// The searches in whose next frontier it is.
    next: AtomicArray,
}

impl WorkKind for Propagate {
    const REDUCES: bool = false;
}

#[cube]
impl Work for Propagate {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn atom(&mut self, vertex: u32, edge: u32) -> u32 {
        let frontier = self.frontier[vertex as usize];
        if frontier != 0 {
            let target = self.targets[edge as usize];
            let new = frontier & !self.reached[target as usize];
            if new & !self.next.get(target) != 0 {
                self.next.fetch_or(target, new);
            }
        }
        0u32.runtime()
    }

    fn combine(a: u32, _b: u32) -> u32 {
        a
    }

    fn end(&mut self, _vertex: u32, _total: u32) {}
}

/// Words with one bit per search, one per vertex.
#[derive(CubeType, CubeLaunch)]
struct Masks {
    frontier: Array<u32>,
    reached: Array<u32>,
    next: Array<u32>,
}

/// Makes the next frontiers this level's, and sets the levels of their vertices: one array per search.
#[cube(launch_unchecked)]
fn arrive(
    masks: &mut Masks,
    levels: &mut Array<u32>,
    found: &mut Array<Atomic<u32>>,
    vertices: u32,
    level: u32,
) {
    for vertex in grid_stride_range(0, vertices) {
        let index = vertex as usize;
        let reached = masks.reached[index];
        let new = masks.next[index] & !reached;
        masks.frontier[index] = new;
        masks.next[index] = 0u32;
        if new != 0 {
            masks.reached[index] = reached | new;
            found[0].fetch_add(1u32);
            let mut left = new;
            while left != 0 {
                let search = left.trailing_zeros();
                levels[(search * vertices + vertex) as usize] = level;
                left &= left - 1;
            }
        }
    }
}

/// The levels of up to 32 searches, and their trace. A vertex in several frontiers counts once.
fn levels(graph: &GpuGraph, sources: &[u32], last_level: u32) -> Result<(Vec<Vec<u32>>, Trace)> {
    let (gpu, rows) = (&graph.gpu, graph.leaving()?);
    let vertices = graph.vertices();
    let count = vertices as usize;
    let levels = gpu.filled(count * sources.len(), NONE)?;
    let mut start = vec![0u32; count];
    for (bit, &source) in sources.iter().enumerate() {
        start[source as usize] |= 1 << bit;
    }
    let next: Buffer<u32> = gpu.upload(&start)?;
    let (frontiers, reached) = (gpu.empty::<u32>(count)?, gpu.filled(count, 0u32)?);
    let found = gpu.empty::<u32>(1)?;
    let tiles = CsrRows::from_offsets(&rows.offsets, rows.edges())?;
    let plan = Plan::<CsrRows, Propagate>::new(gpu, ScheduleName::MergePath.into(), &tiles)?;

    let arrive_at = |level: u32| -> Result<u32> {
        gpu.fill(&found, 0)?;
        // SAFETY: each vertex has a word, and a level per search.
        unsafe {
            arrive::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                gpu.cubes(u64::from(vertices).div_ceil(u64::from(UNITS))),
                CubeDim::new_1d(UNITS),
                MasksLaunch::new(frontiers.arg(), reached.arg(), next.arg()),
                levels.arg(),
                found.arg(),
                vertices,
                level,
            );
        }
        Ok(gpu.download(&found)?.iter().sum())
    };
    let mut trace = Trace::default();
    let mut frontier = arrive_at(0)?;
    for level in 0..last_level {
        let clock = gpu.stopwatch();
        let work = || {
            let next = AtomicArray::bind(gpu, &next);
            PropagateLaunch::new(frontiers.arg(), reached.arg(), rows.targets.arg(), next)
        };
        // SAFETY: each edge has a target, and each vertex a word.
        unsafe { plan.run(&tiles, work) };
        let arrived = arrive_at(level + 1)?;
        trace.steps.push(Step {
            frontier: frontier.into(),
            edges: rows.edges().into(),
            found: arrived.into(),
            time: clock.elapsed(),
            ..Step::new(level, "batch")
        });
        frontier = arrived;
        if frontier == 0 {
            break;
        }
    }
    let all = gpu.download(&levels)?;
    Ok((all.chunks(count.max(1)).map(<[u32]>::to_vec).collect(), trace))
}

/// A breadth-first search from each of several vertices, 32 in one pass.
pub(crate) fn bfs_batch(
    graph: &GpuGraph,
    sources: &[u32],
    options: &BfsOptions,
) -> Result<Vec<Bfs>> {
    graph.engine_graph()?;
    options.check()?;
    sources.iter().try_for_each(|&source| check_vertex(graph.graph, source))?;
    check_host_memory(graph.graph, sources.len())?;
    let mut searches = Vec::new();
    for sources in sources.chunks(SEARCHES) {
        searches.extend(search(graph, sources, options)?);
    }
    Ok(searches)
}

/// Searches from up to 32 sources.
fn search(graph: &GpuGraph, sources: &[u32], options: &BfsOptions) -> Result<Vec<Bfs>> {
    let gpu = &graph.gpu;
    let words = u64::from(graph.vertices()) * (sources.len() as u64 + 4);
    gpu.require(&format!("a batch of {} searches", sources.len()), 4 * words)?;
    let last_level = options.max_depth.unwrap_or(u32::MAX);
    let stopwatch = gpu.stopwatch();
    let (all, trace) = levels(graph, sources, last_level)?;
    let (run, compile) = (stopwatch.elapsed(), stopwatch.compiled());
    let upload = graph.upload_time(false);
    let times = Times { upload, compile, ..times_of_steps(&trace.steps, run) };
    let graph = graph.graph;
    let entering = graph.transpose()?;
    let search = |(&source, levels): (&u32, Vec<u32>)| {
        let (parents, tree) = timed(|| parents_of_levels(entering, source, &levels));
        let ((reached, edges, depth), adding) = timed(|| totals(graph, &levels));
        let (complete, trace) = (options.is_complete(graph, &levels), trace.clone());
        let times = Times { tree, download: adding, ..times };
        Bfs { source, levels, parents, reached, depth, edges, complete, trace, times }
    };
    Ok(sources.iter().zip(all).map(search).collect())
}
