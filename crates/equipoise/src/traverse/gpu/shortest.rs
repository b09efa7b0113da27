//! Shortest paths on a GPU: by a strategy for each iteration, or in the order of distances.

use equipoise_graph::{Graph, Weights};
use rayon::prelude::*;

use super::{
    Bounds, Found, Uploaded,
    choose::Chooser,
    delta,
    graph::made,
    metric::{Real, TOO_LARGE, Whole},
    metric_on::MetricOn,
    near_far::{NearFar, Widths},
    results::{forget_beyond, real_distance, totals},
    search::Search,
};
use crate::{
    Distances, Error, NONE, Result, Sssp, SsspCandidate, SsspOptions, SsspStrategy,
    TraversalSettings,
    error::distance,
    graph_shape, overflow,
    rows::Rows,
    sssp::{BEYOND_ALL, automatic_delta, check_weights},
    times::timed,
    traverse::memory::{device_bytes_of_graph, ordered_bytes},
};

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

impl Uploaded<'_> {
    pub(super) fn shortest_paths(&self, source: u32, options: &SsspOptions) -> Result<Sssp> {
        let graph = self.graph.graph;
        options.check()?;
        let bounds = Bounds { source, target: options.target, most_turns: u32::MAX };
        self.check_bounds(bounds)?;
        check_weights(graph)?;
        let (options, choosing) = timed(|| self.chosen(source, options));
        let options = &options?;
        let (found, real) = match graph.weights() {
            Some(Weights::F32(_)) => (self.shortest::<Real>(bounds, options)?, true),
            _ => (self.shortest::<Whole>(bounds, options)?, false),
        };
        let Found { mut labels, mut parents, trace, mut times, delta } = found;
        times.prepare += choosing;
        if let Some(target) = options.target {
            forget_beyond(labels[target as usize], &mut labels, &mut parents);
        }
        self.check_sums(bounds, &labels, real)?;
        let (reached, edges, _) = totals(graph, &labels);
        let is_reached = |vertex: u32| labels[vertex as usize] != NONE;
        let complete = options.target.is_none() || !Rows::of(graph).leads_out(is_reached);
        let distances = match real {
            true => Distances::F32(labels.into_par_iter().map(real_distance).collect()),
            false => Distances::U32(labels),
        };
        let predecessors = parents;
        Ok(Sssp { source, distances, predecessors, reached, edges, complete, delta, trace, times })
    }

    /// Fails where a distance that is asked for does not fit a label.
    fn check_sums(&self, bounds: Bounds, labels: &[u32], real: bool) -> Result<()> {
        let (graph, source) = (self.graph.graph, bounds.source);
        let is_reached = |vertex: u32| labels[vertex as usize] != NONE;
        let at_target = bounds.target.map_or(NONE, |target| labels[target as usize]);
        let too_far = match real {
            // What is farther away than a target was taken back.
            true if at_target != NONE || overflow::is_impossible(graph) => None,
            true => Rows::of(graph).first_missed(is_reached),
            false => {
                labels.par_iter().position_first(|&label| label == TOO_LARGE).map(|v| v as u32)
            }
        };
        match too_far {
            None => Ok(()),
            Some(target) if real => Err(Error::too_far_for_f32(graph.ids(), source, target)),
            Some(target) => Err(Error::too_far_for_gpu(distance(graph.ids(), source, target))),
        }
    }

    /// The options, with what a model chooses where one does.
    fn chosen(&self, source: u32, options: &SsspOptions) -> Result<SsspOptions> {
        let Some(model) = options.policy("gpu")? else { return Ok(options.clone()) };
        let graph = self.graph.graph;
        let shape = made(&self.shape, || graph_shape(graph))?;
        let fits = |candidate: &SsspCandidate| match candidate.strategy.name().parse() {
            Ok(way) => self.check_memory::<Whole>(way, &options.gpu).is_ok(),
            Err(_) => self.check_order(candidate.strategy).is_ok(),
        };
        options.chosen_by(model, (graph, shape, source), &SsspCandidate::of_gpu(), fits)
    }

    fn shortest<M: MetricOn>(&self, bounds: Bounds, options: &SsspOptions) -> Result<Found> {
        match self.ordered::<M>(bounds.source, options)? {
            Some(found) => Ok(found),
            None => self.search::<M>(bounds, &options.gpu, &Chooser::of_sssp(options)?),
        }
    }

    /// A search in the order of distances, if that is asked for; `auto` takes it where there is
    /// memory.
    fn ordered<M: MetricOn>(&self, source: u32, options: &SsspOptions) -> Result<Option<Found>> {
        let graph = self.graph.graph;
        let width = match (&options.plan, options.strategy) {
            (None, SsspStrategy::NearFar | SsspStrategy::Auto) => near_far_width(graph),
            (None, SsspStrategy::Delta) => DELTA_WIDTH,
            _ => return Ok(None),
        };
        match self.check_order(options.strategy) {
            Ok(()) => {}
            Err(_) if options.strategy == SsspStrategy::Auto => return Ok(None),
            Err(error) => return Err(error),
        }
        let delta = options.delta.unwrap_or_else(|| width * automatic_delta(graph));
        let found = self.with_compile_time(|| match options.strategy {
            SsspStrategy::Delta => self.stepping::<M>(source, delta, &options.gpu),
            _ => self.near_far::<M>(source, &Widths::new::<M>(delta, options.adaptive)),
        })?;
        Ok(Some(Found { delta: (delta < BEYOND_ALL).then_some(delta), ..found }))
    }

    /// Refuses a strategy in the order of distances where there is no memory for it.
    fn check_order(&self, strategy: SsspStrategy) -> Result<()> {
        let graph = self.graph.graph;
        let needed = ordered_bytes(graph) - device_bytes_of_graph(graph);
        Ok(self.graph.gpu.require(&format!("the strategy `{strategy}`"), needed)?)
    }

    fn near_far<M: MetricOn>(&self, source: u32, widths: &Widths) -> Result<Found> {
        let (search, prepare) = self.prepared(|| NearFar::new(&self.graph, widths));
        let mut search = search?;
        let ran = search.run::<M>(source)?;
        self.collect::<M>(&search.labels, source, prepare, ran)
    }

    fn stepping<M: MetricOn>(
        &self,
        source: u32,
        delta: f64,
        settings: &TraversalSettings,
    ) -> Result<Found> {
        let (search, prepare) = self.prepared(|| {
            let mut search = Search::<M>::new(&self.graph, settings)?;
            search.prepare(std::iter::empty())?;
            Ok(search)
        });
        let mut search = search?;
        let ran = delta::run(&mut search, source, delta)?;
        self.collect::<M>(&search.labels, source, prepare, ran)
    }
}
