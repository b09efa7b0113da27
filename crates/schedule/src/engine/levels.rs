//! The order of searches by levels that push or pull: the device chooses for each level, by the rule of Beamer et al.
//! or a decision tree.

use cubecl::prelude::*;

use super::{counts::*, operation::*, order::*, pull_level::*, state::*, worklists::*};
use crate::{Error, Result, atomics::*};

// The words of the order.

/// Edges that leave vertices which were in no frontier yet.
const UNEXPLORED: usize = 0;
/// The vertices of the previous frontier.
const PREVIOUS: usize = 1;
/// Whether the target is in the frontier.
const AT_TARGET: usize = 3;

/// The mode of pulled levels.
pub(super) const PULL: u32 = OTHER;

/// Any direction.
pub(super) const EITHER: u32 = u32::MAX;

/// Vertices level by level; levels with many vertices are pulled.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct ByLevels {
    /// The data of pulling; absent in a launch that does not pull.
    pub pull: ComptimeOption<Pull>,
    /// The vertices and edges of the graph.
    pub vertices: u32,
    pub edges: u32,
    /// The level at which the search stops.
    pub last_level: u32,
    /// The vertex at whose level it stops; [`u32::MAX`] for none.
    pub target: u32,
    /// The mode of the level that a launch does, or [`EITHER`].
    pub only: u32,
    /// From this level on, narrow ones are left to another order.
    pub leaves_from: u32,
    /// Whether a tree behind the loop's words decides instead of the rule.
    #[cube(comptime)]
    pub by_tree: bool,
}

#[cube]
impl ByLevels {
    /// The mode of the next level.
    fn mode(&self, words: &AtomicArray, state: &LoopState) -> u32 {
        let mut mode = PUSH.runtime();
        let is_left = state.iteration >= self.leaves_from && state.long == 0 && state.is_narrow();
        let is_last = state.iteration >= self.last_level || state.own[AT_TARGET] > 0;
        if state.vertices == 0 || is_last || is_left {
            mode = DONE.runtime();
        } else if !state.is_narrow() {
            if comptime!(self.by_tree) {
                mode = ask_tree(words, state);
            } else if pulls::<u32>(
                state.mode == PULL,
                state.vertices,
                state.own[PREVIOUS],
                state.edges,
                state.own[UNEXPLORED],
                self.vertices,
            ) {
                mode = PULL.runtime();
            }
        }
        mode
    }
}

impl OrderKind for ByLevels {}

#[cube]
impl Admission for ByLevels {
    fn leave(&mut self, _vertex: u32, _label: u32) {}

    fn kind(&self, _label: u32, _state: &LoopState) -> u32 {
        NEXT.runtime()
    }

    fn listed(&self, vertex: u32, counts: &Counts) {
        count_target(self.target, vertex, counts);
    }

    fn defer(
        &mut self,
        _offers: &Offers,
        _words: &mut AtomicArray,
        _iteration: &Iteration,
        #[comptime] _count: usize,
    ) {
    }
}

#[cube]
impl<Op: PullOp> Order<Op> for ByLevels {
    fn other(&mut self, op: &mut Op, lists: &mut Worklists, iteration: &Iteration) {
        #[comptime]
        match &mut self.pull {
            ComptimeOption::Some(pull) => pull_level::<Op>(op, pull, lists, iteration),
            ComptimeOption::None => {}
        }
    }

    fn next(&self, _op: &Op, words: &AtomicArray, state: &mut LoopState, counted: &Counted) {
        let pulled = u32::cast_from(state.mode == PULL);
        state.own[PREVIOUS] = state.vertices;
        state.advance(counted);
        state.own[UNEXPLORED] -= state.edges;
        state.own[HAS_BITMAP] = pulled;
        state.own[AT_TARGET] = counted.own_sum;
        state.mode = self.mode(words, state);
    }

    fn enter(&self, state: &mut LoopState) {
        if self.only != EITHER && state.vertices > 0 {
            state.mode = self.only;
        }
    }

    fn is_for_one(&self, state: &LoopState) -> bool {
        state.mode == PUSH && state.is_narrow()
    }

    fn is_wide(&self, _state: &LoopState) -> bool {
        false.runtime()
    }
}

#[cube]
impl<Op: PullOp> SourceOrder<Op> for ByLevels {
    fn start(&mut self, words: &AtomicArray, state: &mut LoopState) {
        state.own[UNEXPLORED] = self.edges - state.edges;
        state.mode = self.mode(words, state);
    }

    fn reset(&mut self, _vertex: u32) {}
}

/// A growing frontier is pulled once its edges times this exceed the unexplored ones. Beamer et al. found 14, and
/// nearby values, good on many graphs.
const ALPHA: i64 = 15;
/// A shrinking frontier is pushed again once its vertices times this are fewer than all. Beamer et al. found 24, and
/// nearby values, good on many graphs. Pulling examines every vertex, so it does not start with fewer edges per vertex
/// either.
const BETA: i64 = 20;

/// Whether a level of breadth-first search is pulled, by the rule of Beamer, Asanović and Patterson
/// ("Direction-Optimizing Breadth-First Search", 2012): pull once a growing frontier has many of the unexplored edges,
/// and push again once a shrinking one has few vertices.
///
/// `previous` is the number of vertices of the previous frontier, `unexplored` that of edges that leave unreached
/// vertices, and `all` that of all vertices. Host and device use it.
///
/// ```
/// use equipoise_schedule::engine::pulls;
///
/// // A thousand vertices with half of the edges, after ten vertices.
/// assert!(pulls(false, 1000u64, 10, 50_000, 50_000, 4000));
/// assert!(!pulls(false, 3u64, 2, 9, 50_000, 4000));
/// assert!(pulls(true, 900u64, 1000, 9000, 10_000, 4000));
/// ```
#[cube]
pub fn pulls<N: Int>(
    is_pulling: bool,
    vertices: N,
    previous: N,
    edges: N,
    unexplored: N,
    all: N,
) -> bool {
    let grows = vertices > previous;
    // Divided, since products may not fit.
    let many = edges > unexplored / N::new(ALPHA) && edges > all / N::new(BETA);
    let wide = vertices > all / N::new(BETA);
    (grows && (is_pulling || many)) || (is_pulling && wide)
}

/// A number that a tree compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelNumber {
    /// The vertices of the frontier.
    Vertices,
    /// The edges that leave the frontier.
    Edges,
    /// The vertices found so far.
    Discovered,
}

/// A node of a tree that chooses the direction of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DirectionNode {
    /// A question.
    Ask {
        /// The compared number.
        number: LevelNumber,
        /// The largest number for which the walk continues on the left.
        most: u32,
        /// The index of the left node.
        left: usize,
        /// The index of the right node.
        right: usize,
    },
    /// The level is pushed.
    Push,
    /// The level is pulled.
    Pull,
    /// The level has the direction of the previous one.
    Keep,
}

/// A decision tree that the device evaluates for each level, stored behind a loop's words.
///
/// ```
/// use equipoise_schedule::engine::{DirectionNode::*, DirectionTree, LevelNumber};
///
/// let nodes = [Ask { number: LevelNumber::Vertices, most: 100, left: 1, right: 2 }, Push, Pull];
/// assert!(DirectionTree::new(&nodes).is_ok());
/// assert!(DirectionTree::new(&nodes[..2]).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectionTree {
    pub(super) words: Vec<u32>,
}

// A node has four words: the compared number, its bound, the left and the right node. A leaf has the mode instead of
// the bound.
const NODE_WORDS: usize = 4;
const ASK_VERTICES: u32 = 0;
const ASK_EDGES: u32 = 1;
const ASK_DISCOVERED: u32 = 2;
const LEAF: u32 = 3;
/// The direction of the previous level.
const KEEP: u32 = u32::MAX;

impl DirectionTree {
    /// A tree of these nodes, starting at the first. Fails for no nodes, or if a node leads to one that does not
    /// follow it.
    pub fn new(nodes: &[DirectionNode]) -> Result<Self> {
        let word = |index: usize, next: usize| {
            if next > index && next < nodes.len() {
                return Ok((ALL_WORDS + NODE_WORDS * next) as u32);
            }
            Err(Error::Schedule(format!(
                "node {index} of a tree of {} leads to node {next}: it leads to later ones",
                nodes.len()
            )))
        };
        if nodes.is_empty() {
            return Err(Error::Schedule("a tree without nodes decides nothing".into()));
        }
        let mut words = Vec::with_capacity(NODE_WORDS * nodes.len());
        for (index, &node) in nodes.iter().enumerate() {
            words.extend(match node {
                DirectionNode::Push => [LEAF, PUSH, 0, 0],
                DirectionNode::Pull => [LEAF, PULL, 0, 0],
                DirectionNode::Keep => [LEAF, KEEP, 0, 0],
                DirectionNode::Ask { number, most, left, right } => {
                    let asked = match number {
                        LevelNumber::Vertices => ASK_VERTICES,
                        LevelNumber::Edges => ASK_EDGES,
                        LevelNumber::Discovered => ASK_DISCOVERED,
                    };
                    [asked, most, word(index, left)?, word(index, right)?]
                }
            });
        }
        Ok(Self { words })
    }
}

/// The mode of a level by the tree behind the words.
#[cube]
pub(super) fn ask_tree(words: &AtomicArray, state: &LoopState) -> u32 {
    let mut node = comptime!(ALL_WORDS as u32).runtime();
    let mut asked = words.get(node);
    while asked != LEAF {
        let mut value = state.all_vertices + state.vertices;
        if asked == ASK_VERTICES {
            value = state.vertices;
        } else if asked == ASK_EDGES {
            value = state.edges;
        }
        let mut next = node + 2;
        if value > words.get(node + 1) {
            next = node + 3;
        }
        node = words.get(next);
        asked = words.get(node);
    }
    let mut mode = words.get(node + 1);
    if mode == KEEP {
        mode = state.mode;
    }
    mode
}
