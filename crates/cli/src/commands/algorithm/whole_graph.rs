//! Algorithms without sources: one result, which is timed, verified and written.

use equipoise::{
    LoadedGraph, Trace,
    algorithm::{Algorithm, Value},
    graph::{
        Graph,
        io::{Format, write_graph},
    },
};
use serde::{Serialize, Serializer};

use super::arguments::Arguments;
use crate::{
    columns,
    commands::{
        convert::{warn_of_losses, warn_of_new_ids},
        sweep,
    },
    failure::{Result, warn},
    files::OutputFile,
    load::{self, GraphFacts},
    machine::{Machine, limit_memory},
    measure::{Plan, Runs},
    numbers,
    output::{ResultFile, graph_format, unless_reader_left},
    screen::Screen,
    sources, steps,
    trace_file::{TraceFile, TracedRun},
};

#[derive(Serialize)]
struct Document<'a, O> {
    command: &'static str,
    graph: GraphFacts<'a>,
    #[serde(flatten)]
    machine: Machine,
    options: &'a O,
    #[serde(flatten, serialize_with = "as_map")]
    facts: &'a [(&'static str, Value)],
    runs: &'a Runs,
    trace: &'a Trace,
}

fn as_map<S: Serializer>(
    facts: &&[(&'static str, Value)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(facts.iter().map(|(name, value)| (name, value)))
}

/// Runs an algorithm.
pub fn run<A: Algorithm>(arguments: Arguments<A>) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let file = if A::HAS_ARRAY {
        ResultFile::of_array(&arguments.output.output)?
    } else {
        ResultFile::of_rows(&arguments.output.output)?
    };
    let side_file = ResultFile::of_rows(&arguments.extra.side_table)?;
    let part = arguments.extra.subgraph.as_ref().map(Part::new).transpose()?;
    let trace_file = TraceFile::new(&arguments.trace.trace)?;
    let is_plain = A::runs_anywhere(&arguments.options) && arguments.memory.memory_limit.is_none();
    let (machine, device, (loaded, options)) = Machine::open_for(
        &arguments.run,
        is_plain,
        || {
            let loaded = load::graph(&arguments.graph, &mut screen)?;
            let options = options(&arguments, &loaded.graph)?;
            Ok((loaded, options))
        },
        |(loaded, options)| Ok(A::cost(&loaded.graph, options).times(arguments.run.count())),
    )?;
    limit_memory(arguments.memory.memory_limit, &device)?;
    let graph = &loaded.graph;
    loaded.print(&mut screen)?;
    machine.print(&mut screen)?;
    for (name, text) in A::settings(&options) {
        screen.fact(name, text)?;
    }
    let plan = Plan::from(&arguments.run).for_device(&device);
    let on_device = LoadedGraph::new(&device, graph)?;
    let checks_in_place = arguments.validate.is_in_place(&on_device);
    if let Some(sweep) = A::sweep(&options)? {
        return sweep::run::<A>(&sweep, &on_device, &plan, &mut screen);
    }
    let measured = plan.measure(
        || A::find(&on_device, &options),
        |result| (result.times(), result.trace().clone()),
        |result| {
            if checks_in_place {
                result.check_in_place(&on_device, &options)
            } else {
                result.check(graph, &options)
            }
        },
    )?;
    let result = &measured.result;
    if let Some(warning) = result.warning(&options) {
        warn(&warning);
    }
    let report = result.report(graph, &options);
    let written = part.map(|part| part.write(result, graph, &options)).transpose()?;
    if let Some(table) = report.tables.last() {
        columns::write(graph, file.as_ref(), table)?;
    }
    if side_file.is_some()
        && let Some(table) = result.side_table(graph)?
    {
        columns::write(graph, side_file.as_ref(), &table)?;
    }
    if let Some(file) = &trace_file {
        file.write(&[TracedRun { source: None, trace: &measured.trace }])?;
    }
    steps::print(&mut screen, &measured.trace, &A::step_names(&options))?;
    for (name, text) in &report.lines {
        screen.fact(name, text)?;
    }
    if let Some(written) = written {
        screen.fact("written", written)?;
    }
    measured.runs.print(&mut screen)?;
    measured.runs.print_verdict(&mut screen)?;
    screen.json(&Document {
        command: A::NAME,
        graph: loaded.facts(),
        machine,
        options: &options,
        facts: &report.facts,
        runs: &measured.runs,
        trace: &measured.trace,
    })
}

/// The options for a graph, with the sources that the arguments ask for.
fn options<A: Algorithm>(arguments: &Arguments<A>, graph: &Graph) -> Result<A::Options> {
    let mut options = A::resolve(arguments.options.clone(), graph)?;
    let sample = arguments.extra.sample.as_ref();
    if let Some(count) = sample.and_then(|sample| sample.random_sources)
        && let Some(sources) = A::sources(&mut options)
    {
        let seed = sample.map_or(1, |sample| sample.seed);
        *sources = Some(sources::random(graph, count, seed)?.vertices);
    }
    Ok(options)
}

/// The file for a part of the graph.
struct Part<'a> {
    file: &'a OutputFile,
    format: Format,
}

impl<'a> Part<'a> {
    /// Fails for a file to which no graph can be written.
    fn new(file: &'a OutputFile) -> Result<Self> {
        let format = graph_format(file, None, "another ending", Format::EdgeList)?;
        Ok(Self { file, format })
    }

    /// Writes the part of a result, and returns its description.
    fn write<A: Algorithm>(
        &self,
        result: &A,
        graph: &Graph,
        options: &A::Options,
    ) -> Result<String> {
        let Some(part) = result.subgraph(graph, options) else { return Ok(String::new()) };
        let ((name, part), Self { file, format }) = (part?, self);
        unless_reader_left(file, write_graph(&part, file, Some(*format)))?;
        warn_of_losses(&part, *format)?;
        warn_of_new_ids(&part, *format);
        let vertices = numbers::counted(part.vertices().into(), "vertex", "vertices");
        Ok(format!("{file}: {name}, {vertices}"))
    }
}
