//! Ensembles for comparison: a random forest and gradient-boosted trees.
//!
//! Verstraaten et al. found forests accurate but too slow to evaluate, and leave other ensembles to
//! future work. The ensembles are trained on the data of the single tree with the settings chosen
//! for it, and evaluated in the same way. They are not saved.

mod boosting;
mod forest;
mod regression;
mod sizes;
mod trees;

use std::time::{Duration, Instant};

use equipoise_select::{CandidateSet, Model, Node};

pub use self::sizes::EnsembleSizes;
use self::trees::Ensemble;
use crate::learn::{
    Evaluation, Options, Result, Settings, Table, Training,
    evaluation::{Followed, judge},
    training::{chosen, problem},
};

/// The evaluation of one kind of predictor, and the cost of a prediction.
///
/// ```no_run
/// # let predictor: equipoise_lab::learn::Predictor = unimplemented!();
/// println!("{}: {:.3}×, {:?}", predictor.name, predictor.held_out.predicted.average, predictor.time);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Predictor {
    /// `tree`, `forest` or `boosted`.
    pub name: &'static str,
    /// The number of trees.
    pub trees: usize,
    /// The mean number of comparisons per prediction over the held-out steps.
    pub questions: f64,
    /// The mean time of a prediction, measured over the held-out steps.
    pub time: Duration,
    /// The evaluation on the held-out data.
    pub held_out: Evaluation,
}

/// Trains a forest and boosted trees on the training data of a tree, and evaluates all three on its
/// held-out data.
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
    let held_out = units.restricted_to(&training.split.held_out);
    let trained_on = units.restricted_to(&training.split.training);
    let (forest, boosted) = ensembles(&trained_on, options, &training.fit.settings, sizes)?;
    Ok(vec![
        of_tree(&training.fit.model, training.held_out.clone(), &held_out)?,
        of_ensemble("forest", &forest, &held_out)?,
        of_ensemble("boosted", &boosted, &held_out)?,
    ])
}

/// Trains a forest and boosted trees on a table.
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
    let index = |name: &String| known.iter().position(|known| known == name).unwrap_or_default();
    let ensemble = |trees, base| Ensemble {
        trees,
        base,
        features: problem.features.clone(),
        candidates: among.schema().candidates.iter().map(index).collect(),
    };
    let forest = forest::grow(&samples, settings, sizes.trees, options.seed);
    let (boosted, base) = boosting::grow(&samples, settings, sizes);
    Ok((ensemble(forest, vec![0.0; samples.candidates]), ensemble(boosted, base)))
}

fn of_tree(model: &Model, held_out: Evaluation, table: &Table) -> Result<Predictor> {
    let model = model.aligned(&table.schema().features, &table.schema().candidates)?;
    let questions = |features: &[f32]| {
        let (mut node, mut questions) = (0, 0);
        while let Node::Split(split) = &model.nodes()[node] {
            node = split.next(features[split.feature as usize]);
            questions += 1;
        }
        questions
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
        Followed::replay(run, |step, optimum| {
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

/// Long compared with the clock's resolution and with interruptions.
const MEASURED_FOR: Duration = Duration::from_millis(20);

/// The mean time of a prediction, over repeated passes over all steps.
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
