//! `equipoise train`: a model from a table of measurements.

use equipoise_experiments::measuring::Algorithm;
use equipoise_learn::{
    Evaluation, Importance, Options, Table, Training, compare_subsets, fit, leave_one_family_out,
    picture, train,
};
use serde::Serialize;

use crate::{
    arguments::ThreadArguments,
    endings::{self, Packing},
    failure::{Failure, Result},
    files::{InputFile, OutputFile},
    output::{check_folder, write_whole},
    scores::{self, EvaluationFacts},
    screen::{Screen, ScreenArguments},
    table::{Column, draw},
};

const EXAMPLE: &str = "\
Examples:
  equipoise train bfs-cuda.csv --device gpu -o bfs-cuda.json
  equipoise train bfs-cuda.csv --device gpu -o bfs-cuda.json --compare --picture tree.svg";

/// Train a model on 70 % of the graphs of a table, and judge it by the others
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// What `equipoise measure` wrote
    #[arg(value_name = "TABLE")]
    table: InputFile,
    /// What the table is of, for the model to say
    #[arg(long, value_enum, default_value_t, help_heading = "Training")]
    algorithm: Algorithm,
    /// The kind of device that the table is of, gpu or cpu, for the model to say
    #[arg(long, value_name = "KIND", default_value = "gpu", help_heading = "Training")]
    device: String,
    /// Let the model choose from these alone; it is judged by the best of all
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Training")]
    candidates: Option<Vec<String>>,
    /// The seed of what is random: which graphs are held out, and the parts of cross-validation
    #[arg(long, value_name = "S", default_value_t = 42, help_heading = "Training")]
    seed: u64,
    /// Let the model ask for these features alone, such as those that cost nothing to know
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Training")]
    features: Option<Vec<String>>,
    /// After judging, train once more on all graphs, and write that model
    #[arg(long, help_heading = "Training")]
    refit: bool,
    /// Train with fewer features and without each family of graphs too, to compare
    #[arg(long, help_heading = "Training")]
    compare: bool,
    #[command(flatten)]
    threads: ThreadArguments,
    /// Write the model to FILE
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: OutputFile,
    /// Draw the tree into FILE, an SVG
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    picture: Option<OutputFile>,
    #[command(flatten)]
    screen: ScreenArguments,
}

#[derive(Serialize)]
struct Document<'a> {
    command: &'static str,
    model: OutputFile,
    settings: String,
    cross_validated: f64,
    trained_on: Vec<&'a str>,
    held_out: Vec<&'a str>,
    importances: Vec<ImportanceFacts<'a>>,
    evaluation: EvaluationFacts<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    subsets: Option<Vec<Compared>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unseen_families: Option<Vec<Compared>>,
}

#[derive(Serialize)]
struct ImportanceFacts<'a> {
    feature: &'a str,
    share: f64,
}

impl<'a> From<&'a Importance> for ImportanceFacts<'a> {
    fn from(importance: &'a Importance) -> Self {
        Self { feature: &importance.feature, share: importance.share }
    }
}

/// A model that was trained to compare with.
#[derive(Serialize)]
struct Compared {
    /// The features it had, or the family it had not seen.
    name: String,
    accuracy: f64,
    average: f64,
    worst: f64,
    /// The average of the best single candidate for each run.
    oracle_average: f64,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    endings::known(&arguments.output, &["json"], Packing::Never)?;
    check_folder(&arguments.output)?;
    if let Some(path) = &arguments.picture {
        endings::known(path, &["svg"], Packing::Never)?;
        check_folder(path)?;
    }
    let table = Table::read(&arguments.table)?;
    let options = Options {
        seed: arguments.seed,
        candidates: arguments.candidates,
        features: arguments.features,
        ..Options::new(arguments.algorithm.name(), &arguments.device)
    };
    let training = train(&table, &options)?;
    print(&training, &table, &mut screen)?;
    let (mut subsets, mut unseen_families) = (None, None);
    if arguments.compare {
        subsets = Some(by_subset(&table, &options, arguments.algorithm)?);
        unseen_families = Some(by_family(&table, &options)?);
    }
    for (what, compared) in [("features", &subsets), ("unseen family", &unseen_families)] {
        if let Some(compared) = compared {
            screen.line(format_args!("\n{}", compared_table(what, compared)))?;
        }
    }
    let refitted = arguments.refit.then(|| fit(&table, &options)).transpose()?;
    let written = refitted.as_ref().map_or(&training.fit.model, |refitted| &refitted.model);
    if arguments.refit {
        screen.line(format_args!("of all graphs\n{}\n", picture::text(written).trim_end()))?;
    }
    write(&arguments.output, &written.to_json())?;
    if let Some(path) = &arguments.picture {
        let svg = picture::svg(written)
            .ok_or_else(|| Failure::new(format!("{}: the tree cannot be drawn", path)))?;
        write(path, &svg)?;
    }
    screen.fact("written", &arguments.output)?;
    screen.json(&Document {
        command: "train",
        model: arguments.output,
        settings: training.fit.settings.to_string(),
        cross_validated: training.fit.cross_validated,
        trained_on: training.split.training.iter().map(String::as_str).collect(),
        held_out: training.split.held_out.iter().map(String::as_str).collect(),
        importances: training.fit.importances.iter().map(ImportanceFacts::from).collect(),
        evaluation: (&training.held_out).into(),
        subsets,
        unseen_families,
    })
}

fn write(path: &OutputFile, text: &str) -> Result<()> {
    write_whole(path, |out| {
        out.write_all(text.as_bytes()).map_err(|error| Failure::of_file(path, &error))
    })
}

fn print(training: &Training, table: &Table, screen: &mut Screen) -> Result<()> {
    let Training { fit, split, held_out } = training;
    let (graphs, runs, steps) = (table.graphs().len(), table.runs().len(), table.steps());
    screen.fact("table", format_args!("{graphs} graphs, {runs} runs, {steps} steps"))?;
    let (trained, judged) = (split.training.len(), split.held_out.len());
    screen.fact("graphs", format_args!("{trained} to train on, {judged} to judge by"))?;
    screen.fact("settings", format_args!("{}", fit.settings))?;
    let average = fit.cross_validated;
    screen
        .fact("promised", format_args!("{average:.3}× of the least time, by cross-validation"))?;
    let accuracy = held_out.accuracy * 100.0;
    screen.fact(
        "accuracy",
        format_args!("{accuracy:.1} % of {} steps of the graphs to judge by", held_out.steps),
    )?;
    screen.line(format_args!("\n{}\n", scores::table(held_out)))?;
    let columns = [Column::Left("feature"), Column::Right("importance")];
    let rows = fit
        .importances
        .iter()
        .map(|it| vec![it.feature.clone(), format!("{:.1} %", it.share * 100.0)]);
    screen.line(format_args!("{}\n", draw(&columns, rows)))?;
    screen.line(picture::text(&fit.model).trim_end())?;
    screen.line("")
}

fn by_subset(table: &Table, options: &Options, algorithm: Algorithm) -> Result<Vec<Compared>> {
    let compared = compare_subsets(table, options, &algorithm.subsets())?;
    let facts = compared.into_iter().map(|it| Compared::new(it.subset, &it.held_out));
    Ok(facts.collect())
}

fn by_family(table: &Table, options: &Options) -> Result<Vec<Compared>> {
    let results = leave_one_family_out(table, options)?;
    Ok(results.into_iter().map(|it| Compared::new(it.family, &it.evaluation)).collect())
}

impl Compared {
    fn new(name: String, evaluation: &Evaluation) -> Self {
        Self {
            name,
            accuracy: evaluation.accuracy,
            average: evaluation.predicted.average,
            worst: evaluation.predicted.worst,
            oracle_average: evaluation.oracle.average,
        }
    }
}

fn compared_table(what: &'static str, compared: &[Compared]) -> String {
    let columns = [
        Column::Left(what),
        Column::Right("accuracy"),
        Column::Right("average"),
        Column::Right("worst"),
        Column::Right("best single"),
    ];
    let row = |it: &Compared| {
        vec![
            it.name.clone(),
            format!("{:.1} %", it.accuracy * 100.0),
            format!("{:.2}×", it.average),
            format!("{:.2}×", it.worst),
            format!("{:.2}×", it.oracle_average),
        ]
    };
    draw(&columns, compared.iter().map(row))
}
