//! `equipoise sssp`: shortest paths from one source.

use std::sync::Arc;

use equipoise::{
    LoadedGraph, NONE,
    graph::Graph,
    select::Model,
    sssp::{Sssp, SsspOptions},
    traversal::Strategy,
};
use serde::Serialize;

use crate::{
    arguments::{
        GraphArguments, MemoryArgument, OutputArgument, RunArguments, TraceArgument,
        ValidateArgument,
    },
    arrays::SearchArray,
    choice::Job,
    edges,
    failure::Result,
    files::InputFile,
    ids::Id,
    load::{self, GraphFacts},
    machine::{Machine, limit_memory},
    measure::Plan,
    output::{ResultFile, with_rows},
    plan_file,
    rows::{Cell, Rows},
    screen::{Screen, ScreenArguments},
    search::{self, Search, Target, Wording},
    sources::{SourceArguments, vertex},
    steps::StepNames,
    trace_file::TraceFile,
};

const EXAMPLE: &str = "\
Examples:
  equipoise sssp grid:width=500,height=500,weights=1..1000
  equipoise sssp roads.gr.gz --source 1 --target 99 -o distances.tsv";

const WORDING: Wording = Wording {
    steps: StepNames {
        index: "bucket",
        strategy: "strategy",
        frontier: "frontier",
        found: "improved",
    },
    verified: "distances and predecessors keep every rule of shortest paths",
    on_device: false,
};

/// Shortest paths from a source to each vertex; without weights, each edge counts 1
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    #[command(flatten)]
    graph: GraphArguments,
    #[command(flatten, next_help_heading = "Algorithm")]
    options: SsspOptions,
    /// Stop once the vertex that the input calls ID is settled, and print the path to it
    #[arg(long, value_name = "ID")]
    target: Option<String>,
    #[command(flatten)]
    sources: SourceArguments,
    /// On a GPU: take the strategy of each iteration from FILE, with lines such as `3 node`, or a trace
    #[arg(long, value_name = "FILE", help_heading = "Algorithm")]
    plan: Option<InputFile>,
    /// Let the model in FILE choose the strategy and its width
    #[arg(long, value_name = "FILE", help_heading = "Algorithm", conflicts_with_all = ["plan", "strategy", "delta", "adaptive"])]
    model: Option<InputFile>,
    #[command(flatten)]
    memory: MemoryArgument,
    #[command(flatten)]
    run: RunArguments,
    #[command(flatten)]
    validate: ValidateArgument,
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
    options: &'a SsspOptions,
    strategy: Strategy,
    #[serde(skip_serializing_if = "Option::is_none")]
    policy: Option<InputFile>,
    searches: &'a [Search],
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let file = ResultFile::of_array(&arguments.output.output)?;
    let trace_file = TraceFile::of(&arguments.trace.trace)?;
    let may_stop_early = arguments.target.is_some();
    file.as_ref().map_or(Ok(()), |file| file.check_whole(may_stop_early))?;
    let is_plain = arguments.options.strategy == Strategy::Auto
        && arguments.plan.is_none()
        && arguments.model.is_none()
        && arguments.memory.memory_limit.is_none();
    let runs = arguments.sources.count() * arguments.run.count();
    let (machine, device, loaded) = Machine::open_for(
        &arguments.run,
        is_plain,
        || load::graph(&arguments.graph, &mut screen),
        |loaded| Ok(Job::sssp(&loaded.graph, runs)),
    )?;
    limit_memory(arguments.memory.memory_limit, &device);
    let graph = &loaded.graph;
    let sources = arguments.sources.choose(graph)?;
    let target = arguments.target.as_deref().map(|id| vertex(graph, id)).transpose()?;
    let plan = arguments.plan.as_ref().map(plan_file::read).transpose()?;
    let model = arguments.model.as_deref().map(Model::read).transpose()?.map(Arc::new);
    let options = SsspOptions { target, plan, model, ..arguments.options };

    loaded.print(&mut screen)?;
    machine.print(&mut screen)?;
    sources.print(graph, &mut screen)?;
    if let Some(path) = &arguments.model {
        screen.fact("policy", path)?;
    }
    search::print_most_edges(&options.gpu, options.strategy.name(), graph, &mut screen)?;

    let there = LoadedGraph::new(&device, graph)?;
    let on_device = arguments.validate.is_on_device(&there);
    let plan = Plan::from(&arguments.run).on(&device);
    let header = sources.header(&["vertex", "distance", "predecessor"]);
    let mut array = SearchArray::of(file.as_ref(), graph, sources.vertices.len())?;
    let searches = with_rows(file.as_ref(), &header, |rows| {
        let searches = sources.vertices.iter().map(|&source| {
            let measured = plan.measure(
                || {
                    let search = there.sssp(source, &options)?;
                    search.copy()?;
                    Ok(search)
                },
                |sssp| (sssp.times(), sssp.trace().clone()),
                |sssp| match on_device {
                    true => sssp.verify(&options),
                    false => sssp.verify_on_host(&options),
                },
            )?;
            let result = &measured.result.download()?;
            let reached = |vertex: u32| result.distances.get(vertex as usize).is_some();
            write_rows(graph, result, sources.are_several(), result.complete, rows)?;
            if let Some(array) = &mut array {
                array.push(&result.distances)?;
            }
            Ok(Search {
                source: Id::of(graph, source),
                reached: result.reached,
                depth: None,
                delta: result.delta,
                complete: result.complete,
                traversed_edges: (!may_stop_early).then(|| edges::count(graph, reached)),
                target: target.map(|target| found(graph, result, target)),
                in_pass: 1,
                copied: search::copied(&there),
                runs: measured.runs,
                levels: Vec::new(),
                trace: measured.trace,
            })
        });
        searches.collect::<Result<Vec<_>>>()
    })?;
    array.map_or(Ok(()), SearchArray::write)?;
    if let Some(file) = &trace_file {
        search::write_traces(&searches, file)?;
    }
    search::print(&searches, graph, &WORDING.checked_on_device(on_device), &mut screen)?;
    screen.json(&Document {
        command: "sssp",
        graph: loaded.facts(),
        machine,
        // The target is told by its id, with each search.
        options: &SsspOptions { target: None, ..options.clone() },
        strategy: options.strategy,
        policy: arguments.model,
        searches: &searches,
    })
}

fn found(graph: &Graph, sssp: &Sssp, target: u32) -> Target {
    let path = sssp.path_to(target);
    Target {
        id: Id::of(graph, target),
        distance: sssp.distances.get(target as usize).filter(|_| path.is_some()),
        path: path.map(|path| path.into_iter().map(|vertex| Id::of(graph, vertex)).collect()),
    }
}

/// Rows of all vertices; of a search that stopped early, of those that it reached.
fn write_rows(
    graph: &Graph,
    sssp: &Sssp,
    several: bool,
    complete: bool,
    rows: &mut Rows,
) -> Result<()> {
    if !rows.wanted() {
        return Ok(());
    }
    let ids = graph.ids();
    for vertex in 0..graph.vertices() {
        let predecessor = sssp.predecessors[vertex as usize];
        if predecessor == NONE && !complete {
            continue;
        }
        let row = [
            ids.id(sssp.source).into(),
            ids.id(vertex).into(),
            Cell::distance(&sssp.distances, vertex as usize),
            if predecessor == NONE { Cell::Missing } else { ids.id(predecessor).into() },
        ];
        rows.write(if several { &row } else { &row[1..] })?;
    }
    Ok(())
}
