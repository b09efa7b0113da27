//! What picks a strategy for each iteration, on the host.

use equipoise_graph::Graph;
use equipoise_schedule::engine::pulls;
use equipoise_select::features::Step;

use super::{iteration::FrontierSize, plan::IterationPlan};
use crate::{
    Result,
    traversal::{Strategy, TraversalSettings},
};

/// What is known of a search when the strategy of its next iteration is picked.
pub(crate) struct Seen {
    vertices: u32,
    /// Edges that leave vertices not reached yet, at most.
    unexplored: u32,
    /// Vertices reached so far.
    discovered: u64,
    frontier: FrontierSize,
    previous: u32,
    /// Whether the last iteration was pulled.
    is_pulling: bool,
}

/// A frontier whose vertices have more edges on average is divided by edges.
const MANY_EDGES: u32 = 8;

impl Seen {
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
    pub fn see(&mut self, frontier: FrontierSize) {
        self.previous = self.frontier.vertices;
        self.frontier = frontier;
        self.unexplored = self.unexplored.saturating_sub(frontier.edges);
        self.discovered += u64::from(frontier.vertices);
    }

    /// Where a search stands that finds each vertex once.
    pub fn step(&self) -> Step {
        let FrontierSize { vertices, edges } = self.frontier;
        Step {
            frontier: vertices.into(),
            frontier_edges: edges.into(),
            discovered: self.discovered,
        }
    }

    /// One unit for each vertex, or equal blocks of edges where vertices have many.
    pub fn size(&self) -> Strategy {
        match self.frontier.edges / MANY_EDGES > self.frontier.vertices {
            true => Strategy::Decompose,
            false => Strategy::Node,
        }
    }

    /// Pull, or push by [size](Self::size), as the rule of Beamer et al. says.
    pub fn direction(&self) -> Strategy {
        let FrontierSize { vertices, edges } = self.frontier;
        let Self { previous, unexplored, vertices: all, .. } = *self;
        match pulls(self.is_pulling, vertices, previous, edges, unexplored, all) {
            true => Strategy::Pull,
            false => self.size(),
        }
    }
}

/// A strategy that was picked, with settings of its own if it has some.
pub(crate) type Picked<'c> = (Strategy, Option<&'c TraversalSettings>);

/// Picks the strategy of an iteration, by its number and what is known of the search.
type Picks<'c> = Box<dyn FnMut(u32, &Seen) -> Picked<'c> + 'c>;

/// What picks strategies for one search.
pub(crate) struct Choice<'c> {
    /// Those it may pick.
    pub strategies: Vec<Strategy>,
    picks: Picks<'c>,
}

impl<'c> Choice<'c> {
    /// One that picks from these, all of which fit.
    pub fn new(
        strategies: Vec<Strategy>,
        picks: impl FnMut(u32, &Seen) -> Picked<'c> + 'c,
    ) -> Self {
        Self { strategies, picks: Box::new(picks) }
    }

    /// As planned.
    ///
    /// Fails where the plan has a strategy that does not fit.
    pub fn planned(plan: &IterationPlan, fits: impl Fn(Strategy) -> Result<()>) -> Result<Self> {
        let strategies: Vec<Strategy> = plan.strategies().collect();
        strategies.iter().try_for_each(|&strategy| fits(strategy))?;
        let plan = plan.clone();
        Ok(Self::new(strategies, move |iteration, _| (plan.strategy(iteration), None)))
    }

    /// By a rule that picks from these; `node` in place of one for which there is no memory.
    ///
    /// Fails where `node` does not fit.
    pub fn by_rule(
        strategies: &[Strategy],
        fits: impl Fn(Strategy) -> Result<()>,
        rule: impl Fn(&Seen) -> Strategy + 'c,
    ) -> Result<Self> {
        fits(Strategy::Node)?;
        let fitting = strategies.iter().copied().filter(|&strategy| fits(strategy).is_ok());
        let fitting: Vec<Strategy> = fitting.collect();
        let known = fitting.clone();
        Ok(Self::new(fitting, move |_, seen| {
            let strategy = rule(seen);
            (if known.contains(&strategy) { strategy } else { Strategy::Node }, None)
        }))
    }

    /// The strategy of an iteration.
    pub fn pick(&mut self, iteration: u32, seen: &mut Seen) -> Picked<'c> {
        let picked = (self.picks)(iteration, seen);
        seen.is_pulling = matches!(picked.0, Strategy::Pull | Strategy::FusedPull);
        picked
    }
}
