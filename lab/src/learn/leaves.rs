//! Conversion of a grown tree to the nodes of a model.

use equipoise_select::{Leaf, Node, Split};

use crate::learn::{
    LeafRule,
    cart::{Cut, Grown},
    samples::Samples,
};

/// The accumulated samples of a node.
#[derive(Clone)]
struct Summary {
    samples: u64,
    /// The weight of the samples for which each candidate was the fastest.
    votes: Vec<f64>,
    /// The number of these samples.
    wins: Vec<u64>,
    /// The total loss of each candidate over the samples where it could run, and their number.
    lost: Vec<f64>,
    measured: Vec<u64>,
}

impl Summary {
    fn empty(candidates: usize) -> Self {
        Self {
            samples: 0,
            votes: vec![0.0; candidates],
            wins: vec![0; candidates],
            lost: vec![0.0; candidates],
            measured: vec![0; candidates],
        }
    }

    fn add_sample(&mut self, samples: &Samples, weights: &[f64], sample: usize) {
        let best = samples.best[sample] as usize;
        self.samples += 1;
        self.votes[best] += weights[sample];
        self.wins[best] += 1;
        for (candidate, lost) in samples.lost(sample) {
            self.lost[candidate] += lost;
            self.measured[candidate] += 1;
        }
    }

    fn add(&mut self, other: &Self) {
        fn sum<T: Copy + std::ops::AddAssign>(to: &mut [T], from: &[T]) {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += *from);
        }
        self.samples += other.samples;
        sum(&mut self.votes, &other.votes);
        sum(&mut self.wins, &other.wins);
        sum(&mut self.lost, &other.lost);
        sum(&mut self.measured, &other.measured);
    }

    /// The mean loss of a candidate where it can run; infinite if it never could.
    fn mean_lost(&self, candidate: u32) -> f64 {
        match self.measured[candidate as usize] {
            0 => f64::INFINITY,
            count => self.lost[candidate as usize] / count as f64,
        }
    }

    /// The mean loss of each candidate, where the mean loss at the parent node counts as `steps`
    /// further samples.
    fn smoothed(&self, above: Option<&[f64]>, steps: f64) -> Vec<f64> {
        let Some(above) = above else {
            return (0..self.lost.len() as u32)
                .map(|candidate| self.mean_lost(candidate))
                .collect();
        };
        let counted = self.lost.iter().zip(&self.measured).zip(above);
        counted
            .map(|((lost, &measured), above)| match measured as f64 + steps {
                0.0 => f64::INFINITY,
                all if steps > 0.0 => (lost + steps * above) / all,
                all => lost / all,
            })
            .collect()
    }

    fn leaf(&self, rule: LeafRule, lost: &[f64]) -> Leaf {
        let lost = |candidate: u32| lost[candidate as usize];
        let mut ranking: Vec<u32> = (0..self.votes.len() as u32).collect();
        ranking.sort_by(|&a, &b| lost(a).total_cmp(&lost(b)));
        // The sort is stable, so that candidates with equal votes stay in the order of their loss.
        let mut voted = ranking.clone();
        voted.sort_by(|&a, &b| self.votes[b as usize].total_cmp(&self.votes[a as usize]));
        let second = |order: &[u32]| order.get(1).copied();
        let (candidate, ambiguous) = match rule {
            LeafRule::Majority { margin } => {
                let votes = |candidate: u32| self.votes[candidate as usize];
                let all: f64 = self.votes.iter().sum();
                let tie = |second| votes(voted[0]) - votes(second) <= margin * all;
                (voted[0], second(&voted).is_some_and(tie))
            }
            LeafRule::LeastLost | LeafRule::Smoothed { .. } => {
                let tie = |second| lost(ranking[0]) == lost(second);
                (ranking[0], second(&ranking).is_some_and(tie))
            }
        };
        let share = self.wins[candidate as usize] as f32 / self.samples.max(1) as f32;
        Leaf { candidate, share, ambiguous, samples: self.samples, ranking }
    }

    /// W times one minus the Gini impurity.
    fn purity(&self) -> f64 {
        let all: f64 = self.votes.iter().sum();
        let squares: f64 = self.votes.iter().map(|votes| votes * votes).sum();
        if all > 0.0 { squares / all } else { 0.0 }
    }
}

/// A tree with a summary of each node, so that it can be pruned to any depth: growth decides from
/// the root down, so a pruned tree equals the tree grown to that depth.
pub(crate) struct Summarized<'a> {
    grown: &'a Grown,
    summaries: Vec<Summary>,
}

/// The nodes of a model, and the decrease of impurity per feature.
pub(crate) struct Laid {
    pub nodes: Vec<Node>,
    pub gains: Vec<f64>,
}

impl<'a> Summarized<'a> {
    pub fn new(grown: &'a Grown, samples: &Samples, weights: &[f64]) -> Self {
        let mut summaries = vec![Summary::empty(samples.candidates); grown.nodes.len()];
        for (number, node) in grown.nodes.iter().enumerate().rev() {
            let mut summary = Summary::empty(samples.candidates);
            match &node.cut {
                Some(cut) => {
                    summary.add(&summaries[cut.left]);
                    summary.add(&summaries[cut.right]);
                }
                None => {
                    let here = &grown.order[node.samples.clone()];
                    here.iter().for_each(|&at| summary.add_sample(samples, weights, at as usize));
                }
            }
            summaries[number] = summary;
        }
        Self { grown, summaries }
    }

    /// The score of each candidate for each leaf: its loss, or, for the majority rule, its negated
    /// share of the votes. The least is the best.
    pub fn scores(&self, rule: LeafRule) -> Vec<Option<Vec<f64>>> {
        let score = |summary: &Summary| match rule {
            LeafRule::Majority { .. } => {
                let all: f64 = summary.votes.iter().sum();
                summary.votes.iter().map(|votes| -votes / all.max(f64::MIN_POSITIVE)).collect()
            }
            LeafRule::LeastLost | LeafRule::Smoothed { .. } => summary.smoothed(None, 0.0),
        };
        let nodes = self.grown.nodes.iter().zip(&self.summaries);
        nodes.map(|(node, summary)| node.cut.is_none().then(|| score(summary))).collect()
    }

    /// The tree pruned to this depth. Splits whose sides would choose the same are omitted.
    pub fn lay_out(&self, features: usize, depth: usize, rule: LeafRule) -> Laid {
        let mut laid = Laid { nodes: Vec::new(), gains: vec![0.0; features] };
        self.lay(0, depth, rule, None, &mut laid);
        laid
    }

    /// Converts a node and its descendants; `above` is the loss of each candidate at the parent
    /// node.
    fn lay(
        &self,
        number: usize,
        depth: usize,
        rule: LeafRule,
        above: Option<&[f64]>,
        laid: &mut Laid,
    ) {
        let at = laid.nodes.len();
        let lost = self.summaries[number].smoothed(above, rule.smoothing());
        let leaf = self.summaries[number].leaf(rule, &lost);
        let cut = self.grown.nodes[number].cut.as_ref().filter(|_| depth > 0);
        laid.nodes.push(Node::Leaf(leaf.clone()));
        let Some(cut) = cut else { return };
        self.lay(cut.left, depth - 1, rule, Some(&lost), laid);
        let right = laid.nodes.len();
        self.lay(cut.right, depth - 1, rule, Some(&lost), laid);
        if laid.nodes.len() == at + 3 && laid.nodes[at..].iter().all(|node| says_same(node, &leaf))
        {
            laid.nodes.truncate(at + 1);
            return;
        }
        laid.gains[cut.feature] += self.gain(number, cut);
        laid.nodes[at] = Node::Split(Split {
            feature: cut.feature as u32,
            threshold: cut.threshold,
            left: at as u32 + 1,
            right: right as u32,
        });
    }

    fn gain(&self, number: usize, cut: &Cut) -> f64 {
        let purity = |number: usize| self.summaries[number].purity();
        purity(cut.left) + purity(cut.right) - purity(number)
    }
}

fn says_same(node: &Node, leaf: &Leaf) -> bool {
    match node {
        Node::Leaf(other) => (other.candidate, other.ambiguous) == (leaf.candidate, leaf.ambiguous),
        Node::Split(_) => false,
    }
}
