//! `equipoise explain`: what a model chooses for a graph or matrix, and why.

use equipoise::{
    device::Device,
    explain::{Choice, Explainable, Explainer, explain_matrix},
    graph::Graph,
    select::Model,
};
use serde::Serialize;

use crate::{
    arguments::{GraphArguments, ThreadArguments},
    failure::{Failure, Result},
    files::InputFile,
    ids::Id,
    load::{self, GraphFacts, MatrixFacts},
    screen::{Screen, ScreenArguments},
    sources::{SourceArguments, Sources},
    table::shortened,
};

const EXAMPLE: &str = "\
Examples:
  equipoise explain rmat:scale=18
  equipoise explain rmat:scale=18 --device cpu
  equipoise explain grid:width=500,height=500,weights=1..1000 --algorithm sssp
  equipoise explain rmat:scale=18 --model bfs-gpu.json";

/// Say what a model chooses for a graph, and what decides it
///
/// All candidates count as available, whatever memory they need. Levels of searches are found on the cpu; on a GPU, levels
/// of few edges are pushed by one cube, many in a launch, whatever the model says.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    #[command(flatten)]
    graph: GraphArguments,
    /// What the model chooses for
    #[arg(long, value_enum, default_value_t, help_heading = "Algorithm")]
    algorithm: Explainable,
    /// Whose model: that of the cpu, or of a GPU, which auto means here
    #[arg(long, default_value_t, help_heading = "Algorithm")]
    device: Device,
    /// A model by `equipoise-lab train` [default: the built-in one]
    #[arg(long, value_name = "FILE", help_heading = "Algorithm")]
    model: Option<InputFile>,
    #[command(flatten)]
    sources: SourceArguments,
    #[command(flatten)]
    threads: ThreadArguments,
    #[command(flatten)]
    screen: ScreenArguments,
}

#[derive(Serialize)]
struct Document<'a> {
    command: &'static str,
    algorithm: Explainable,
    #[serde(skip_serializing_if = "Option::is_none")]
    graph: Option<GraphFacts<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    matrix: Option<MatrixFacts<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    searches: Vec<Explained>,
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<Choice>,
}

#[derive(Serialize)]
struct Explained {
    source: Id,
    /// The choices for the levels of a breadth-first search.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    levels: Vec<Level>,
    /// The choice for a whole search.
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<Choice>,
}

#[derive(Serialize)]
struct Level {
    level: usize,
    #[serde(flatten)]
    choice: Choice,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let model = model(&arguments)?;
    if let Explainable::Spmv | Explainable::Color = arguments.algorithm
        && arguments.sources.are_named()
    {
        let algorithm = arguments.algorithm.name();
        return Err(Failure::usage(format!("--algorithm {algorithm} starts from no vertex"))
            .hint("leave out --source and --random-sources"));
    }
    if let Explainable::Spmv = arguments.algorithm {
        return matrix(&arguments, &model, &mut screen);
    }
    let loaded = load::graph(&arguments.graph, &mut screen)?;
    let graph = &loaded.graph;
    let mut document = Document {
        command: "explain",
        algorithm: arguments.algorithm,
        graph: Some(loaded.facts()),
        matrix: None,
        searches: Vec::new(),
        choice: None,
    };
    if let Explainable::Color = arguments.algorithm {
        loaded.print(&mut screen)?;
        let choices = Explainer::new(graph, Explainable::Color, &model)?.explain(0)?;
        document.choice = once(choices, &mut screen)?;
    } else {
        let sources = arguments.sources.choose(graph)?;
        loaded.print(&mut screen)?;
        sources.print(graph, &mut screen)?;
        document.searches = searches(arguments.algorithm, graph, &sources, &model, &mut screen)?;
    }
    screen.json(&document)
}

/// The model to explain: the one in the arguments, or else the embedded one for the kind of device.
fn model(arguments: &Arguments) -> Result<Model> {
    let algorithm = arguments.algorithm;
    let Some(path) = &arguments.model else {
        return algorithm.embedded_model(arguments.device != Device::Cpu).map_err(|error| {
            Failure::from(error)
                .hint("`equipoise-lab measure` and `equipoise-lab train` make one: --model")
        });
    };
    let model = Model::read(path)?;
    let model_algorithm = model.description().algorithm.clone();
    algorithm.aligned(model).map_err(|error| {
        if model_algorithm == algorithm.name() {
            error.into()
        } else {
            Failure::from(error).hint(format!("--algorithm {model_algorithm}"))
        }
    })
}

fn matrix(arguments: &Arguments, model: &Model, screen: &mut Screen) -> Result<()> {
    let loaded = load::matrix::<f32>(&arguments.graph.graph, &arguments.graph.load, screen)?;
    loaded.print(screen)?;
    let choice = once(vec![explain_matrix(&loaded.matrix, model)?], screen)?;
    screen.json(&Document {
        command: "explain",
        algorithm: arguments.algorithm,
        graph: None,
        matrix: Some(loaded.facts()),
        searches: Vec::new(),
        choice,
    })
}

/// Explains the choices for each search: per level, or one per search.
fn searches(
    algorithm: Explainable,
    graph: &Graph,
    sources: &Sources,
    model: &Model,
    screen: &mut Screen,
) -> Result<Vec<Explained>> {
    let explainer = Explainer::new(graph, algorithm, model)?;
    let mut searches = Vec::new();
    for &source in &sources.vertices {
        let id = Id::new(graph, source);
        if sources.are_several() {
            screen.line(format_args!("\nfrom {id}"))?;
        }
        let choices = explainer.explain(source)?;
        let (levels, choice) = match algorithm {
            Explainable::Bfs => (by_level(choices, screen)?, None),
            _ => (Vec::new(), once(choices, screen)?),
        };
        searches.push(Explained { source: id, levels, choice });
    }
    Ok(searches)
}

fn by_level(choices: Vec<Choice>, screen: &mut Screen) -> Result<Vec<Level>> {
    screen.line("")?;
    let sentence = |at: usize| choices[at].sentence.clone();
    for line in shortened(choices.len(), screen.is_verbose(), sentence) {
        screen.line(line)?;
    }
    let levels = choices.into_iter().enumerate();
    Ok(levels.map(|(level, choice)| Level { level, choice }).collect())
}

fn once(choices: Vec<Choice>, screen: &mut Screen) -> Result<Option<Choice>> {
    let choice = choices.into_iter().next();
    if let Some(choice) = &choice {
        screen.line(format_args!("\n{}", choice.sentence))?;
    }
    Ok(choice)
}
