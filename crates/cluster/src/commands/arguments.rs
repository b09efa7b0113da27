//! Arguments that several commands take, as on one machine where they are the same.

use std::{path::PathBuf, str::FromStr, time::Duration};

use equipoise_graph::{
    Duplicates, SelfLoops,
    io::{Format, IdKind, ReadOptions, TableOptions},
};

use super::device::Device;

/// The most times that anything may be repeated: more would not end.
const MOST_REPEATS: u32 = 10_000;
/// More threads than this only get in each other's way.
const MOST_THREADS: u32 = 1024;

/// The graph to work on, and how it is read.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Input")]
pub struct GraphArguments {
    /// A file, a folder of parts that `convert` wrote, or a generator's spec such as rmat:scale=18
    #[arg(value_name = "GRAPH", help_heading = None)]
    pub graph: String,
    /// The file's format; without it, the one its name tells
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// The columns of an edge list: its two vertices and perhaps its weight, such as from,to,km or 1,2,4
    #[arg(long, value_name = "COLUMNS")]
    pub edge_columns: Option<EdgeColumns>,
    /// What an edge list calls its vertices by
    #[arg(long, value_enum, value_name = "KIND", default_value_t)]
    pub ids: IdKind,
    /// Whether an edge list's first line names its columns, yes or no; without it, that is found out
    #[arg(long, value_name = "ANSWER", value_parser = yes_or_no)]
    pub header: Option<bool>,
    /// Let each edge stand for both directions
    #[arg(long)]
    pub undirected: bool,
    /// Keep one of several edges between the same two vertices, the lightest
    #[arg(long)]
    pub drop_duplicates: bool,
    /// Drop edges from a vertex to itself
    #[arg(long)]
    pub drop_loops: bool,
}

impl GraphArguments {
    /// The library's options.
    pub fn options(&self) -> ReadOptions<'_> {
        ReadOptions {
            format: self.format,
            undirected: self.undirected,
            duplicates: if self.drop_duplicates { Duplicates::Drop } else { Duplicates::Keep },
            self_loops: if self.drop_loops { SelfLoops::Drop } else { SelfLoops::Keep },
            table: TableOptions {
                ids: self.ids,
                header: self.header,
                columns: self.edge_columns.as_ref().map(|columns| &columns.0[..]),
            },
            progress: None,
        }
    }
}

/// The columns of an edge: two or three, with commas between them.
#[derive(Clone, Debug)]
pub struct EdgeColumns(Vec<String>);

impl FromStr for EdgeColumns {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let columns: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
        match (2..=3).contains(&columns.len()) && columns.iter().all(|name| !name.is_empty()) {
            true => Ok(Self(columns)),
            false => {
                Err("expected two columns, or three with the weight's, such as from,to,km".into())
            }
        }
    }
}

/// An answer to whether something is so.
fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("expected yes or no".into()),
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
    pub output: Option<PathBuf>,
    /// Write the results into the new folder DIR, a file a rank, with a manifest when all are there
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub parts: Option<PathBuf>,
    /// Write what happened in each step to FILE, a .json or .csv
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
}

/// A whole number within limits.
fn whole<const LEAST: u32, const MOST: u32>(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| (LEAST..=MOST).contains(number));
    number.ok_or_else(|| format!("expected a whole number from {LEAST} to {MOST}"))
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
