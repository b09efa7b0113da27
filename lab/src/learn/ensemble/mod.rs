//! Many trees instead of one, to compare with: a random forest and gradient-boosted trees.
//!
//! Verstraaten et al. found forests good but too slow to ask, and leave others to the future. They
//! are trained here on what the single tree is trained on, with the settings that were chosen for
//! that, and are judged by the same. No program is given one: nothing reads them back.

mod boosting;
mod forest;
mod regression;
mod trees;

use std::time::{Duration, Instant};

use equipoise_select::{CandidateSet, Model, Node};

use self::trees::Ensemble;
use crate::learn::{
    Evaluation, Options, Result, Settings, Table, Training,
    evaluation::{Followed, judge},
    training::{chosen, problem},
};

/// How many trees, and how they are grown.
///
/// ```
/// let sizes = equipoise_lab::learn::EnsembleSizes { trees: 20, ..Default::default() };
/// assert_eq!((sizes.rounds, sizes.depth), (100, 4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnsembleSizes {
    /// Trees of a forest, each of as many steps, drawn with replacement, as there are, and with as
    /// many features to choose from at a node as the square root of all.
    pub trees: usize,
    /// Rounds of boosting, a tree for each candidate in each.
    pub rounds: usize,
    /// The depth of boosted trees.
    pub depth: usize,
    /// How much of what a boosted tree says is added.
    pub rate: f64,
}

impl Default for EnsembleSizes {
    fn default() -> Self {
        Self { trees: 100, rounds: 100, depth: 4, rate: 0.1 }
    }
}

/// How one kind of predictor does, and what asking it costs.
///
/// ```no_run
/// # let predictor: equipoise_lab::learn::Predictor = unimplemented!();
/// println!("{}: {:.3}×, {:?}", predictor.name, predictor.held_out.predicted.average, predictor.time);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Predictor {
    /// `tree`, `forest` or `boosted`.
    pub name: &'static str,
    /// How many trees are asked.
    pub trees: usize,
    /// Questions that are answered on the way to a prediction, on average over the steps held out.
    pub questions: f64,
    /// How long a prediction takes, measured over the steps held out.
    pub time: Duration,
    /// How it does on what was held out.
    pub held_out: Evaluation,
}

/// Trains a forest and boosted trees on what a training has trained a tree on, and judges all three
/// by what it has held out.
///
/// # Errors
///
/// As [`train`](crate::learn::train()).
///
/// ```no_run
/// use equipoise_lab::learn::{EnsembleSizes, Options, Table, compare_ensembles, train};
///
/// let (table, options) = (Table::read("bfs-cuda.csv".as_ref())?, Options::new("bfs", "cuda"));
/// let training = train(&table, &options)?;
/// for predictor in compare_ensembles(&table, &options, &training, EnsembleSizes::default())? {
///     println!("{}: {:.3}×", predictor.name, predictor.held_out.predicted.average);
/// }
/// # Ok::<(), equipoise_lab::learn::Error>(())
/// ```
pub fn compare_ensembles(
    table: &Table,
    options: &Options,
    training: &Training,
    sizes: EnsembleSizes,
) -> Result<Vec<Predictor>> {
    let units = options.hold_out.units(table);
    let held_out = units.on(&training.split.held_out);
    let trained_on = units.on(&training.split.training);
    let (forest, boosted) = ensembles(&trained_on, options, &training.fit.settings, sizes)?;
    Ok(vec![
        of_tree(&training.fit.model, training.held_out.clone(), &held_out)?,
        of_ensemble("forest", &forest, &held_out)?,
        of_ensemble("boosted", &boosted, &held_out)?,
    ])
}

/// A forest and boosted trees from a table.
fn ensembles(
    table: &Table,
    options: &Options,
    settings: &Settings,
    sizes: EnsembleSizes,
) -> Result<(Ensemble, Ensemble)> {
    let among = chosen(table, options)?;
    let problem = problem(&among, options)?;
    let samples = problem.samples(|_| true);
    let known = &table.schema().candidates;
    let place = |name: &String| known.iter().position(|known| known == name).unwrap_or_default();
    let ensemble = |trees, base| Ensemble {
        trees,
        base,
        features: problem.features.clone(),
        candidates: among.schema().candidates.iter().map(place).collect(),
    };
    let forest = forest::grow(&samples, settings, sizes.trees, options.seed);
    let (boosted, base) = boosting::grow(&samples, settings, sizes);
    Ok((ensemble(forest, vec![0.0; samples.candidates]), ensemble(boosted, base)))
}

fn of_tree(model: &Model, held_out: Evaluation, table: &Table) -> Result<Predictor> {
    let model = model.aligned(&table.schema().features, &table.schema().candidates)?;
    let questions = |features: &[f32]| {
        let (mut at, mut asked) = (0, 0);
        while let Node::Split(split) = &model.nodes()[at] {
            at = split.next(features[split.feature as usize]);
            asked += 1;
        }
        asked
    };
    Ok(Predictor {
        name: "tree",
        trees: 1,
        questions: mean_over_steps(table, questions),
        time: time_of(table, |features| model.predict(features).candidate),
        held_out,
    })
}

fn of_ensemble(name: &'static str, ensemble: &Ensemble, table: &Table) -> Result<Predictor> {
    let all = CandidateSet::all(table.schema().candidates.len());
    let mut scores = Vec::new();
    let held_out = judge(table, |run| {
        Followed::of(run, |step, optimum| {
            Ok(ensemble.choose(&step.features, optimum.available, &mut scores))
        })
    })?;
    Ok(Predictor {
        name,
        trees: ensemble.trees.len(),
        questions: mean_over_steps(table, |features| ensemble.questions(features)),
        time: time_of(table, |features| ensemble.choose(features, all, &mut scores)),
        held_out,
    })
}

fn steps(table: &Table) -> impl Iterator<Item = &[f32]> + Clone {
    table.runs().iter().flat_map(|run| &run.steps).map(|step| step.features.as_slice())
}

fn mean_over_steps(table: &Table, questions: impl Fn(&[f32]) -> usize) -> f64 {
    steps(table).map(questions).sum::<usize>() as f64 / table.steps().max(1) as f64
}

/// Long enough for a clock, and for a rest of the processor not to matter.
const MEASURED_FOR: Duration = Duration::from_millis(20);

/// How long a prediction takes on average, over and over for all steps.
fn time_of(table: &Table, mut predict: impl FnMut(&[f32]) -> usize) -> Duration {
    let start = Instant::now();
    let mut rounds = 0;
    while start.elapsed() < MEASURED_FOR {
        for features in steps(table) {
            std::hint::black_box(predict(std::hint::black_box(features)));
        }
        rounds += 1;
    }
    start.elapsed().div_f64((rounds * table.steps()).max(1) as f64)
}
