//! `equipoise explain`: which strategy a model gives each level, and why.

use equipoise::{
    bfs::{BfsOptions, Candidate, bfs},
    select::{CandidateSet, Chooser, Model, Reason},
    traversal::{graph_shape, level_steps},
};
use serde::Serialize;

use crate::{
    arguments::{GraphArguments, ThreadArguments},
    failure::{Failure, Result},
    files::InputFile,
    ids::Id,
    load::{self, GraphFacts},
    screen::{Screen, ScreenArguments},
    sources::SourceArguments,
    table::shortened,
};

const EXAMPLE: &str = "\
Examples:
  equipoise explain rmat:scale=18
  equipoise explain rmat:scale=18 --model bfs-gpu.json";

/// Say which strategy a model gives to each level of a breadth-first search, and what decides it
///
/// Levels are found on the cpu. All candidates count as available, however much memory there is.
/// On a GPU, levels of few edges are pushed by one cube, many in a launch, whatever the model says.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    #[command(flatten)]
    graph: GraphArguments,
    /// What `equipoise train` wrote for a GPU; without it, the model that comes with the program
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
    graph: GraphFacts<'a>,
    searches: Vec<Explained>,
}

#[derive(Serialize)]
struct Explained {
    source: Id,
    levels: Vec<Level>,
}

#[derive(Serialize)]
struct Level {
    level: usize,
    frontier: u64,
    strategy: String,
    /// `predicted`, `kept`, `first` or `substituted`.
    reason: &'static str,
    sentence: String,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let model = Candidate::align(&match &arguments.model {
        Some(path) => Model::read(path)?,
        None => Model::embedded("bfs", "gpu")
            .cloned()
            .ok_or_else(|| Failure::new("no model for BFS comes with this program: `--model`"))?,
    })?;
    let loaded = load::graph(&arguments.graph, &mut screen)?;
    let graph = &loaded.graph;
    let sources = arguments.sources.choose(graph)?;
    loaded.print(&mut screen)?;
    sources.print(graph, &mut screen)?;
    let shape = graph_shape(graph)?;
    let mut searches = Vec::new();
    for &source in &sources.vertices {
        let levels = bfs(graph, source, &BfsOptions::default())?.levels;
        let candidates = CandidateSet::all(model.description().candidates.len());
        let mut chooser = Chooser::new(&model, candidates)?;
        let steps = level_steps(graph, &levels);
        let levels: Vec<Level> = steps
            .iter()
            .enumerate()
            .map(|(level, step)| {
                explain(level, step.frontier, &shape.at(step), &model, &mut chooser)
            })
            .collect();
        let source = Id::of(graph, source);
        if sources.are_several() {
            screen.line(format_args!("\nfrom {source}"))?;
        } else {
            screen.line("")?;
        }
        for line in shortened(levels.len(), screen.is_verbose(), |at| levels[at].sentence.clone()) {
            screen.line(line)?;
        }
        searches.push(Explained { source, levels });
    }
    screen.json(&Document { command: "explain", graph: loaded.facts(), searches })
}

fn explain(
    level: usize,
    frontier: u64,
    features: &[f32],
    model: &Model,
    chooser: &mut Chooser,
) -> Level {
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
    Level { level, frontier, strategy, reason, sentence: format!("level {level} {sentence}") }
}
