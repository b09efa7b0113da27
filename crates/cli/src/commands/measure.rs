//! `equipoise measure`: the time of every strategy at every level, for learning.

use std::path::PathBuf;

use clap::ValueEnum;
use equipoise::{
    BfsOptions, Candidate, GraphOn, MeasureOptions, MeasuredLevel,
    device::{Device, OpenDevice},
    graph::Graph,
    graph_shape,
    select::features::{self, GraphShape},
};
use equipoise_learn::{Recorder, Run, Schema, Step};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::{
    arguments::{ThreadArguments, at_least_one},
    failure::{Failure, Result, warn},
    machine::{Machine, bytes, limit_memory},
    output::check_folder,
    screen::{Screen, ScreenArguments},
    sources,
    suite::{self, Entry},
};

const EXAMPLE: &str = "\
Examples:
  equipoise measure suites/bfs.txt --device cuda -o bfs-cuda.csv
  equipoise measure suites/bfs.txt --data graphs --sources 5 --levels 50 -o bfs-cuda.csv

A suite has a line for each graph: its name, its family, and a generator's spec or a file. Stopped
and started again, a measurement goes on where it was.";

const TEMPLATE: &str = "{prefix} {wide_bar} {pos}/{len} searches, {eta} left";

/// Measure every strategy at every level of searches of many graphs, to train a model
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// The list of graphs
    #[arg(value_name = "SUITE")]
    suite: PathBuf,
    /// The folder of the suite's files; without it, the one of the suite
    #[arg(long, value_name = "FOLDER", help_heading = "Input")]
    data: Option<PathBuf>,
    /// Measure on these graphs of the suite alone (repeatable)
    #[arg(long, value_name = "NAME", help_heading = "Input")]
    only: Vec<String>,
    /// What to measure
    #[arg(long, value_enum, default_value_t, help_heading = "Algorithm")]
    algorithm: Algorithm,
    /// Search each graph from N random vertices that have an edge; from all, if there are fewer
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = at_least_one, help_heading = "Sources")]
    sources: u32,
    /// The seed of the random vertices
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = "Sources")]
    seed: u64,
    /// Time each strategy N times at a level, after once that does not count, and take the median
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = at_least_one, help_heading = "Run")]
    repeat: u32,
    /// Of searches with more levels than N, measure N, evenly spread
    #[arg(long, value_name = "N", value_parser = at_least_one, help_heading = "Run")]
    levels: Option<u32>,
    /// Hold no more of the GPU's memory than this, such as 2GiB
    #[arg(long, value_name = "BYTES", help_heading = "Run", value_parser = bytes)]
    memory_limit: Option<u64>,
    /// Where to run: auto is the best device there is, cuda:1 the second of CUDA's
    #[arg(long, default_value_t, help_heading = "Run")]
    device: Device,
    #[command(flatten)]
    threads: ThreadArguments,
    /// Append to the table FILE, a CSV
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: PathBuf,
    #[command(flatten)]
    screen: ScreenArguments,
}

/// What can be measured.
#[derive(Clone, Copy, Debug, Default, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Algorithm {
    /// Breadth-first search: strategies at each level
    #[default]
    Bfs,
}

#[derive(Serialize)]
struct Document {
    command: &'static str,
    algorithm: Algorithm,
    #[serde(flatten)]
    machine: Machine,
    table: PathBuf,
    candidates: Vec<String>,
    /// Searches that were measured now, and those in the table.
    measured: usize,
    searches: usize,
    left_out: Vec<LeftOut>,
}

/// A graph that could not be measured.
#[derive(Serialize)]
struct LeftOut {
    graph: String,
    reason: String,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> Result<()> {
    let mut screen = Screen::new(arguments.screen);
    check_folder(&arguments.output)?;
    let graphs =
        wanted(suite::read(&arguments.suite, arguments.data.as_deref())?, &arguments.only)?;
    let (machine, device) = Machine::open_device(arguments.device, &arguments.threads)?;
    if matches!(device, OpenDevice::Cpu) {
        return Err(Failure::usage("the strategies of searches are measured on a GPU")
            .hint("`equipoise devices` lists what there is"));
    }
    limit_memory(arguments.memory_limit, &device);
    let options = MeasureOptions {
        repeat: arguments.repeat,
        most_levels: arguments.levels,
        ..MeasureOptions::default()
    };
    let candidates: Vec<String> = options.candidates.iter().map(Candidate::to_string).collect();
    let recorder = Recorder::open(&arguments.output, &Schema::new(&features::NAMES, &candidates))?;
    screen.fact("suite", format_args!("{}: {} graphs", arguments.suite.display(), graphs.len()))?;
    machine.print(&mut screen)?;
    screen.fact(
        "measured",
        format_args!("{} candidates, {} times", candidates.len(), arguments.repeat),
    )?;

    let before = recorder.complete();
    let (sources, seed) = (arguments.sources, arguments.seed);
    let bar = Bar::new(&graphs, &recorder, sources, seed, &screen);
    let mut measuring = Measuring { device, options, sources, seed, recorder, bar };
    let mut left_out = Vec::new();
    for entry in &graphs {
        if let Some(reason) = measuring.measure(entry)? {
            warn(&format!("{} is left out: {reason}", entry.name));
            left_out.push(LeftOut { graph: entry.name.clone(), reason });
        }
    }
    let searches = measuring.recorder.complete();
    let measured = searches - before;
    let table = arguments.output.display();
    screen.fact("table", format_args!("{table}: {searches} searches, {measured} of them new"))?;
    screen.json(&Document {
        command: "measure",
        algorithm: arguments.algorithm,
        machine,
        table: arguments.output,
        candidates,
        measured,
        searches,
        left_out,
    })
}

/// The graphs that were asked for, or all.
fn wanted(graphs: Vec<Entry>, only: &[String]) -> Result<Vec<Entry>> {
    let is_known = |name: &&String| graphs.iter().any(|entry| entry.name == **name);
    if let Some(name) = only.iter().find(|name| !is_known(name)) {
        return Err(Failure::usage(format!("--only {name}: the suite has no such graph")));
    }
    let is_wanted = |entry: &Entry| only.is_empty() || only.contains(&entry.name);
    Ok(graphs.into_iter().filter(is_wanted).collect())
}

/// The name of a search in the table: known before the graph is.
fn run_id(seed: u64, number: u32) -> String {
    format!("seed {seed} number {number}")
}

struct Measuring {
    device: OpenDevice,
    options: MeasureOptions,
    sources: u32,
    seed: u64,
    recorder: Recorder,
    bar: Bar,
}

impl Measuring {
    /// Measures what is not in the table yet; gives the reason where the graph does not fit the
    /// device.
    fn measure(&mut self, entry: &Entry) -> Result<Option<String>> {
        let is_complete =
            |number| self.recorder.is_complete(&entry.name, &run_id(self.seed, number));
        if (0..self.sources).all(is_complete) {
            return Ok(None);
        }
        self.bar.start(&entry.name);
        let graph = entry.load()?;
        let there = match GraphOn::upload(&self.device, &graph) {
            Ok(there) => there,
            Err(error) => return Ok(Some(error.to_string())),
        };
        let shape = graph_shape(&graph)?;
        for (source, number) in sources::up_to(&graph, self.sources, self.seed).into_iter().zip(0..)
        {
            let id = run_id(self.seed, number);
            if self.recorder.is_complete(&entry.name, &id) {
                continue;
            }
            let steps = match self.steps(&graph, &there, &shape, source) {
                Ok(steps) => steps,
                Err(equipoise::Error::Device(
                    error @ (equipoise_schedule::Error::OutOfMemory { .. }
                    | equipoise_schedule::Error::BufferTooLarge { .. }),
                )) => return Ok(Some(error.to_string())),
                Err(error) => return Err(error.into()),
            };
            let (graph, family) = (entry.name.clone(), entry.family.clone());
            self.recorder.append(&Run { graph, family, id, steps })?;
            self.bar.bar.inc(1);
        }
        Ok(None)
    }

    /// Measures a search, and verifies what it found.
    fn steps(
        &self,
        graph: &Graph,
        there: &GraphOn,
        shape: &GraphShape,
        source: u32,
    ) -> equipoise::Result<Vec<Step>> {
        let measured = there.measure_bfs(source, &self.options)?;
        measured.search.verify(graph, &BfsOptions::default())?;
        Ok(measured.levels.iter().map(|level| self.step(shape, level)).collect())
    }

    fn step(&self, shape: &GraphShape, level: &MeasuredLevel) -> Step {
        let seconds =
            |time: &Result<_, _>| time.as_ref().ok().map(std::time::Duration::as_secs_f64);
        let times = level.times.iter().map(seconds).collect();
        let mut reasons: Vec<&str> =
            level.times.iter().filter_map(|time| Some(time.as_ref().err()?.as_str())).collect();
        reasons.dedup();
        Step::new(shape.at(&level.step).to_vec(), times).because(reasons.join("; "))
    }
}

/// How many searches are done, where standard error is a terminal.
struct Bar {
    bar: ProgressBar,
}

impl Bar {
    fn new(
        graphs: &[Entry],
        recorder: &Recorder,
        sources: u32,
        seed: u64,
        screen: &Screen,
    ) -> Self {
        let left = |entry: &Entry| {
            let is_left = |&number: &u32| !recorder.is_complete(&entry.name, &run_id(seed, number));
            (0..sources).filter(is_left).count() as u64
        };
        let bar = match screen.is_quiet() {
            true => ProgressBar::hidden(),
            false => ProgressBar::new(graphs.iter().map(left).sum()),
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
