//! Evaluations of choices as a table and as JSON.

use equipoise_cli::table::{Column, draw};
use serde::Serialize;

use crate::learn::{Evaluation, Score};

/// The reference that a model is compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum JudgeBy {
    /// That of all candidates of the table
    #[default]
    All,
    /// That of the candidates which the model chooses from
    Candidates,
}

/// The evaluation in JSON documents.
#[derive(Serialize)]
pub struct EvaluationFacts<'a> {
    steps: usize,
    accuracy: f64,
    accuracy_with_ties: f64,
    step_average: f64,
    predicted: ScoreFacts<'a>,
    oracle: ScoreFacts<'a>,
    single: Vec<ScoreFacts<'a>>,
}

/// A row of the table. All figures are of whole runs, relative to the fastest candidate at each
/// step.
#[derive(Serialize)]
struct ScoreFacts<'a> {
    name: &'a str,
    runs: usize,
    not_runnable: usize,
    optimal: f64,
    within_two: f64,
    over_five: f64,
    over_twenty: f64,
    average: f64,
    worst: f64,
}

impl<'a> From<&'a Score> for ScoreFacts<'a> {
    fn from(score: &'a Score) -> Self {
        Self {
            name: &score.name,
            runs: score.runs,
            not_runnable: score.not_runnable,
            optimal: score.optimal,
            within_two: score.within_two,
            over_five: score.over_five,
            over_twenty: score.over_twenty,
            average: score.average,
            worst: score.worst,
        }
    }
}

impl<'a> From<&'a Evaluation> for EvaluationFacts<'a> {
    fn from(evaluation: &'a Evaluation) -> Self {
        Self {
            steps: evaluation.steps,
            accuracy: evaluation.accuracy,
            accuracy_with_ties: evaluation.accuracy_with_ties,
            step_average: evaluation.step_average,
            predicted: (&evaluation.predicted).into(),
            oracle: (&evaluation.oracle).into(),
            single: evaluation.single.iter().map(ScoreFacts::from).collect(),
        }
    }
}

/// The accuracy as a sentence.
pub fn accuracy(evaluation: &Evaluation, of: &str) -> String {
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    let (right, with_ties) = (percent(evaluation.accuracy), percent(evaluation.accuracy_with_ties));
    format!("{right} of {} steps{of}; {with_ties} within 5 % of the fastest", evaluation.steps)
}

/// A row for the model, one for the best single candidate of each run, and one for each candidate,
/// the best first.
pub fn table(evaluation: &Evaluation) -> String {
    let columns = [
        Column::Left("choice"),
        Column::Right("optimal"),
        Column::Right("1–2×"),
        Column::Right("over 5×"),
        Column::Right("over 20×"),
        Column::Right("average"),
        Column::Right("worst"),
        Column::Right("could not run"),
    ];
    let mut single: Vec<&Score> = evaluation.single.iter().collect();
    single
        .sort_by(|a, b| a.not_runnable.cmp(&b.not_runnable).then(a.average.total_cmp(&b.average)));
    let rows = [&evaluation.predicted, &evaluation.oracle].into_iter().chain(single);
    draw(&columns, rows.map(row))
}

fn row(score: &Score) -> Vec<String> {
    let percent = |share: f64| format!("{:.0} %", share * 100.0);
    let times = |ratio: f64| if ratio.is_nan() { "-".to_owned() } else { format!("{ratio:.2}×") };
    vec![
        score.name.clone(),
        percent(score.optimal),
        percent(score.within_two),
        percent(score.over_five),
        percent(score.over_twenty),
        times(score.average),
        times(score.worst),
        score.not_runnable.to_string(),
    ]
}
