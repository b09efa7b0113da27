//! `equipoise color`: vertex coloring.

use equipoise::{ColorOptions, ColorStrategy, Trace, color};
use serde::Serialize;

use crate::{
    arguments::{GraphArguments, OutputArgument, RunArguments, TraceArgument},
    failure::Result,
    load::{self, GraphFacts},
    machine::Machine,
    measure::{Plan, Runs},
    output::{ResultFile, with_rows},
    rows::Cell,
    screen::{Screen, ScreenArguments},
    steps::{self, StepNames},
    trace_file::{TraceFile, TracedRun},
};

const EXAMPLE: &str = "\
Examples:
  equipoise color rmat:scale=16
  equipoise color roads.gr --strategy greedy -o colors.csv";

const STEPS: StepNames =
    StepNames { index: "round", strategy: "order", frontier: "uncolored", found: "colored" };

/// Color the vertices so that no two neighbours have the same color
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    #[command(flatten)]
    graph: GraphArguments,
    #[command(flatten, next_help_heading = "Algorithm")]
    options: ColorOptions,
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
    options: &'a ColorOptions,
    strategy: ColorStrategy,
    colors: u32,
    runs: &'a Runs,
    trace: &'a Trace,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let file = ResultFile::of_rows(&arguments.output.output)?;
    let trace_file = TraceFile::of(&arguments.trace.trace)?;
    let machine = Machine::start(&arguments.run)?;
    let loaded = load::graph(&arguments.graph, &mut screen)?;
    let graph = &loaded.graph;
    loaded.print(&mut screen)?;
    machine.print(&mut screen)?;

    let measured = Plan::from(&arguments.run).measure(
        || color(graph, &arguments.options),
        |coloring| (coloring.times, coloring.trace.clone()),
        |coloring| coloring.verify(graph),
    )?;
    let coloring = &measured.result;
    with_rows(file.as_ref(), &["vertex", "color"], |rows| {
        for (vertex, &color) in (0..graph.vertices()).zip(&coloring.colors) {
            let row = [Cell::Whole(graph.ids().id(vertex)), Cell::Whole(color.into())];
            rows.write(&row)?;
        }
        Ok(())
    })?;
    if let Some(file) = &trace_file {
        file.write(&[TracedRun { source: None, trace: &measured.trace }])?;
    }

    steps::print(&mut screen, &measured.trace, &STEPS)?;
    screen.fact("colors", format_args!("{} ({})", coloring.count, coloring.strategy))?;
    measured.runs.print(&mut screen)?;
    measured.runs.print_verdict(&mut screen, "no edge joins two vertices of one color")?;
    screen.json(&Document {
        command: "color",
        graph: loaded.facts(),
        machine,
        options: &arguments.options,
        strategy: coloring.strategy,
        colors: coloring.count,
        runs: &measured.runs,
        trace: &measured.trace,
    })
}
