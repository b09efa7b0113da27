//! `equipoise graphalytics`: the algorithms of LDBC Graphalytics on one of its data sets.

mod job;
mod reference;
mod values;

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use equipoise::{
    LoadedGraph,
    algorithm::Verification,
    device::Device,
    graph::{
        Graph,
        io::{GraphalyticsProperties, Progress, ReadOptions, read_graph},
    },
};
use serde::Serialize;

use self::{
    job::{Job, Measured},
    reference::Comparison,
};
use crate::{
    arguments::ThreadArguments,
    edges,
    failure::{Failure, Result, warn},
    files::{GraphName, InputFolder, OutputFolder},
    load::{self, GraphFacts},
    machine::Machine,
    numbers,
    screen::{Screen, ScreenArguments},
    table::{Column, draw},
};

const EXAMPLE: &str = "\
Examples:
  equipoise graphalytics graph500-22 --device cuda
  equipoise graphalytics kgs --algorithms bfs,sssp --output results
  equipoise graphalytics example-directed --reference example-outputs --json";

const COLUMNS: [Column; 6] = [
    Column::Left("algorithm"),
    Column::Right("processing"),
    Column::Right("makespan"),
    Column::Right("EVPS"),
    Column::Left("verified"),
    Column::Left("reference"),
];

/// Run the algorithms of LDBC Graphalytics on a data set, and compare outputs with references
///
/// FOLDER has NAME.properties, NAME.v and NAME.e. The properties state the parameters of each algorithm. Outputs are compared
/// with the files NAME-BFS, NAME-PR, NAME-WCC, NAME-CDLP, NAME-LCC and NAME-SSSP, where these exist; a mismatch is a failure.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// The folder of the data set
    #[arg(value_name = "FOLDER")]
    folder: InputFolder,
    /// The data set, if the folder has several
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    name: Option<String>,
    /// The folder of the reference outputs [default: that of the data set]
    #[arg(long, value_name = "FOLDER", help_heading = "Input")]
    reference: Option<InputFolder>,
    /// Run these, separated by commas [default: those that the properties list]
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',', help_heading = "Run")]
    algorithms: Vec<Job>,
    /// The device; cuda:1 is the second of CUDA
    #[arg(long, default_value_t, help_heading = "Run")]
    device: Device,
    #[command(flatten)]
    threads: ThreadArguments,
    /// Write the outputs to files in FOLDER, called as those of the references
    #[arg(short, long, value_name = "FOLDER", help_heading = "Output")]
    output: Option<OutputFolder>,
    #[command(flatten)]
    screen: ScreenArguments,
}

#[derive(Serialize)]
struct Document<'a> {
    command: &'static str,
    data_set: &'a str,
    graph: GraphFacts<'a>,
    scale: f64,
    #[serde(flatten)]
    machine: Machine,
    algorithms: &'a [Outcome],
}

/// What is reported about one algorithm.
#[derive(Serialize)]
struct Outcome {
    algorithm: Job,
    processing_seconds: f64,
    makespan_seconds: f64,
    /// Edges and vertices per second of processing.
    evps: f64,
    verification: Verification,
    reference: Comparison,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<PathBuf>,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    let properties = properties(&arguments)?;
    let jobs = jobs(&arguments, &properties)?;
    let output = arguments.output.as_deref();
    if let Some(folder) = output {
        fs::create_dir_all(folder).map_err(|error| Failure::of_file(folder, &error))?;
    }
    let graph_name = GraphName::from(properties.path.clone());
    let load = |progress: Option<&dyn Progress>| {
        read_graph(&graph_name, &ReadOptions { progress, ..ReadOptions::default() })
    };
    let loaded = load::graph_with(&graph_name, load, &mut screen)?;
    let (machine, device) = Machine::open_device(arguments.device)?;
    loaded.print(&mut screen)?;
    machine.print(&mut screen)?;

    let graph = &loaded.graph;
    let on_device = LoadedGraph::new(&device, graph)?;
    let references = arguments.reference.as_ref().unwrap_or(&arguments.folder);
    let mut outcomes = Vec::new();
    for job in jobs {
        let file = |folder: &Path| folder.join(job.file_name(&properties));
        let written = output.map(file);
        let measured = job.measure(&on_device, &device, &properties, written.as_deref())?;
        let reference = reference::compare(graph, &measured.output, &file(references))?;
        let outcome = Outcome::new(job, measured, reference, graph, written);
        outcome.warn();
        outcomes.push(outcome);
    }
    print(&outcomes, &mut screen)?;
    screen.json(&Document {
        command: "graphalytics",
        data_set: &properties.name,
        graph: loaded.facts(),
        scale: scale(graph),
        machine,
        algorithms: &outcomes,
    })?;
    let wrong = outcomes.iter().filter(|outcome| outcome.reference.is_mismatch()).count();
    match wrong {
        0 => Ok(()),
        _ => Err(Failure::new(format!(
            "{wrong} of {} outputs do not match their references",
            outcomes.len()
        ))),
    }
}

/// The properties of the requested data set.
fn properties(arguments: &Arguments) -> Result<GraphalyticsProperties> {
    let folder = &arguments.folder;
    let path = match &arguments.name {
        Some(name) => folder.join(format!("{name}.properties")),
        None => folder.to_path_buf(),
    };
    Ok(GraphalyticsProperties::read(&path)?)
}

/// The requested algorithms, or those that the properties list, each once.
fn jobs(arguments: &Arguments, properties: &GraphalyticsProperties) -> Result<Vec<Job>> {
    let listed = || properties.algorithms.iter().map(|name| Job::named(name, properties));
    let mut jobs = match &arguments.algorithms[..] {
        [] => listed().collect::<Result<Vec<Job>>>()?,
        requested => requested.to_vec(),
    };
    jobs.sort_unstable();
    jobs.dedup();
    if jobs.is_empty() {
        let message = format!("{}: lists no algorithms", properties.path.display());
        return Err(Failure::new(message).hint("name some with --algorithms"));
    }
    Ok(jobs)
}

impl Outcome {
    fn new(
        job: Job,
        measured: Measured,
        reference: Comparison,
        graph: &Graph,
        output: Option<PathBuf>,
    ) -> Self {
        let Measured { processing, makespan, verification, note, .. } = measured;
        let processing_seconds = processing.as_secs_f64();
        Self {
            algorithm: job,
            processing_seconds,
            makespan_seconds: makespan.as_secs_f64(),
            evps: size(graph) / processing_seconds.max(f64::MIN_POSITIVE),
            verification,
            reference,
            note,
            output,
        }
    }

    /// Warns about what a reader of the table would miss.
    fn warn(&self) {
        if let Some(note) = &self.note {
            warn(&format!("{}: {note}", self.algorithm.name()));
        }
        if let Some(difference) = self.reference.difference() {
            warn(&format!("{}: {difference}", self.algorithm.name()));
        }
    }

    fn row(&self) -> Vec<String> {
        let time = |seconds: f64| numbers::time(Duration::from_secs_f64(seconds));
        vec![
            self.algorithm.name().into(),
            time(self.processing_seconds),
            time(self.makespan_seconds),
            format!("{:.3e}", self.evps),
            self.verification.verdict.name().into(),
            self.reference.name().into(),
        ]
    }
}

fn print(outcomes: &[Outcome], screen: &mut Screen) -> Result<()> {
    let rows = outcomes.iter().map(Outcome::row);
    screen.line(format_args!("\n{}", draw(&COLUMNS, rows)))?;
    for outcome in outcomes {
        if let Some(output) = &outcome.output {
            screen.fact("written", output.display())?;
        }
    }
    Ok(())
}

/// The number of vertices and edges; each undirected edge counts once.
fn size(graph: &Graph) -> f64 {
    f64::from(graph.vertices()) + edges::count(graph) as f64
}

/// The scale by which the benchmark orders data sets: the decimal logarithm of the size, rounded down to one decimal.
fn scale(graph: &Graph) -> f64 {
    (10.0 * size(graph).max(1.0).log10()).floor() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use equipoise::graph::load;

    #[test]
    fn the_scale_counts_undirected_edges_once() {
        let scale_of = |spec: &str| scale(&load(spec, &ReadOptions::default()).unwrap());
        // 50,000 vertices and 49,999 edges are just below 10⁵.
        assert_eq!(scale_of("path:n=50000"), 4.9);
        assert_eq!(scale_of("cycle:n=50000"), 5.0);
        assert_eq!(scale_of("path:n=1"), 0.0);
    }
}
