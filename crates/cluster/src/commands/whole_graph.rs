//! Commands that run an algorithm on a whole graph.

use equipoise_terminal::rows::Cell;
use serde::Serialize;

use super::{
    arguments::{GraphArguments, OutputArguments, RunArguments},
    device::{Device, Opened, Unit},
    failure::Result,
    ids,
    job::Job,
    load::{GraphFacts, Loaded},
    output::Destination,
    runs::{Runs, measure},
    screen::Screen,
    steps::{self, StepNames, TraceFile, TracedRun},
};
use crate::{Comm, DistGraph, Trace};

/// An algorithm on a whole graph. Its fields are its particular arguments.
pub trait GraphCommand: clap::Args + std::fmt::Debug {
    const NAME: &'static str;
    const STEPS: StepNames;
    /// The statement that the verifier proves.
    const VERIFIED: &'static str;
    /// The headings of a row: its subject and its value.
    const COLUMNS: [&'static str; 2];

    /// The options of the library.
    type Options: Serialize;
    /// The result of the library.
    type Found;
    /// The facts of the result.
    type Facts: Serialize;

    fn options(&self) -> Self::Options;

    fn find(
        comm: &dyn Comm,
        graph: &DistGraph,
        options: &Self::Options,
        unit: &Unit,
    ) -> crate::Result<Self::Found>;

    fn trace(result: &Self::Found) -> &Trace;

    fn verify(
        result: &Self::Found,
        comm: &dyn Comm,
        graph: &DistGraph,
        options: &Self::Options,
    ) -> crate::Result<()>;

    /// The value of an owned vertex.
    fn value(result: &Self::Found, vertex: u32) -> CellValue;

    /// The facts of the result on all ranks.
    fn facts(result: &Self::Found, comm: &dyn Comm, loaded: &Loaded) -> Self::Facts;

    /// Prints the result, after the trace and before the time.
    fn print(facts: &Self::Facts, screen: &mut Screen);

    /// Prints the rate, if it has a unit.
    fn print_rate(_loaded: &Loaded, _runs: &Runs, _screen: &mut Screen) {}
}

/// The value of a vertex in a row.
#[derive(Clone, Copy)]
pub enum CellValue {
    /// Another vertex, which is printed by its id.
    Vertex(u64),
    /// A number.
    Number(Cell<'static>),
}

#[derive(Debug, clap::Args)]
pub struct Arguments<C: GraphCommand> {
    #[command(flatten)]
    graph: GraphArguments,
    #[command(flatten, next_help_heading = "Algorithm")]
    command: C,
    #[command(flatten)]
    run: RunArguments,
    #[command(flatten)]
    output: OutputArguments,
}

#[derive(Serialize)]
struct Document<'a, O, F> {
    command: &'static str,
    graph: GraphFacts<'a>,
    device: Device,
    ranks: usize,
    threads: usize,
    options: &'a O,
    #[serde(flatten)]
    result: &'a F,
    runs: &'a Runs,
    trace: &'a TracedRun,
}

impl<C: GraphCommand> Arguments<C> {
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
        loaded.print(&mut screen);
        opened.print(job, &mut screen);
        let options = self.command.options();
        let measured = measure(
            job,
            &self.run,
            || C::find(comm, &loaded.graph, &options, &opened.unit),
            C::trace,
            |result| C::verify(result, comm, &loaded.graph, &options),
            C::VERIFIED,
        )?;
        write::<C>(job, &destination, &loaded, &measured.result)?;
        let trace = TracedRun::of(&measured.trace);
        trace_file.write(comm, &[&trace])?;
        let facts = C::facts(&measured.result, comm, &loaded);
        steps::print(&mut screen, &measured.trace, &C::STEPS);
        C::print(&facts, &mut screen);
        measured.runs.print(&measured.trace, &mut screen);
        C::print_rate(&loaded, &measured.runs, &mut screen);
        measured.runs.print_verdict(&mut screen);
        screen.json(&Document {
            command: C::NAME,
            graph: loaded.facts(),
            device: self.run.device,
            ranks: comm.size(),
            threads: job.threads,
            options: &options,
            result: &facts,
            runs: &measured.runs,
            trace: &trace,
        });
        screen.finish()
    }
}

/// Writes the value of each vertex if rows are wanted.
fn write<C: GraphCommand>(
    job: &Job,
    destination: &Destination,
    loaded: &Loaded,
    result: &C::Found,
) -> Result<()> {
    let (comm, partition) = (job.comm, &loaded.graph.partition);
    destination.write(comm, C::NAME, &C::COLUMNS, |rows| {
        if !rows.wanted() {
            return Ok(());
        }
        comm.enter("writing");
        let first = partition.range(comm.rank()).start;
        let named = (0..loaded.graph.owned()).filter_map(|vertex| match C::value(result, vertex) {
            CellValue::Vertex(vertex) => Some(vertex),
            CellValue::Number(_) => None,
        });
        let named: Vec<u64> = named.collect();
        let ids = ids::of_many(comm, &loaded.ids, partition, &named);
        rows.write(partition, |vertex| {
            let value = match C::value(result, (vertex - first) as u32) {
                CellValue::Vertex(vertex) => ids.cell(&loaded.ids, vertex),
                CellValue::Number(cell) => cell,
            };
            vec![ids::cell(&loaded.ids, vertex), value]
        });
        Ok(())
    })
}
