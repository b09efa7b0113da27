//! What the commands have in common that run an algorithm on a whole graph: each says what is its own.

use equipoise::{LoadedGraph, Times, Trace, graph::Graph};
use serde::Serialize;

use crate::{
    arguments::{GraphArguments, MemoryArgument, OutputArgument, RunArguments, TraceArgument},
    choice::Job,
    failure::Result,
    load::{self, GraphFacts},
    machine::{Machine, limit_memory},
    measure::{Plan, Report, Runs},
    output::ResultFile,
    screen::{Screen, ScreenArguments},
    steps::{self, StepNames},
    trace_file::{TraceFile, TracedRun},
};

/// An algorithm on a whole graph. Its fields are the arguments that it has of its own.
pub trait GraphCommand: clap::Args + std::fmt::Debug {
    /// What the command is called.
    const NAME: &'static str;
    /// What a step and its numbers are called.
    const STEPS: StepNames;

    /// The same for these arguments, where not all kinds of runs have steps of one kind.
    fn steps(&self) -> StepNames {
        Self::STEPS
    }

    /// What the library is told.
    type Options: Serialize;
    /// What the library finds.
    type Found;

    /// The file for results, refused where they cannot be written so.
    fn file(output: &OutputArgument) -> Result<Option<ResultFile>> {
        ResultFile::of_array(&output.output)
    }

    /// Whether it is left to the program how the result is found, so that it may say where as well.
    fn is_plain(&self) -> bool;

    /// What so many runs take.
    fn job(&self, graph: &Graph, runs: u64) -> Job;

    /// The library's options for a graph.
    fn options(&self, graph: &Graph) -> Result<Self::Options>;

    /// Runs the algorithm.
    fn find(there: &LoadedGraph, options: &Self::Options) -> equipoise::Result<Self::Found>;

    /// How long it took, and what happened.
    fn told(found: &Self::Found) -> (Times, Trace);

    /// Fails where the result is wrong.
    fn verify(found: &Self::Found, graph: &Graph, options: &Self::Options)
    -> equipoise::Result<()>;

    /// What holds of a result that was verified.
    fn verdict(found: &Self::Found) -> String;

    /// Which samples of the result were verified, where that was not all of it.
    fn sampled(_found: &Self::Found) -> Option<String> {
        None
    }

    /// Writes the result to the file that was asked for.
    fn write(&self, graph: &Graph, found: &Self::Found, file: Option<&ResultFile>) -> Result<()>;

    /// Prints what was found.
    fn print(&self, graph: &Graph, found: &Self::Found, screen: &mut Screen) -> Result<()>;

    /// What a JSON document says of the result.
    fn facts<'a>(graph: &'a Graph, found: &'a Self::Found) -> impl Serialize + 'a;
}

#[derive(Debug, clap::Args)]
pub struct Arguments<C: GraphCommand> {
    #[command(flatten)]
    graph: GraphArguments,
    #[command(flatten, next_help_heading = "Algorithm")]
    command: C,
    #[command(flatten)]
    memory: MemoryArgument,
    #[command(flatten)]
    run: RunArguments,
    #[command(flatten)]
    output: OutputArgument,
    #[command(flatten)]
    trace: TraceArgument,
    #[command(flatten)]
    screen: ScreenArguments,
}

#[derive(Serialize)]
struct Document<'a, O, F> {
    command: &'static str,
    graph: GraphFacts<'a>,
    #[serde(flatten)]
    machine: Machine,
    options: &'a O,
    #[serde(flatten)]
    found: F,
    runs: &'a Runs,
    #[serde(skip_serializing_if = "Option::is_none")]
    sampled: Option<&'a str>,
    trace: &'a Trace,
}

/// Runs a command.
pub fn run<C: GraphCommand>(arguments: Arguments<C>) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let file = C::file(&arguments.output)?;
    let trace_file = TraceFile::of(&arguments.trace.trace)?;
    let command = &arguments.command;
    let is_plain = command.is_plain() && arguments.memory.memory_limit.is_none();
    let runs = arguments.run.count();
    let (machine, device, loaded) = Machine::open_for(
        &arguments.run,
        is_plain,
        || load::graph(&arguments.graph, &mut screen),
        |loaded| Ok(command.job(&loaded.graph, runs)),
    )?;
    limit_memory(arguments.memory.memory_limit, &device);
    let graph = &loaded.graph;
    loaded.print(&mut screen)?;
    machine.print(&mut screen)?;
    let options = command.options(graph)?;
    let there = LoadedGraph::new(&device, graph)?;
    let mut measured = Plan::from(&arguments.run).on(&device).measure(
        || C::find(&there, &options),
        C::told,
        |found| C::verify(found, graph, &options),
    )?;
    let found = &measured.result;
    let sampled = C::sampled(found).filter(|_| measured.runs.verified);
    measured.runs.verified &= sampled.is_none();
    command.write(graph, found, file.as_ref())?;
    if let Some(file) = &trace_file {
        file.write(&[TracedRun { source: None, trace: &measured.trace }])?;
    }
    steps::print(&mut screen, &measured.trace, &command.steps())?;
    command.print(graph, found, &mut screen)?;
    measured.runs.print(&mut screen)?;
    match &sampled {
        Some(what) => measured.runs.print_sampled(&mut screen, what)?,
        None => measured.runs.print_verdict(&mut screen, &C::verdict(found))?,
    }
    screen.json(&Document {
        command: C::NAME,
        graph: loaded.facts(),
        machine,
        options: &options,
        found: C::facts(graph, found),
        runs: &measured.runs,
        sampled: sampled.as_deref(),
        trace: &measured.trace,
    })
}
