//! `equipoise apsp`: shortest paths between all pairs of vertices.

use equipoise::{
    LoadedGraph, Trace,
    apsp::{Apsp, ApspOptions, ApspOutput, ApspStrategy, PairDistances},
    graph::{Graph, io::Progress},
};
use serde::Serialize;

use crate::{
    arguments::{GraphArguments, MemoryArgument, OutputArgument, RunArguments},
    choice::Job,
    failure::Result,
    files::OutputFile,
    ids::Id,
    load::{self, GraphFacts},
    machine::Machine,
    measure::{Plan, Report, Runs},
    numbers,
    output::{Kind, ResultFile, with_rows},
    progress::Bar,
    rows::Cell,
    screen::{Screen, ScreenArguments},
    search::path_text,
    sources::{most_vertices, vertex, vertices},
};

const EXAMPLE: &str = "\
Examples:
  equipoise apsp er:n=1000,m=8000
  equipoise apsp er:n=16384,m=200000,weights=1..99 --device cuda --strategy blocked
  equipoise apsp roads.gr -o distances.npy --next-hops hops.npy
  equipoise apsp roads.gr --path 1,5
  equipoise apsp roads.gr --source 1,3 -o rows.csv";

const VERIFIED: &str =
    "against another algorithm: every pair up to 256 vertices, a sample of rows above";
const VERIFIED_WITH_HOPS: &str = "against another algorithm: every pair up to 256 vertices, a \
                                  sample of rows above, and that next hops lead there";

/// Shortest paths between all pairs of vertices
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    #[command(flatten)]
    graph: GraphArguments,
    #[command(flatten, next_help_heading = "Algorithm")]
    options: ApspOptions,
    /// Find only the row of the vertex that the input calls ID (repeatable, or several with commas)
    #[arg(long, value_name = "ID", help_heading = "Algorithm")]
    source: Vec<String>,
    /// Print a shortest path from the vertex that the input calls A to B (repeatable)
    #[arg(long, value_name = "A,B", value_parser = two_ids, help_heading = "Algorithm")]
    path: Vec<(String, String)>,
    #[command(flatten)]
    memory: MemoryArgument,
    #[command(flatten)]
    run: RunArguments,
    #[command(flatten)]
    output: OutputArgument,
    /// Write the vertex after each on the way to each, by their numbers from 0, to FILE, a .npy
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    next_hops: Option<OutputFile>,
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
    reason: &'a str,
    panels: u32,
    distance_type: &'static str,
    reachable_pairs: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    paths: Vec<Path>,
    runs: &'a Runs,
}

/// A path that was asked for.
#[derive(Serialize)]
struct Path {
    source: Id,
    target: Id,
    /// Its length; none where there is no path.
    distance: Option<f64>,
    /// The ids on it, both ends included.
    path: Option<Vec<Id>>,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let file = ResultFile::of_array(&arguments.output.output)?;
    let hops_file = ResultFile::of_npy(&arguments.next_hops)?;
    let is_plain = arguments.options.strategy == ApspStrategy::Auto;
    let rows = Some(most_vertices(&arguments.source)).filter(|&rows| rows > 0);
    let (machine, device, loaded) = Machine::open_for(
        &arguments.run,
        is_plain,
        || load::graph(&arguments.graph, &mut screen),
        |loaded| Ok(Job::apsp(&loaded.graph, rows, arguments.run.count())),
    )?;
    let graph = &loaded.graph;
    loaded.print(&mut screen)?;
    machine.print(&mut screen)?;

    let ends = arguments.path.iter().map(|(a, b)| Ok((vertex(graph, a)?, vertex(graph, b)?)));
    let ends = ends.collect::<Result<Vec<_>>>()?;
    let sources = Some(vertices(graph, &arguments.source)?);
    let options = ApspOptions {
        sources: sources.filter(|sources| !sources.is_empty()),
        memory_limit: arguments.memory.memory_limit,
        next_hops: hops_file.is_some() || !ends.is_empty(),
        ..arguments.options
    };
    let bar = Bar::of_steps(&arguments.graph.graph.text());
    let output = ApspOutput {
        distances: file.as_ref().and_then(ResultFile::mapped),
        next_hops: hops_file.as_ref().and_then(ResultFile::mapped),
        progress: (!screen.is_quiet()).then_some(&bar as &dyn Progress),
    };
    let there = LoadedGraph::new(&device, graph)?;
    let mut measured = Plan::from(&arguments.run).on(&device).measure(
        || there.apsp_to(&options, &output),
        |apsp| (apsp.times, Trace::default()),
        |apsp| apsp.verify(graph),
    )?;
    measured.result.save()?;
    let result = &measured.result;
    if output.distances.is_none() {
        write(graph, result, file.as_ref())?;
    }
    if let (Some(file), None) = (&hops_file, output.next_hops) {
        file.write_npy(|out| result.write_next_hops_npy(out))?;
    }

    let reachable = print(result, &mut screen)?;
    let paths: Vec<Path> = ends.iter().map(|&ends| Path::of(graph, result, ends)).collect();
    paths.iter().try_for_each(|path| path.print(&mut screen))?;
    measured.runs.print(&mut screen)?;
    let verified = if options.next_hops { VERIFIED_WITH_HOPS } else { VERIFIED };
    measured.runs.print_verdict(&mut screen, verified)?;
    screen.json(&Document {
        command: "apsp",
        graph: loaded.facts(),
        machine,
        options: &options,
        strategy: result.strategy,
        reason: &result.reason,
        panels: result.panels,
        distance_type: type_name(&result.distances),
        reachable_pairs: reachable,
        paths,
        runs: &measured.runs,
    })
}

/// Prints what was found and how; the number of pairs with a path.
fn print(result: &Apsp, screen: &mut Screen) -> Result<u64> {
    let reachable = reachable(&result.distances);
    let (some, all) = (numbers::count(reachable), numbers::count(result.distances.len() as u64));
    let distance_type = type_name(&result.distances);
    screen.fact("distances", format_args!("{some} of {all} pairs, as {distance_type}"))?;
    screen.fact("strategy", format_args!("{} ({})", result.strategy, result.reason))?;
    if result.panels > 1 {
        let panels = result.panels;
        screen.fact(
            "panels",
            format_args!("{panels}, as the matrix does not fit the device at once"),
        )?;
    }
    Ok(reachable)
}

impl Path {
    fn of(graph: &Graph, result: &Apsp, (source, target): (u32, u32)) -> Self {
        let id = |vertex| Id::of(graph, vertex);
        let path = result.path(source, target);
        Self {
            source: id(source),
            target: id(target),
            distance: result.distance(source, target),
            path: path.map(|path| path.into_iter().map(id).collect()),
        }
    }

    fn print(&self, screen: &mut Screen) -> Result<()> {
        let Self { source, target, distance, path } = self;
        match (distance, path) {
            (Some(distance), Some(path)) => {
                let text = path_text(path, screen.is_verbose());
                screen.fact("path", format_args!("{text}, of length {distance}"))
            }
            _ => screen.fact("path", format_args!("none from {source} to {target}")),
        }
    }
}

/// Two ids with a comma between them.
fn two_ids(text: &str) -> Result<(String, String), String> {
    let ids = text.split_once(',').map(|(a, b)| (a.trim().to_owned(), b.trim().to_owned()));
    ids.filter(|(a, b)| !a.is_empty() && !b.is_empty())
        .ok_or_else(|| "expected the ids of two vertices, such as 3,8".into())
}

fn write(graph: &Graph, apsp: &Apsp, file: Option<&ResultFile>) -> Result<()> {
    match file {
        Some(file) if file.kind() == Kind::Npy => file.write_npy(|out| apsp.write_npy(out)),
        file => with_rows(file, &["source", "target", "distance"], |rows| {
            if !rows.wanted() {
                return Ok(());
            }
            let targets = 0..graph.vertices();
            let pairs = (0..apsp.rows()).flat_map(|row| targets.clone().map(move |to| (row, to)));
            for (index, (row, target)) in pairs.enumerate() {
                let id = |vertex| Cell::from(graph.ids().id(vertex));
                let distance = Cell::pair_distance(&apsp.distances, index);
                rows.write(&[id(apsp.source(row)), id(target), distance])?;
            }
            Ok(())
        }),
    }
}

fn reachable(distances: &PairDistances) -> u64 {
    use rayon::prelude::*;
    let finite = (0..distances.len()).into_par_iter().filter(|&pair| distances.get(pair).is_some());
    finite.count() as u64
}

fn type_name(distances: &PairDistances) -> &'static str {
    match distances {
        PairDistances::U32(_) => "u32",
        PairDistances::U64(_) => "u64",
        PairDistances::F32(_) => "f32",
        PairDistances::F64(_) => "f64",
    }
}
