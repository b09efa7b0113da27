//! Arguments that several commands take.

use std::str::FromStr;

use equipoise::{
    LoadedGraph,
    device::Device,
    graph::{
        Duplicates, SelfLoops,
        io::{Format, IdKind, Progress, ReadOptions, TableOptions},
    },
};

use crate::{
    failure::Result,
    files::{GraphName, OutputFile},
    machine::bytes,
    threads::ThreadCount,
};

/// The graph to work on.
#[derive(Clone, Debug, clap::Args)]
pub struct GraphArguments {
    /// A file, or a generator's spec such as rmat:scale=18
    #[arg(value_name = "GRAPH")]
    pub graph: GraphName,
    #[command(flatten)]
    pub(crate) load: LoadArguments,
}

/// How the graph or matrix is read.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Input")]
pub struct LoadArguments {
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

impl LoadArguments {
    /// The library's options.
    pub fn options<'a>(&'a self, progress: Option<&'a dyn Progress>) -> ReadOptions<'a> {
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
            progress,
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

/// Where the algorithm runs, how often, and whether its result is verified.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Run")]
pub struct RunArguments {
    /// Where to run: auto picks a device, cuda:1 is the second of CUDA's
    #[arg(long, default_value_t)]
    pub device: Device,
    #[command(flatten)]
    pub(crate) threads: ThreadArguments,
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

/// Where the results of searches are verified.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Run")]
pub struct ValidateArgument {
    /// Where results are verified: on the cpu, or on the device that found them; auto takes the device for large graphs
    #[arg(long, value_enum, value_name = "WHERE", default_value_t)]
    validate_on: ValidateOn,
}

/// A place where results are verified.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum ValidateOn {
    /// On the device where the graph is large
    #[default]
    Auto,
    /// On the cpu, from copies of the results
    Cpu,
    /// On the device that found the results
    Device,
}

/// The fewest edges of a graph on a GPU whose results are verified there: with fewer, the cpu is done
/// in less time than it takes to make kernels ready.
const EDGES_OF_LARGE: u64 = 1 << 22;

impl ValidateArgument {
    /// Whether results are verified on the device, where it is a GPU.
    pub fn is_on_device(self, there: &LoadedGraph) -> bool {
        let wanted = match self.validate_on {
            ValidateOn::Auto => there.graph().edges() >= EDGES_OF_LARGE,
            ValidateOn::Cpu => false,
            ValidateOn::Device => true,
        };
        wanted && there.is_on_gpu()
    }
}

/// How many threads of the cpu are used. They are started before the command runs.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Run")]
pub struct ThreadArguments {
    /// Use N threads, 1024 at most; without it, as many as RAYON_NUM_THREADS says, or one for each core
    #[arg(long, value_name = "N", value_parser = ThreadCount::read)]
    threads: Option<ThreadCount>,
}

/// The most times that anything may be repeated: more would not end.
pub const MOST_REPEATS: u32 = 10_000;

/// A whole number within limits.
pub fn whole<const LEAST: u32, const MOST: u32>(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| (LEAST..=MOST).contains(number));
    number.ok_or_else(|| format!("expected a whole number from {LEAST} to {MOST}"))
}

/// A number that must not be 0.
pub fn at_least_one(text: &str) -> Result<u32, String> {
    whole::<1, { u32::MAX }>(text)
}

impl RunArguments {
    /// How often the algorithm runs, warm-up included.
    pub fn count(&self) -> u64 {
        self.repeat.map_or(1, |count| u64::from(count) + 1)
    }

    /// Whether results are verified.
    pub fn validates(&self) -> bool {
        self.validate || !self.no_validate
    }
}

/// How much of the device's memory is used.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Run")]
pub struct MemoryArgument {
    /// Hold no more of the device's memory than this, such as 2GiB
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory_limit: Option<u64>,
}

/// The file for results.
#[derive(Clone, Debug, clap::Args)]
pub struct OutputArgument {
    /// Write the results to FILE: rows of text (.tsv, .csv, .json, .jsonl) or an array for NumPy (.npy); with .gz or the like, compressed
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<OutputFile>,
}

/// The file for the trace.
#[derive(Clone, Debug, clap::Args)]
pub struct TraceArgument {
    /// Write what happened in each step to FILE, a .json or .csv
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub trace: Option<OutputFile>,
}
