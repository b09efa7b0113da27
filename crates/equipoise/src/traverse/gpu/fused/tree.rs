//! A learned policy that the device asks itself: its tree, in words behind those of a search.
//!
//! What a tree asks of the graph is answered before the search starts. What is left are questions
//! about three numbers that the device has: the frontier's vertices and edges, and the vertices
//! found so far.

use cubecl::prelude::*;
use equipoise_select::{
    Model, Node, Split,
    features::{GraphShape, NAMES, Step},
};

use super::{super::frontier::state::*, control::PULL};
use crate::{Candidate, Way};

// A node has four words: what it asks for, the most with which one goes left, the nodes to the left
// and to the right. A leaf has the mode of the level instead of the most.
const FRONTIER: u32 = 0;
const FRONTIER_EDGES: u32 = 1;
const DISCOVERED: u32 = 2;
/// Nothing: it is the end.
const LEAF: u32 = 3;

/// As the level before.
const KEEP: u32 = u32::MAX;

/// The words of a model for searches of one graph.
pub(crate) struct Tree {
    pub words: Vec<u32>,
}

impl Tree {
    /// The tree of a model, whose features and candidates are those of BFS, if it comes down to the
    /// ways that the device chooses from.
    pub fn of(model: &Model, shape: &GraphShape) -> Option<Self> {
        let ways = Candidate::of_bfs().into_iter().map(|candidate| candidate.way).collect();
        let mut tree = TreeWords { model, shape, ways, words: Vec::new() };
        tree.append(0)?;
        Some(Self { words: tree.words })
    }
}

/// The words of a tree while they are made.
struct TreeWords<'a> {
    model: &'a Model,
    shape: &'a GraphShape,
    ways: Vec<Way>,
    words: Vec<u32>,
}

impl TreeWords<'_> {
    /// Appends a node and all below it. The index of its first word.
    fn append(&mut self, number: usize) -> Option<u32> {
        let at = self.words.len();
        match &self.model.nodes()[number] {
            Node::Leaf(leaf) => {
                let mode = match (leaf.ambiguous, self.ways[leaf.candidate as usize]) {
                    (true, _) => KEEP,
                    (false, Way::FusedPush) => WORK,
                    (false, Way::FusedPull) => PULL,
                    _ => return None,
                };
                self.words.extend([LEAF, mode, 0, 0]);
            }
            Node::Split(split) => match self.answer(split) {
                Answer::Known(next) => return self.append(next),
                Answer::Open { asked, most } => {
                    self.words.extend([asked, most, 0, 0]);
                    self.words[at + 2] = self.append(split.left as usize)?;
                    self.words[at + 3] = self.append(split.right as usize)?;
                }
            },
        }
        Some(ALL_WORDS as u32 + at as u32)
    }

    fn answer(&self, split: &Split) -> Answer {
        let feature = split.feature as usize;
        let value = |step: Step| self.shape.at(&step)[feature];
        let step = |asked: u32, count: u32| {
            let count = u64::from(count);
            match asked {
                FRONTIER => Step { frontier: count, ..Step::default() },
                FRONTIER_EDGES => Step { frontier_edges: count, ..Step::default() },
                _ => Step { discovered: count, ..Step::default() },
            }
        };
        let asked = match NAMES[feature] {
            "frontier" | "frontier_relative" => FRONTIER,
            "frontier_edges" | "frontier_edges_relative" => FRONTIER_EDGES,
            "discovered" | "discovered_relative" => DISCOVERED,
            _ => return Answer::Known(split.next(value(Step::default()))),
        };
        let goes_left = |count: u32| value(step(asked, count)) <= split.threshold;
        match most(goes_left) {
            Some(most) => Answer::Open { asked, most },
            None => Answer::Known(split.right as usize),
        }
    }
}

enum Answer {
    /// The node that all levels on this graph go to.
    Known(usize),
    /// What is asked for, and the most with which one goes left.
    Open { asked: u32, most: u32 },
}

/// The greatest number of which it is true, where it is of all that are smaller.
fn most(is_true: impl Fn(u32) -> bool) -> Option<u32> {
    if !is_true(0) {
        return None;
    }
    let (mut least, mut greatest) = (0, u32::MAX);
    while least < greatest {
        let middle = least + (greatest - least).div_ceil(2);
        match is_true(middle) {
            true => least = middle,
            false => greatest = middle - 1,
        }
    }
    Some(least)
}

/// The mode of a level by the tree.
#[cube]
pub(super) fn ask(words: &Array<u32>, now: &Array<u32>) -> u32 {
    let mut node = comptime!(ALL_WORDS).runtime();
    let mut asked = words[node];
    while asked != LEAF {
        let mut value = now[ALL_VERTICES] + now[VERTICES];
        if asked == FRONTIER {
            value = now[VERTICES];
        } else if asked == FRONTIER_EDGES {
            value = now[EDGES];
        }
        let mut next = node + 2;
        if value > words[node + 1] {
            next = node + 3;
        }
        node = words[next] as usize;
        asked = words[node];
    }
    let mut mode = words[node + 1];
    if mode == KEEP {
        mode = now[MODE];
    }
    mode
}

#[cfg(test)]
mod tests {
    use equipoise_select::{Description, Leaf};

    use super::*;

    /// Asks for the mean degree first, then for the share of vertices found.
    fn model(candidates: [&str; 3]) -> Model {
        let description = Description {
            algorithm: "bfs".into(),
            device: "gpu".into(),
            features: vec!["out_degree_mean".into(), "discovered_relative".into()],
            candidates: candidates.map(str::to_owned).to_vec(),
            first: candidates[0].into(),
            ..Description::default()
        };
        let leaf = |candidate: u32, ambiguous| {
            let ranking = vec![0, 1, 2];
            Node::Leaf(Leaf { candidate, share: 1.0, ambiguous, samples: 1, ranking })
        };
        let split = |feature, threshold, left, right| {
            Node::Split(Split { feature, threshold, left, right })
        };
        let nodes = vec![
            split(0, 3.0, 1, 2),
            leaf(2, false),
            split(1, 0.25, 3, 4),
            leaf(0, false),
            leaf(1, true),
        ];
        Candidate::align(&Model::new(description, nodes).unwrap()).unwrap()
    }

    fn shape(mean: f32) -> GraphShape {
        let mut shape = GraphShape { vertices: 1000, edges: 9000, ..GraphShape::default() };
        shape.out_degrees.mean = mean;
        shape
    }

    #[test]
    fn what_a_graph_answers_is_not_asked_again() {
        let model = model(["fused-push", "fused-pull", "node"]);
        let tree = Tree::of(&model, &shape(9.0)).unwrap();
        let start = ALL_WORDS as u32;
        let (left, right) = (start + 4, start + 8);
        let expected = [DISCOVERED, 250, left, right, LEAF, WORK, 0, 0, LEAF, KEEP, 0, 0];
        assert_eq!(tree.words, expected);
    }

    #[test]
    fn what_only_the_host_can_do_is_left_to_it() {
        let model = model(["fused-push", "fused-pull", "node"]);
        assert!(Tree::of(&model, &shape(2.0)).is_none());
    }

    #[test]
    fn the_greatest_number_is_found() {
        assert_eq!(most(|_| true), Some(u32::MAX));
        assert_eq!(most(|number| number < 1), Some(0));
        assert_eq!(most(|number| number <= 4_000_000_000), Some(4_000_000_000));
        assert_eq!(most(|_| false), None);
    }
}
