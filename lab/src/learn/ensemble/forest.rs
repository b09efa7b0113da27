//! A random forest (Breiman, 2001): each tree has other steps, and other features at each node.

use rand::{RngExt, SeedableRng, seq::index::sample};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::trees::Tree;
use crate::learn::{
    Settings,
    cart::{Limits, grow_by, sorted},
    criterion::ClassCost,
    leaves::Summarized,
    samples::Samples,
};

/// Trees of a forest are fully grown: averaging over many compensates for overfitting.
const LIMITS: Limits = Limits { depth: 64, leaf: 1 };

/// Grows trees with the weights, splits and leaves of the settings.
pub(super) fn grow(samples: &Samples, settings: &Settings, trees: usize, seed: u64) -> Vec<Tree> {
    let tree = |number: usize| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ ((number as u64 + 1) << 32));
        tree(samples, settings, &mut random)
    };
    (0..trees).into_par_iter().map(tree).collect()
}

fn tree(samples: &Samples, settings: &Settings, random: &mut Xoshiro256PlusPlus) -> Tree {
    let count = samples.len();
    let picks: Vec<usize> = (0..count).map(|_| random.random_range(0..count)).collect();
    let drawn = samples.resampled(&picks);
    let weights = drawn.weights(settings.weighting);
    let all = drawn.columns.len();
    let some = (all as f64).sqrt().round().max(1.0) as usize;
    let data = drawn.data(&weights, settings.time_share);
    let grown = grow_by(&ClassCost::new(&data), sorted(&drawn.columns), LIMITS, || {
        let mut features = sample(random, all, some).into_vec();
        features.sort_unstable();
        features
    });
    let leaves = Summarized::new(&grown, &drawn, &weights).scores(settings.rule);
    Tree::new(&grown, &leaves, None)
}
