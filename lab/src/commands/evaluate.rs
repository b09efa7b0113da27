//! `equipoise-lab evaluate`: the quality of a model on a table of measurements.

use equipoise::select::Model;
use equipoise_cli::{
    failure::{Failure, Result},
    files::InputFile,
    screen::{Screen, ScreenArguments},
};
use serde::Serialize;

use crate::{
    learn::{Table, evaluate},
    scores::{self, EvaluationFacts, JudgeBy},
};

const EXAMPLE: &str = "\
Example:
  equipoise-lab evaluate bfs-cuda.csv --model bfs-cuda.json";

/// Compare the choices of a model with the best ones, on graphs that it was not trained on
///
/// All figures are of whole runs: their time divided by that of the same run with the fastest
/// candidate at each step. `predicted` is the model, `oracle` the one candidate that is the fastest on
/// the whole of each run.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// What `equipoise-lab measure` wrote
    #[arg(value_name = "TABLE")]
    table: InputFile,
    /// What `equipoise-lab train` wrote
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    model: InputFile,
    /// Judge by the graphs that the model was trained on too
    #[arg(long, help_heading = "Input")]
    all: bool,
    /// Whose best choice the model is compared with
    #[arg(long, value_enum, default_value_t, help_heading = "Input")]
    judge_by: JudgeBy,
    #[command(flatten)]
    screen: ScreenArguments,
}

#[derive(Serialize)]
struct Document<'a> {
    command: &'static str,
    graphs: usize,
    runs: usize,
    #[serde(flatten)]
    evaluation: EvaluationFacts<'a>,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let model = Model::read(&arguments.model)?;
    let mut table = Table::read(&arguments.table)?;
    if !arguments.all {
        let trained_on = &model.description().trained_on;
        table = table.only(|run| !trained_on.contains(&run.graph));
        if table.runs().is_empty() {
            return Err(Failure::new("the model was trained on all graphs of the table")
                .hint("`--all` judges by these"));
        }
    }
    if arguments.judge_by == JudgeBy::Candidates {
        table = table.choosing(&model.description().candidates)?;
    }
    let evaluation = evaluate(&model, &table)?;
    let (graphs, runs) = (table.graphs().len(), table.runs().len());
    let steps = evaluation.steps;
    screen.fact("judged by", format_args!("{graphs} graphs, {runs} runs, {steps} steps"))?;
    screen.fact("accuracy", scores::accuracy(&evaluation, ""))?;
    screen.line(format_args!("\n{}", scores::table(&evaluation)))?;
    screen.json(&Document { command: "evaluate", graphs, runs, evaluation: (&evaluation).into() })
}
