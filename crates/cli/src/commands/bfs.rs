//! `equipoise bfs`: breadth-first search.

use std::sync::Arc;

use equipoise::{
    Distances, LoadedGraph, NONE, Trace,
    bfs::{Bfs, BfsOptions, BfsSearch},
    device::OpenDevice,
    graph::Graph,
    select::Model,
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
    levels,
    load::{self, GraphFacts},
    machine::{Machine, limit_memory},
    measure::{Copied, Plan, Runs},
    output::{ResultFile, with_rows},
    plan_file,
    rows::{Cell, Rows},
    screen::{Screen, ScreenArguments},
    search::{self, Search, Target, Wording, copied},
    sources::{SourceArguments, vertex},
    steps::StepNames,
    trace_file::TraceFile,
};

const EXAMPLE: &str = "\
Examples:
  equipoise bfs rmat:scale=18
  equipoise bfs roads.mtx.xz --undirected --source 1 --target 99 -o levels.tsv
  equipoise bfs rmat:scale=18 --device cuda --strategy merge-path --repeat 5";

const WORDING: Wording = Wording {
    steps: StepNames { index: "level", strategy: "strategy", frontier: "frontier", found: "found" },
    verified: "levels and parents keep every rule of a breadth-first search",
    on_device: false,
};

/// Breadth-first search: the least number of edges from a source to each vertex
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    #[command(flatten)]
    graph: GraphArguments,
    #[command(flatten, next_help_heading = "Algorithm")]
    options: BfsOptions,
    /// Stop once the vertex that the input calls ID is found, and print the path to it
    #[arg(long, value_name = "ID")]
    target: Option<String>,
    #[command(flatten)]
    sources: SourceArguments,
    /// Search from all sources in one pass, 32 at a time; each search reports the batch's time
    #[arg(long, help_heading = "Algorithm", conflicts_with_all = ["target", "plan", "model"])]
    batch: bool,
    /// On a GPU: take the strategy of each level from FILE, with lines such as `3 node`, or a trace
    #[arg(long, value_name = "FILE", help_heading = "Algorithm")]
    plan: Option<InputFile>,
    /// On a GPU: let the model in FILE choose the strategy of each level; the host sees every frontier
    #[arg(long, value_name = "FILE", help_heading = "Algorithm", conflicts_with_all = ["plan", "strategy"])]
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
    options: &'a BfsOptions,
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
    let may_stop_early = arguments.target.is_some() || arguments.options.max_depth.is_some();
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
        |loaded| Ok(Job::bfs(&loaded.graph, runs)),
    )?;
    limit_memory(arguments.memory.memory_limit, &device);
    let graph = &loaded.graph;
    let sources = arguments.sources.choose(graph)?;
    let target = arguments.target.as_deref().map(|id| vertex(graph, id)).transpose()?;
    let plan = arguments.plan.as_ref().map(plan_file::read).transpose()?;
    let model = arguments.model.as_deref().map(Model::read).transpose()?.map(Arc::new);
    let options = BfsOptions { target, plan, model, ..arguments.options };

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
    let header = sources.header(&["vertex", "level", "parent"]);
    let mut array = SearchArray::of(file.as_ref(), graph, sources.vertices.len())?;
    let searches = with_rows(file.as_ref(), &header, |rows| {
        let mut searches = Vec::new();
        let in_pass = if arguments.batch && matches!(device, OpenDevice::Gpu(_)) {
            LoadedGraph::BATCH
        } else {
            1
        };
        for batch in sources.vertices.chunks(in_pass) {
            let measured = plan.measure(
                || match batch {
                    [source] if in_pass == 1 => {
                        let search = there.bfs(*source, &options)?;
                        search.copy()?;
                        Ok(vec![search])
                    }
                    several => {
                        let all = there.bfs_batch(several, &options)?.into_iter();
                        Ok(all.map(|bfs| BfsSearch::on_host(graph, bfs)).collect())
                    }
                },
                |all| all.first().map(|bfs| (bfs.times(), bfs.trace().clone())).unwrap_or_default(),
                |all| {
                    all.iter().try_for_each(|bfs| match on_device {
                        true => bfs.verify(&options),
                        false => bfs.verify_on_host(&options),
                    })
                },
            )?;
            let in_pass = measured.result.len() as u32;
            let copied = copied(&there);
            for bfs in measured.result {
                let bfs = &bfs.download()?;
                let (runs, trace) = (measured.runs.clone(), measured.trace.clone());
                // Going over all vertices takes longer than the search.
                let levels = match screen.tells_each(sources.are_several()) {
                    true => levels::of(graph, bfs, &trace),
                    false => Vec::new(),
                };
                let summary = summary(graph, bfs, &options, runs, trace);
                let search = Search { in_pass, copied, levels, ..summary };
                write_rows(graph, bfs, sources.are_several(), search.complete, rows)?;
                if let Some(array) = &mut array {
                    array.push(&Distances::U32(bfs.levels.clone()))?;
                }
                searches.push(search);
            }
        }
        Ok(searches)
    })?;
    array.map_or(Ok(()), SearchArray::write)?;
    if let Some(file) = &trace_file {
        search::write_traces(&searches, file)?;
    }
    search::print(&searches, graph, &WORDING.checked_on_device(on_device), &mut screen)?;
    screen.json(&Document {
        command: "bfs",
        graph: loaded.facts(),
        machine,
        // The target is told by its id, with each search.
        options: &BfsOptions { target: None, ..options.clone() },
        strategy: options.strategy,
        policy: arguments.model,
        searches: &searches,
    })
}

fn summary(graph: &Graph, bfs: &Bfs, options: &BfsOptions, runs: Runs, trace: Trace) -> Search {
    let may_stop_early = options.target.is_some() || options.max_depth.is_some();
    let traversed = |vertex: u32| bfs.levels[vertex as usize] != NONE;
    Search {
        source: Id::of(graph, bfs.source),
        reached: bfs.reached,
        depth: Some(bfs.depth),
        delta: None,
        complete: bfs.complete,
        traversed_edges: (!may_stop_early).then(|| edges::count(graph, traversed)),
        target: options.target.map(|target| found(graph, bfs, target)),
        in_pass: 1,
        copied: Copied::default(),
        runs,
        levels: Vec::new(),
        trace,
    }
}

fn found(graph: &Graph, bfs: &Bfs, target: u32) -> Target {
    let path = bfs.path_to(target);
    Target {
        id: Id::of(graph, target),
        distance: path.as_ref().map(|path| (path.len() - 1) as f64),
        path: path.map(|path| path.into_iter().map(|vertex| Id::of(graph, vertex)).collect()),
    }
}

/// Rows of all vertices; of a search that stopped early, of those that it reached.
fn write_rows(
    graph: &Graph,
    bfs: &Bfs,
    several: bool,
    complete: bool,
    rows: &mut Rows,
) -> Result<()> {
    if !rows.wanted() {
        return Ok(());
    }
    let ids = graph.ids();
    for vertex in 0..graph.vertices() {
        let (level, parent) = (bfs.levels[vertex as usize], bfs.parents[vertex as usize]);
        if level == NONE && !complete {
            continue;
        }
        let row = [
            ids.id(bfs.source).into(),
            ids.id(vertex).into(),
            if level == NONE { Cell::Missing } else { Cell::Whole(level.into()) },
            if parent == NONE { Cell::Missing } else { ids.id(parent).into() },
        ];
        rows.write(if several { &row } else { &row[1..] })?;
    }
    Ok(())
}
