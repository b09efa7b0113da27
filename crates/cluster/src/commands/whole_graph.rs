//! What the commands have in common that run an algorithm on a whole graph: each says what is its own.

use serde::Serialize;

use super::{
    Job,
    arguments::{GraphArguments, OutputArguments, RunArguments},
    device::{Device, Opened, Unit},
    failure::Result,
    ids,
    load::{GraphFacts, Loaded},
    output::Destination,
    rows::Cell,
    runs::{Runs, measure},
    screen::Screen,
    steps::{self, StepNames, TraceFile, TracedRun},
};
use crate::{Comm, DistGraph, Trace};

/// An algorithm on a whole graph. Its fields are the arguments that it has of its own.
pub trait GraphCommand: clap::Args + std::fmt::Debug {
    const NAME: &'static str;
    const STEPS: StepNames;
    /// What holds of a result that was verified.
    const VERIFIED: &'static str;
    /// What a row is about, and what it says of that.
    const COLUMNS: [&'static str; 2];

    /// What the library is told.
    type Options: Serialize;
    /// What the library finds.
    type Found;
    /// What is told of it.
    type Facts: Serialize;

    fn options(&self) -> Self::Options;

    fn find(
        comm: &dyn Comm,
        graph: &DistGraph,
        options: &Self::Options,
        unit: &Unit,
    ) -> crate::Result<Self::Found>;

    fn trace(found: &Self::Found) -> &Trace;

    fn verify(
        found: &Self::Found,
        comm: &dyn Comm,
        graph: &DistGraph,
        options: &Self::Options,
    ) -> crate::Result<()>;

    /// The number of each owned vertex.
    fn value(found: &Self::Found, vertex: u32) -> CellValue;

    /// What all ranks know together of the result.
    fn facts(found: &Self::Found, comm: &dyn Comm, loaded: &Loaded) -> Self::Facts;

    /// Prints what was found, after the trace and before the time.
    fn print(facts: &Self::Facts, screen: &mut Screen);

    /// Prints how fast it was, where that has a unit.
    fn print_rate(_loaded: &Loaded, _runs: &Runs, _screen: &mut Screen) {}
}

/// What a row says of a vertex.
#[derive(Clone, Copy)]
pub enum CellValue {
    /// Another vertex, which is called as the input calls it.
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
    found: &'a F,
    runs: &'a Runs,
    trace: &'a TracedRun,
}

impl<C: GraphCommand> Arguments<C> {
    /// The graph to work on.
    pub fn graph(&self) -> &GraphArguments {
        &self.graph
    }

    /// Runs the command.
    pub fn run(&self, job: &Job, mut screen: Screen) -> Result<()> {
        let comm = job.comm;
        let destination = Destination::of(comm, &self.output)?;
        let trace_file = TraceFile::of(comm, self.output.trace.as_deref())?;
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
            |found| C::verify(found, comm, &loaded.graph, &options),
        )?;
        write::<C>(job, &destination, &loaded, &measured.result)?;
        let trace = TracedRun::of(&measured.trace);
        trace_file.write(comm, &[&trace])?;
        let facts = C::facts(&measured.result, comm, &loaded);
        steps::print(&mut screen, &measured.trace, &C::STEPS);
        C::print(&facts, &mut screen);
        measured.runs.print(&measured.trace, &mut screen);
        C::print_rate(&loaded, &measured.runs, &mut screen);
        measured.runs.print_verdict(&mut screen, C::VERIFIED);
        screen.json(&Document {
            command: C::NAME,
            graph: loaded.facts(),
            device: self.run.device,
            ranks: comm.size(),
            threads: job.threads,
            options: &options,
            found: &facts,
            runs: &measured.runs,
            trace: &trace,
        });
        screen.finish()
    }
}

/// Writes the number of each vertex where that is wanted.
fn write<C: GraphCommand>(
    job: &Job,
    destination: &Destination,
    loaded: &Loaded,
    found: &C::Found,
) -> Result<()> {
    let (comm, partition) = (job.comm, &loaded.graph.partition);
    destination.write(comm, C::NAME, &C::COLUMNS, |rows| {
        if !rows.wanted() {
            return Ok(());
        }
        comm.enter("writing");
        let first = partition.range(comm.rank()).start;
        let named = (0..loaded.graph.owned()).filter_map(|vertex| match C::value(found, vertex) {
            CellValue::Vertex(vertex) => Some(vertex),
            CellValue::Number(_) => None,
        });
        let named: Vec<u64> = named.collect();
        let ids = ids::of_many(comm, &loaded.ids, partition, &named);
        rows.write(partition, |vertex| {
            let value = match C::value(found, (vertex - first) as u32) {
                CellValue::Vertex(vertex) => ids.cell(&loaded.ids, vertex),
                CellValue::Number(cell) => cell,
            };
            vec![ids::cell(&loaded.ids, vertex), value]
        });
        Ok(())
    })
}
