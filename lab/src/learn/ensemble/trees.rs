//! Trees that add up.

use equipoise_select::CandidateSet;

use crate::learn::cart::Grown;

/// A node of a tree.
#[derive(Clone, Copy)]
enum TreeNode {
    Split {
        feature: u32,
        threshold: f32,
        left: u32,
        right: u32,
    },
    /// Where its values start.
    Leaf(u32),
}

/// A tree that says something of each candidate, or of one alone.
#[derive(Clone)]
pub(super) struct Tree {
    nodes: Vec<TreeNode>,
    values: Vec<f64>,
    /// The candidate that it is about, if it is about one.
    about: Option<u32>,
}

impl Tree {
    /// The tree with these values at its leaves.
    pub fn new(grown: &Grown, leaves: &[Option<Vec<f64>>], about: Option<u32>) -> Self {
        let mut values = Vec::new();
        let nodes = grown.nodes.iter().zip(leaves).map(|(node, leaf)| match &node.cut {
            Some(cut) => TreeNode::Split {
                feature: cut.feature as u32,
                threshold: cut.threshold,
                left: cut.left as u32,
                right: cut.right as u32,
            },
            None => {
                let start = values.len() as u32;
                values.extend(leaf.iter().flatten());
                TreeNode::Leaf(start)
            }
        });
        let nodes = nodes.collect();
        Self { nodes, values, about }
    }

    /// Where the values of a leaf start, and the questions on the way there.
    fn leaf(&self, value: impl Fn(u32) -> f32) -> (usize, usize) {
        let (mut at, mut asked) = (0, 0);
        loop {
            match self.nodes[at] {
                TreeNode::Split { feature, threshold, left, right } => {
                    at = if value(feature) <= threshold { left } else { right } as usize;
                    asked += 1;
                }
                TreeNode::Leaf(start) => return (start as usize, asked),
            }
        }
    }

    fn add(&self, value: impl Fn(u32) -> f32, scores: &mut [f64]) {
        let (start, _) = self.leaf(value);
        match self.about {
            Some(candidate) => scores[candidate as usize] += self.values[start],
            None => scores.iter_mut().zip(&self.values[start..]).for_each(|(sum, own)| *sum += own),
        }
    }
}

/// Trees that add up: of the candidates that can run, the one with the least sum is chosen.
pub(super) struct Ensemble {
    pub trees: Vec<Tree>,
    /// What the sum of each candidate starts with.
    pub base: Vec<f64>,
    /// The features of the table, as the trees number them.
    pub features: Vec<usize>,
    /// The candidates of the table, as the trees number them.
    pub candidates: Vec<usize>,
}

impl Ensemble {
    /// What to take at a step with these features, of what is available; `scores` is room to work
    /// in.
    pub fn choose(
        &self,
        features: &[f32],
        available: CandidateSet,
        scores: &mut Vec<f64>,
    ) -> usize {
        let value = |feature: u32| features[self.features[feature as usize]];
        scores.clone_from(&self.base);
        self.trees.iter().for_each(|tree| tree.add(value, scores));
        let ranked = self.candidates.iter().zip(scores.iter());
        let possible = ranked.filter(|(candidate, _)| available.contains(**candidate));
        let best = possible.min_by(|a, b| a.1.total_cmp(b.1));
        // Where none of them can run, any other may.
        let other = || (0..equipoise_select::MAX_CANDIDATES).find(|&it| available.contains(it));
        best.map(|(&candidate, _)| candidate).or_else(other).unwrap_or_default()
    }

    /// The questions of all trees on the way to their leaves.
    pub fn questions(&self, features: &[f32]) -> usize {
        let value = |feature: u32| features[self.features[feature as usize]];
        self.trees.iter().map(|tree| tree.leaf(value).1).sum()
    }
}
