//! Betweenness on a GPU: several sources at a time, each launch a level of all of them.
//!
//! A vertex in the search of a source is a pair. Pairs are listed as they are found, so that those of a level lie side by
//! side, and a level costs what its pairs do, however many levels there are. On the way there, the pairs of a level add up
//! the paths of those a level before and list those a level beyond, in one pass over their edges; on the way back, they
//! add up what those beyond depend on them. Units that share the edges of a pair add up in an order that does not
//! depend on the list, so that results are the same from run to run.

mod kernels;
#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod lower;
mod paths;
mod weighed;

use cubecl::prelude::*;
use equipoise_graph::{Graph, memory};
use equipoise_schedule::{
    Error,
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
};
use rayon::prelude::*;

use self::{kernels::*, paths::Weighing, weighed::Weighed};
use super::{Betweenness, BetweennessOptions, Plan, Sums};
use crate::{
    NONE, Result, Step, Times, Trace,
    gpu_graph::{DeviceRows, GpuGraph, GraphOnGpu},
    times::{empty_wait, less_wait, timed_on},
};

/// The most sources at a time: their dependencies are added up in numbers of 32 bits.
const MOST_SOURCES: u64 = 64;
/// The most pairs at a time: four words of each have an index of 32 bits, and more do not make it faster.
const MOST_PAIRS: u64 = 1 << 27;
/// The most units that share the edges of a pair.
const MOST_LANES: u32 = 32;
/// Levels that are enqueued before the host reads whether there are more: a few at first, and then twice as many each
/// time.
const FEWEST_LEVELS: u32 = 4;
const MOST_LEVELS: u32 = 64;

/// Betweenness by the number of edges or by whole weights; `simple` is the graph without its parallel edges, where it has any.
pub(super) fn betweenness(
    there: &GraphOnGpu,
    simple: Option<&Graph>,
    plan: &Plan,
    options: &BetweennessOptions,
) -> Result<Betweenness> {
    match simple {
        Some(simple) => of_simple(&GraphOnGpu::new(&there.gpu, simple), plan, options),
        None => of_simple(there, plan, options),
    }
}

fn of_simple(there: &GraphOnGpu, plan: &Plan, options: &BetweennessOptions) -> Result<Betweenness> {
    let (gpu, graph) = (&there.gpu, there.graph);
    let what = format_args!("the betweenness of {} vertices", graph.vertices());
    memory::check(what, Sums::bytes(graph, options))?;
    let weighs = options.weighs(graph);
    let missing = there.bytes_missing_entering(weighs)?;
    let at_once = sources_at_once(gpu, graph, plan, options, missing)?;
    let graph = there.get()?;
    gpu.wake();
    let wait = empty_wait(gpu)?;
    let stopwatch = gpu.stopwatch();
    let (found, run) = timed_on(gpu, || run(graph, plan, options, at_once));
    let (sums, step) = found?;
    let times = Times {
        upload: graph.upload_time(weighs),
        compile: stopwatch.compiled(),
        ..Times::default()
    };
    let times = less_wait(times, run, wait);
    let trace = Trace { steps: vec![Step { time: run, ..step }] };
    let found = Betweenness::of(graph.graph, sums, plan, trace, times);
    Ok(Betweenness { single_precision: true, ..found })
}

/// How many sources are worked on at a time. Fails where there is no memory for one.
fn sources_at_once(
    gpu: &Gpu,
    graph: &Graph,
    plan: &Plan,
    options: &BetweennessOptions,
    missing: u64,
) -> Result<u32> {
    let vertices = u64::from(graph.vertices()).max(1);
    let largest = gpu.properties().largest_buffer / (4 * WORDS) / vertices;
    let wanted = (plan.sources.len() as u64).clamp(1, MOST_SOURCES);
    let most = wanted.min(MOST_PAIRS / vertices).min(largest).max(1);
    let held = |words: u64| gpu.held_by(4 * words.max(1));
    let of_edges = if options.edges { held(graph.edges()) } else { 0 };
    let beside = missing.saturating_add(3 * held(vertices + 2)).saturating_add(of_edges);
    let (beside, lists) = match options.weighs(graph) {
        true => (beside.saturating_add(Weighed::bytes(graph)), 2),
        false => (beside, 1),
    };
    let needed = |sources: u64| {
        let pairs = sources * vertices;
        beside
            .saturating_add(held(WORDS * pairs))
            .saturating_add(lists * held(pairs) + 2 * held(sources))
    };
    let available = gpu.memory().available();
    let Some(fits) = (1..=most).rev().find(|&sources| needed(sources) <= available) else {
        let what = format!("the betweenness of {} vertices", graph.vertices());
        return Err(Error::OutOfMemory { what, needed: needed(1), available }.into());
    };
    Ok(fits as u32)
}

/// Adds up the dependencies of all sources, so many at a time.
fn run(
    graph: &GpuGraph,
    plan: &Plan,
    options: &BetweennessOptions,
    at_once: u32,
) -> Result<(Sums, Step)> {
    let gpu = &graph.gpu;
    let (vertices, edges) = (graph.vertices() as usize, graph.edges() as usize);
    let of_edges = options.edges.then(|| gpu.empty::<f32>(edges)).transpose()?;
    let mut sums =
        Sums { vertices: vec![0.0; vertices], edges: of_edges.as_ref().map(|_| vec![0.0; edges]) };
    let weighs = options.weighs(graph.graph);
    let mut step = Step::new(0, if weighs { "weights" } else { "hops" });
    step.sub_steps = plan.sources.len().div_ceil(at_once as usize).max(1) as u32;
    if plan.sources.is_empty() {
        return Ok((sums, step));
    }
    let of_vertices = gpu.empty::<f32>(vertices)?;
    let batch = Batch::new(graph, at_once, weighs)?;
    for sources in plan.sources.chunks(at_once as usize) {
        let reached = batch.search(sources)?;
        let count = sources.len() as u32;
        batch.add_vertices(count, options.endpoints, &of_vertices);
        add(&mut sums.vertices, &gpu.download(&of_vertices)?);
        if let (Some(of_edges), Some(sums)) = (&of_edges, &mut sums.edges) {
            batch.add_edges(count, of_edges);
            add(sums, &gpu.download(of_edges)?);
        }
        step.frontier += u64::from(count);
        step.edges += 2 * u64::from(count) * u64::from(graph.edges());
        step.found += u64::from(reached);
    }
    Ok((sums, step))
}

fn add(sums: &mut [f64], more: &[f32]) {
    sums.par_iter_mut().zip(more).for_each(|(sum, &more)| *sum += f64::from(more));
}

/// Room for the searches of several sources.
struct Batch<'a> {
    graph: &'a GpuGraph<'a>,
    entering: &'a DeviceRows,
    /// The words of each pair: those of a source lie side by side.
    pairs: Buffer<u32>,
    list: Buffer<u32>,
    /// How many pairs each level has, and where they start in the list.
    counts: Buffer<u32>,
    starts: Buffer<u32>,
    /// How many pairs the last level has that was looked at, and where it ends in the list.
    last: Buffer<u32>,
    /// The distances, by weights.
    weighed: Option<Weighed<'a>>,
}

impl<'a> Batch<'a> {
    fn new(graph: &'a GpuGraph<'a>, sources: u32, weighs: bool) -> Result<Self> {
        let gpu = &graph.gpu;
        let vertices = graph.vertices() as usize;
        let pairs = sources as usize * vertices;
        Ok(Self {
            graph,
            entering: graph.entering()?,
            pairs: gpu.empty(WORDS as usize * pairs)?,
            list: gpu.empty(pairs)?,
            counts: gpu.empty(vertices + 2)?,
            starts: gpu.empty(vertices + 2)?,
            last: gpu.empty(2)?,
            weighed: weighs.then(|| Weighed::new(graph, sources)).transpose()?,
        })
    }

    /// Searches there and back from each source; how many pairs were reached.
    fn search(&self, sources: &[u32]) -> Result<u32> {
        self.begin(sources)?;
        let (mut level, mut levels) = (0, FEWEST_LEVELS);
        // No level is farther than there are vertices: the last of these has no pair.
        let end = self.graph.vertices() + 1;
        loop {
            let next = end.min(level + levels);
            (level..next).for_each(|level| self.go_there(level));
            level = next;
            let last = self.graph.gpu.download(&self.last)?;
            if last[0] == 0 || level == end {
                (0..level).rev().for_each(|level| self.come_back(level));
                return Ok(last[1]);
            }
            levels = (2 * levels).min(MOST_LEVELS);
        }
    }

    fn begin(&self, sources: &[u32]) -> Result<()> {
        let gpu = &self.graph.gpu;
        gpu.fill(&self.pairs, NONE)?;
        gpu.fill(&self.counts, 0)?;
        if let Some(weighed) = &self.weighed {
            weighed.search(self, sources)?;
        }
        let from = gpu.upload(sources)?;
        let count = sources.len() as u32;
        // SAFETY: there is a row of pairs for each source, which are vertices: the caller checks them.
        unsafe {
            begin::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                gpu.cubes(u64::from(count).div_ceil(UNITS.into())),
                CubeDim::new_1d(UNITS),
                from.arg(),
                self.levels(),
                count,
                self.graph.vertices(),
            );
        }
        Ok(())
    }

    fn go_there(&self, level: u32) {
        let gpu = &self.graph.gpu;
        let entering = match self.graph.graph.is_undirected() {
            true => None,
            false => Some(self.entering.arg()),
        };
        // SAFETY: there are words for each pair and room for each in the list, where it is once; a level of each vertex
        // and one more, and edges lead to vertices.
        unsafe {
            go_there::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                self.cubes(),
                CubeDim::new_1d(UNITS),
                self.graph.leaving.arg(),
                entering.into(),
                self.weighing(),
                self.levels(),
                self.last.arg(),
                self.graph.vertices(),
                level,
                self.lanes(),
            );
        }
    }

    fn come_back(&self, level: u32) {
        // SAFETY: as above.
        unsafe {
            come_back::launch_unchecked::<GpuRuntime>(
                self.graph.gpu.client(),
                self.cubes(),
                CubeDim::new_1d(UNITS),
                self.graph.leaving.arg(),
                self.weighing(),
                self.levels(),
                self.graph.vertices(),
                level,
                self.lanes(),
            );
        }
    }

    /// Adds up the dependencies of each vertex, from so many sources.
    fn add_vertices(&self, sources: u32, endpoints: bool, sums: &Buffer<f32>) {
        // SAFETY: there are words for each pair, and a sum for each vertex.
        unsafe {
            add_vertices::launch_unchecked::<GpuRuntime>(
                self.graph.gpu.client(),
                self.graph.vertex_cubes(UNITS),
                CubeDim::new_1d(UNITS),
                self.pairs.arg(),
                sums.arg(),
                self.graph.vertices(),
                sources,
                endpoints,
            );
        }
    }

    /// Adds up the dependencies of each edge, from so many sources.
    fn add_edges(&self, sources: u32, sums: &Buffer<f32>) {
        // SAFETY: there are words for each pair, and a sum for each edge.
        unsafe {
            add_edges::launch_unchecked::<GpuRuntime>(
                self.graph.gpu.client(),
                self.cubes(),
                CubeDim::new_1d(UNITS),
                self.graph.leaving.arg(),
                self.weighing(),
                AtomicArray::of(&self.graph.gpu, &self.pairs),
                sums.arg(),
                self.graph.vertices(),
                sources,
                self.lanes(),
            );
        }
    }

    fn cubes(&self) -> CubeCount {
        self.graph.gpu.cubes(self.graph.gpu.properties().cubes_at_work().into())
    }

    /// Units that share the edges of a pair.
    fn lanes(&self) -> u32 {
        let mean = self.graph.edges() / self.graph.vertices().max(1);
        mean.max(1).next_power_of_two().min(MOST_LANES)
    }

    fn weighing(&self) -> ComptimeOptionArgs<Weighing, GpuRuntime> {
        self.weighed.as_ref().map(Weighed::arg).into()
    }

    fn levels(&self) -> LevelsLaunch<GpuRuntime> {
        let gpu = &self.graph.gpu;
        LevelsLaunch::new(
            AtomicArray::of(gpu, &self.pairs),
            self.list.arg(),
            AtomicArray::of(gpu, &self.counts),
            self.starts.arg(),
        )
    }
}
