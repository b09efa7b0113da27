//! `equipoise-lab train`: trains a model on a table of measurements.

use equipoise::device::Device;
use equipoise_cli::{
    arguments::ThreadArguments,
    endings::{self, Packing},
    failure::{Failure, Result},
    files::{InputFile, OutputFile},
    output::{check_folder, write_whole},
    screen::{Screen, ScreenArguments},
    table::{Column, draw},
};
use serde::Serialize;

use crate::{
    comparison::Comparison,
    experiments::measuring::Algorithm,
    learn::{HoldOut, Importance, Options, Table, Training, evaluate, fit, picture, train},
    scores::{self, EvaluationFacts, JudgeBy},
};

const EXAMPLE: &str = "\
Examples:
  equipoise-lab train bfs-cuda.csv --device cuda -o bfs-cuda.json
  equipoise-lab train bfs-cuda.csv --device cuda -o bfs-cuda.json --ablation --picture tree.svg
  equipoise-lab train bfs-cuda.csv --hold-out levels --plain --judge-by candidates -o five.json \\
    --candidates topology+atomic,pull+atomic,edge-topology+atomic,edge-reverse+atomic,virtual-warp+atomic+32";

/// What is held out for evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum HeldOut {
    /// Whole graphs
    #[default]
    Graphs,
    /// Single levels of searches, or steps of other runs, each judged by itself
    Levels,
}

impl From<HeldOut> for HoldOut {
    fn from(held_out: HeldOut) -> Self {
        match held_out {
            HeldOut::Graphs => HoldOut::Graphs,
            HeldOut::Levels => HoldOut::Steps,
        }
    }
}

/// Train a model on 70 % of the graphs of a table, and judge it by the others
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// What `equipoise-lab measure` wrote
    #[arg(value_name = "TABLE")]
    table: InputFile,
    /// What the table is of, for the model to say
    #[arg(long, value_enum, default_value_t, help_heading = "Training")]
    algorithm: Algorithm,
    /// The device that the table was measured on, for the model to say: cpu, or else a GPU
    #[arg(long, value_name = "DEVICE", default_value = "cuda", value_parser = kind_of_device, help_heading = "Training")]
    device: &'static str,
    /// Let the model choose from these alone
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Training")]
    candidates: Option<Vec<String>>,
    /// Whose best choice the model is compared with
    #[arg(long, value_enum, default_value_t, help_heading = "Training")]
    judge_by: JudgeBy,
    /// What is held out to judge by; the model is trained on 70 % of these
    #[arg(long, value_enum, default_value_t, help_heading = "Training")]
    hold_out: HeldOut,
    /// Grow the tree as CART is known, without weights, by impurity alone and to the end
    #[arg(long, help_heading = "Training")]
    plain: bool,
    /// The candidate for a first step on which the tree is undecided [default: the best at such steps]
    #[arg(long, value_name = "NAME", help_heading = "Training")]
    first: Option<String>,
    /// The seed of what is random: what is held out, and the parts of cross-validation
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = "Training")]
    seed: u64,
    /// Let the model ask for these features alone, such as those that cost nothing to know
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Training")]
    features: Option<Vec<String>>,
    /// After judging, train once more on all graphs, and write that model
    #[arg(long, help_heading = "Training")]
    refit: bool,
    /// Train with fewer features and without each family of graphs too, to compare
    #[arg(long, help_heading = "Training")]
    ablation: bool,
    /// Train a random forest and gradient-boosted trees too, to compare; they are not written
    #[arg(long, help_heading = "Training")]
    ensembles: bool,
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

/// The kind of device that a name stands for; `gpu` is accepted as a kind.
fn kind_of_device(text: &str) -> Result<&'static str, String> {
    match text.parse() {
        Ok(Device::Cpu) => Ok("cpu"),
        Ok(_) => Ok("gpu"),
        Err(_) if text == "gpu" => Ok("gpu"),
        Err(error) => Err(error.to_string()),
    }
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
    all_runs: Option<EvaluationFacts<'a>>,
    #[serde(flatten)]
    comparison: Comparison,
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

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    endings::known(&arguments.output, &["json"], Packing::Never)?;
    check_folder(&arguments.output)?;
    if let Some(path) = &arguments.picture {
        endings::known(path, &["svg"], Packing::Never)?;
        check_folder(path)?;
    }
    let options = options(&arguments);
    let table = table(&arguments)?;
    let training = train(&table, &options)?;
    print(&training, &options, &table, &mut screen)?;
    // Single levels say little about whole searches, most of which are no longer held out.
    let all_runs = match options.hold_out {
        HoldOut::Graphs => None,
        HoldOut::Steps => Some(evaluate(&training.fit.model, &table)?),
    };
    if let Some(all) = &all_runs {
        screen.line("all whole runs, what was trained on among them\n")?;
        screen.line(format_args!("{}\n", scores::table(all)))?;
    }
    let mut comparison = Comparison::default();
    if arguments.ablation {
        comparison.add_subsets(&table, &options, arguments.algorithm)?;
        comparison.add_families(&table, &options)?;
    }
    if arguments.ensembles {
        comparison.add_ensembles(&table, &options, &training)?;
    }
    comparison.print(&mut screen)?;
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
        all_runs: all_runs.as_ref().map(EvaluationFacts::from),
        comparison,
    })
}

fn options(arguments: &Arguments) -> Options {
    let options = Options {
        seed: arguments.seed,
        hold_out: arguments.hold_out.into(),
        candidates: arguments.candidates.clone(),
        features: arguments.features.clone(),
        first: arguments.first.clone(),
        ..Options::new(arguments.algorithm.name(), arguments.device)
    };
    if arguments.plain { options.plain() } else { options }
}

/// The table, restricted to the requested candidates.
fn table(arguments: &Arguments) -> Result<Table> {
    let table = Table::read(&arguments.table)?;
    match (&arguments.candidates, arguments.judge_by) {
        (Some(candidates), JudgeBy::Candidates) => Ok(table.choosing(candidates)?),
        _ => Ok(table),
    }
}

fn write(path: &OutputFile, text: &str) -> Result<()> {
    write_whole(path, |out| {
        out.write_all(text.as_bytes()).map_err(|error| Failure::of_file(path, &error))
    })
}

fn print(training: &Training, options: &Options, table: &Table, screen: &mut Screen) -> Result<()> {
    let Training { fit, split, held_out } = training;
    let (graphs, runs, steps) = (table.graphs().len(), table.runs().len(), table.steps());
    screen.fact("table", format_args!("{graphs} graphs, {runs} runs, {steps} steps"))?;
    let (trained, judged) = (split.training.len(), split.held_out.len());
    let held_out_are = match options.hold_out {
        HoldOut::Graphs => "graphs",
        HoldOut::Steps => "steps",
    };
    screen.fact(held_out_are, format_args!("{trained} to train on, {judged} to judge by"))?;
    screen.fact("settings", format_args!("{}", fit.settings))?;
    let average = fit.cross_validated;
    screen
        .fact("promised", format_args!("{average:.3}× of the least time, by cross-validation"))?;
    screen.fact("accuracy", scores::accuracy(held_out, " to judge by"))?;
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
