//! `equipoise explain`: what a model chooses for a graph or matrix, and why.

use equipoise::{
    bfs::{BfsOptions, bfs},
    color::ColorCandidate,
    device::Device,
    graph::Graph,
    select::{CandidateSet, Chooser, Model, Reason, features},
    sparse::MatrixFeatures,
    sssp::SsspCandidate,
    traversal::{graph_shape, level_steps},
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

/// An algorithm that a model chooses for.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Explainable {
    /// Breadth-first search: the strategy of each level
    #[default]
    Bfs,
    /// Shortest paths: the strategy, and how wide its steps are
    Sssp,
    /// Coloring: the strategy
    Color,
    /// Sparse matrix times vector: the schedule
    Spmv,
}

impl Explainable {
    fn name(self) -> &'static str {
        match self {
            Self::Bfs => "bfs",
            Self::Sssp => "sssp",
            Self::Color => "color",
            Self::Spmv => "spmv",
        }
    }

    /// What its models may ask for, in the order in which it is told here.
    fn features(self) -> Vec<&'static str> {
        match self {
            Self::Bfs => features::NAMES.to_vec(),
            Self::Sssp => SsspCandidate::feature_names(),
            Self::Color => ColorCandidate::feature_names(),
            Self::Spmv => MatrixFeatures::NAMES.to_vec(),
        }
    }
}

/// Say what a model chooses for a graph, and what decides it
///
/// Without --model, the model that comes with the program is asked. All candidates count as
/// available, however much memory there is. Levels of searches are found on the cpu; on a GPU, levels
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
    /// What `equipoise train` wrote; without it, the model that comes with the program
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
    choice: Option<Chosen>,
}

#[derive(Serialize)]
struct Explained {
    source: Id,
    /// The levels of a breadth-first search.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    levels: Vec<Level>,
    /// What is chosen once for a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<Chosen>,
}

#[derive(Serialize)]
struct Level {
    level: usize,
    frontier: u64,
    #[serde(flatten)]
    choice: Chosen,
}

/// What is chosen, and why.
#[derive(Serialize)]
struct Chosen {
    strategy: String,
    /// `predicted`, `kept`, `first` or `substituted`.
    reason: &'static str,
    sentence: String,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let model = model(&arguments)?;
    if let Explainable::Spmv = arguments.algorithm {
        return explain_matrix(&arguments, &model, &mut screen);
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
        let features = ColorCandidate::features(&graph_shape(graph)?);
        document.choice = Some(explain_once("the graph", &features, &model, &mut screen)?);
    } else {
        let sources = arguments.sources.choose(graph)?;
        loaded.print(&mut screen)?;
        sources.print(graph, &mut screen)?;
        document.searches =
            explain_searches(arguments.algorithm, graph, &sources, &model, &mut screen)?;
    }
    screen.json(&document)
}

/// The model that is asked: the one given, or else the program's own for the kind of device.
fn model(arguments: &Arguments) -> Result<Model> {
    let name = arguments.algorithm.name();
    let kind = if arguments.device == Device::Cpu { "cpu" } else { "gpu" };
    let model = match &arguments.model {
        Some(path) => Model::read(path)?,
        None => Model::embedded(name, kind).cloned().ok_or_else(|| {
            let message = format!("no model for `{name}` on a {kind} comes with this program");
            Failure::new(message)
                .hint("`equipoise measure` and `equipoise train` make one: --model")
        })?,
    };
    let about = model.description();
    if about.algorithm != name {
        let message = format!("the model is for `{}`, not for `{name}`", about.algorithm);
        return Err(Failure::new(message).hint(format!("--algorithm {}", about.algorithm)));
    }
    let candidates = about.candidates.clone();
    Ok(model.aligned(&arguments.algorithm.features(), &candidates)?)
}

fn explain_matrix(arguments: &Arguments, model: &Model, screen: &mut Screen) -> Result<()> {
    let loaded = load::matrix::<f32>(&arguments.graph.graph, &arguments.graph.load, screen)?;
    loaded.print(screen)?;
    let features = MatrixFeatures::of(&loaded.matrix).values();
    let choice = explain_once("the matrix", &features, model, screen)?;
    screen.json(&Document {
        command: "explain",
        algorithm: arguments.algorithm,
        graph: None,
        matrix: Some(loaded.facts()),
        searches: Vec::new(),
        choice: Some(choice),
    })
}

/// Explains what each search gets: at each level, or once.
fn explain_searches(
    algorithm: Explainable,
    graph: &Graph,
    sources: &Sources,
    model: &Model,
    screen: &mut Screen,
) -> Result<Vec<Explained>> {
    let shape = graph_shape(graph)?;
    let mut searches = Vec::new();
    for &source in &sources.vertices {
        let id = Id::of(graph, source);
        if sources.are_several() {
            screen.line(format_args!("\nfrom {id}"))?;
        }
        let (mut levels, mut choice) = (Vec::new(), None);
        if let Explainable::Sssp = algorithm {
            let features = SsspCandidate::features(graph, &shape, source)?;
            choice = Some(explain_once("the search", &features, model, screen)?);
        } else {
            let mut chooser = chooser(model)?;
            let found = bfs(graph, source, &BfsOptions::default())?.levels;
            for (level, step) in level_steps(graph, &found).iter().enumerate() {
                let what = format!("level {level}");
                let choice = chosen(&what, &shape.at(step), model, &mut chooser);
                levels.push(Level { level, frontier: step.frontier, choice });
            }
            screen.line("")?;
            let sentence = |at: usize| levels[at].choice.sentence.clone();
            for line in shortened(levels.len(), screen.is_verbose(), sentence) {
                screen.line(line)?;
            }
        }
        searches.push(Explained { source: id, levels, choice });
    }
    Ok(searches)
}

/// Explains what is chosen once, and prints it.
fn explain_once(
    what: &str,
    features: &[f32],
    model: &Model,
    screen: &mut Screen,
) -> Result<Chosen> {
    let choice = chosen(what, features, model, &mut chooser(model)?);
    screen.line(format_args!("\n{}", choice.sentence))?;
    Ok(choice)
}

/// What chooses from all candidates of a model.
fn chooser(model: &Model) -> Result<Chooser<'_>> {
    Ok(Chooser::new(model, CandidateSet::all(model.description().candidates.len()))?)
}

fn chosen(what: &str, features: &[f32], model: &Model, chooser: &mut Chooser) -> Chosen {
    let choice = chooser.choose(features);
    let explanation = model.explain(features);
    let strategy = model.candidate(choice.candidate).to_owned();
    let (reason, sentence) = match choice.reason {
        Reason::Predicted => ("predicted", format!("gets {explanation}")),
        Reason::Kept => ("kept", format!("stays with `{strategy}`; the model says {explanation}")),
        Reason::First => ("first", format!("gets `{strategy}`; the model says {explanation}")),
        Reason::Substituted => {
            ("substituted", format!("gets `{strategy}`; not available is {explanation}"))
        }
    };
    Chosen { strategy, reason, sentence: format!("{what} {sentence}") }
}
