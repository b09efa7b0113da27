//! The direction of each level on the cpu: by a rule, by a learned policy, or as given.

use std::{borrow::Cow, sync::LazyLock};

use equipoise_graph::Graph;
use equipoise_schedule::engine::pulls;
use equipoise_select::{
    CandidateSet, Chooser, Model,
    features::{self, GraphShape, Step},
};

use super::{BfsOptions, frontier_size::FrontierSize};
use crate::{
    Result, learned,
    traversal::{Strategy, asks_little, graph_shape, quick_shape},
};

/// A policy is not asked while this many times the frontier's edges are fewer than all vertices:
/// to look at each vertex takes longer then, and a level may take no longer than to ask.
const NARROW: u64 = 64;

/// From which side a level is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Push,
    Pull,
}

/// What a policy for the cpu chooses from, in the order of [`Direction`].
pub(super) const CANDIDATES: [&str; 2] = ["push", "pull"];

/// Where a search stands.
pub(super) struct Seen {
    pub level: u32,
    pub frontier: FrontierSize,
    /// The vertices of the frontier before.
    pub previous: u64,
    /// The direction of the level before.
    pub direction: Direction,
    pub reached: FrontierSize,
    /// Those of the graph.
    pub vertices: u64,
    pub edges: u64,
}

/// What decides.
#[derive(Clone, Copy)]
pub(super) enum Decide<'a> {
    /// The rule of Beamer et al.
    Rule,
    /// Pull at the levels of which this is true, push at the others.
    PullAt(&'a (dyn Fn(u32) -> bool + Sync)),
    Policy(&'a Policy),
}

/// What decides in one search.
pub(super) enum Decider<'a> {
    Given(Decide<'a>),
    Policy(&'a Policy, Chooser<'a>),
}

impl<'a> Decider<'a> {
    pub fn new(decide: Decide<'a>) -> Result<Self> {
        Ok(match decide {
            Decide::Policy(policy) => {
                let chooser = Chooser::new(&policy.model, CandidateSet::all(CANDIDATES.len()))?;
                Self::Policy(policy, chooser)
            }
            given => Self::Given(given),
        })
    }

    /// The direction of the next level.
    pub fn decide(&mut self, seen: &Seen) -> Direction {
        let pulls = match self {
            Self::Given(Decide::PullAt(pulls)) => pulls(seen.level),
            Self::Given(Decide::Rule) => by_rule(seen),
            Self::Given(_) => false,
            Self::Policy(..) if seen.frontier.edges * NARROW < seen.vertices => false,
            Self::Policy(policy, chooser) => {
                let step = Step {
                    frontier: seen.frontier.vertices,
                    frontier_edges: seen.frontier.edges,
                    discovered: seen.reached.vertices,
                };
                let choice = chooser.choose(&policy.shape.at(&step));
                choice.candidate == Direction::Pull as usize
            }
        };
        if pulls { Direction::Pull } else { Direction::Push }
    }
}

fn by_rule(seen: &Seen) -> bool {
    let FrontierSize { vertices, edges } = seen.frontier;
    let unexplored = seen.edges - seen.reached.edges;
    let is_pulling = seen.direction == Direction::Pull;
    pulls(is_pulling, vertices, seen.previous, edges, unexplored, seen.vertices)
}

/// A learned policy for a graph.
pub(super) struct Policy {
    model: Cow<'static, Model>,
    shape: GraphShape,
}

/// The one that comes with the program, if there is one that fits it.
static EMBEDDED: LazyLock<Option<Model>> =
    LazyLock::new(|| align(Model::embedded("bfs", "cpu")?).ok());

impl Policy {
    /// What options ask for, if it is a policy.
    pub fn of(graph: &Graph, options: &BfsOptions) -> Result<Option<Self>> {
        let model = match (&options.model, options.strategy) {
            (Some(model), _) => Some(Cow::Owned(align(model)?)),
            (None, Strategy::Auto) => EMBEDDED.as_ref().map(Cow::Borrowed),
            _ => None,
        };
        let Some(model) = model else { return Ok(None) };
        let shape = match asks_little(&model) {
            true => quick_shape(graph),
            false => graph_shape(graph)?,
        };
        Ok(Some(Self { model, shape }))
    }
}

fn align(model: &Model) -> Result<Model> {
    learned::check_device(model, "cpu")?;
    let names = CANDIDATES.map(str::to_owned);
    learned::align(model, "bfs", &features::NAMES, &names)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_model_that_comes_with_the_program_fits_it() {
        assert!(super::EMBEDDED.is_some());
    }
}
