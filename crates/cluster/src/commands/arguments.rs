//! Arguments of several commands, equal to those on one machine where possible.

use std::{path::PathBuf, time::Duration};

use equipoise_graph::{
    WeightType,
    io::{Progress, ReadOptions},
};
use equipoise_terminal::{
    arguments::LoadArguments,
    files::OutputFile,
    output::is_standard_output,
    values::{MOST_REPEATS, whole},
};

use super::device::Device;

/// The most threads per rank: more only slow each other down.
const MOST_THREADS: u32 = 1024;

/// The graph to work on, and how it is read.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Input")]
pub struct GraphArguments {
    /// A file, a folder of parts that `convert` wrote, or a generator's spec such as rmat:scale=18
    #[arg(value_name = "GRAPH", help_heading = None)]
    pub graph: String,
    #[command(flatten)]
    load: LoadArguments,
    /// The type that weights are read in
    #[arg(long, value_enum, value_name = "TYPE", default_value_t, hide_short_help = true)]
    weights: WeightType,
}

impl GraphArguments {
    /// The library's options.
    pub fn options<'a>(&'a self, progress: &'a dyn Progress) -> ReadOptions<'a> {
        ReadOptions { weights: self.weights, ..self.load.options(Some(progress)) }
    }
}

/// How the ranks work together.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Run")]
pub struct JobArguments {
    /// Use N threads on each rank, 1024 at most; without it, the node's cores are shared out among its ranks
    #[arg(long, value_name = "N", value_parser = whole::<1, MOST_THREADS>)]
    pub threads: Option<u32>,
    /// End the job when a rank has waited for others this long; without it, ranks only say that they wait
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub wait_limit: Option<Duration>,
}

/// Where the algorithm runs, how often, and whether its result is verified.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Run")]
pub struct RunArguments {
    /// Where each rank runs; of GPUs, each rank of a node takes one
    #[arg(long, default_value = "cpu")]
    pub device: Device,
    /// Run N times after one warm-up, and report the median, the fastest and the slowest
    #[arg(long, value_name = "N", value_parser = whole::<1, MOST_REPEATS>)]
    pub repeat: Option<u32>,
    /// Verify each result; on unless turned off
    #[arg(long, overrides_with = "no_validate")]
    validate: bool,
    /// Do not verify results
    #[arg(long)]
    no_validate: bool,
}

impl RunArguments {
    /// Whether results are verified.
    pub fn validates(&self) -> bool {
        self.validate || !self.no_validate
    }
}

/// Where results and what happened are written.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArguments {
    /// Write the results to FILE: rows of text (.tsv, .csv, .json, .jsonl); with .gz or the like, compressed
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<OutputFile>,
    /// Write the results into the new folder DIR, a file per rank, and then a manifest
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub parts: Option<PathBuf>,
    /// Write what happened in each step to FILE, a .json or .csv
    #[arg(long, value_name = "FILE")]
    pub trace: Option<OutputFile>,
}

impl OutputArguments {
    /// The option whose output goes to standard output, as the user typed it.
    pub fn on_standard_output(&self) -> Option<&'static str> {
        let is_there =
            |path: &Option<OutputFile>| path.as_ref().is_some_and(|path| is_standard_output(path));
        match (is_there(&self.output), is_there(&self.trace)) {
            (true, _) => Some("--output"),
            (_, true) => Some("--trace"),
            _ => None,
        }
    }
}

/// A time above zero.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "expected a number of seconds above zero, such as 600".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_number_above_zero() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for text in ["0", "-1", "NaN", "inf", "1e300", "", "soon"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_have_limits() {
        assert_eq!(whole::<1, MOST_THREADS>("1024"), Ok(1024));
        for text in ["0", "1025", "-1", "two"] {
            assert!(whole::<1, MOST_THREADS>(text).is_err(), "{text}");
        }
    }
}
