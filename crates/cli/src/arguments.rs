//! Arguments shared by several commands.

use equipoise::{
    LoadedGraph,
    device::Device,
    graph::{
        WeightType,
        io::{Progress, ReadOptions},
    },
};
pub use equipoise_terminal::arguments::LoadArguments;

use crate::{
    files::{GraphName, OutputFile},
    threads::ThreadCount,
    values::{MOST_REPEATS, bytes, whole},
};

/// The input graph.
#[derive(Clone, Debug, clap::Args)]
pub struct GraphArguments {
    /// A file, or a generator's spec such as rmat:scale=18
    #[arg(value_name = "GRAPH")]
    pub graph: GraphName,
    #[command(flatten)]
    pub(crate) load: LoadArguments,
    /// The type that weights are read or generated in
    #[arg(long, value_enum, value_name = "TYPE", default_value_t, help_heading = "Input")]
    pub weights: WeightType,
}

impl GraphArguments {
    /// The corresponding options of the library.
    pub fn options<'a>(&'a self, progress: Option<&'a dyn Progress>) -> ReadOptions<'a> {
        ReadOptions { weights: self.weights, ..self.load.options(progress) }
    }
}

/// The device, the number of runs, and whether results are verified.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Run")]
pub struct RunArguments {
    /// The device; cuda:1 is the second of CUDA
    #[arg(long, default_value_t)]
    pub device: Device,
    #[command(flatten)]
    pub(crate) threads: ThreadArguments,
    /// Run N times after a warm-up; report median and extremes
    #[arg(long, value_name = "N", value_parser = whole::<1, MOST_REPEATS>)]
    pub repeat: Option<u32>,
    /// Verify each result; on unless turned off
    #[arg(long, overrides_with = "no_validate")]
    validate: bool,
    /// Do not verify results
    #[arg(long)]
    no_validate: bool,
}

/// The option that selects where results are verified.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Run")]
pub struct ValidateArgument {
    /// Where to verify; auto: on the device for large graphs
    #[arg(long, value_enum, value_name = "WHERE", default_value_t)]
    validate_on: ValidateOn,
}

/// Where results are verified.
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

impl ValidateArgument {
    /// Whether results are verified on the device of the graph.
    pub fn is_in_place(self, graph: &LoadedGraph) -> bool {
        match self.validate_on {
            ValidateOn::Auto => graph.checks_in_place(),
            ValidateOn::Cpu => false,
            ValidateOn::Device => graph.is_on_gpu(),
        }
    }
}

/// The number of threads; they are started before the command runs.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Run")]
pub struct ThreadArguments {
    /// Use N threads [default: RAYON_NUM_THREADS, or one per core]
    #[arg(long, value_name = "N", value_parser = ThreadCount::read)]
    threads: Option<ThreadCount>,
}

impl RunArguments {
    /// The number of runs, including the warm-up.
    pub fn count(&self) -> u64 {
        self.repeat.map_or(1, |count| u64::from(count) + 1)
    }

    /// Whether results are verified.
    pub fn validates(&self) -> bool {
        self.validate || !self.no_validate
    }
}

/// The limit on memory.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Run")]
pub struct MemoryArgument {
    /// Limit the memory of the GPU or of this program, as in 2GiB
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory_limit: Option<u64>,
}

/// The output file for results.
#[derive(Clone, Debug, clap::Args)]
pub struct OutputArgument {
    /// Write results to FILE (.tsv, .csv, .json, .jsonl or .npy; compressed with .gz and the like)
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<OutputFile>,
}

/// The output file for the trace.
#[derive(Clone, Debug, clap::Args)]
pub struct TraceArgument {
    /// Write what happened in each step to FILE, a .json or .csv
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub trace: Option<OutputFile>,
}
