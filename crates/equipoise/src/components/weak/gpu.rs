//! Weakly connected components on a GPU: hooking and pointer jumping as operations of the engine.

use cubecl::prelude::*;
use equipoise_schedule::{ScheduleName, atomics::*, device::Buffer, engine::*};

use super::{most_frequent, sampled_vertices};
use crate::{
    Result, Step, Times, Trace,
    components::{Components, ComponentsStrategy},
    gpu_graph::GpuGraph,
    kernels::UNITS,
    run::{buffer_bytes, run_on},
};

/// The edges per vertex that `afforest` visits first.
const SAMPLED_EDGES: u32 = 2;

/// Finds components by a strategy that is not `auto`.
pub(in crate::components) fn components(
    graph: &GpuGraph,
    strategy: ComponentsStrategy,
) -> Result<Components> {
    let (gpu, vertices) = (&graph.gpu, u64::from(graph.vertices()));
    // Parents, lists of vertices with their marks, and the buffers of a schedule.
    let bytes = graph.bytes_missing(false).saturating_add(buffer_bytes(gpu, vertices, 8));
    gpu.require(&format!("the components of {vertices} vertices"), bytes)?;
    let engine_graph = graph.engine_graph()?;
    let is_undirected = graph.graph.is_undirected();
    let roots = || roots(engine_graph, is_undirected, strategy);
    let run = run_on(gpu, roots, |forest| Ok(gpu.download(&forest)?))?;
    let times = Times { upload: graph.upload_time(false), ..run.times };
    let mut components = Components::new(run.result, strategy, Trace::default(), times);
    let (frontier, edges) = (vertices, graph.edges().into());
    let found = frontier - u64::from(components.count);
    let which = if strategy == ComponentsStrategy::Afforest { "first and rest" } else { "all" };
    let step = Step { frontier, edges, found, time: run.time, ..Step::new(0, which) };
    components.trace.steps.push(step);
    Ok(components)
}

/// The root of each vertex.
fn roots(
    graph: &DeviceGraph,
    is_undirected: bool,
    strategy: ComponentsStrategy,
) -> Result<Buffer<u32>> {
    let gpu = graph.gpu();
    let forest = gpu.empty(graph.vertices() as usize)?;
    let all = Frontier::all(graph)?;
    let plant = || PlantLaunch::new(AtomicArray::bind(gpu, &forest));
    // SAFETY: each vertex has a parent.
    for_each(&all, &unsafe { Operation::<Plant>::unchecked(plant) });
    if strategy == ComponentsStrategy::Afforest {
        hook_first(&all, &forest);
    }
    // A directed graph has edges out of the giant component without a reverse, so none can be skipped.
    if strategy == ComponentsStrategy::Afforest && is_undirected {
        hook_rest(&all, &forest)?;
    } else {
        hook_all(graph, is_undirected, &forest)?;
    }
    compress(&all, &forest);
    Ok(forest)
}

/// Hooks along the first edges of each vertex.
fn hook_first(all: &Frontier, forest: &Buffer<u32>) {
    let graph = all.graph();
    for nth in 0..SAMPLED_EDGES {
        let hook = || HookNthLaunch::new(graph.rows(), AtomicArray::bind(graph.gpu(), forest), nth);
        // SAFETY: each vertex has a parent, and edges lead to vertices.
        for_each(all, &unsafe { Operation::<HookNth>::unchecked(hook) });
        compress(all, forest);
    }
}

/// Hooks along all edges of the vertices outside the giant component.
fn hook_rest(all: &Frontier, forest: &Buffer<u32>) -> Result<()> {
    let gpu = all.graph().gpu();
    let Some(giant) = giant(all.graph(), forest)? else { return Ok(()) };
    let outside = || OutsideLaunch::new(AtomicArray::bind(gpu, forest), giant);
    // SAFETY: each vertex has a parent.
    let rest = filter(all, &unsafe { Operation::<Outside>::unchecked(outside) })?;
    if rest.edges() == 0 {
        return Ok(());
    }
    let hook = || HookEdgesLaunch::new(AtomicArray::bind(gpu, forest), 0);
    // SAFETY: each vertex has a parent, and edges lead to vertices.
    let hook = unsafe { Operation::<HookEdges>::unchecked(hook) };
    Ok(FrontierGather::new(&rest, ScheduleName::MergePath.into())?.run(&hook)?)
}

/// The most frequent root of a sample of vertices.
fn giant(graph: &DeviceGraph, forest: &Buffer<u32>) -> Result<Option<u32>> {
    let gpu = graph.gpu();
    let sampled = sampled_vertices(graph.vertices());
    let vertices = gpu.upload(&sampled)?;
    let labels = gpu.empty::<u32>(sampled.len())?;
    if !sampled.is_empty() {
        let cubes = gpu.cubes(sampled.len().div_ceil(UNITS as usize) as u64);
        let units = CubeDim::new_1d(UNITS);
        look_up::launch(gpu.client(), cubes, units, vertices.arg(), forest.arg(), labels.arg());
    }
    Ok(most_frequent(gpu.download(&labels)?))
}

/// Hooks along every edge, in one direction if the graph is undirected.
fn hook_all(graph: &DeviceGraph, is_undirected: bool, forest: &Buffer<u32>) -> Result<()> {
    let one_way = u32::from(is_undirected);
    let hook = || HookEdgesLaunch::new(AtomicArray::bind(graph.gpu(), forest), one_way);
    // SAFETY: each vertex has a parent, and edges lead to vertices.
    let hook = unsafe { Operation::<HookEdges>::unchecked(hook) };
    Ok(gather(graph, ScheduleName::Binned.into(), &hook)?)
}

fn compress(all: &Frontier, forest: &Buffer<u32>) {
    let compress = || CompressLaunch::new(AtomicArray::bind(all.graph().gpu(), forest));
    // SAFETY: each vertex has a parent.
    for_each(all, &unsafe { Operation::<Compress>::unchecked(compress) });
}

/// Steps after which `hook` starts to shorten paths. Near the root, the writes would contend for no benefit.
const FAR: u32 = 4;

#[cube(launch)]
fn look_up(vertices: &Array<u32>, labels: &Array<u32>, result: &mut Array<u32>) {
    if ABSOLUTE_POS < vertices.len() {
        result[ABSOLUTE_POS] = labels[vertices[ABSOLUTE_POS] as usize];
    }
}

/// Joins the trees of two vertices.
///
/// Climbs from both vertices to their roots, and hooks the larger root under the smaller one. Long paths are halved:
/// vertices on the way are pointed to their grandparents. Reads may be stale. If the vertex whose parent is lowered is not
/// a root any more, its old parent is joined with the new one next. A parent is smaller than its children, so the larger
/// of the two vertices decreases until the loop ends.
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

/// Makes each vertex a tree.
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

/// Hooks along the nth edge of each vertex that has one.
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

/// Points each vertex to its root.
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

/// Keeps the vertices outside one component.
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
    /// If not 0, only along edges to smaller vertices.
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
    use equipoise_schedule::lower;

    use super::*;
    use crate::lower::assert_compiles;

    #[test]
    fn every_kernel_compiles_for_cuda() {
        let gpu = lower::gpu();
        let graph = DeviceGraph::from_rows(&gpu, &[0, 1, 2, 3, 4], &[1, 0, 3, 2]).unwrap();
        let forest = gpu.empty(4).unwrap();
        roots(&graph, true, ComponentsStrategy::Hooking).unwrap();
        let all = Frontier::assumed(&graph, 4, 4).unwrap();
        hook_first(&all, &forest);
        hook_rest(&all, &forest).unwrap();
        let hook = || HookEdgesLaunch::new(AtomicArray::bind(&gpu, &forest), 0);
        // SAFETY: this backend only compiles.
        let hook = unsafe { Operation::<HookEdges>::unchecked(hook) };
        FrontierGather::new(&all, ScheduleName::MergePath.into()).unwrap().run(&hook).unwrap();
        assert_compiles(&gpu, "Plant HookNth Compress Outside HookEdges LookUp");
    }
}
