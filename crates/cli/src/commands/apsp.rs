//! `equipoise apsp`: shortest paths between all pairs of vertices.

use equipoise::{
    LoadedGraph, Trace,
    algorithm::Algorithm,
    apsp::{Apsp, ApspOptions, ApspOutput, ApspStrategy, PairDistances},
    graph::{Graph, io::Progress},
    named_vertex, named_vertices,
};
use serde::Serialize;

use crate::{
    arguments::{GraphArguments, MemoryArgument, OutputArgument, RunArguments},
    commands::algorithm::examples,
    failure::{Failure, Result},
    files::OutputFile,
    ids::Id,
    load::{self, GraphFacts},
    machine::{Machine, limit_memory},
    measure::{Plan, Runs},
    numbers,
    output::{Kind, ResultFile, with_rows},
    progress::Bar,
    rows::Cell,
    screen::{Screen, ScreenArguments},
    search::path_text,
    sources::most_vertices,
};

/// The arguments of the command.
#[derive(Debug, clap::Args)]
#[command(about = Apsp::SUMMARY, long_about = None, after_help = examples::<Apsp>())]
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
    path: Vec<String>,
    #[command(flatten)]
    memory: MemoryArgument,
    #[command(flatten)]
    run: RunArguments,
    #[command(flatten)]
    output: OutputArgument,
    /// Write next hops, the vertex after each on the way to each, numbered from 0, to FILE, a .npy
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

#[derive(Serialize)]
struct Path {
    source: Id,
    target: Id,
    /// Its length, if a path exists.
    distance: Option<f64>,
    /// The ids on it, both ends included.
    path: Option<Vec<Id>>,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let file = ResultFile::of_array(&arguments.output.output)?;
    let hops_file = ResultFile::of_npy(&arguments.next_hops)?;
    let is_plain = Apsp::runs_anywhere(&arguments.options);
    // The cost depends on the number of sources only. Their ids are looked up after the device is printed.
    let rows = Some(most_vertices(&arguments.source)).filter(|&rows| rows > 0);
    let expected =
        ApspOptions { sources: rows.map(|rows| vec![0; rows]), ..arguments.options.clone() };
    let (machine, device, loaded) = Machine::open_for(
        &arguments.run,
        is_plain,
        || load::graph(&arguments.graph, &mut screen),
        |loaded| Ok(Apsp::cost(&loaded.graph, &expected).times(arguments.run.count())),
    )?;
    limit_memory(arguments.memory.memory_limit, &device)?;
    let graph = &loaded.graph;
    loaded.print(&mut screen)?;
    machine.print(&mut screen)?;

    let ends = arguments.path.iter().map(|ends| two_vertices(graph, ends));
    let ends = ends.collect::<Result<Vec<_>>>()?;
    let sources = Some(named_vertices(graph, &arguments.source)?);
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
    let device_graph = LoadedGraph::new(&device, graph)?;
    let mut measured = Plan::from(&arguments.run).for_device(&device).measure(
        || device_graph.apsp_to(&options, &output),
        |apsp| (apsp.times, Trace::default()),
        |apsp| apsp.check(graph, &options),
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
    let paths: Vec<Path> = ends.iter().map(|&ends| Path::new(graph, result, ends)).collect();
    paths.iter().try_for_each(|path| path.print(&mut screen))?;
    measured.runs.print(&mut screen)?;
    measured.runs.print_verdict(&mut screen)?;
    screen.json(&Document {
        command: Apsp::NAME,
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

/// Prints the result and its strategy. Returns the number of pairs with a path.
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
    fn new(graph: &Graph, result: &Apsp, (source, target): (u32, u32)) -> Self {
        let id = |vertex| Id::new(graph, vertex);
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
                let distance = numbers::short(distance);
                screen.fact("path", format_args!("{text}, of length {distance}"))
            }
            _ => screen.fact("path", format_args!("none from {source} to {target}")),
        }
    }
}

/// Checks for two ids with a comma between them. Ids may contain commas, too.
fn two_ids(text: &str) -> Result<String, String> {
    match splits(text).next() {
        Some(_) => Ok(text.to_owned()),
        None => Err("expected the ids of two vertices, such as 3,8".into()),
    }
}

/// The non-empty texts before and after each comma.
fn splits(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let commas = text.match_indices(',');
    let ends = commas.map(|(comma, _)| (text[..comma].trim(), text[comma + 1..].trim()));
    ends.filter(|(a, b)| !a.is_empty() && !b.is_empty())
}

/// The vertices of two ids with a comma between them: the one comma that is between two ids of the
/// graph.
fn two_vertices(graph: &Graph, text: &str) -> Result<(u32, u32)> {
    let ids: Vec<(&str, &str)> = splits(text).collect();
    let known: Vec<(u32, u32)> =
        ids.iter().filter_map(|(a, b)| Some((graph.vertex(*a)?, graph.vertex(*b)?))).collect();
    match (&known[..], &ids[..]) {
        (&[ends], _) => Ok(ends),
        // The error names the id that does not exist.
        ([], &[(a, b), ..]) => Ok((named_vertex(graph, a)?, named_vertex(graph, b)?)),
        ([], []) => Err(Failure::usage(format!("--path {text}: these are not two ids"))),
        ([first, second, ..], _) => {
            let pair = |ends: &(u32, u32)| {
                let [a, b] = [ends.0, ends.1].map(|vertex| graph.ids().id(vertex));
                format!("from `{a}` to `{b}`")
            };
            Err(Failure::new(format!(
                "--path {text}: {}, or {}: the commas may be part of either id",
                pair(first),
                pair(second)
            )))
        }
    }
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
