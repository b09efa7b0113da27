//! Additive trees.

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
    /// The index of its first value.
    Leaf(u32),
}

/// A tree with a score for each candidate, or for a single one.
#[derive(Clone)]
pub(super) struct Tree {
    nodes: Vec<TreeNode>,
    values: Vec<f64>,
    /// The candidate that it scores, if a single one.
    candidate: Option<u32>,
}

impl Tree {
    /// A tree with these values at its leaves.
    pub fn new(grown: &Grown, leaves: &[Option<Vec<f64>>], candidate: Option<u32>) -> Self {
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
        Self { nodes, values, candidate }
    }

    /// The index of the first value of a leaf, and the number of comparisons on the path.
    fn leaf(&self, value: impl Fn(u32) -> f32) -> (usize, usize) {
        let (mut node, mut questions) = (0, 0);
        loop {
            match self.nodes[node] {
                TreeNode::Split { feature, threshold, left, right } => {
                    node = if value(feature) <= threshold { left } else { right } as usize;
                    questions += 1;
                }
                TreeNode::Leaf(start) => return (start as usize, questions),
            }
        }
    }

    fn add(&self, value: impl Fn(u32) -> f32, scores: &mut [f64]) {
        let (start, _) = self.leaf(value);
        match self.candidate {
            Some(candidate) => scores[candidate as usize] += self.values[start],
            None => scores.iter_mut().zip(&self.values[start..]).for_each(|(sum, own)| *sum += own),
        }
    }
}

/// Additive trees: of the available candidates, the one with the least total score is chosen.
pub(super) struct Ensemble {
    pub trees: Vec<Tree>,
    /// The initial score of each candidate.
    pub base: Vec<f64>,
    /// The features of the table in the numbering of the trees.
    pub features: Vec<usize>,
    /// The candidates of the table in the numbering of the trees.
    pub candidates: Vec<usize>,
}

impl Ensemble {
    /// The choice for a step with these features among the available candidates; `scores` is a
    /// scratch buffer.
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
        // If none of them is available, take any other.
        let other = || (0..equipoise_select::MAX_CANDIDATES).find(|&it| available.contains(it));
        best.map(|(&candidate, _)| candidate).or_else(other).unwrap_or_default()
    }

    /// The total number of comparisons in all trees.
    pub fn questions(&self, features: &[f32]) -> usize {
        let value = |feature: u32| features[self.features[feature as usize]];
        self.trees.iter().map(|tree| tree.leaf(value).1).sum()
    }
}
