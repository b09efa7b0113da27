//! How good choices are: the table by which Verstraaten et al. judge theirs.

use equipoise_select::{Chooser, Model};

use crate::learn::{
    Error, Result, Step, Table,
    optimum::{Optimal, Optimum, optima},
};

/// How one way to choose compares with the best choice at every step.
///
/// All shares are of the runs that it could do, and all times are those of whole runs, divided by
/// the time of the same run with the fastest candidate at each of its steps. Verstraaten et al.
/// count so in their Table 2 ("56 % of all BFS traversals"), where `over 5×` includes `over 20×`
/// (their row of `Vertex Push` cannot be read otherwise).
///
/// ```
/// let score = equipoise_lab::learn::Score { name: "push".into(), runs: 4, optimal: 0.25, ..Default::default() };
/// assert_eq!(score.optimal, 0.25);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// What it is: `predicted`, `oracle` or a candidate.
    pub name: String,
    /// The runs that it could do.
    pub runs: usize,
    /// The runs at some step of which it could not run. They are in no other figure of this score.
    pub not_runnable: usize,
    /// The share of runs that took the least time.
    pub optimal: f64,
    /// The share of runs that took longer, but at most twice as long.
    pub within_two: f64,
    /// The share of runs that took more than 5 times as long.
    pub over_five: f64,
    /// The share of runs that took more than 20 times as long; they are in `over_five` too.
    pub over_twenty: f64,
    /// The mean, over runs, of the time divided by the least; NaN if it could do none.
    pub average: f64,
    /// The greatest of these; NaN if it could do none.
    pub worst: f64,
}

/// Times as good as equal: sums of the same times in another order.
const EQUAL: f64 = 1.0 + 1e-9;
/// Times as good as equal where ties count.
const TIE: f64 = 1.05;

impl Score {
    /// The score of these runs: the time of each divided by the least, none where it could not run.
    fn of(name: &str, ratios: &[Option<f64>]) -> Self {
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

/// How a model compares with the best choice at every step, and with each candidate alone.
///
/// ```no_run
/// # let evaluation: equipoise_lab::learn::Evaluation = unimplemented!();
/// println!("{:.2}× of the best possible", evaluation.predicted.average);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// What the model chooses, of those candidates that can run.
    pub predicted: Score,
    /// For each run the one candidate that is fastest on the whole of it, of those that can run at
    /// all of its steps.
    pub oracle: Score,
    /// Each candidate alone, in the order of the table.
    pub single: Vec<Score>,
    /// How many steps the runs have.
    pub steps: usize,
    /// The share of steps at which the model chooses a fastest candidate.
    pub accuracy: f64,
    /// The share of steps at which it chooses one that takes at most 5 % longer than the fastest:
    /// which of two so near each other is measured to be faster is mostly chance.
    pub accuracy_with_ties: f64,
    /// The mean, over steps, of the time of the model's choice divided by the least.
    pub step_average: f64,
}

impl Evaluation {
    /// The candidate that is the best on average, of those that could do the most runs.
    pub fn best_single(&self) -> Option<&Score> {
        let better = |a: &&Score, b: &&Score| {
            a.not_runnable.cmp(&b.not_runnable).then(a.average.total_cmp(&b.average))
        };
        self.single.iter().min_by(better)
    }
}

/// Judges a model by the runs of a table. To judge by graphs that the model was not trained on,
/// leave the others out:
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
/// If the table has no run, or lacks a feature or a candidate of the model.
pub fn evaluate(model: &Model, table: &Table) -> Result<Evaluation> {
    if table.runs().is_empty() {
        return Err(Error::TooFewGraphs { what: "evaluate a model on", graphs: 0, needed: 1 });
    }
    let model = model.aligned(&table.schema().features, &table.schema().candidates)?;
    judge(table, |run| follow(&model, run))
}

/// Judges a way to choose, which is asked for each run.
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
        predicted: Score::of("predicted", &predicted),
        oracle: Score::of("oracle", &oracle),
        single: candidates.iter().zip(&single).map(|(name, run)| Score::of(name, run)).collect(),
        steps,
        accuracy: of_steps(|run| run.right as f64),
        accuracy_with_ties: of_steps(|run| run.right_with_ties as f64),
        step_average: of_steps(|run| run.step_ratios),
    })
}

/// A run with what was chosen at its steps.
#[derive(Default)]
pub(crate) struct Followed {
    /// Its time divided by the least.
    pub ratio: f64,
    /// Steps at which a fastest candidate was chosen.
    right: usize,
    /// Steps at which one was chosen that is as good as that.
    right_with_ties: usize,
    /// The same as `ratio` for each step, added up.
    step_ratios: f64,
}

impl Followed {
    /// Goes through a run with what is chosen at each step, of the candidates that can run there.
    pub fn of(
        optimal: &Optimal,
        mut choose: impl FnMut(&Step, &Optimum) -> Result<usize>,
    ) -> Result<Self> {
        let mut time = 0.0;
        let mut followed = Self::default();
        for (step, optimum) in optimal.run.steps.iter().zip(&optimal.steps) {
            // What is available has a time.
            let taken = step.times[choose(step, optimum)?].unwrap_or(f64::INFINITY);
            time += taken;
            followed.right += usize::from(taken <= optimum.time);
            followed.right_with_ties += usize::from(taken <= TIE * optimum.time);
            followed.step_ratios += taken / optimum.time;
        }
        followed.ratio = time / optimal.time;
        Ok(followed)
    }
}

/// Goes through a run as a model chooses, which has the table's features and candidates.
pub(crate) fn follow(model: &Model, optimal: &Optimal) -> Result<Followed> {
    let mut chooser: Option<Chooser> = None;
    Followed::of(optimal, |step, optimum| {
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

/// The time of a run with one candidate at all steps, divided by the least.
fn alone(optimal: &Optimal, candidate: usize) -> Option<f64> {
    let times = optimal.run.steps.iter().map(|step| step.times[candidate]);
    times.sum::<Option<f64>>().map(|time| time / optimal.time)
}
