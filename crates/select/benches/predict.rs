//! Measures the time of one prediction: a full tree of 12 levels over the features of a traversal,
//! with different features in each step.
//!
//!     cargo bench -p equipoise-select

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use equipoise_select::{
    CandidateSet, Chooser, Description, Error, Leaf, Model, Node, Split, features::NAMES,
};

const LEVELS: u32 = 12;
const CANDIDATES: u32 = 15;
const STEPS: usize = 4096;
const REPEATS: usize = 21;

fn main() -> Result<(), Error> {
    let model = full_tree()?;
    let steps: Vec<Vec<f32>> = (0..STEPS as u64).map(features).collect();
    let mut chooser = Chooser::new(&model, CandidateSet::all(CANDIDATES as usize))?;
    println!(
        "{} nodes, {LEVELS} levels; median of {REPEATS} passes of {STEPS}",
        model.nodes().len()
    );
    println!("predict {:>8.1} ns", nanoseconds(&steps, |step| model.predict(step).candidate));
    println!("choose  {:>8.1} ns", nanoseconds(&steps, |step| chooser.choose(step).candidate));
    Ok(())
}

/// The median time of one call, in nanoseconds.
fn nanoseconds(steps: &[Vec<f32>], mut call: impl FnMut(&[f32]) -> usize) -> f64 {
    let mut times: Vec<Duration> = (0..REPEATS)
        .map(|_| {
            let start = Instant::now();
            for step in steps {
                black_box(call(black_box(step)));
            }
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[REPEATS / 2].as_secs_f64() * 1e9 / steps.len() as f64
}

/// A tree with `LEVELS` splits on every path, which use all features in turn.
fn full_tree() -> Result<Model, Error> {
    let splits = (1u32 << LEVELS) - 1;
    let split = |node: u32| {
        let (left, right) = (2 * node + 1, 2 * node + 2);
        let feature = node % NAMES.len() as u32;
        let threshold = random(u64::from(node)) as f32;
        Node::Split(Split { feature, threshold, left, right })
    };
    let leaf = |node: u32| {
        let ranking = (0..CANDIDATES).collect();
        let (candidate, ambiguous) = (node % CANDIDATES, node.is_multiple_of(7));
        Node::Leaf(Leaf { candidate, share: 0.5, ambiguous, samples: 10, ranking })
    };
    let nodes = (0..splits).map(split).chain((0..=splits).map(leaf)).collect();
    let candidates: Vec<String> = (0..CANDIDATES).map(|number| format!("s{number}")).collect();
    let description = Description {
        algorithm: "bfs".into(),
        device: "cpu".into(),
        features: NAMES.map(str::to_owned).to_vec(),
        first: candidates[0].clone(),
        candidates,
        ..Description::default()
    };
    Model::new(description, nodes)
}

fn features(step: u64) -> Vec<f32> {
    (0..NAMES.len() as u64).map(|number| random(step << 8 | number) as f32).collect()
}

/// A pseudo-random number in [0, 1), a different one for each seed (SplitMix64).
fn random(seed: u64) -> f64 {
    let mut x = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (x >> 11) as f64 / (1u64 << 53) as f64
}
