//! Evaluation of choices, by the table of Verstraaten et al.

use equipoise_select::{Chooser, Model};

use crate::learn::{
    Error, Result, Step, Table,
    optimum::{Optimal, Optimum, optima},
};

/// The comparison of one way to choose with the best choice at every step.
///
/// All shares are of the runs that it could execute, and all times are of whole runs, relative to
/// the time of the same run with the fastest candidate at each step. This is how Verstraaten et al.
/// count in their Table 2 ("56 % of all BFS traversals"), where `over 5×` includes `over 20×` (as
/// their row `Vertex Push` shows).
///
/// ```
/// let score = equipoise_lab::learn::Score { name: "push".into(), runs: 4, optimal: 0.25, ..Default::default() };
/// assert_eq!(score.optimal, 0.25);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// The way to choose: `predicted`, `oracle` or a candidate.
    pub name: String,
    /// The number of executable runs.
    pub runs: usize,
    /// The number of runs with a step at which it could not run, which are excluded from the other
    /// figures.
    pub not_runnable: usize,
    /// The share of runs with the least time.
    pub optimal: f64,
    /// The share of runs that took longer, but at most twice as long.
    pub within_two: f64,
    /// The share of runs that took more than 5 times as long.
    pub over_five: f64,
    /// The share of runs that took more than 20 times as long, which `over_five` includes.
    pub over_twenty: f64,
    /// The mean over runs of the time relative to the least; NaN without runs.
    pub average: f64,
    /// The maximum of these ratios; NaN without runs.
    pub worst: f64,
}

/// The tolerance for equality: sums of the same times in another order.
const EQUAL: f64 = 1.0 + 1e-9;
/// The tolerance for ties.
const TIE: f64 = 1.05;

impl Score {
    /// The score of runs with these times relative to the least, `None` if it could not run.
    fn from_ratios(name: &str, ratios: &[Option<f64>]) -> Self {
        let run: Vec<f64> = ratios.iter().flatten().copied().collect();
        let share = |counts: fn(f64) -> bool| {
            run.iter().filter(|ratio| counts(**ratio)).count() as f64 / run.len().max(1) as f64
        };
        Self {
            name: name.to_owned(),
            runs: run.len(),
            not_runnable: ratios.len() - run.len(),
            optimal: share(|ratio| ratio <= EQUAL),
            within_two: share(|ratio| ratio > EQUAL && ratio <= 2.0),
            over_five: share(|ratio| ratio > 5.0),
            over_twenty: share(|ratio| ratio > 20.0),
            average: run.iter().sum::<f64>() / run.len() as f64,
            worst: run.iter().copied().fold(f64::NAN, f64::max),
        }
    }
}

/// The comparison of a model, and of each candidate alone, with the best choice at every step.
///
/// ```no_run
/// # let evaluation: equipoise_lab::learn::Evaluation = unimplemented!();
/// println!("{:.2}× of the best possible", evaluation.predicted.average);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The choices of the model among the available candidates.
    pub predicted: Score,
    /// For each run, the single candidate that is fastest on the whole run, among those available
    /// at all of its steps.
    pub oracle: Score,
    /// Each candidate alone, in the order of the table.
    pub single: Vec<Score>,
    /// The total number of steps.
    pub steps: usize,
    /// The share of steps at which the model chooses a fastest candidate.
    pub accuracy: f64,
    /// The share of steps at which the choice takes at most 5 % longer than the fastest: below
    /// that, the measured order is mostly chance.
    pub accuracy_with_ties: f64,
    /// The mean over steps of the time of the choice relative to the least.
    pub step_average: f64,
}

impl Evaluation {
    /// The candidate with the best average, among those that could execute the most runs.
    pub fn best_single(&self) -> Option<&Score> {
        let better = |a: &&Score, b: &&Score| {
            a.not_runnable.cmp(&b.not_runnable).then(a.average.total_cmp(&b.average))
        };
        self.single.iter().min_by(better)
    }
}

/// Evaluates a model on the runs of a table. To evaluate on graphs that the model was not trained
/// on, exclude the others:
///
/// ```no_run
/// # let (model, table): (equipoise_select::Model, equipoise_lab::learn::Table) = unimplemented!();
/// let unseen = table.only(|run| !model.description().trained_on.contains(&run.graph));
/// let evaluation = equipoise_lab::learn::evaluate(&model, &unseen)?;
/// # Ok::<(), equipoise_lab::learn::Error>(())
/// ```
///
/// # Errors
///
/// If the table has no runs, or lacks a feature or a candidate of the model.
pub fn evaluate(model: &Model, table: &Table) -> Result<Evaluation> {
    if table.runs().is_empty() {
        return Err(Error::TooFewGraphs { what: "evaluate a model on", graphs: 0, needed: 1 });
    }
    let model = model.aligned(&table.schema().features, &table.schema().candidates)?;
    judge(table, |run| follow(&model, run))
}

/// Evaluates a way to choose, created anew for each run.
pub(crate) fn judge(
    table: &Table,
    choose: impl FnMut(&Optimal) -> Result<Followed>,
) -> Result<Evaluation> {
    let candidates = &table.schema().candidates;
    let optima = optima(table);
    let followed: Vec<Followed> = optima.iter().map(choose).collect::<Result<_>>()?;
    let predicted: Vec<Option<f64>> = followed.iter().map(|run| Some(run.ratio)).collect();
    let single: Vec<Vec<Option<f64>>> = (0..candidates.len())
        .map(|candidate| optima.iter().map(|run| alone(run, candidate)).collect())
        .collect();
    let oracle: Vec<Option<f64>> = (0..optima.len())
        .map(|run| single.iter().filter_map(|ratios| ratios[run]).reduce(f64::min))
        .collect();
    let steps = table.steps();
    let of_steps = |sum: fn(&Followed) -> f64| followed.iter().map(sum).sum::<f64>() / steps as f64;
    Ok(Evaluation {
        predicted: Score::from_ratios("predicted", &predicted),
        oracle: Score::from_ratios("oracle", &oracle),
        single: candidates
            .iter()
            .zip(&single)
            .map(|(name, run)| Score::from_ratios(name, run))
            .collect(),
        steps,
        accuracy: of_steps(|run| run.right as f64),
        accuracy_with_ties: of_steps(|run| run.right_with_ties as f64),
        step_average: of_steps(|run| run.step_ratios),
    })
}

/// A run with the choices at its steps.
#[derive(Default)]
pub(crate) struct Followed {
    /// Its time relative to the least.
    pub ratio: f64,
    /// The number of steps at which a fastest candidate was chosen.
    right: usize,
    /// The number of steps at which a candidate as good as that was chosen.
    right_with_ties: usize,
    /// The sum over steps of the time relative to the least.
    step_ratios: f64,
}

impl Followed {
    /// Replays a run with the choice at each step among the available candidates.
    pub fn replay(
        optimal: &Optimal,
        mut choose: impl FnMut(&Step, &Optimum) -> Result<usize>,
    ) -> Result<Self> {
        let mut time = 0.0;
        let mut followed = Self::default();
        for (step, optimum) in optimal.run.steps.iter().zip(&optimal.steps) {
            // Available candidates have a time.
            let chosen_time = step.times[choose(step, optimum)?].unwrap_or(f64::INFINITY);
            time += chosen_time;
            followed.right += usize::from(chosen_time <= optimum.time);
            followed.right_with_ties += usize::from(chosen_time <= TIE * optimum.time);
            followed.step_ratios += chosen_time / optimum.time;
        }
        followed.ratio = time / optimal.time;
        Ok(followed)
    }
}

/// Replays a run with the choices of a model, which has the table's features and candidates.
pub(crate) fn follow(model: &Model, optimal: &Optimal) -> Result<Followed> {
    let mut chooser: Option<Chooser> = None;
    Followed::replay(optimal, |step, optimum| {
        let chooser = match &mut chooser {
            Some(chooser) => {
                chooser.restrict(optimum.available)?;
                chooser
            }
            None => chooser.insert(Chooser::new(model, optimum.available)?),
        };
        Ok(chooser.choose(&step.features).candidate)
    })
}

/// The time of a run with one candidate at all steps, relative to the least.
fn alone(optimal: &Optimal, candidate: usize) -> Option<f64> {
    let times = optimal.run.steps.iter().map(|step| step.times[candidate]);
    times.sum::<Option<f64>>().map(|time| time / optimal.time)
}
