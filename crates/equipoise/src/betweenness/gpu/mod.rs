//! Betweenness on a GPU: several concurrent sources, with one launch per level of all of them.
//!
//! A pair is a source and a vertex. Pairs are listed as they are reached, so that those of a level are contiguous, and the
//! cost of a level is that of its pairs, whatever the number of levels. In the forward pass, the pairs of a level sum the
//! paths of the previous level and list the next one, in one pass over their edges; in the backward pass, they sum the
//! contributions of the next level. Units that share the edges of a pair add in an order that does not depend on the list,
//! so that results are the same from run to run.

mod distances;
mod kernels;
#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod lower;
mod pairs;
mod paths;

use cubecl::prelude::*;
use equipoise_graph::{memory, parallel::*};
use equipoise_schedule::{
    Error,
    atomics::*,
    device::{Buffer, GpuRuntime},
};

use self::{distances::PairDistances, kernels::*, pairs::*, paths::Weighing};
use super::{Betweenness, BetweennessOptions, Plan, Sums};
use crate::{
    NONE, Result, Step, Times, Trace,
    gpu_graph::{GpuGraph, WeightedRows},
    kernels::{UNITS, concurrent_cubes, cubes_for},
    run::{buffer_bytes, run_on},
};

/// The most concurrent sources, whose dependencies are summed in 32 bits.
const MOST_SOURCES: u64 = 64;
/// The most pairs: their four words have indices of 32 bits, and more pairs are not faster.
const MOST_PAIRS: u64 = 1 << 27;
/// The most units that share the edges of a pair.
const MOST_LANES: u32 = 32;
/// Levels that are enqueued between two readbacks: few at first, then twice as many each time.
const FEWEST_LEVELS: u32 = 4;
const MOST_LEVELS: u32 = 64;

/// Finds betweenness by the number of edges or by whole weights, in a graph without parallel edges.
pub(super) fn betweenness(
    graph: &GpuGraph,
    plan: &Plan,
    options: &BetweennessOptions,
) -> Result<Betweenness> {
    let what = format_args!("the betweenness of {} vertices", graph.vertices());
    memory::check(what, Sums::bytes(graph.graph, options))?;
    let sources_at_once = sources_at_once(graph, plan, options)?;
    graph.engine_graph()?;
    let run = run_on(&graph.gpu, || run(graph, plan, options, sources_at_once), Ok)?;
    let (sums, step) = run.result;
    let upload = graph.upload_time(options.weighs(graph.graph));
    let times = Times { upload, ..run.times };
    let trace = Trace { steps: vec![Step { time: run.time, ..step }] };
    let result = Betweenness::new(graph.graph, sums, plan, trace, times);
    Ok(Betweenness { single_precision: true, ..result })
}

/// The number of concurrent sources. Fails without memory for a single one.
fn sources_at_once(graph: &GpuGraph, plan: &Plan, options: &BetweennessOptions) -> Result<u32> {
    let gpu = &graph.gpu;
    let vertices = u64::from(graph.vertices()).max(1);
    let largest = gpu.properties().largest_buffer / (4 * WORDS) / vertices;
    let wanted = (plan.sources.len() as u64).clamp(1, MOST_SOURCES);
    let most = wanted.min(MOST_PAIRS / vertices).min(largest).max(1);
    let weighs = options.weighs(graph.graph);
    let edge_sums = if options.edges { buffer_bytes(gpu, graph.graph.edges(), 1) } else { 0 };
    let distances = if weighs { PairDistances::bytes(graph.graph) } else { 0 };
    let fixed_bytes = graph
        .bytes_missing_entering(weighs)?
        .saturating_add(buffer_bytes(gpu, vertices + 2, 3))
        .saturating_add(edge_sums)
        .saturating_add(distances);
    let lists = if weighs { 2 } else { 1 };
    let needed = |sources: u64| {
        let pairs = sources * vertices;
        fixed_bytes
            .saturating_add(buffer_bytes(gpu, WORDS * pairs, 1))
            .saturating_add(buffer_bytes(gpu, pairs, lists) + buffer_bytes(gpu, sources, 2))
    };
    let available = gpu.memory().available();
    let Some(fits) = (1..=most).rev().find(|&sources| needed(sources) <= available) else {
        let what = format!("the betweenness of {} vertices", graph.vertices());
        return Err(Error::OutOfMemory { what, needed: needed(1), available }.into());
    };
    Ok(fits as u32)
}

/// Sums the dependencies of all sources, in groups of `at_once`.
fn run(
    graph: &GpuGraph,
    plan: &Plan,
    options: &BetweennessOptions,
    at_once: u32,
) -> Result<(Sums, Step)> {
    let gpu = &graph.gpu;
    let (vertices, edges) = (graph.vertices() as usize, graph.edges() as usize);
    let edge_sums = options.edges.then(|| gpu.empty::<f32>(edges)).transpose()?;
    let mut sums =
        Sums { vertices: vec![0.0; vertices], edges: edge_sums.as_ref().map(|_| vec![0.0; edges]) };
    let weighs = options.weighs(graph.graph);
    let mut step = Step::new(0, if weighs { "weights" } else { "hops" });
    step.sub_steps = plan.sources.len().div_ceil(at_once as usize).max(1) as u32;
    if plan.sources.is_empty() {
        return Ok((sums, step));
    }
    let vertex_sums = gpu.empty::<f32>(vertices)?;
    let batch = Batch::new(graph, at_once, weighs)?;
    for sources in plan.sources.chunks(at_once as usize) {
        let reached = batch.search(sources)?;
        let count = sources.len() as u32;
        batch.add_vertices(count, options.endpoints, &vertex_sums);
        add(&mut sums.vertices, &gpu.download(&vertex_sums)?);
        if let (Some(edge_sums), Some(sums)) = (&edge_sums, &mut sums.edges) {
            batch.add_edges(count, edge_sums);
            add(sums, &gpu.download(edge_sums)?);
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

/// The buffers of concurrent searches.
struct Batch<'a> {
    graph: &'a GpuGraph<'a>,
    leaving: &'a WeightedRows,
    entering: &'a WeightedRows,
    /// The words of each pair; those of a source are contiguous.
    pairs: Buffer<u32>,
    list: Buffer<u32>,
    /// The number of pairs of each level, and their start in the list.
    counts: Buffer<u32>,
    starts: Buffer<u32>,
    /// The number of pairs of the last level visited, and its end in the list.
    last: Buffer<u32>,
    /// The distances by weights, if paths are shortest by weights.
    distances: Option<PairDistances<'a>>,
}

impl<'a> Batch<'a> {
    fn new(graph: &'a GpuGraph<'a>, sources: u32, weighs: bool) -> Result<Self> {
        let gpu = &graph.gpu;
        let vertices = graph.vertices() as usize;
        let pairs = sources as usize * vertices;
        Ok(Self {
            graph,
            leaving: graph.leaving()?,
            entering: graph.entering()?,
            pairs: gpu.empty(WORDS as usize * pairs)?,
            list: gpu.empty(pairs)?,
            counts: gpu.empty(vertices + 2)?,
            starts: gpu.empty(vertices + 2)?,
            last: gpu.empty(2)?,
            distances: weighs.then(|| PairDistances::new(graph, sources)).transpose()?,
        })
    }

    /// Runs both passes from each source. Returns the number of pairs reached.
    fn search(&self, sources: &[u32]) -> Result<u32> {
        self.begin(sources)?;
        let (mut level, mut levels) = (0, FEWEST_LEVELS);
        // There are at most as many levels as vertices, so the last of these levels is empty.
        let end = self.graph.vertices() + 1;
        loop {
            let next = end.min(level + levels);
            (level..next).for_each(|level| self.forward_level(level));
            level = next;
            let last = self.graph.gpu.download(&self.last)?;
            if last[0] == 0 || level == end {
                (0..level).rev().for_each(|level| self.backward_level(level));
                return Ok(last[1]);
            }
            levels = (2 * levels).min(MOST_LEVELS);
        }
    }

    fn begin(&self, sources: &[u32]) -> Result<()> {
        let gpu = &self.graph.gpu;
        gpu.fill(&self.pairs, NONE)?;
        gpu.fill(&self.counts, 0)?;
        if let Some(distances) = &self.distances {
            distances.search(self, sources)?;
        }
        let from = gpu.upload(sources)?;
        let count = sources.len() as u32;
        // SAFETY: each source has a row of pairs. The caller checks that sources are vertices.
        unsafe {
            begin::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes_for(gpu, count),
                CubeDim::new_1d(UNITS),
                from.arg(),
                self.levels(),
                count,
                self.graph.vertices(),
            );
        }
        Ok(())
    }

    fn forward_level(&self, level: u32) {
        let gpu = &self.graph.gpu;
        let entering = (!self.graph.graph.is_undirected()).then(|| self.entering.arg());
        // SAFETY: each pair has words, and is at most once in the list; levels are two more than vertices, and
        // edges lead to vertices.
        unsafe {
            forward_level::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                concurrent_cubes(&self.graph.gpu),
                CubeDim::new_1d(UNITS),
                self.leaving.arg(),
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

    fn backward_level(&self, level: u32) {
        // SAFETY: as above.
        unsafe {
            backward_level::launch_unchecked::<GpuRuntime>(
                self.graph.gpu.client(),
                concurrent_cubes(&self.graph.gpu),
                CubeDim::new_1d(UNITS),
                self.leaving.arg(),
                self.weighing(),
                self.levels(),
                self.graph.vertices(),
                level,
                self.lanes(),
            );
        }
    }

    /// Sums the dependencies of each vertex over the sources.
    fn add_vertices(&self, sources: u32, endpoints: bool, sums: &Buffer<f32>) {
        // SAFETY: each pair has words, and each vertex a sum.
        unsafe {
            add_vertices::launch_unchecked::<GpuRuntime>(
                self.graph.gpu.client(),
                cubes_for(&self.graph.gpu, self.graph.vertices()),
                CubeDim::new_1d(UNITS),
                self.pairs.arg(),
                sums.arg(),
                self.graph.vertices(),
                sources,
                endpoints,
            );
        }
    }

    /// Sums the dependencies of each edge over the sources.
    fn add_edges(&self, sources: u32, sums: &Buffer<f32>) {
        // SAFETY: each pair has words, and each edge a sum.
        unsafe {
            add_edges::launch_unchecked::<GpuRuntime>(
                self.graph.gpu.client(),
                concurrent_cubes(&self.graph.gpu),
                CubeDim::new_1d(UNITS),
                self.leaving.arg(),
                self.weighing(),
                AtomicArray::bind(&self.graph.gpu, &self.pairs),
                sums.arg(),
                self.graph.vertices(),
                sources,
                self.lanes(),
            );
        }
    }

    /// The number of units that share the edges of a pair.
    fn lanes(&self) -> u32 {
        let mean = self.graph.edges() / self.graph.vertices().max(1);
        mean.max(1).next_power_of_two().min(MOST_LANES)
    }

    fn weighing(&self) -> ComptimeOptionArgs<Weighing, GpuRuntime> {
        self.distances.as_ref().map(PairDistances::arg).into()
    }

    fn levels(&self) -> LevelsLaunch<GpuRuntime> {
        let gpu = &self.graph.gpu;
        LevelsLaunch::new(
            AtomicArray::bind(gpu, &self.pairs),
            self.list.arg(),
            AtomicArray::bind(gpu, &self.counts),
            self.starts.arg(),
        )
    }
}
