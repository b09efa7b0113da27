//! The direction of each level on the cpu: by a rule, by a learned model, or as given.

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
    shape::{asks_little, graph_shape, quick_shape},
    traversal::{Policy, Strategy},
};

/// A frontier with fewer edges than one per this many vertices is pushed without a decision: pulling examines each
/// vertex, and deciding may take as long as the level.
const NARROW: u64 = 64;
/// The strategy `auto` pulls a level if more than this percentage of all edges leaves its frontier. With the one for few
/// edges per vertex, it takes 1.05 times the optimum on measurements/bfs-cpu.csv, as the model does.
const PULLED_PERCENT: u64 = 3;
/// The same for at most three edges per vertex, where pushing follows few edges and pulling examines every vertex.
const PULLED_PERCENT_OF_FEW: u64 = 20;

/// The direction in which a level is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Push,
    Pull,
}

/// The candidates of a model for the cpu, in the order of [`Direction`].
pub(super) const CANDIDATES: [&str; 2] = ["push", "pull"];

/// The state of a search before a level.
pub(super) struct LevelState {
    pub level: u32,
    pub frontier: FrontierSize,
    /// The vertices of the previous frontier.
    pub previous: u64,
    /// The direction of the previous level.
    pub direction: Direction,
    pub reached: FrontierSize,
    /// The vertices and edges of the graph.
    pub vertices: u64,
    pub edges: u64,
    /// An upper bound on the edges that pulling examines.
    pub pullable: u64,
}

impl LevelState {
    /// Whether pulling takes less than pushing even if every unreached vertex examines all of its edges. Before the first
    /// of several pulled levels it passes over the vertices, before the others over a bitmap of them.
    fn is_pull_cheaper(&self) -> bool {
        let passed = match self.direction {
            Direction::Push => self.vertices,
            Direction::Pull => self.vertices / 64,
        };
        passed + self.pullable < self.frontier.edges
    }
}

/// How directions are chosen.
#[derive(Clone, Copy)]
pub(super) enum Decide<'a> {
    /// By the share of all edges that leaves the frontier, and by how many are left to pull along.
    Threshold,
    /// By the rule of Beamer et al.
    Beamer,
    /// Pull at the levels for which this is true, push at the others.
    PullAt(&'a (dyn Fn(u32) -> bool + Sync)),
    /// By a model.
    Learned(&'a LearnedDirections),
}

/// Chooses the directions of one search.
pub(super) struct Decider<'a> {
    decide: Decide<'a>,
    chooser: Option<Chooser<'a>>,
}

impl<'a> Decider<'a> {
    pub fn new(decide: Decide<'a>) -> Result<Self> {
        let chooser = match decide {
            Decide::Learned(learned) => {
                Some(Chooser::new(&learned.model, CandidateSet::all(CANDIDATES.len()))?)
            }
            _ => None,
        };
        Ok(Self { decide, chooser })
    }

    /// The direction of the next level.
    pub fn decide(&mut self, state: &LevelState) -> Direction {
        let is_narrow = state.frontier.edges * NARROW < state.vertices;
        let pulls = match self.decide {
            Decide::PullAt(pulls) => pulls(state.level),
            Decide::Beamer => by_beamer(state),
            Decide::Threshold => {
                let has_few = state.edges <= 3 * state.vertices;
                let percent = if has_few { PULLED_PERCENT_OF_FEW } else { PULLED_PERCENT };
                let has_many = state.frontier.edges * 100 > state.edges * percent;
                !is_narrow && (has_many || state.is_pull_cheaper())
            }
            Decide::Learned(learned) => {
                let step = Step {
                    frontier: state.frontier.vertices,
                    frontier_edges: state.frontier.edges,
                    discovered: state.reached.vertices,
                };
                let chooser = self.chooser.as_mut().filter(|_| !is_narrow);
                chooser.is_some_and(|chooser| {
                    let choice = chooser.choose(&learned.shape.features(&step));
                    choice.candidate == Direction::Pull as usize
                })
            }
        };
        if pulls { Direction::Pull } else { Direction::Push }
    }
}

fn by_beamer(state: &LevelState) -> bool {
    let FrontierSize { vertices, edges } = state.frontier;
    let unexplored = state.edges - state.reached.edges;
    let is_pulling = state.direction == Direction::Pull;
    pulls(is_pulling, vertices, state.previous, edges, unexplored, state.vertices)
}

/// A model that chooses the direction of each level of a graph.
pub(super) struct LearnedDirections {
    model: Cow<'static, Model>,
    shape: GraphShape,
}

/// The built-in model, if it has these features and candidates.
static EMBEDDED: LazyLock<Option<Model>> =
    LazyLock::new(|| align(Model::embedded("bfs", "cpu")?).ok());

impl LearnedDirections {
    /// The model that the options ask for, if any.
    pub fn new(graph: &Graph, options: &BfsOptions) -> Result<Option<Self>> {
        let model = match (&options.model, options.strategy, options.policy) {
            (Some(model), ..) => Some(Cow::Owned(align(model)?)),
            (None, Strategy::Auto, Policy::Learned) => EMBEDDED.as_ref().map(Cow::Borrowed),
            _ => None,
        };
        let Some(model) = model else { return Ok(None) };
        let shape = if asks_little(&model) { quick_shape(graph) } else { graph_shape(graph)? };
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
    use super::*;

    #[test]
    fn the_built_in_model_fits() {
        assert!(EMBEDDED.is_some());
    }

    fn decide(edges: u64, all: u64, pullable: u64, direction: Direction) -> Direction {
        let frontier = FrontierSize { vertices: 1, edges };
        let state = LevelState {
            level: 1,
            frontier,
            previous: 1,
            direction,
            reached: frontier,
            vertices: 10_000,
            edges: all,
            pullable,
        };
        Decider::new(Decide::Threshold).unwrap().decide(&state)
    }

    #[test]
    fn a_level_is_pulled_above_the_threshold() {
        let decide = |edges, all| decide(edges, all, all, Direction::Push);
        assert_eq!(decide(3000, 100_000), Direction::Push);
        assert_eq!(decide(3001, 100_000), Direction::Pull);
        assert_eq!(decide(6000, 30_000), Direction::Push);
        assert_eq!(decide(6001, 30_000), Direction::Pull);
    }

    #[test]
    fn a_level_is_pulled_where_few_edges_are_left() {
        let decide = |pullable, direction| decide(1156, 100_000, pullable, direction);
        assert_eq!(decide(999, Direction::Pull), Direction::Pull);
        assert_eq!(decide(1000, Direction::Pull), Direction::Push);
        // The bitmaps would have to be filled first.
        assert_eq!(decide(0, Direction::Push), Direction::Push);
    }
}
