//! `equipoise mis`: a maximal independent set.

use equipoise::{
    LoadedGraph, Times, Trace,
    graph::Graph,
    mis::{Mis, MisOptions},
};
use serde::Serialize;

use crate::{
    choice::Job,
    columns::{self, Column, Values},
    failure::Result,
    graph_command::GraphCommand,
    numbers,
    output::ResultFile,
    screen::Screen,
    steps::StepNames,
};

pub const EXAMPLE: &str = "\
Examples:
  equipoise mis rmat:scale=16
  equipoise mis friends.csv -o set.csv
  equipoise mis links.mtx --device cuda --priority random --seed 7 --repeat 5";

#[derive(Debug, clap::Args)]
pub struct Command {
    #[command(flatten)]
    options: MisOptions,
}

#[derive(Serialize)]
struct Facts {
    size: u32,
    rounds: usize,
}

impl GraphCommand for Command {
    const NAME: &'static str = "mis";
    const STEPS: StepNames =
        StepNames { index: "round", strategy: "vertices", frontier: "undecided", found: "decided" };

    type Options = MisOptions;
    type Found = Mis;

    /// The set is the same everywhere.
    fn is_plain(&self) -> bool {
        true
    }

    fn job(&self, graph: &Graph, runs: u64) -> Job {
        Job::mis(graph, runs)
    }

    fn options(&self, _graph: &Graph) -> Result<MisOptions> {
        Ok(self.options.clone())
    }

    fn find(there: &LoadedGraph, options: &MisOptions) -> equipoise::Result<Mis> {
        there.mis(options)
    }

    fn told(found: &Mis) -> (Times, Trace) {
        (found.times, found.trace.clone())
    }

    fn verify(found: &Mis, graph: &Graph, options: &MisOptions) -> equipoise::Result<()> {
        found.verify(graph, options)
    }

    fn verdict(_found: &Mis) -> String {
        "no two of the set are neighbours, and each vertex outside has one in it that goes first"
            .into()
    }

    fn write(&self, graph: &Graph, found: &Mis, file: Option<&ResultFile>) -> Result<()> {
        let Some(file) = file else { return Ok(()) };
        let in_set: Vec<u32> = found.in_set.iter().map(|&is_in| is_in.into()).collect();
        let values = Values::U32(&in_set);
        columns::write(graph, Some(file), &[Column { name: "in_set", values }])
    }

    fn print(&self, graph: &Graph, found: &Mis, screen: &mut Screen) -> Result<()> {
        let vertices = numbers::counted(graph.vertices().into(), "vertex", "vertices");
        let size = numbers::count(found.size.into());
        screen.fact("in the set", format_args!("{size} of {vertices}"))?;
        screen.fact("rounds", numbers::count(found.trace.steps.len() as u64))
    }

    fn facts<'a>(_graph: &'a Graph, found: &'a Mis) -> impl Serialize + 'a {
        Facts { size: found.size, rounds: found.trace.steps.len() }
    }
}
