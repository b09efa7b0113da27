//! `equipoise apsp`: shortest paths between all pairs of vertices.

use equipoise::{Apsp, ApspOptions, ApspStrategy, Distances, Trace, apsp_on, graph::Graph};
use serde::Serialize;

use crate::{
    arguments::{GraphArguments, OutputArgument, RunArguments},
    failure::Result,
    load::{self, GraphFacts},
    machine::{Machine, limit_memory},
    measure::{Plan, Runs},
    numbers,
    output::{Kind, ResultFile, with_rows},
    rows::Cell,
    screen::{Screen, ScreenArguments},
};

const EXAMPLE: &str = "\
Examples:
  equipoise apsp er:n=1000,m=8000
  equipoise apsp er:n=16384,m=200000,weights=1..99 --device cuda --strategy blocked
  equipoise apsp roads.gr -o distances.npy";

const VERIFIED: &str =
    "against another algorithm: every pair up to 256 vertices, a sample of rows above";

/// Shortest paths between all pairs of vertices
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    #[command(flatten)]
    graph: GraphArguments,
    #[command(flatten, next_help_heading = "Algorithm")]
    options: ApspOptions,
    #[command(flatten)]
    run: RunArguments,
    #[command(flatten)]
    output: OutputArgument,
    #[command(flatten)]
    screen: ScreenArguments,
}

#[derive(Serialize)]
struct Document<'a> {
    command: &'static str,
    graph: GraphFacts<'a>,
    #[serde(flatten)]
    machine: Machine,
    options: &'a ApspOptions,
    strategy: ApspStrategy,
    distance_type: &'static str,
    reachable_pairs: u64,
    runs: &'a Runs,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let file = ResultFile::of_array(&arguments.output.output)?;
    let (machine, device) = Machine::open(&arguments.run)?;
    limit_memory(arguments.options.memory_limit, &device);
    let loaded = load::graph(&arguments.graph, &mut screen)?;
    let graph = &loaded.graph;
    loaded.print(&mut screen)?;
    machine.print(&mut screen)?;

    let measured = Plan::from(&arguments.run).on(&device).measure(
        || apsp_on(&device, graph, &arguments.options),
        |apsp| (apsp.times, Trace::default()),
        |apsp| apsp.verify(graph),
    )?;
    let result = &measured.result;
    write(graph, result, file.as_ref())?;

    let pairs = u64::from(result.vertices).pow(2);
    let reachable = reachable(&result.distances);
    let distance_type = type_name(&result.distances);
    let (some, all) = (numbers::count(reachable), numbers::count(pairs));
    screen.fact("distances", format_args!("{some} of {all} pairs, as {distance_type}"))?;
    screen.fact("strategy", result.strategy)?;
    measured.runs.print(&mut screen)?;
    measured.runs.print_verdict(&mut screen, VERIFIED)?;
    screen.json(&Document {
        command: "apsp",
        graph: loaded.facts(),
        machine,
        options: &arguments.options,
        strategy: result.strategy,
        distance_type,
        reachable_pairs: reachable,
        runs: &measured.runs,
    })
}

fn write(graph: &Graph, apsp: &Apsp, file: Option<&ResultFile>) -> Result<()> {
    match file {
        Some(file) if file.kind() == Kind::Npy => file.write_npy(|out| apsp.write_npy(out)),
        file => with_rows(file, &["source", "target", "distance"], |rows| {
            if !rows.wanted() {
                return Ok(());
            }
            let vertices = 0..graph.vertices();
            let pairs = vertices.clone().flat_map(|s| vertices.clone().map(move |t| (s, t)));
            for (index, (source, target)) in pairs.enumerate() {
                let ids = graph.ids();
                let (source, target) = (Cell::Whole(ids.id(source)), Cell::Whole(ids.id(target)));
                rows.write(&[source, target, Cell::distance(&apsp.distances, index)])?;
            }
            Ok(())
        }),
    }
}

fn reachable(distances: &Distances) -> u64 {
    use rayon::prelude::*;
    let finite = (0..distances.len()).into_par_iter().filter(|&pair| distances.get(pair).is_some());
    finite.count() as u64
}

fn type_name(distances: &Distances) -> &'static str {
    match distances {
        Distances::U32(_) => "u32",
        Distances::U64(_) => "u64",
        Distances::F32(_) => "f32",
    }
}
