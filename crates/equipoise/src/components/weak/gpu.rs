//! Weakly connected components on a GPU: hooking and pointer jumping as operations of the engine.

use cubecl::prelude::*;
use equipoise_schedule::{
    ScheduleName,
    atomics::*,
    device::{Buffer, Gpu},
    engine::*,
};

use super::{SAMPLED_EDGES, most_frequent, sampled_vertices};
use crate::{
    Result, Step, Times, Trace,
    components::{Components, ComponentsStrategy},
    gpu_graph::{GpuGraph, GraphOnGpu},
    times::{empty_wait, finished, less_wait, timed_on},
};

/// Finds components by a strategy that is not `auto`.
pub(in crate::components) fn components(
    there: &GraphOnGpu,
    strategy: ComponentsStrategy,
) -> Result<Components> {
    let vertices = u64::from(there.graph.vertices());
    // Parents, lists of vertices with their marks, and what schedules prepare for one.
    let beside = there.gpu.held_by(4 * vertices.max(1)).saturating_mul(8);
    let what = format!("the components of {vertices} vertices");
    there.gpu.require(&what, there.bytes_missing(false).saturating_add(beside))?;
    run(there.get()?, strategy)
}

fn run(graph: &GpuGraph, strategy: ComponentsStrategy) -> Result<Components> {
    let gpu = &graph.gpu;
    gpu.wake();
    let wait = empty_wait(gpu)?;
    let stopwatch = gpu.stopwatch();
    let (forest, time) = finished(gpu, || found(graph, strategy))?;
    let compile = stopwatch.compiled();
    let (labels, download) = timed_on(gpu, || gpu.download(&forest));
    let upload = graph.upload_time(false);
    let times = Times { upload, compile, download, ..Times::default() };
    let times = less_wait(times, time, wait);
    let mut components = Components::of(labels?, strategy, Trace::default(), times);
    let (frontier, edges) = (graph.vertices().into(), graph.edges().into());
    let found = frontier - u64::from(components.count);
    let which = if strategy == ComponentsStrategy::Afforest { "first and rest" } else { "all" };
    let step = Step { frontier, edges, found, time, ..Step::new(0, which) };
    components.trace.steps.push(step);
    Ok(components)
}

/// The root of each vertex.
fn found(graph: &GpuGraph, strategy: ComponentsStrategy) -> Result<Buffer<u32>> {
    let (gpu, there) = (&graph.gpu, &graph.there);
    let forest = gpu.empty(graph.vertices() as usize)?;
    let all = Frontier::all(there)?;
    let plant = || PlantLaunch::new(AtomicArray::of(gpu, &forest));
    // SAFETY: there is a parent for each vertex.
    for_each(&all, &unsafe { Operation::<Plant>::unchecked(plant) });
    match strategy {
        ComponentsStrategy::Afforest => afforest(graph, &all, &forest)?,
        _ => hook_all(graph, &forest)?,
    }
    compress(gpu, &all, &forest);
    Ok(forest)
}

/// Hooks along the first edges of each vertex, and along all edges of those that are not in the giant component then.
fn afforest(graph: &GpuGraph, all: &Frontier, forest: &Buffer<u32>) -> Result<()> {
    let gpu = &graph.gpu;
    for nth in 0..SAMPLED_EDGES {
        let hook = || HookNthLaunch::new(graph.leaving.arg(), AtomicArray::of(gpu, forest), nth);
        // SAFETY: there is a parent for each vertex, and edges lead to vertices.
        for_each(all, &unsafe { Operation::<HookNth>::unchecked(hook) });
        compress(gpu, all, forest);
    }
    // Edges lead from the giant component of a directed graph that do not lead back.
    if !graph.graph.is_undirected() {
        return hook_all(graph, forest);
    }
    let Some(giant) = giant(graph, forest)? else { return Ok(()) };
    let outside = || OutsideLaunch::new(AtomicArray::of(gpu, forest), giant);
    // SAFETY: there is a parent for each vertex.
    let rest = filter(all, &unsafe { Operation::<Outside>::unchecked(outside) })?;
    if rest.edges() == 0 {
        return Ok(());
    }
    let hook = || HookEdgesLaunch::new(AtomicArray::of(gpu, forest), 0);
    // SAFETY: there is a parent for each vertex, and edges lead to vertices.
    let hook = unsafe { Operation::<HookEdges>::unchecked(hook) };
    Ok(FrontierGather::new(&rest, ScheduleName::MergePath.into())?.run(&hook)?)
}

/// The root that most of a few vertices have.
fn giant(graph: &GpuGraph, forest: &Buffer<u32>) -> Result<Option<u32>> {
    let gpu = &graph.gpu;
    let sampled = sampled_vertices(graph.vertices());
    let places = gpu.upload(&sampled)?;
    let labels = gpu.empty::<u32>(sampled.len())?;
    if !sampled.is_empty() {
        let cubes = gpu.cubes(sampled.len().div_ceil(UNITS as usize) as u64);
        let units = CubeDim::new_1d(UNITS);
        look_up::launch(gpu.client(), cubes, units, places.arg(), forest.arg(), labels.arg());
    }
    Ok(most_frequent(gpu.download(&labels)?))
}

/// Hooks along every edge: of an undirected graph, along one of the two that it has for each.
fn hook_all(graph: &GpuGraph, forest: &Buffer<u32>) -> Result<()> {
    let gpu = &graph.gpu;
    let one_way = u32::from(graph.graph.is_undirected());
    let hook = || HookEdgesLaunch::new(AtomicArray::of(gpu, forest), one_way);
    // SAFETY: there is a parent for each vertex, and edges lead to vertices.
    let hook = unsafe { Operation::<HookEdges>::unchecked(hook) };
    Ok(gather(&graph.there, ScheduleName::Binned.into(), &hook)?)
}

fn compress(gpu: &Gpu, all: &Frontier, forest: &Buffer<u32>) {
    let compress = || CompressLaunch::new(AtomicArray::of(gpu, forest));
    // SAFETY: there is a parent for each vertex.
    for_each(all, &unsafe { Operation::<Compress>::unchecked(compress) });
}

const UNITS: u32 = 256;
/// Steps from which on a root is far. Near one, many would write at the same place for nothing.
const FAR: u32 = 4;

#[cube(launch)]
fn look_up(places: &Array<u32>, labels: &Array<u32>, found: &mut Array<u32>) {
    if ABSOLUTE_POS < places.len() {
        found[ABSOLUTE_POS] = labels[places[ABSOLUTE_POS] as usize];
    }
}

/// Joins the trees of two vertices.
///
/// Both go up to their roots, and where that is far let vertices on the way point to their grandparents, so that the next
/// has half as far; the larger root gets the smaller one as its parent. What was read may be out of date: whoever lowers the parent of
/// what is not a root any more takes it away from its old one, and then joins these two. A parent is smaller than its
/// children, so that the larger of the two sinks and the loop ends.
#[cube]
fn hook(forest: &mut AtomicArray, a: u32, b: u32) {
    let a = forest.get(a);
    let b = forest.get(b);
    let mut low = min(a, b);
    let mut high = max(a, b);
    let mut steps = 0u32;
    while low != high {
        let mut other = forest.get(high);
        if other == high {
            let old = forest.fetch_min(high, low);
            other = select(old == high, low, old);
        } else if steps > FAR {
            let above = forest.get(other);
            forest.set(high, above);
            other = above;
        }
        steps += 1;
        high = max(other, low);
        low = min(other, low);
    }
}

/// Makes each vertex a tree of its own.
#[derive(CubeType, CubeLaunch)]
struct Plant {
    forest: AtomicArray,
}

#[cube]
impl VertexOp for Plant {
    fn apply(&mut self, vertex: u32) -> bool {
        self.forest.set(vertex, vertex);
        true.runtime()
    }
}

/// Hooks along one edge of each vertex that has so many.
#[derive(CubeType, CubeLaunch)]
struct HookNth {
    rows: Rows,
    forest: AtomicArray,
    nth: u32,
}

#[cube]
impl VertexOp for HookNth {
    fn apply(&mut self, vertex: u32) -> bool {
        let edge = self.rows.offsets[vertex as usize] + self.nth;
        if edge < self.rows.offsets[vertex as usize + 1] {
            hook(&mut self.forest, vertex, self.rows.targets[edge as usize]);
        }
        true.runtime()
    }
}

/// Lets each vertex point to its root.
#[derive(CubeType, CubeLaunch)]
struct Compress {
    forest: AtomicArray,
}

#[cube]
impl VertexOp for Compress {
    fn apply(&mut self, vertex: u32) -> bool {
        let mut root = self.forest.get(vertex);
        let mut parent = self.forest.get(root);
        while parent != root {
            root = parent;
            parent = self.forest.get(root);
        }
        self.forest.set(vertex, root);
        true.runtime()
    }
}

/// Keeps the vertices of all components but one.
#[derive(CubeType, CubeLaunch)]
struct Outside {
    forest: AtomicArray,
    giant: u32,
}

#[cube]
impl VertexOp for Outside {
    fn apply(&mut self, vertex: u32) -> bool {
        self.forest.get(vertex) != self.giant
    }
}

/// Hooks along the edges of a vertex.
#[derive(CubeType, CubeLaunch)]
struct HookEdges {
    forest: AtomicArray,
    /// Not 0: along those to smaller vertices only.
    one_way: u32,
}

impl GatherOpKind for HookEdges {}

#[cube]
impl GatherOp for HookEdges {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, vertex: u32, neighbour: u32, _edge: u32) -> u32 {
        if self.one_way == 0 || neighbour < vertex {
            hook(&mut self.forest, vertex, neighbour);
        }
        0u32.runtime()
    }

    fn combine(a: u32, _b: u32) -> u32 {
        a
    }

    fn apply(&mut self, _vertex: u32, _total: u32) {}
}

#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod tests {
    use equipoise_graph::{Edges, GraphBuilder};
    use equipoise_schedule::lower::{self, Nvrtc};

    use super::*;

    #[test]
    fn every_kernel_compiles_for_cuda() {
        let gpu = lower::gpu();
        let graph = GraphBuilder::new().undirected(true).build(Edges::from(vec![(0, 1), (2, 3)]));
        let graph = graph.unwrap();
        let there = GpuGraph::upload(&gpu, &graph).unwrap();
        let forest = gpu.empty(4).unwrap();
        found(&there, ComponentsStrategy::Hooking).unwrap();
        let all = Frontier::assumed(&there.there, 4, 4).unwrap();
        afforest(&there, &all, &forest).unwrap();
        let hook = || HookEdgesLaunch::new(AtomicArray::of(&gpu, &forest), 0);
        // SAFETY: nothing runs here.
        let hook = unsafe { Operation::<HookEdges>::unchecked(hook) };
        FrontierGather::new(&all, ScheduleName::MergePath.into()).unwrap().run(&hook).unwrap();
        let kernels = lower::kernels(&gpu).unwrap();
        for name in ["Plant", "HookNth", "Compress", "Outside", "HookEdges", "LookUp"] {
            assert!(kernels.iter().any(|kernel| kernel.name.contains(name)), "{name}");
        }
        Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels)).unwrap();
    }
}
