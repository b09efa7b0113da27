//! Searches on a GPU.

mod choose;
mod field;
mod graph;
#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod lower;
mod metric;
mod search;
mod strategies;
mod tally;
mod tree;

use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use cubecl::prelude::Runtime;
use equipoise_graph::{Graph, Weights};
use equipoise_schedule::device::Gpu;
use rayon::prelude::*;

use choose::{Chooser, Seen};
use graph::DeviceGraph;
use metric::{Hops, Real, TOO_LARGE, Whole};
use search::{MetricOn, Search};

use super::{
    TraversalSettings, Way,
    memory::{device_bytes, device_bytes_of_graph},
    on::OnGpu,
};
use crate::{
    Bfs, BfsOptions, Distances, Error, NONE, Result, Sssp, SsspOptions, Times, Trace, rows::Rows,
    times::timed, tree::check_vertex,
};

/// A graph in the memory of a GPU.
pub(crate) struct Uploaded<'a, R: Runtime> {
    graph: DeviceGraph<'a, R>,
    upload: Duration,
    /// What was searched before, so that its kernels are compiled.
    compiled: Mutex<HashSet<String>>,
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
}

impl<'a, R: Runtime> Uploaded<'a, R> {
    pub fn new(gpu: &Gpu<R>, graph: &'a Graph) -> Result<Self> {
        let (graph, upload) = timed(|| -> Result<_> {
            let graph = DeviceGraph::upload(gpu, graph)?;
            gpu.finish()?;
            Ok(graph)
        });
        Ok(Self { graph: graph?, upload, compiled: Mutex::default() })
    }

    /// Searches; if the strategies are new, twice, so that compiling is not in the time.
    fn search<M: MetricOn>(
        &self,
        bounds: Bounds,
        settings: &TraversalSettings,
        chooser: &Chooser,
    ) -> Result<Found> {
        check_vertex(self.graph.graph, bounds.source)?;
        bounds.target.map_or(Ok(()), |target| check_vertex(self.graph.graph, target))?;
        settings.check()?;
        let chooser = &chooser.within(|way| self.check_memory::<M>(way, settings))?;
        let key = format!("{} {chooser:?} {settings:?}", std::any::type_name::<M>());
        let is_new = self.compiled.lock().unwrap_or_else(PoisonError::into_inner).insert(key);
        let first = match is_new {
            true => Some(self.search_once::<M>(bounds, settings, chooser)?.times),
            false => None,
        };
        let mut found = self.search_once::<M>(bounds, settings, chooser)?;
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
        let gpu = &self.graph.gpu;
        let (search, prepare) = timed(|| -> Result<_> {
            let mut search = Search::<M, R>::new(&self.graph, settings)?;
            search.prepare(chooser.ways())?;
            gpu.finish()?;
            Ok(search)
        });
        let mut search = search?;
        let (trace, run) = self.run(&mut search, bounds, chooser)?;
        let kernel = trace.steps.iter().map(|step| step.time).sum();
        let (parents, tree) =
            timed(|| tree::parents::<M, R>(&self.graph, &search.labels, bounds.source));
        let (labels, download) = timed(|| gpu.download(&search.labels));
        let times = Times {
            upload: self.upload,
            prepare,
            kernel,
            overhead: run.saturating_sub(kernel),
            tree,
            download,
            ..Times::default()
        };
        Ok(Found { labels: labels?, parents: parents?, trace, times })
    }

    /// The turns of a search, and the time of all of them.
    fn run<M: MetricOn>(
        &self,
        search: &mut Search<M, R>,
        bounds: Bounds,
        chooser: &Chooser,
    ) -> Result<(Trace, Duration)> {
        let start = Instant::now();
        search.target = bounds.target.unwrap_or(bounds.source);
        search.start(bounds.source)?;
        let mut seen = Seen::new(self.graph.graph);
        let mut trace = Trace::default();
        // Levels are found in order: who has a label has the right one.
        let mut is_found = !M::REPEATS && bounds.target == Some(bounds.source);
        while !is_found && search.frontier.vertices > 0 && search.turn < bounds.most_turns {
            seen.see(search.frontier);
            let way = chooser.choose(search.turn, &seen);
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
        let chooser = Chooser::of_bfs(options)?;
        let most_turns = options.max_depth.unwrap_or(u32::MAX);
        let bounds = Bounds { source, target: options.target, most_turns };
        let found = self.search::<Hops>(bounds, &options.gpu, &chooser)?;
        let Found { labels: levels, parents, trace, times } = found;
        let (reached, edges, depth) = totals(self.graph.graph, &levels);
        Ok(Bfs { source, levels, parents, reached, depth, edges, trace, times })
    }

    fn sssp(&self, source: u32, options: &SsspOptions) -> Result<Sssp> {
        let graph = self.graph.graph;
        let chooser = Chooser::of_sssp(options)?;
        let bounds = Bounds { source, target: options.target, most_turns: u32::MAX };
        let (found, real) = match graph.weights() {
            Some(Weights::F32(_)) => {
                crate::sssp::check_weights(graph)?;
                (self.search::<Real>(bounds, &options.gpu, &chooser)?, true)
            }
            _ => (self.search::<Whole>(bounds, &options.gpu, &chooser)?, false),
        };
        let Found { mut labels, mut parents, trace, times } = found;
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
        let delta = None;
        let predecessors = parents;
        Ok(Sssp { source, distances, predecessors, reached, edges, delta, trace, times })
    }
}

/// The vertices reached, the edges that leave them, and the largest label.
fn totals(graph: &Graph, labels: &[u32]) -> (u32, u64, u32) {
    let rows = Rows::of(graph);
    let reached = (0u32..).zip(labels).filter(|&(_, &label)| label != NONE);
    reached.fold((0, 0, 0), |(vertices, edges, largest), (vertex, &label)| {
        (vertices + 1, edges + rows.degree(vertex), largest.max(label))
    })
}

/// Takes back what is farther away than the target, whose label is `limit`.
fn forget_beyond(limit: u32, labels: &mut [u32], parents: &mut [u32]) {
    for (label, parent) in labels.iter_mut().zip(parents) {
        if *label > limit {
            (*label, *parent) = (NONE, NONE);
        }
    }
}

fn real_distance(label: u32) -> f32 {
    match label {
        NONE => f32::INFINITY,
        bits => f32::from_bits(bits),
    }
}
