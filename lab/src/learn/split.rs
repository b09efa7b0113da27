//! Split of graphs into training and evaluation: steps of one graph are never on both sides.

use std::collections::BTreeSet;

use rand::{SeedableRng, seq::SliceRandom};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::learn::{Error, Graph, Result, Table};

/// The graphs for training and for evaluation.
///
/// ```
/// let split = equipoise_lab::learn::Split { training: ["a".to_owned()].into(), held_out: ["b".to_owned()].into() };
/// assert!(split.training.is_disjoint(&split.held_out));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// The graphs to train on.
    pub training: BTreeSet<String>,
    /// The graphs to evaluate on.
    pub held_out: BTreeSet<String>,
}

/// Splits the graphs of a table at random, each family in about the same proportion. The split
/// depends on the graphs and the seed only, not on the order of the table.
///
/// # Errors
///
/// If `share`, of the graphs to train on, is not between 0 and 1, or leaves a side empty.
///
/// ```
/// # use equipoise_lab::learn::{Run, Schema, Step, Table};
/// # let steps = vec![Step::new(vec![1.0], vec![Some(2e-6)])];
/// # let run = |n: u32| Run { graph: n.to_string(), family: "er".into(), id: "0".into(), steps: steps.clone(), origin: None };
/// # let table = Table::new(Schema::new(&["frontier"], &["push"]), (0..10).map(run).collect())?;
/// let split = equipoise_lab::learn::split(&table, 0.7, 42)?;
/// assert_eq!((split.training.len(), split.held_out.len()), (7, 3));
/// # Ok::<(), equipoise_lab::learn::Error>(())
/// ```
pub fn split(table: &Table, share: f64, seed: u64) -> Result<Split> {
    if !(share > 0.0 && share < 1.0) {
        let message = format!("{share} of the graphs cannot be trained on: between 0 and 1 can");
        return Err(Error::Option(message));
    }
    let graphs = shuffled(table, seed);
    // Each step of 1 / share along the list ends at a training graph: families are contiguous in
    // it, so that each contributes its share.
    let is_training = |at: usize| ((at + 1) as f64 * share).floor() > (at as f64 * share).floor();
    let mut split = Split::default();
    for (at, graph) in graphs.into_iter().enumerate() {
        let side = if is_training(at) { &mut split.training } else { &mut split.held_out };
        side.insert(graph.name);
    }
    if split.training.is_empty() || split.held_out.is_empty() {
        let graphs = split.training.len() + split.held_out.len();
        let needed = (1.0 / share).max(1.0 / (1.0 - share)).ceil() as usize;
        Err(Error::TooFewGraphs { what: "train on some and judge on others", graphs, needed })
    } else {
        Ok(split)
    }
}

/// The graphs in `count` folds of about the same size and composition.
pub(crate) fn folds(table: &Table, count: usize, seed: u64) -> Vec<BTreeSet<String>> {
    let mut folds = vec![BTreeSet::new(); count];
    for (at, graph) in shuffled(table, seed).into_iter().enumerate() {
        folds[at % count].insert(graph.name);
    }
    folds
}

/// The graphs in random order, grouped by family.
fn shuffled(table: &Table, seed: u64) -> Vec<Graph> {
    let mut graphs: Vec<Graph> = table.graphs().into_iter().collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    for family in graphs.chunk_by_mut(|a, b| a.family == b.family) {
        family.shuffle(&mut random);
    }
    graphs
}
