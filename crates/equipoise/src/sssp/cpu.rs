//! Shortest paths on the cpu: a search from each source, repeated with wider distances where sums overflow.

use equipoise_graph::{Graph, Weights, parallel::*};

use super::{
    Sssp, SsspOptions,
    delta::Stepper,
    dijkstra,
    distance::{Distance, PathTree},
    network::{EdgeWeights, Network},
    tight_edges::tree_of_tight_edges,
};
use crate::{
    Error, Result, Times, Trace,
    rows::Rows,
    team::{self, Team},
    times::{Clock, times_of_steps},
    traversal::Strategy,
};

/// The common inputs of all searches of a call.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub team: &'a Team<'a>,
    pub graph: &'a Graph,
    pub options: &'a SsspOptions,
    pub delta: f64,
}

impl<'a> Run<'a> {
    /// A search from each source, for weights that are whole numbers.
    pub fn whole<W: EdgeWeights<Weight = u32>>(self, weights: W, sources: &[u32]) -> Vec<Sssp> {
        let mut clock = Clock::start();
        let mut narrow = Solver::<u32, W>::new(self, weights);
        let mut wide = None;
        let search = |&source| {
            let paths = narrow.solve(source);
            if narrow.overflowed(&paths).is_none() {
                return narrow.report(source, paths, &mut clock);
            }
            let wide = wide.get_or_insert_with(|| Solver::<u64, W>::new(self, weights));
            let paths = wide.solve(source);
            wide.report(source, paths, &mut clock)
        };
        sources.iter().map(search).collect()
    }

    /// A search from each source, for weights that are floating-point numbers.
    ///
    /// Fails where the distance of a reachable vertex is infinite.
    pub fn floating<F: Distance<Weight = F>>(
        self,
        weights: &[F],
        sources: &[u32],
    ) -> Result<Vec<Sssp>> {
        let mut clock = Clock::start();
        let mut solver = Solver::<F, _>::new(self, weights);
        let search = |&source| {
            let paths = solver.solve(source);
            match solver.overflowed(&paths) {
                Some(target) => Err(Error::too_far(self.graph, source, target)),
                None => Ok(solver.report(source, paths, &mut clock)),
            }
        };
        sources.iter().map(search).collect()
    }
}

/// The result of a search by weights of 64 bits that computed these distances.
///
/// Fails where the distance of a reachable vertex is infinite, if sums may have `overflowed`.
pub(super) fn report_wide(
    graph: &Graph,
    options: &SsspOptions,
    source: u32,
    mut distances: Vec<f64>,
    overflowed: bool,
) -> Result<Sssp> {
    let Some(Weights::F64(weights)) = graph.weights() else {
        unreachable!("the weights choose the search");
    };
    let target = options.target;
    let limit = target.map_or(f64::INFINITY, |target| distances[target as usize]);
    distances
        .par_iter_mut()
        .filter(|distance| **distance > limit)
        .for_each(|far| *far = f64::INFINITY);
    team::run(|team| {
        let mut clock = Clock::start();
        let network = Network { rows: Rows::new(graph), weights: &weights[..] };
        let solver = Solver { team, network, target, delta: None, stepper: None };
        let predecessors = tree_of_tight_edges(team, network, source, &distances);
        let tree = clock.lap();
        let paths = PathTree { distances, predecessors, trace: Trace::default(), overflowed };
        if let Some(target) = solver.overflowed(&paths) {
            return Err(Error::too_far(graph, source, target));
        }
        let report = solver.report(source, paths, &mut clock);
        Ok(Sssp { times: Times { tree, ..report.times }, ..report })
    })
}

/// Searches of one graph, with distances of one type.
struct Solver<'a, D: Distance, W> {
    team: &'a Team<'a>,
    network: Network<'a, W>,
    target: Option<u32>,
    delta: Option<f64>,
    /// The buffers of delta-stepping, if that is the strategy.
    stepper: Option<Stepper<'a, D>>,
}

impl<'a, D: Distance, W: EdgeWeights<Weight = D::Weight>> Solver<'a, D, W> {
    fn new(run: Run<'a>, weights: W) -> Self {
        let delta = match run.options.strategy {
            Strategy::Auto | Strategy::Delta => Some(run.delta),
            _ => None,
        };
        Self {
            team: run.team,
            network: Network { rows: Rows::new(run.graph), weights },
            target: run.options.target,
            delta,
            stepper: delta.map(|delta| Stepper::new(run.team, run.graph.vertices(), delta)),
        }
    }

    fn solve(&mut self, source: u32) -> PathTree<D> {
        match &mut self.stepper {
            Some(stepper) => stepper.run(self.network, source, self.target),
            None => dijkstra::run(self.network, source, self.target),
        }
    }

    /// A reachable vertex that was not reached because its distance overflowed. Vertices beyond a reached target do not
    /// count.
    fn overflowed(&self, paths: &PathTree<D>) -> Option<u32> {
        let is_reached = |vertex: u32| paths.distances[vertex as usize].is_reached();
        if paths.overflowed && !self.target.is_some_and(is_reached) {
            self.network.rows.first_missed(is_reached)
        } else {
            None
        }
    }

    /// The result of a search.
    fn report(&self, source: u32, paths: PathTree<D>, clock: &mut Clock) -> Sssp {
        let PathTree { distances, predecessors, trace, .. } = paths;
        let is_reached = |vertex: u32| distances[vertex as usize].is_reached();
        let (reached, edges) = self.network.count_reached(self.team, is_reached);
        let complete = self.target.is_none() || !self.network.rows.leads_out(is_reached);
        let distances = D::wrap(distances);
        let times = times_of_steps(&trace.steps, clock.lap());
        let delta = self.delta;
        Sssp { source, distances, predecessors, reached, edges, complete, delta, trace, times }
    }
}
