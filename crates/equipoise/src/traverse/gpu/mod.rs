//! Searches on a GPU.

mod batch;
mod choose;
mod contest;
mod delta;
mod field;
mod frontier;
mod fused;
mod graph;
mod learned;
#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod lower;
mod measure;
mod metric;
mod metric_on;
mod near_far;
mod results;
mod search;
mod shortest;
mod strategies;
mod survey;
mod tally;
mod tree;

use std::{sync::OnceLock, time::Duration};

use equipoise_graph::{Graph, memory};
use equipoise_schedule::device::{Buffer, Gpu};
use equipoise_select::features::GraphShape;

use choose::{Chooser, Seen};
use fused::Fused;
use graph::DeviceGraph;
use metric::Hops;
use metric_on::MetricOn;
use results::totals;
use search::Search;

use super::{
    TraversalSettings, Way,
    memory::{device_bytes, device_bytes_of_graph, fused_bytes},
    on::{GraphOn, OnGpu},
};
use crate::{
    Bfs, BfsOptions, BfsStrategy, Error, MeasureOptions, MeasuredBfs, NONE, Result, Sssp,
    SsspOptions, Times, Trace,
    times::{timed, timed_on},
    tree::check_vertex,
};

/// A graph in the memory of a GPU.
pub(crate) struct Uploaded<'a> {
    graph: DeviceGraph<'a>,
    upload: Duration,
    /// The features of the graph, once a learned policy has asked for them.
    shape: OnceLock<GraphShape>,
}

/// Where a search starts, and where it stops.
#[derive(Clone, Copy)]
struct Bounds {
    source: u32,
    target: Option<u32>,
    most_turns: u32,
}

/// What a search found.
struct Found {
    labels: Vec<u32>,
    parents: Vec<u32>,
    trace: Trace,
    times: Times,
    /// The width of steps, if there were any.
    delta: Option<f64>,
}

impl<'a> Uploaded<'a> {
    pub fn new(gpu: &Gpu, graph: &'a Graph) -> Result<Self> {
        let (graph, upload) = timed(|| -> Result<_> {
            let graph = DeviceGraph::upload(gpu, graph)?;
            gpu.finish()?;
            Ok(graph)
        });
        Ok(Self { graph: graph?, upload, shape: OnceLock::new() })
    }

    /// Searches by the strategies that are chosen for each turn.
    fn search<M: MetricOn>(
        &self,
        bounds: Bounds,
        settings: &TraversalSettings,
        chooser: &Chooser,
    ) -> Result<Found> {
        self.check_bounds(bounds)?;
        let chooser = &chooser.within(|way| self.check_memory::<M>(way, settings))?;
        self.with_compile_time(|| self.search_once::<M>(bounds, settings, chooser))
    }

    /// Does something that launches kernels, and notes how long they took to be compiled.
    fn with_compile_time(&self, search: impl FnOnce() -> Result<Found>) -> Result<Found> {
        let stopwatch = self.graph.gpu.stopwatch();
        let mut found = search()?;
        found.times.compile = stopwatch.compiled();
        Ok(found)
    }

    fn search_once<M: MetricOn>(
        &self,
        bounds: Bounds,
        settings: &TraversalSettings,
        chooser: &Chooser,
    ) -> Result<Found> {
        let (search, prepare) = self.prepared(|| {
            let mut search = Search::<M>::new(&self.graph, settings)?;
            search.prepare(chooser.ways())?;
            Ok(search)
        });
        let mut search = search?;
        let ran = self.run(&mut search, bounds, chooser)?;
        self.collect::<M>(&search.labels, bounds.source, prepare, ran)
    }

    /// BFS that decides on the device how each level is done, if that is asked for and there is
    /// memory for it; an error where there is none and nothing else is allowed.
    fn fused(&self, bounds: Bounds, options: &BfsOptions) -> Result<Option<Found>> {
        let (policy, choosing) = timed(|| self.policy(options));
        let Some(policy) = policy? else { return Ok(None) };
        self.check_bounds(bounds)?;
        let graph = self.graph.graph;
        let needed = fused_bytes(graph) - device_bytes_of_graph(graph);
        let named = options.strategy == BfsStrategy::DirectionOptimising;
        match self.graph.gpu.require("the strategy `direction-optimising`", needed) {
            Ok(()) => {}
            Err(error) if named => return Err(error.into()),
            Err(_) => return Ok(None),
        }
        let search = || {
            let (fused, prepare) = self.prepared(|| Fused::new(&self.graph, policy.as_ref()));
            let mut fused = fused?;
            let ran = fused.run(bounds)?;
            self.collect::<Hops>(&fused.labels, bounds.source, prepare, ran)
        };
        let mut found = self.with_compile_time(search)?;
        found.times.prepare += choosing;
        Ok(Some(found))
    }

    /// Makes what a search needs, and waits until it is there: what is left to do does not count as
    /// the search's.
    fn prepared<T>(&self, make: impl FnOnce() -> Result<T>) -> (Result<T>, Duration) {
        timed_on(&self.graph.gpu, || {
            let made = make()?;
            self.graph.gpu.finish()?;
            Ok(made)
        })
    }

    fn bfs_of(&self, source: u32, found: Found, options: &BfsOptions) -> Bfs {
        let Found { labels: levels, parents, trace, times, .. } = found;
        let (reached, edges, depth) = totals(self.graph.graph, &levels);
        let complete = options.is_complete(self.graph.graph, &levels);
        Bfs { source, levels, parents, reached, depth, edges, complete, trace, times }
    }

    /// Fails where a search starts or stops at what is no vertex, or main memory has no room for
    /// what it finds.
    fn check_bounds(&self, bounds: Bounds) -> Result<()> {
        check_vertex(self.graph.graph, bounds.source)?;
        bounds.target.map_or(Ok(()), |target| check_vertex(self.graph.graph, target))?;
        check_host_memory(self.graph.graph, 1)
    }

    /// What a search left on the device, with its parents.
    fn collect<M: MetricOn>(
        &self,
        labels: &Buffer<u32>,
        source: u32,
        prepare: Duration,
        (trace, run): (Trace, Duration),
    ) -> Result<Found> {
        let kernel = trace.steps.iter().map(|step| step.time).sum();
        let gpu = &self.graph.gpu;
        let (parents, tree) = timed_on(gpu, || tree::parents::<M>(&self.graph, labels, source));
        let (labels, download) = timed(|| self.graph.gpu.download(labels));
        let times = Times {
            upload: self.upload,
            prepare,
            kernel,
            overhead: run.saturating_sub(kernel),
            tree,
            download,
            ..Times::default()
        };
        Ok(Found { labels: labels?, parents: parents?, trace, times, delta: None })
    }

    /// The turns of a search, and the time of all of them.
    fn run<'g, M: MetricOn>(
        &self,
        search: &mut Search<'g, M>,
        bounds: Bounds,
        chooser: &'g Chooser,
    ) -> Result<(Trace, Duration)> {
        let start = self.graph.gpu.stopwatch();
        let mut picks = chooser.start()?;
        search.target = bounds.target.unwrap_or(bounds.source);
        search.start(bounds.source)?;
        let mut seen = Seen::new(self.graph.graph);
        let mut trace = Trace::default();
        // Levels are found in order: who has a label has the right one.
        let mut is_found = !M::REPEATS && bounds.target == Some(bounds.source);
        while !is_found && search.frontier.vertices > 0 && search.turn < bounds.most_turns {
            seen.see(search.frontier);
            let (way, settings) = picks.pick(search.turn, &seen);
            search.settings = settings.unwrap_or(search.settings);
            let turn = search.advance(way)?;
            trace.steps.push(turn.step);
            is_found = !M::REPEATS && bounds.target.is_some() && turn.target != NONE;
        }
        Ok((trace, start.elapsed()))
    }

    /// Refuses a strategy for which there is no memory beside the graph, which is there.
    fn check_memory<M: MetricOn>(&self, way: Way, settings: &TraversalSettings) -> Result<()> {
        let graph = self.graph.graph;
        let needed = device_bytes(graph, way, M::REPEATS, settings) - device_bytes_of_graph(graph);
        Ok(self.graph.gpu.require(&format!("the strategy `{way}`"), needed)?)
    }
}

/// Refuses searches for whose labels and parents main memory has no room, as they are copied from
/// the device.
fn check_host_memory(graph: &Graph, searches: usize) -> Result<()> {
    let vertices = u64::from(graph.vertices());
    let bytes = memory::bytes_of::<[u32; 4]>(vertices.saturating_mul(searches as u64));
    let what = format_args!("what {searches} searches find of {vertices} vertices");
    Ok(memory::check(what, bytes)?)
}

impl OnGpu for Uploaded<'_> {
    fn bfs(&self, source: u32, options: &BfsOptions) -> Result<Bfs> {
        options.check()?;
        let most_turns = options.max_depth.unwrap_or(u32::MAX);
        let bounds = Bounds { source, target: options.target, most_turns };
        let found = match (self.fused(bounds, options)?, &options.model) {
            (Some(found), _) => found,
            (None, Some(model)) => {
                self.search::<Hops>(bounds, &options.gpu, &self.learned(model, options)?)?
            }
            (None, None) => {
                self.search::<Hops>(bounds, &options.gpu, &Chooser::of_bfs(options)?)?
            }
        };
        Ok(self.bfs_of(source, found, options))
    }

    fn measure_bfs(&self, source: u32, options: &MeasureOptions) -> Result<MeasuredBfs> {
        self.measured(source, options)
    }

    fn bfs_batch(&self, sources: &[u32], options: &BfsOptions) -> Result<Vec<Bfs>> {
        options.check()?;
        let graph = self.graph.graph;
        if options.target.is_some() || options.plan.is_some() || options.model.is_some() {
            let problem = "searches in a batch have no target, no plan and no model";
            return Err(Error::Option(problem.into()));
        }
        sources.iter().try_for_each(|&source| check_vertex(graph, source))?;
        check_host_memory(graph, sources.len())?;
        let mut searches = Vec::new();
        for sources in sources.chunks(GraphOn::BATCH) {
            searches.extend(self.one_batch(sources, options)?);
        }
        Ok(searches)
    }

    fn sssp(&self, source: u32, options: &SsspOptions) -> Result<Sssp> {
        self.shortest_paths(source, options)
    }
}
