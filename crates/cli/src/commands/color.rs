//! `equipoise color`: vertex coloring.

use std::sync::Arc;

use equipoise::{
    LoadedGraph, Trace,
    color::{ColorOptions, ColorStrategy, ColorSwitch, Coloring, QueuePass, QueueUse},
    graph::Graph,
    select::Model,
};
use serde::Serialize;

use crate::{
    arguments::{
        GraphArguments, MOST_REPEATS, MemoryArgument, OutputArgument, RunArguments, TraceArgument,
        whole,
    },
    choice::Job,
    columns::{self, Column, Values},
    commands::color_sweep,
    failure::Result,
    files::{InputFile, OutputFile},
    load::{self, GraphFacts},
    machine::{Machine, limit_memory},
    measure::{Plan, Report, Runs},
    numbers,
    output::{ResultFile, with_rows},
    rows::Cell,
    screen::{Screen, ScreenArguments},
    steps::{self, StepNames},
    trace_file::{TraceFile, TracedRun},
};

const EXAMPLE: &str = "\
Examples:
  equipoise color rmat:scale=16
  equipoise color roads.gr --strategy greedy --device cpu -o colors.csv
  equipoise color rmat:scale=18 --device cuda --strategy work-stealing --queues 16
  equipoise color friends.mtx --strategy hybrid --switch-sweep 12 --repeat 5";

const STEPS: StepNames =
    StepNames { index: "iteration", strategy: "order", frontier: "uncolored", found: "colored" };

/// Color the vertices so that no two neighbours have the same color
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    #[command(flatten)]
    graph: GraphArguments,
    #[command(flatten, next_help_heading = "Algorithm")]
    options: ColorOptions,
    /// Let the model in FILE choose the strategy, whatever it is that `auto` prefers
    #[arg(long, value_name = "FILE", help_heading = "Algorithm", conflicts_with_all = ["strategy", "prefer", "schedule", "switch", "switch_sweep"])]
    model: Option<InputFile>,
    /// Hybrid: let the model in FILE say when to go over from degrees to random numbers
    #[arg(long, value_name = "FILE", help_heading = "Algorithm", conflicts_with_all = ["switch", "switch_sweep", "model"])]
    switch_model: Option<InputFile>,
    /// Run hybrid with every switch after 0 to K iterations, and print time and colors of each
    #[arg(long, value_name = "K", help_heading = "Algorithm", value_parser = whole::<0, MOST_REPEATS>)]
    switch_sweep: Option<u32>,
    #[command(flatten)]
    memory: MemoryArgument,
    #[command(flatten)]
    run: RunArguments,
    #[command(flatten)]
    output: OutputArgument,
    /// Write how many uncolored vertices of which degrees each iteration had to FILE
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    active_degrees: Option<OutputFile>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<&'a InputFile>,
    colors: u32,
    iterations: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    queues: Option<&'a QueueUse>,
    runs: &'a Runs,
    trace: &'a Trace,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let file = ResultFile::of_array(&arguments.output.output)?;
    let degrees_file = ResultFile::of_rows(&arguments.active_degrees)?;
    let trace_file = TraceFile::of(&arguments.trace.trace)?;
    let is_plain = arguments.options.strategy == ColorStrategy::Auto
        && arguments.options.schedule.is_none()
        && arguments.memory.memory_limit.is_none()
        && arguments.model.is_none()
        && arguments.switch_model.is_none()
        && arguments.switch_sweep.is_none();
    let runs = arguments.run.count();
    let (machine, device, loaded) = Machine::open_for(
        &arguments.run,
        is_plain,
        || load::graph(&arguments.graph, &mut screen),
        |loaded| Ok(Job::color(&loaded.graph, runs)),
    )?;
    limit_memory(arguments.memory.memory_limit, &device);
    let graph = &loaded.graph;
    loaded.print(&mut screen)?;
    machine.print(&mut screen)?;
    let policy = arguments.model.as_ref().or(arguments.switch_model.as_ref());
    if let Some(path) = policy {
        screen.fact("policy", path)?;
    }
    let options = options(&arguments)?;
    let plan = Plan::from(&arguments.run).on(&device);
    let there = LoadedGraph::new(&device, graph)?;
    if let Some(last) = arguments.switch_sweep {
        let sweep = color_sweep::Sweep { options: &options, last, there: &there };
        return sweep.run(&plan, &mut screen);
    }

    let measured = plan.measure(
        || there.color(&options),
        |coloring| (coloring.times, coloring.trace.clone()),
        |coloring| coloring.verify(graph),
    )?;
    let coloring = &measured.result;
    write(graph, coloring, file.as_ref())?;
    write_degrees(graph, coloring, degrees_file.as_ref())?;
    if let Some(file) = &trace_file {
        file.write(&[TracedRun { source: None, trace: &measured.trace }])?;
    }

    steps::print(&mut screen, &measured.trace, &STEPS)?;
    let iterations = measured.trace.steps.len();
    let (count, strategy) = (coloring.count, coloring.strategy);
    let in_all = numbers::counted(iterations as u64, "iteration", "iterations");
    screen.fact("colors", format_args!("{count} ({strategy}), in {in_all}"))?;
    if let Some(queues) = &coloring.queues {
        print_queues(&mut screen, queues)?;
    }
    measured.runs.print(&mut screen)?;
    measured.runs.print_verdict(&mut screen, "no edge joins two vertices of one color")?;
    screen.json(&Document {
        command: "color",
        graph: loaded.facts(),
        machine,
        options: &options,
        strategy: coloring.strategy,
        policy,
        colors: coloring.count,
        iterations,
        queues: coloring.queues.as_ref(),
        runs: &measured.runs,
        trace: &measured.trace,
    })
}

/// The options, with the models that were named.
fn options(arguments: &Arguments) -> Result<ColorOptions> {
    let model = arguments.model.as_deref().map(Model::read).transpose()?.map(Arc::new);
    let switch = match &arguments.switch_model {
        Some(path) => ColorSwitch::learned(&Model::read(path)?)?,
        None => arguments.options.switch.clone(),
    };
    Ok(ColorOptions { model, switch, ..arguments.options.clone() })
}

fn write(graph: &Graph, coloring: &Coloring, file: Option<&ResultFile>) -> Result<()> {
    let values = Values::U32(&coloring.colors);
    columns::write(graph, file, &[Column { name: "color", values }])
}

fn write_degrees(graph: &Graph, coloring: &Coloring, file: Option<&ResultFile>) -> Result<()> {
    if file.is_none() {
        return Ok(());
    }
    let active = coloring.active_degrees(graph)?;
    with_rows(file, &["iteration", "least_degree", "most_degree", "vertices"], |rows| {
        for degrees in &active {
            let numbers = [degrees.iteration.into(), degrees.least, degrees.most, degrees.vertices];
            rows.write(&numbers.map(Cell::Whole))?;
        }
        Ok(())
    })
}

/// What the paper's Table I says of the queues.
fn print_queues(screen: &mut Screen, queues: &QueueUse) -> Result<()> {
    let all = QueuePass::of(&queues.consumed, queues.stolen);
    screen.fact("queues", format_args!("{}: {}", queues.consumed.len(), consumed(&all)))?;
    if let Some(first) = queues.passes.first() {
        screen.fact("first pass", consumed(first))?;
    }
    match queues.stolen_within {
        0 => Ok(()),
        count => screen.fact("in cubes", format_args!("{count} vertices stolen by other units")),
    }
}

fn consumed(pass: &QueuePass) -> String {
    let QueuePass { max, min, mean, deviation, stolen } = pass;
    format!(
        "elements consumed at most {max}, at least {min}, on average {mean:.1} (σ {deviation:.2}), \
         {stolen} stolen"
    )
}
