//! `equipoise components`: which vertices hang together.

use equipoise::{
    LoadedGraph, Trace,
    components::{Components, ComponentsOptions, ComponentsStrategy},
    graph::Graph,
    npy,
};
use serde::Serialize;

use crate::{
    arguments::{GraphArguments, MemoryArgument, OutputArgument, RunArguments, TraceArgument},
    choice::Job,
    failure::Result,
    load::{self, GraphFacts},
    machine::{Machine, limit_memory},
    measure::{Plan, Report, Runs},
    numbers,
    output::{Kind, ResultFile, with_rows},
    screen::{Screen, ScreenArguments},
    steps::{self, StepNames},
    trace_file::{TraceFile, TracedRun},
};

const EXAMPLE: &str = "\
Examples:
  equipoise components rmat:scale=16
  equipoise components friends.csv -o components.csv
  equipoise components links.mtx --device cuda --strategy hooking --repeat 5";

const STEPS: StepNames =
    StepNames { index: "step", strategy: "edges of each", frontier: "vertices", found: "joined" };

/// Find the connected components, over edges of either direction
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    #[command(flatten)]
    graph: GraphArguments,
    #[command(flatten, next_help_heading = "Algorithm")]
    options: ComponentsOptions,
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
struct Document<'a> {
    command: &'static str,
    graph: GraphFacts<'a>,
    #[serde(flatten)]
    machine: Machine,
    options: &'a ComponentsOptions,
    strategy: ComponentsStrategy,
    components: u32,
    largest: u32,
    runs: &'a Runs,
    trace: &'a Trace,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let file = ResultFile::of_array(&arguments.output.output)?;
    let trace_file = TraceFile::of(&arguments.trace.trace)?;
    let options = &arguments.options;
    let is_plain =
        options.strategy == ComponentsStrategy::Auto && arguments.memory.memory_limit.is_none();
    let runs = arguments.run.count();
    let (machine, device, loaded) = Machine::open_for(
        &arguments.run,
        is_plain,
        || load::graph(&arguments.graph, &mut screen),
        |loaded| Ok(Job::components(&loaded.graph, runs)),
    )?;
    limit_memory(arguments.memory.memory_limit, &device);
    let graph = &loaded.graph;
    loaded.print(&mut screen)?;
    machine.print(&mut screen)?;
    let there = LoadedGraph::new(&device, graph)?;
    let measured = Plan::from(&arguments.run).on(&device).measure(
        || there.components(options),
        |found| (found.times, found.trace.clone()),
        |found| found.verify(graph),
    )?;
    let found = &measured.result;
    write(graph, found, file.as_ref())?;
    if let Some(file) = &trace_file {
        file.write(&[TracedRun { source: None, trace: &measured.trace }])?;
    }
    steps::print(&mut screen, &measured.trace, &STEPS)?;
    let count = numbers::counted(found.count.into(), "component", "components");
    screen.fact("found", format_args!("{count} ({})", found.strategy))?;
    screen.fact("largest", numbers::counted(found.largest.into(), "vertex", "vertices"))?;
    measured.runs.print(&mut screen)?;
    measured.runs.print_verdict(
        &mut screen,
        "edges join no two components, and there are as many as by union-find",
    )?;
    screen.json(&Document {
        command: "components",
        graph: loaded.facts(),
        machine,
        options,
        strategy: found.strategy,
        components: found.count,
        largest: found.largest,
        runs: &measured.runs,
        trace: &measured.trace,
    })
}

/// A component is called by its first vertex.
fn write(graph: &Graph, found: &Components, file: Option<&ResultFile>) -> Result<()> {
    let labels = &found.labels;
    if let Some(file) = file.filter(|file| file.kind() == Kind::Npy) {
        return file.write_npy(|out| npy::write(out, &[labels.len() as u64], labels));
    }
    with_rows(file, &["vertex", "component"], |rows| {
        for (vertex, &label) in (0..graph.vertices()).zip(labels) {
            let [vertex, first] = [vertex, label].map(|vertex| graph.ids().id(vertex));
            rows.write(&[vertex.into(), first.into()])?;
        }
        Ok(())
    })
}
