//! Policies that choose the strategy of each iteration on the host.

use equipoise_graph::Graph;
use equipoise_schedule::engine::pulls;
use equipoise_select::features::Step;

use super::{
    iteration::FrontierSize,
    options::{Strategy, TraversalSettings},
    plan::IterationPlan,
};
use crate::Result;

/// The state of a search when the strategy of its next iteration is chosen.
pub(crate) struct SearchProgress {
    vertices: u32,
    /// An upper bound on the edges that leave unreached vertices.
    unexplored: u32,
    /// Vertices reached so far.
    discovered: u64,
    frontier: FrontierSize,
    /// The vertices of the frontier before.
    previous: u32,
    is_pulling: bool,
}

/// A frontier with a larger mean degree is divided by edges.
const MANY_EDGES: u32 = 8;

impl SearchProgress {
    pub fn new(graph: &Graph) -> Self {
        Self {
            vertices: graph.vertices(),
            unexplored: graph.edges() as u32,
            discovered: 0,
            frontier: FrontierSize::default(),
            previous: 0,
            is_pulling: false,
        }
    }

    /// Records the next frontier.
    pub fn record(&mut self, frontier: FrontierSize) {
        self.previous = self.frontier.vertices;
        self.frontier = frontier;
        self.unexplored = self.unexplored.saturating_sub(frontier.edges);
        self.discovered += u64::from(frontier.vertices);
    }

    /// The features of a search that finds each vertex once.
    pub fn step(&self) -> Step {
        let FrontierSize { vertices, edges } = self.frontier;
        Step {
            frontier: vertices.into(),
            frontier_edges: edges.into(),
            discovered: self.discovered,
        }
    }

    /// Push: one unit per vertex, or equal blocks of edges where the mean degree is large.
    pub fn push_strategy(&self) -> Strategy {
        if self.frontier.edges / MANY_EDGES > self.frontier.vertices {
            Strategy::Decompose
        } else {
            Strategy::Node
        }
    }

    /// Pull or [push](Self::push_strategy), by the rule of Beamer et al.
    pub fn push_or_pull(&self) -> Strategy {
        let FrontierSize { vertices, edges } = self.frontier;
        let Self { previous, unexplored, vertices: all, .. } = *self;
        if pulls(self.is_pulling, vertices, previous, edges, unexplored, all) {
            Strategy::Pull
        } else {
            self.push_strategy()
        }
    }
}

/// A chosen strategy, and its own settings if it has some.
pub(crate) type Chosen<'c> = (Strategy, Option<&'c TraversalSettings>);

/// Chooses the strategy of an iteration by its number and the progress of the search.
type Choose<'c> = Box<dyn FnMut(u32, &SearchProgress) -> Chosen<'c> + 'c>;

/// The policy of one search.
pub(crate) struct IterationPolicy<'c> {
    /// The strategies that it may choose.
    pub strategies: Vec<Strategy>,
    choose: Choose<'c>,
}

impl<'c> IterationPolicy<'c> {
    /// A policy that chooses from these strategies, all of which fit.
    pub fn new(
        strategies: Vec<Strategy>,
        choose: impl FnMut(u32, &SearchProgress) -> Chosen<'c> + 'c,
    ) -> Self {
        Self { strategies, choose: Box::new(choose) }
    }

    /// The policy that follows a plan.
    ///
    /// Fails where a strategy of the plan does not fit.
    pub fn planned(plan: &IterationPlan, fits: impl Fn(Strategy) -> Result<()>) -> Result<Self> {
        let strategies: Vec<Strategy> = plan.strategies().collect();
        strategies.iter().try_for_each(|&strategy| fits(strategy))?;
        let plan = plan.clone();
        Ok(Self::new(strategies, move |iteration, _| (plan.strategy(iteration), None)))
    }

    /// The policy that follows a rule, with `node` as the fallback for strategies that do not fit.
    ///
    /// Fails where `node` does not fit.
    pub fn by_rule(
        strategies: &[Strategy],
        fits: impl Fn(Strategy) -> Result<()>,
        rule: impl Fn(&SearchProgress) -> Strategy + 'c,
    ) -> Result<Self> {
        fits(Strategy::Node)?;
        let fitting = strategies.iter().copied().filter(|&strategy| fits(strategy).is_ok());
        let fitting: Vec<Strategy> = fitting.collect();
        let known = fitting.clone();
        Ok(Self::new(fitting, move |_, progress| {
            let strategy = rule(progress);
            (if known.contains(&strategy) { strategy } else { Strategy::Node }, None)
        }))
    }

    /// The strategy of an iteration.
    pub fn choose(&mut self, iteration: u32, progress: &mut SearchProgress) -> Chosen<'c> {
        let chosen = (self.choose)(iteration, progress);
        progress.is_pulling = matches!(chosen.0, Strategy::Pull | Strategy::FusedPull);
        chosen
    }
}
