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
mod strategies;
mod survey;
mod tally;
mod tree;

use std::{
    collections::HashSet,
    sync::{Mutex, OnceLock, PoisonError},
    time::{Duration, Instant},
};

use cubecl::prelude::Runtime;
use equipoise_graph::{Graph, Weights};
use equipoise_schedule::device::{Buffer, Gpu};
use equipoise_select::features::GraphShape;
use rayon::prelude::*;

use choose::{Chooser, Seen};
use fused::Fused;
use graph::DeviceGraph;
use metric::{Hops, Real, TOO_LARGE, Whole};
use metric_on::MetricOn;
use near_far::NearFar;
use results::{forget_beyond, real_distance, totals};
use search::Search;

use super::{
    TraversalSettings, Way,
    memory::{device_bytes, device_bytes_of_graph, fused_bytes, ordered_bytes},
    on::{GraphOn, OnGpu},
};
use crate::{
    Bfs, BfsOptions, BfsStrategy, Distances, Error, MeasureOptions, MeasuredBfs, NONE, Result,
    Sssp, SsspOptions, SsspStrategy, Times, Trace, times::timed, tree::check_vertex,
};

/// A graph in the memory of a GPU.
pub(crate) struct Uploaded<'a, R: Runtime> {
    graph: DeviceGraph<'a, R>,
    upload: Duration,
    /// What was searched before, so that its kernels are compiled.
    compiled: Mutex<HashSet<String>>,
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

/// How much wider steps are than on a cpu, since a GPU has to have more to do at once (Davidson et
/// al. have a plane's units).
const NEAR_FAR_WIDTH: f64 = 32.0;
/// The same where vertices have few edges, so that there is less to do in each turn.
const NEAR_FAR_WIDTH_OF_FEW: f64 = 64.0;
const FEW_EDGES: f64 = 8.0;
const DELTA_WIDTH: f64 = 8.0;

fn near_far_width(graph: &Graph) -> f64 {
    match graph.edges() as f64 / f64::from(graph.vertices().max(1)) < FEW_EDGES {
        true => NEAR_FAR_WIDTH_OF_FEW,
        false => NEAR_FAR_WIDTH,
    }
}

impl<'a, R: Runtime> Uploaded<'a, R> {
    pub fn new(gpu: &Gpu<R>, graph: &'a Graph) -> Result<Self> {
        let (graph, upload) = timed(|| -> Result<_> {
            let graph = DeviceGraph::upload(gpu, graph)?;
            gpu.finish()?;
            Ok(graph)
        });
        Ok(Self { graph: graph?, upload, compiled: Mutex::default(), shape: OnceLock::new() })
    }

    /// Searches by the strategies that are chosen for each turn.
    fn search<M: MetricOn>(
        &self,
        bounds: Bounds,
        settings: &TraversalSettings,
        chooser: &Chooser,
    ) -> Result<Found> {
        self.check_bounds(bounds)?;
        settings.check()?;
        let chooser = &chooser.within(|way| self.check_memory::<M>(way, settings))?;
        let mut key = format!("{} {chooser:?} {settings:?}", std::any::type_name::<M>());
        if let Chooser::Learned(_) = chooser {
            // From another source it may pick what was never picked before.
            key += &format!(" {}", bounds.source);
        }
        self.timed_without_compiling(key, || self.search_once::<M>(bounds, settings, chooser))
    }

    /// Does something that launches kernels; twice if it is new, so that compiling them is not in
    /// the time.
    fn timed_without_compiling(
        &self,
        key: String,
        search: impl Fn() -> Result<Found>,
    ) -> Result<Found> {
        let first = match self.is_new(key) {
            true => Some(search()?.times),
            false => None,
        };
        let mut found = search()?;
        let all = |times: Times| times.prepare + times.run() + times.tree;
        if let Some(first) = first {
            found.times.compile = all(first).saturating_sub(all(found.times));
        }
        Ok(found)
    }

    fn search_once<M: MetricOn>(
        &self,
        bounds: Bounds,
        settings: &TraversalSettings,
        chooser: &Chooser,
    ) -> Result<Found> {
        let (search, prepare) = self.prepared(|| {
            let mut search = Search::<M, R>::new(&self.graph, settings)?;
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
        let Some(policy) = self.policy(options)? else { return Ok(None) };
        self.check_bounds(bounds)?;
        options.gpu.check()?;
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
        let key = match &policy {
            Some(_) => "learned, on the device",
            None => "direction-optimising",
        };
        self.timed_without_compiling(key.into(), search).map(Some)
    }

    /// SSSP in the order of distances, if that is asked for; `auto` takes it where there is memory.
    fn ordered<M: MetricOn>(&self, bounds: Bounds, options: &SsspOptions) -> Result<Option<Found>> {
        let width = match (&options.plan, options.strategy) {
            (None, SsspStrategy::NearFar | SsspStrategy::Auto) => near_far_width(self.graph.graph),
            (None, SsspStrategy::Delta) => DELTA_WIDTH,
            _ => return Ok(None),
        };
        self.check_bounds(bounds)?;
        let graph = self.graph.graph;
        let needed = ordered_bytes(graph) - device_bytes_of_graph(graph);
        match self.graph.gpu.require(&format!("the strategy `{}`", options.strategy), needed) {
            Ok(()) => {}
            Err(_) if options.strategy == SsspStrategy::Auto => return Ok(None),
            Err(error) => return Err(error.into()),
        }
        let delta = options.delta.unwrap_or_else(|| width * crate::sssp::automatic_delta(graph));
        let key = format!("{} {}", std::any::type_name::<M>(), options.strategy);
        let found = self.timed_without_compiling(key, || match options.strategy {
            SsspStrategy::Delta => self.stepping::<M>(bounds.source, delta, &options.gpu),
            _ => self.near_far::<M>(bounds.source, delta),
        })?;
        Ok(Some(Found { delta: Some(delta), ..found }))
    }

    /// Makes what a search needs, and waits until it is there: what is left to do does not count as
    /// the search's.
    fn prepared<T>(&self, make: impl FnOnce() -> Result<T>) -> (Result<T>, Duration) {
        timed(|| {
            let made = make()?;
            self.graph.gpu.finish()?;
            Ok(made)
        })
    }

    fn near_far<M: MetricOn>(&self, source: u32, delta: f64) -> Result<Found> {
        let (search, prepare) = self.prepared(|| NearFar::new(&self.graph));
        let mut search = search?;
        let ran = search.run::<M>(source, delta)?;
        self.collect::<M>(&search.labels, source, prepare, ran)
    }

    fn stepping<M: MetricOn>(
        &self,
        source: u32,
        delta: f64,
        settings: &TraversalSettings,
    ) -> Result<Found> {
        let (search, prepare) = self.prepared(|| {
            let mut search = Search::<M, R>::new(&self.graph, settings)?;
            search.prepare(std::iter::empty())?;
            Ok(search)
        });
        let mut search = search?;
        let ran = delta::run(&mut search, source, delta)?;
        self.collect::<M>(&search.labels, source, prepare, ran)
    }

    fn shortest<M: MetricOn>(&self, bounds: Bounds, options: &SsspOptions) -> Result<Found> {
        match self.ordered::<M>(bounds, options)? {
            Some(found) => Ok(found),
            None => self.search::<M>(bounds, &options.gpu, &Chooser::of_sssp(options)?),
        }
    }

    /// Whether nothing was searched this way before. It is known from then on.
    fn is_new(&self, key: String) -> bool {
        self.compiled.lock().unwrap_or_else(PoisonError::into_inner).insert(key)
    }

    fn bfs_of(&self, source: u32, found: Found) -> Bfs {
        let Found { labels: levels, parents, trace, times, .. } = found;
        let (reached, edges, depth) = totals(self.graph.graph, &levels);
        Bfs { source, levels, parents, reached, depth, edges, trace, times }
    }

    fn check_bounds(&self, bounds: Bounds) -> Result<()> {
        check_vertex(self.graph.graph, bounds.source)?;
        bounds.target.map_or(Ok(()), |target| check_vertex(self.graph.graph, target))
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
        let (parents, tree) = timed(|| tree::parents::<M, R>(&self.graph, labels, source));
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
        search: &mut Search<'g, M, R>,
        bounds: Bounds,
        chooser: &'g Chooser,
    ) -> Result<(Trace, Duration)> {
        let start = Instant::now();
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

impl<R: Runtime> OnGpu for Uploaded<'_, R> {
    fn bfs(&self, source: u32, options: &BfsOptions) -> Result<Bfs> {
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
        Ok(self.bfs_of(source, found))
    }

    fn measure_bfs(&self, source: u32, options: &MeasureOptions) -> Result<MeasuredBfs> {
        self.measured(source, options)
    }

    fn bfs_batch(&self, sources: &[u32], options: &BfsOptions) -> Result<Vec<Bfs>> {
        let graph = self.graph.graph;
        if options.target.is_some() || options.plan.is_some() || options.model.is_some() {
            let problem = "searches in a batch have no target, no plan and no model";
            return Err(Error::Option(problem.into()));
        }
        sources.iter().try_for_each(|&source| check_vertex(graph, source))?;
        let mut searches = Vec::new();
        for sources in sources.chunks(GraphOn::BATCH) {
            searches.extend(self.one_batch(sources, options)?);
        }
        Ok(searches)
    }

    fn sssp(&self, source: u32, options: &SsspOptions) -> Result<Sssp> {
        let graph = self.graph.graph;
        options.check_delta()?;
        let bounds = Bounds { source, target: options.target, most_turns: u32::MAX };
        let (found, real) = match graph.weights() {
            Some(Weights::F32(_)) => {
                crate::sssp::check_weights(graph)?;
                (self.shortest::<Real>(bounds, options)?, true)
            }
            _ => (self.shortest::<Whole>(bounds, options)?, false),
        };
        let Found { mut labels, mut parents, trace, times, delta } = found;
        if !real && labels.par_iter().any(|&label| label == TOO_LARGE) {
            return Err(Error::Option(
                "some distances do not fit the 32 bits that a GPU has for them: use `--device cpu`"
                    .into(),
            ));
        }
        if let Some(target) = options.target {
            forget_beyond(labels[target as usize], &mut labels, &mut parents);
        }
        let (reached, edges, _) = totals(graph, &labels);
        let distances = match real {
            true => Distances::F32(labels.into_par_iter().map(real_distance).collect()),
            false => Distances::U32(labels),
        };
        let predecessors = parents;
        Ok(Sssp { source, distances, predecessors, reached, edges, delta, trace, times })
    }
}
