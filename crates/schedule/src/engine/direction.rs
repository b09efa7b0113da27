//! Whether a level is pushed or pulled: by the rule of Beamer et al., or by a tree that was learned.

use cubecl::prelude::*;

use super::{levels::PULL, state::*};
use crate::{Error, Result, atomics::*};

/// A growing frontier is pulled once this many times its edges are more than those unexplored. Beamer
/// et al. found 14 good on many graphs, and anything near it.
const ALPHA: i64 = 15;
/// A shrinking one is pushed again once this many times its vertices are fewer than all. Beamer et
/// al. found 24 good on many graphs, and anything near it. Pulling looks at each vertex, so it does
/// not start either while this many times the frontier's edges are fewer.
const BETA: i64 = 20;

/// Whether a level of breadth-first search is pulled, by the rule of Beamer, Asanović and Patterson
/// ("Direction-Optimizing Breadth-First Search", 2012): a search that pushes pulls once a growing
/// frontier has many of the edges that are left, and pushes again once a shrinking one has few
/// vertices.
///
/// `previous` are the vertices of the frontier before, `unexplored` the edges that leave vertices
/// which are not reached, and `all` the vertices of the graph. Host and device decide by it.
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

/// What a tree asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelNumber {
    /// The vertices of the frontier.
    Vertices,
    /// The edges that leave them.
    Edges,
    /// The vertices found so far.
    Discovered,
}

/// A node of a tree that decides how a level is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DirectionNode {
    /// A question.
    Ask {
        /// The number that is asked for.
        number: LevelNumber,
        /// The most with which the answer is `left`.
        most: u32,
        /// The node to go on with then, by its place.
        left: usize,
        /// The node to go on with otherwise.
        right: usize,
    },
    /// The level is pushed.
    Push,
    /// The level is pulled.
    Pull,
    /// The level is done as the one before.
    Keep,
}

/// A decision tree that the device asks how a level is done, as it stands behind a loop's words.
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

// A node has four words: what it asks for, the most with which one goes left, the nodes to the left
// and to the right. A leaf has the mode of the level instead of the most.
const NODE_WORDS: usize = 4;
const ASK_VERTICES: u32 = 0;
const ASK_EDGES: u32 = 1;
const ASK_DISCOVERED: u32 = 2;
const LEAF: u32 = 3;
/// As the level before.
const KEEP: u32 = u32::MAX;

impl DirectionTree {
    /// A tree of these nodes, of which the first is asked first.
    ///
    /// Fails where there is none, or one leads to a node that does not come after it.
    pub fn new(nodes: &[DirectionNode]) -> Result<Self> {
        let word = |at: usize, next: usize| match next > at && next < nodes.len() {
            true => Ok((ALL_WORDS + NODE_WORDS * next) as u32),
            false => Err(Error::Schedule(format!(
                "node {at} of a tree of {} leads to node {next}: it leads to later ones",
                nodes.len()
            ))),
        };
        if nodes.is_empty() {
            return Err(Error::Schedule("a tree without nodes decides nothing".into()));
        }
        let mut words = Vec::with_capacity(NODE_WORDS * nodes.len());
        for (at, &node) in nodes.iter().enumerate() {
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
                    [asked, most, word(at, left)?, word(at, right)?]
                }
            });
        }
        Ok(Self { words })
    }
}

/// The mode of a level by the tree behind the words.
#[cube]
pub(super) fn ask_tree(words: &AtomicArray, now: &Array<u32>) -> u32 {
    let mut node = comptime!(ALL_WORDS as u32).runtime();
    let mut asked = words.get(node);
    while asked != LEAF {
        let mut value = now[ALL_VERTICES] + now[VERTICES];
        if asked == ASK_VERTICES {
            value = now[VERTICES];
        } else if asked == ASK_EDGES {
            value = now[EDGES];
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
        mode = now[MODE];
    }
    mode
}
