//! Searches from one or several sources: running, writing and printing them.

use std::time::Duration;

use equipoise_graph::numbers;
use equipoise_terminal::{
    rows::Cell,
    table::{Column, draw_shortened},
};
use serde::Serialize;

use super::{
    arguments::{GraphArguments, OutputArguments, RunArguments},
    device::{Device, Opened, Unit},
    failure::Result,
    ids::{self, Id},
    job::Job,
    load::{GraphFacts, Loaded},
    output::Destination,
    runs::{Runs, measure},
    screen::Screen,
    sources::SourceArguments,
    steps::{self, StepNames, TraceFile, TracedRun},
};
use crate::{Comm, DistGraph, NONE, Trace};

/// A search. Its fields are its particular arguments.
pub trait Search: clap::Args + std::fmt::Debug {
    const NAME: &'static str;
    const STEPS: StepNames;
    /// The statement that the verifier proves.
    const VERIFIED: &'static str;
    /// The columns of a vertex: its result and its predecessor.
    const COLUMNS: [&'static str; 2];

    /// The options of the library.
    type Options: Serialize;
    /// The result of the library.
    type Found;

    fn options(&self) -> Self::Options;

    /// The state that searches from several sources share.
    type Ready<'a>;

    fn ready<'a>(
        comm: &'a dyn Comm,
        graph: &'a DistGraph,
        options: &Self::Options,
        unit: &Unit,
    ) -> crate::Result<Self::Ready<'a>>;

    fn find(ready: &mut Self::Ready<'_>, source: u64) -> crate::Result<Self::Found>;

    fn trace(result: &Self::Found) -> &Trace;

    fn verify(
        result: &Self::Found,
        comm: &dyn Comm,
        graph: &DistGraph,
        options: &Self::Options,
    ) -> crate::Result<()>;

    /// The result of an owned vertex; missing if it was not reached.
    fn label(result: &Self::Found, vertex: u32) -> Cell<'static>;

    /// The predecessors of owned vertices, or [`NONE`].
    fn parents(result: &Self::Found) -> &[u64];

    /// The facts of a search.
    fn summary(result: &Self::Found) -> Summary;
}

/// The facts of a search.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    pub reached: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delta: Option<f64>,
}

#[derive(Debug, clap::Args)]
pub struct Arguments<S: Search> {
    #[command(flatten)]
    graph: GraphArguments,
    #[command(flatten, next_help_heading = "Algorithm")]
    search: S,
    #[command(flatten)]
    sources: SourceArguments,
    #[command(flatten)]
    run: RunArguments,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Serialize)]
struct Document<'a, O> {
    command: &'static str,
    graph: GraphFacts<'a>,
    device: Device,
    ranks: usize,
    threads: usize,
    options: &'a O,
    searches: &'a [Searched],
}

/// A finished search.
#[derive(Serialize)]
struct Searched {
    source: Id,
    #[serde(flatten)]
    summary: Summary,
    traversed_edges: u64,
    runs: Runs,
    trace: TracedRun,
    #[serde(skip)]
    steps: Trace,
}

impl<S: Search> Arguments<S> {
    /// The graph to work on.
    pub fn graph(&self) -> &GraphArguments {
        &self.graph
    }

    /// The destination of results.
    pub fn outputs(&self) -> Option<&OutputArguments> {
        Some(&self.output)
    }

    /// Runs the command.
    pub fn run(&self, job: &Job, mut screen: Screen) -> Result<()> {
        let comm = job.comm;
        let destination = Destination::of(comm, &self.graph.graph, &self.output)?;
        let trace_file = TraceFile::of(comm, self.output.trace.as_ref())?;
        let opened = Opened::of(job, self.run.device)?;
        let loaded = Loaded::of(job, &self.graph)?;
        let sources = self.sources.choose(job, &loaded)?;
        loaded.print(&mut screen);
        opened.print(job, &mut screen);
        sources.print(&mut screen);
        let options = self.search.options();
        let several = sources.are_several();
        let header = ["source", "vertex", S::COLUMNS[0], S::COLUMNS[1]];
        let header = if several { &header[..] } else { &header[1..] };
        let mut ready = S::ready(comm, &loaded.graph, &options, &opened.unit)?;
        let searches = destination.write(comm, S::NAME, header, |rows| {
            let searches = sources.vertices.iter().map(|(source, id)| {
                let measured = measure(
                    job,
                    &self.run,
                    || S::find(&mut ready, *source),
                    S::trace,
                    |result| S::verify(result, comm, &loaded.graph, &options),
                    S::VERIFIED,
                )?;
                let result = &measured.result;
                if rows.wanted() {
                    comm.enter("writing");
                    let parents = Parents::of(comm, &loaded, S::parents(result));
                    rows.write(&loaded.graph.partition, |vertex| {
                        let local =
                            (vertex - loaded.graph.partition.range(comm.rank()).start) as u32;
                        let own = ids::cell(&loaded.ids, vertex);
                        let row = [id.cell(), own, S::label(result, local), parents.cell(local)];
                        row[usize::from(!several)..].to_vec()
                    });
                }
                let is_reached = |vertex: u32| S::parents(result)[vertex as usize] != NONE;
                let traversed_edges = loaded.count_edges(job, is_reached);
                let trace =
                    TracedRun { source: Some(id.clone()), ..TracedRun::of(&measured.trace) };
                Ok(Searched {
                    source: id.clone(),
                    summary: S::summary(result),
                    traversed_edges,
                    runs: measured.runs,
                    trace,
                    steps: measured.trace,
                })
            });
            searches.collect::<Result<Vec<Searched>>>()
        })?;
        let traces: Vec<&TracedRun> = searches.iter().map(|search| &search.trace).collect();
        trace_file.write(comm, &traces)?;
        match &searches[..] {
            [only] => print_one::<S>(only, &loaded, &mut screen),
            all => print_several::<S>(all, &loaded, &mut screen),
        }
        screen.json(&Document {
            command: S::NAME,
            graph: loaded.facts(),
            device: self.run.device,
            ranks: comm.size(),
            threads: job.threads,
            options: &options,
            searches: &searches,
        });
        screen.finish()
    }
}

/// The ids of the predecessors of owned vertices.
struct Parents<'a> {
    loaded: &'a Loaded,
    parents: &'a [u64],
    result: ids::Ids,
}

impl<'a> Parents<'a> {
    fn of(comm: &dyn Comm, loaded: &'a Loaded, parents: &'a [u64]) -> Self {
        let wanted: Vec<u64> = parents.iter().copied().filter(|&parent| parent != NONE).collect();
        let result = ids::of_many(comm, &loaded.ids, &loaded.graph.partition, &wanted);
        Self { loaded, parents, result }
    }

    fn cell(&self, vertex: u32) -> Cell<'_> {
        match self.parents[vertex as usize] {
            NONE => Cell::Missing,
            parent => self.result.cell(&self.loaded.ids, parent),
        }
    }
}

fn print_one<S: Search>(search: &Searched, loaded: &Loaded, screen: &mut Screen) {
    steps::print(screen, &search.steps, &S::STEPS);
    let all = numbers::counted(loaded.graph.vertices_total(), "vertex", "vertices");
    let Summary { reached, depth, delta } = search.summary;
    screen.fact("reached", format_args!("{} of {all}", numbers::count(reached)));
    if let Some(depth) = depth {
        screen.fact("depth", depth);
    }
    if let Some(delta) = delta {
        screen.fact("delta", numbers::decimal(delta));
    }
    search.runs.print(&search.steps, screen);
    print_rate(search.traversed_edges, search.runs.time(), loaded, screen);
    search.runs.print_verdict(screen);
}

fn print_several<S: Search>(searches: &[Searched], loaded: &Loaded, screen: &mut Screen) {
    let columns =
        ["source", "reached", "depth", "steps", "sent", "time", "rate"].map(Column::Right);
    let table = draw_shortened(&columns, searches.len(), screen.is_verbose(), |index| {
        let Searched { source, summary, traversed_edges, runs, steps, .. } = &searches[index];
        vec![
            source.to_string(),
            numbers::count(summary.reached),
            summary.depth.map_or_else(|| "-".into(), |depth| depth.to_string()),
            steps.steps.len().to_string(),
            numbers::bytes(steps.bytes()),
            numbers::time(runs.time()),
            numbers::rate(*traversed_edges, runs.time(), "TEPS").unwrap_or_else(|| "-".into()),
        ]
    });
    screen.line(format_args!("\n{table}\n"));
    let Some(first) = searches.first() else { return };
    let total: Duration = searches.iter().map(|search| search.runs.time()).sum();
    let (time, count, note) = (numbers::time(total), searches.len(), first.runs.note());
    screen.fact("time", format_args!("{time} for {count} searches (each {note})"));
    print_rate(searches.iter().map(|search| search.traversed_edges).sum(), total, loaded, screen);
    let verifying = searches.iter().map(|search| search.runs.verifying()).sum();
    first.runs.clone().verified_in(verifying).print_verdict(screen);
}

fn print_rate(edges: u64, time: Duration, loaded: &Loaded, screen: &mut Screen) {
    if let Some(rate) = numbers::rate(edges, time, "TEPS").filter(|_| edges > 0) {
        screen.fact("rate", format_args!("{rate} ({})", loaded.unit()));
    }
}
