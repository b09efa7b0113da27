//! `equipoise-lab measure`: times every strategy at every step, as training data.

use std::cell::RefCell;

use equipoise::{device::Device, graph::io::descriptor};
use equipoise_cli::{
    arguments::{MemoryArgument, ThreadArguments},
    endings::{self, Packing},
    failure::{Failure, Result, warn},
    files::{Files, InputFile, InputFolder, OutputFile},
    machine::{Machine, limit_memory},
    output::check_folder,
    screen::{Screen, ScreenArguments},
    suite::{self, Entry},
    values::at_least_one,
};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::{
    experiments::measuring::{Algorithm, Measure, Request, Runs},
    learn::{Recorder, Run},
};

const EXAMPLE: &str = "\
Examples:
  equipoise-lab measure suites/bfs.txt --device cuda -o bfs-cuda.csv
  equipoise-lab measure suites/bfs.txt --data graphs --random-sources 5 --levels 50 -o bfs-cuda.csv

A suite has a line for each graph: its name, its family, and a generator's spec or a file. Stopped
and started again, a measurement goes on where it was.";

const TEMPLATE: &str = "{prefix} {wide_bar} {pos}/{len} runs, {eta} left";

/// Measure every strategy at every step of an algorithm on many graphs, to train a model
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// The list of graphs
    #[arg(value_name = "SUITE")]
    suite: InputFile,
    /// The folder of the suite's files; without it, the one of the suite
    #[arg(long, value_name = "FOLDER", help_heading = "Input")]
    data: Option<InputFolder>,
    /// Measure on this graph of the suite alone (repeatable)
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    graph: Vec<String>,
    /// What to measure
    #[arg(long, value_enum, default_value_t, help_heading = "Algorithm")]
    algorithm: Algorithm,
    /// Time these candidates alone; a table is of the same ones throughout
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Algorithm")]
    candidates: Option<Vec<String>>,
    /// Search each graph from N random vertices with an outgoing edge; from all, if fewer exist
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = at_least_one, help_heading = "Sources")]
    random_sources: u32,
    /// The seed of the random vertices
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = "Sources")]
    seed: u64,
    /// Time each strategy N times at a step, after once that does not count, and take the median
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = at_least_one, help_heading = "Run")]
    repeat: u32,
    /// Of searches with more levels than N, measure N, evenly spread
    #[arg(long, value_name = "N", value_parser = at_least_one, help_heading = "Run")]
    levels: Option<u32>,
    #[command(flatten)]
    memory: MemoryArgument,
    /// Where to run: auto is the best device, cuda:1 the second of CUDA's
    #[arg(long, default_value_t, help_heading = "Run")]
    device: Device,
    #[command(flatten)]
    threads: ThreadArguments,
    /// Append to the table FILE, a CSV
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: OutputFile,
    #[command(flatten)]
    screen: ScreenArguments,
}

#[derive(Serialize)]
struct Document {
    command: &'static str,
    algorithm: Algorithm,
    #[serde(flatten)]
    machine: Machine,
    table: OutputFile,
    candidates: Vec<String>,
    /// The numbers of runs measured now, and of those in the table.
    measured: usize,
    runs: usize,
    left_out: Vec<LeftOut>,
}

/// A graph that could not be measured, and why.
#[derive(Serialize)]
struct LeftOut {
    graph: String,
    reason: String,
}

/// Runs the command.
pub fn run(arguments: Arguments, mut files: Files) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    endings::known(&arguments.output, &["csv"], Packing::Never)?;
    check_folder(&arguments.output)?;
    if descriptor(&arguments.output).is_some() {
        let message = "a table of measurements is read before it is written: it has to be a file";
        return Err(Failure::usage(format!("{}: {message}", arguments.output)));
    }
    let graphs = requested(
        suite::read_with_files(&arguments.suite, arguments.data.as_ref(), &mut files)?,
        &arguments.graph,
    )?;
    let (machine, device) = Machine::open_device(arguments.device)?;
    limit_memory(arguments.memory.memory_limit, &device)?;
    let request = Request {
        sources: arguments.random_sources,
        seed: arguments.seed,
        repeat: arguments.repeat,
        most_steps: arguments.levels,
        candidates: arguments.candidates,
    };
    let measure = arguments.algorithm.measurement(device, &request)?;
    let schema = measure.schema();
    let recorder = Recorder::open(&arguments.output, &schema)?;
    screen.fact("suite", format_args!("{}: {} graphs", arguments.suite, graphs.len()))?;
    machine.print(&mut screen)?;
    screen.fact(
        "measured",
        format_args!("{} candidates, {} times", schema.candidates.len(), arguments.repeat),
    )?;

    if recorder.cut_off() > 0 {
        let (table, bytes) = (&arguments.output, recorder.cut_off());
        warn(&format!(
            "{table}: its last run was not finished: {bytes} bytes of it are cut off, and it is \
             measured again"
        ));
    }
    let before = recorder.complete();
    let bar = Bar::new(&graphs, &recorder, &measure.runs(), &screen);
    let device = machine.make();
    let mut measuring = Measuring { measure, recorder: RefCell::new(recorder), device, bar };
    graphs.iter().try_for_each(|entry| measuring.check(entry))?;
    let mut left_out = Vec::new();
    for entry in &graphs {
        if let Some(reason) = measuring.measure(entry)? {
            warn(&format!("{} is left out: {reason}", entry.name));
            left_out.push(LeftOut { graph: entry.name.clone(), reason });
        }
    }
    let runs = measuring.recorder.get_mut().complete();
    let measured = runs - before;
    let table = &arguments.output;
    screen.fact("table", format_args!("{table}: {runs} runs, {measured} of them new"))?;
    screen.json(&Document {
        command: "measure",
        algorithm: arguments.algorithm,
        machine,
        table: arguments.output,
        candidates: schema.candidates,
        measured,
        runs,
        left_out,
    })
}

/// The requested graphs, or all.
fn requested(graphs: Vec<Entry>, only: &[String]) -> Result<Vec<Entry>> {
    let is_known = |name: &&String| graphs.iter().any(|entry| entry.name == **name);
    if let Some(name) = only.iter().find(|name| !is_known(name)) {
        return Err(Failure::usage(format!("--graph {name}: the suite has no such graph")));
    }
    let is_wanted = |entry: &Entry| only.is_empty() || only.contains(&entry.name);
    Ok(graphs.into_iter().filter(is_wanted).collect())
}

struct Measuring {
    measure: Box<dyn Measure>,
    /// A cell, because it is read while runs are appended.
    recorder: RefCell<Recorder>,
    device: String,
    bar: Bar,
}

impl Measuring {
    /// Rejects a graph whose name the table uses for another graph, or for the same on another
    /// device.
    fn check(&self, entry: &Entry) -> Result<()> {
        Ok(self.recorder.borrow().check_origin(&entry.name, &self.origin(entry))?)
    }

    fn origin(&self, entry: &Entry) -> String {
        format!("{} on {}", entry.origin(), self.device)
    }

    /// Measures the runs that are not in the table yet; returns the reason if the graph does not
    /// fit the device.
    fn measure(&self, entry: &Entry) -> Result<Option<String>> {
        let is_wanted = |run: &str| !self.recorder.borrow().is_complete(&entry.name, run);
        if !self.measure.runs().iter().any(|run| is_wanted(run)) {
            return Ok(None);
        }
        self.bar.start(&entry.name);
        let mut record = |id: &str, steps| {
            let (graph, family) = (entry.name.clone(), entry.family.clone());
            let (id, origin) = (id.to_owned(), Some(self.origin(entry)));
            self.recorder.borrow_mut().append(&Run { graph, family, id, steps, origin })?;
            self.bar.bar.inc(1);
            Ok(())
        };
        let mut runs = Runs { is_wanted: &is_wanted, record: &mut record };
        Ok(self.measure.measure(entry, &mut runs)?)
    }
}

/// The number of finished runs, if standard error is a terminal.
struct Bar {
    bar: ProgressBar,
}

impl Bar {
    fn new(graphs: &[Entry], recorder: &Recorder, runs: &[String], screen: &Screen) -> Self {
        let left = |entry: &Entry| {
            runs.iter().filter(|run| !recorder.is_complete(&entry.name, run)).count() as u64
        };
        let bar = if screen.is_quiet() {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(graphs.iter().map(left).sum())
        };
        if let Ok(style) = ProgressStyle::with_template(TEMPLATE) {
            bar.set_style(style);
        }
        Self { bar }
    }

    fn start(&self, graph: &str) {
        self.bar.set_prefix(graph.to_owned());
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
