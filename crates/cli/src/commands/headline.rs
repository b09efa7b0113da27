//! `equipoise headline`: the time from starting the program to the answer.
//!
//! Each time is the wall-clock time of one process of this program, which reads a file, uploads the
//! graph, runs, verifies and prints. It is listed next to the time of the algorithm alone, on a
//! graph already on the device.

use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use equipoise::{
    device::{Device, OpenDevice},
    graph::{
        Graph,
        io::{ReadOptions, write_graph},
        load,
    },
};
use serde_json::Value;

use crate::{
    failure::{Failure, Result},
    files::{Files, InputFile, InputFolder},
    launcher, machine, numbers,
    progress::StepBar,
    screen::{Screen, ScreenArguments},
    suite::{self, Entry},
    table::{Column, draw},
};

const EXAMPLE: &str = "\
Examples:
  equipoise headline --device cuda
  equipoise headline suites/real.txt --data graphs --device cuda";

/// The default graphs, weighted for the searches that read weights.
const GRAPHS: [(&str, &str); 4] = [
    ("rmat20", "rmat:scale=20,weights=1..255"),
    ("rmat22", "rmat:scale=22,weights=1..255"),
    ("er20", "er:n=1048576,m=16777216,weights=1..255"),
    ("grid", "grid:width=2000,height=2000,drop=0.1,weights=1..1000"),
];
/// The algorithms, and whether they take sources.
const ALGORITHMS: [(&str, bool); 4] =
    [("bfs", true), ("sssp", true), ("color", false), ("spmv", false)];
/// Timed starts of the program, of which the median is reported; one more before them warms the
/// caches.
const STARTS: usize = 3;

const COLUMNS: [Column; 5] = [
    Column::Left("graph"),
    Column::Left("algorithm"),
    Column::Right("file to answer"),
    Column::Right("the same, cpu"),
    Column::Right("on the device alone"),
];
const LEGEND: &str = "\
file to answer       the program from its start to its end: reads the file, copies the graph, runs,
                     verifies and prints; the median of 3 starts, kernels from the cache
on the device alone  neither graph nor result are copied; with parents or predecessors; the median
                     of 5 runs, over 8 sources";

/// Measure how long an answer takes from a file to the end of the program
///
/// Starts this program for BFS, SSSP, coloring and SpMV on each graph, and prints the wall-clock time of each start next
/// to the time of the algorithm alone.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLE)]
pub struct Arguments {
    /// A file that lists graphs [default: four generated graphs]
    #[arg(value_name = "SUITE")]
    suite: Option<InputFile>,
    /// The folder of the suite's files [default: that of the suite]
    #[arg(long, value_name = "FOLDER", requires = "suite", help_heading = "Input")]
    data: Option<InputFolder>,
    /// Where to run: auto is the best device, cuda:1 the second of CUDA's
    #[arg(long, default_value_t, help_heading = "Run")]
    device: Device,
    /// Print nothing but errors
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
}

/// Runs the command.
pub fn run(arguments: Arguments, mut files: Files) -> Result<()> {
    let Arguments { suite, data, device, quiet } = arguments;
    let mut screen = Screen::new(ScreenArguments { json: false, quiet, verbose: false });
    let suite =
        suite.map(|suite| suite::read_with_files(&suite, data.as_ref(), &mut files)).transpose()?;
    let opened = device.open()?;
    let name = machine::named(device, &opened);
    screen.fact("device", machine::described(device, &opened))?;
    let is_gpu = matches!(opened, OpenDevice::Gpu(_));
    // The child processes open it again: only one process at a time should hold its memory.
    drop(opened);
    let program = launcher::command()?;
    let folder = tempfile::tempdir()
        .map_err(|error| Failure::new(format!("no folder for the graphs: {error}")))?;
    let table = Table { program, folder: folder.path().into(), device: name.to_string(), is_gpu };
    let rows = table.rows(suite.as_deref(), quiet)?;
    screen.line(format_args!("\n{}\n\n{LEGEND}", draw(&COLUMNS, rows)))
}

struct Table {
    /// The command that starts this program, without its arguments.
    program: Vec<OsString>,
    folder: PathBuf,
    device: String,
    is_gpu: bool,
}

impl Table {
    /// One row per algorithm and graph of the suite, or of [`GRAPHS`].
    fn rows(&self, suite: Option<&[Entry]>, quiet: bool) -> Result<Vec<Vec<String>>> {
        let names: Vec<&str> = match suite {
            Some(suite) => suite.iter().map(|entry| &*entry.name).collect(),
            None => GRAPHS.iter().map(|(name, _)| *name).collect(),
        };
        let bar = StepBar::new(names.len() * ALGORITHMS.len(), quiet);
        let mut rows = Vec::new();
        for (index, name) in names.into_iter().enumerate() {
            bar.say(name);
            let graph = match suite {
                Some(suite) => suite[index].load()?,
                None => load(GRAPHS[index].1, &ReadOptions::default())?,
            };
            let file = self.write(name, &graph)?;
            drop(graph);
            for (algorithm, has_sources) in ALGORITHMS {
                rows.push(self.row(name, algorithm, has_sources, &file)?);
                bar.advance();
            }
        }
        Ok(rows)
    }

    fn write(&self, name: &str, graph: &Graph) -> Result<PathBuf> {
        let file = self.folder.join(format!("{name}.eqp"));
        write_graph(graph, &file, None)?;
        Ok(file)
    }

    fn row(
        &self,
        graph: &str,
        algorithm: &str,
        has_sources: bool,
        file: &Path,
    ) -> Result<Vec<String>> {
        let whole = self.wall_clock(algorithm, file, &self.device)?;
        let on_cpu = if self.is_gpu {
            numbers::time(self.wall_clock(algorithm, file, "cpu")?)
        } else {
            "-".into()
        };
        let sources: &[&str] = if has_sources { &["--random-sources", "8"] } else { &[] };
        let options = [sources, &["--repeat", "5", "--json"]].concat();
        let output = self.start(algorithm, file, &self.device, &options)?;
        let document: Value = serde_json::from_slice(&output)
            .map_err(|error| Failure::new(format!("what {algorithm} printed: {error}")))?;
        let alone = numbers::time(Duration::from_secs_f64(median(medians(&document))));
        Ok(vec![graph.into(), algorithm.into(), numbers::time(whole), on_cpu, alone])
    }

    /// The median wall-clock time from starting the program to its end.
    fn wall_clock(&self, algorithm: &str, file: &Path, device: &str) -> Result<Duration> {
        self.start(algorithm, file, device, &[])?;
        let mut times = Vec::new();
        for _ in 0..STARTS {
            let start = Instant::now();
            self.start(algorithm, file, device, &[])?;
            times.push(start.elapsed());
        }
        times.sort_unstable();
        Ok(times[STARTS / 2])
    }

    /// Starts the program, waits for its end, and returns its output.
    fn start(
        &self,
        algorithm: &str,
        file: &Path,
        device: &str,
        options: &[&str],
    ) -> Result<Vec<u8>> {
        let (program, first) = self.program.split_first().ok_or_else(launcher::unknown)?;
        let mut command = Command::new(program);
        command
            .args(first)
            .args([OsStr::new(algorithm), file.as_os_str()])
            .args(["--device", device]);
        let output = command
            .args(options)
            .output()
            .map_err(|error| Failure::of_file(program.as_ref(), &error))?;
        if output.status.success() {
            Ok(output.stdout)
        } else {
            Err(Failure::new(format!(
                "{algorithm} failed: {}",
                String::from_utf8_lossy(&output.stderr).trim_end()
            )))
        }
    }
}

/// The seconds of each run of a JSON document: the algorithm, and parents computed afterwards.
fn medians(document: &Value) -> Vec<f64> {
    match document {
        Value::Object(fields) => match fields.get("median_seconds") {
            Some(times) => {
                let parts = ["kernel", "overhead", "tree"].iter();
                vec![parts.filter_map(|part| times.get(part)?.as_f64()).sum()]
            }
            None => fields.values().flat_map(medians).collect(),
        },
        Value::Array(values) => values.iter().flat_map(medians).collect(),
        _ => Vec::new(),
    }
}

fn median(mut seconds: Vec<f64>) -> f64 {
    seconds.sort_by(f64::total_cmp);
    seconds.get(seconds.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn times_of_all_runs_are_found_with_those_of_parents() {
        let run = |kernel: f64| {
            let times = json!({ "upload": 9.0, "kernel": kernel, "overhead": 0.5, "tree": 0.25 });
            json!({ "runs": { "median_seconds": times, "min_seconds": { "kernel": 0.0 } } })
        };
        let document = json!({ "searches": [run(3.0), run(1.0), run(2.0)], "command": "bfs" });
        assert_eq!(medians(&document), [3.75, 1.75, 2.75]);
        assert_eq!(median(medians(&document)), 2.75);
    }
}
