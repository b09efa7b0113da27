//! Gradient-boosted trees (Friedman, 2001): each round adds, for every candidate, a tree fitted to
//! the residual of the likelihood that it is the fastest.

use rayon::prelude::*;

use super::{regression::Numbers, sizes::EnsembleSizes, trees::Tree};
use crate::learn::{
    Settings,
    cart::{Grown, Limits, grow_by, sorted},
    samples::Samples,
};

/// The minimum number of steps in a leaf.
const LEAF: usize = 5;

/// Grows trees with the weights of the settings; also returns the initial scores. Scores are
/// negated, since the least one is the best.
pub(super) fn grow(
    samples: &Samples,
    settings: &Settings,
    sizes: EnsembleSizes,
) -> (Vec<Tree>, Vec<f64>) {
    let weights = samples.weights(settings.weighting);
    let orders = sorted(&samples.columns);
    let base = priors(samples, &weights);
    let mut scores: Vec<Vec<f64>> = (0..samples.len()).map(|_| base.clone()).collect();
    let mut trees = Vec::new();
    for _ in 0..sizes.rounds {
        let shares: Vec<Vec<f64>> = scores.iter().map(|scores| likelihoods(scores)).collect();
        let round: Vec<(Tree, Vec<f64>)> = (0..samples.candidates)
            .into_par_iter()
            .map(|candidate| tree(samples, &weights, &orders, &shares, candidate, sizes))
            .collect();
        for (candidate, (tree, added)) in round.into_iter().enumerate() {
            scores.iter_mut().zip(added).for_each(|(scores, added)| scores[candidate] += added);
            trees.push(tree);
        }
    }
    (trees, base)
}

/// One tree, and its contribution to the score of each step.
fn tree(
    samples: &Samples,
    weights: &[f64],
    orders: &[Vec<u32>],
    shares: &[Vec<f64>],
    candidate: usize,
    sizes: EnsembleSizes,
) -> (Tree, Vec<f64>) {
    let is_best = |sample: usize| f64::from(samples.best[sample] as usize == candidate);
    let lacking: Vec<f64> =
        (0..samples.len()).map(|sample| is_best(sample) - shares[sample][candidate]).collect();
    let numbers = Numbers::new(&samples.columns, &lacking, weights);
    let limits = Limits { depth: sizes.depth, leaf: LEAF };
    let all: Vec<usize> = (0..samples.columns.len()).collect();
    let grown = grow_by(&numbers, orders.to_vec(), limits, || all.clone());
    let (leaves, added) = leaves(&grown, &lacking, weights, samples.candidates, sizes.rate);
    (Tree::new(&grown, &leaves, Some(candidate as u32)), added)
}

/// A Newton step at each leaf, and its contribution to each of its steps.
fn leaves(
    grown: &Grown,
    lacking: &[f64],
    weights: &[f64],
    candidates: usize,
    rate: f64,
) -> (Vec<Option<Vec<f64>>>, Vec<f64>) {
    let mut added = vec![0.0; lacking.len()];
    let share = (candidates as f64 - 1.0) / candidates as f64;
    let mut leaf = |samples: &[u32]| {
        let sum = |of: &dyn Fn(usize) -> f64| {
            samples.iter().map(|&sample| weights[sample as usize] * of(sample as usize)).sum()
        };
        let slope: f64 = sum(&|sample| lacking[sample]);
        let bend: f64 = sum(&|sample| lacking[sample].abs() * (1.0 - lacking[sample].abs()));
        let value = if bend > 0.0 { -rate * share * slope / bend } else { 0.0 };
        samples.iter().for_each(|&sample| added[sample as usize] = value);
        vec![value]
    };
    let values = grown.nodes.iter().map(|node| match node.cut {
        Some(_) => None,
        None => Some(leaf(&grown.order[node.samples.clone()])),
    });
    (values.collect(), added)
}

/// The initial scores, which represent how often each candidate is the fastest.
fn priors(samples: &Samples, weights: &[f64]) -> Vec<f64> {
    let mut votes = vec![0.0; samples.candidates];
    samples.best.iter().zip(weights).for_each(|(&best, weight)| votes[best as usize] += weight);
    let all: f64 = votes.iter().sum();
    // A candidate that is never the fastest counts as one in a thousand.
    votes.iter().map(|votes| -(votes / all.max(f64::MIN_POSITIVE)).max(1e-3).ln()).collect()
}

/// The likelihood of each candidate to be the fastest, by its score.
fn likelihoods(scores: &[f64]) -> Vec<f64> {
    let least = scores.iter().copied().fold(f64::INFINITY, f64::min);
    let powers: Vec<f64> = scores.iter().map(|score| (least - score).exp()).collect();
    let all: f64 = powers.iter().sum();
    powers.iter().map(|power| power / all).collect()
}
