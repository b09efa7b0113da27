//! The options of coloring.

use std::{path::PathBuf, sync::Arc};

use equipoise_schedule::ScheduleName;
use equipoise_select::Model;

use super::ColorSwitch;
#[cfg(feature = "clap")]
use crate::algorithm::help::PAPERS;
use crate::{Result, limits::within};

equipoise_graph::named_enum! {
    /// How vertices are colored.
    ///
    /// ```
    /// use equipoise::color::ColorStrategy;
    ///
    /// assert_eq!("hybrid".parse(), Ok(ColorStrategy::Hybrid));
    /// ```
    #[derive(Default)]
    pub enum ColorStrategy("coloring strategy") {
        /// By the built-in model for GPUs, mostly speculative; on the cpu greedy for small graphs and largest-degree-first for others.
        #[default]
        Auto = "auto",
        /// By random numbers, one color per iteration.
        JonesPlassmann = "jones-plassmann",
        /// As jones-plassmann, from queues that blocks steal from each other. For GPUs only.
        WorkStealing = "work-stealing",
        /// As jones-plassmann, for the smallest numbers too: two colors per iteration.
        MinMax = "min-max",
        /// By degree first, then by random numbers, one color per iteration.
        Hybrid = "hybrid",
        /// By several random numbers, several colors per iteration.
        MultiHash = "multi-hash",
        /// Each vertex takes the first color that fits, and conflicts are repaired.
        Speculative = "speculative",
        /// Vertices with many neighbours first, each with the first color that fits. For the cpu only.
        LargestDegreeFirst = "largest-degree-first",
        /// Sequentially, in smallest-last order: few colors. For the cpu only.
        Greedy = "greedy",
    }
}

equipoise_graph::named_enum! {
    /// What matters more to `auto`, where strategies differ in both.
    ///
    /// ```
    /// use equipoise::color::ColorPreference;
    ///
    /// assert_eq!("time".parse(), Ok(ColorPreference::Time));
    /// ```
    #[derive(Default)]
    pub enum ColorPreference("preference") {
        /// Few colors: each vertex gets the first one that fits.
        #[default]
        Colors = "colors",
        /// Little time, with any number of colors.
        Time = "time",
    }
}

/// How to color.
///
/// ```
/// use equipoise::color::{ColorOptions, ColorStrategy};
///
/// let options = ColorOptions { strategy: ColorStrategy::Greedy, ..ColorOptions::default() };
/// assert_eq!((options.seed, options.hashes), (1, 4));
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct ColorOptions {
    /// How vertices are colored.
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub strategy: ColorStrategy,
    /// Auto: what matters more, few colors or little time.
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub prefer: ColorPreference,
    /// A learned policy that chooses the strategy, instead of `strategy` and `prefer`.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub model: Option<Arc<Model>>,
    /// Let the model in FILE choose the strategy, also where it needs many colors.
    #[cfg_attr(feature = "clap", arg(id = "model", long = "model", value_name = "FILE", conflicts_with_all = ["strategy", "prefer", "schedule", "switch", "switch_sweep"]))]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub model_file: Option<PathBuf>,
    /// The seed of the random numbers that order vertices.
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", default_value_t = 1))]
    pub seed: u64,
    /// Hybrid: when to switch from degrees to random numbers: `learned`, `stall`, `after=ITERATIONS`,
    /// `below=VERTICES`, `below=device` or `colored=SHARE`.
    #[cfg_attr(feature = "clap", arg(long, value_name = "RULE", default_value_t, help_heading = PAPERS))]
    pub switch: ColorSwitch,
    /// Hybrid: let the model in FILE decide when to switch from degrees to random numbers.
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE", help_heading = PAPERS, conflicts_with_all = ["switch", "switch_sweep", "model"]))]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub switch_model: Option<PathBuf>,
    /// Hybrid: run with every switch after 0 to K iterations, and print the time and the colors of each.
    #[cfg_attr(feature = "clap", arg(long, value_name = "K", help_heading = PAPERS, conflicts_with_all = ["switch", "output", "active-degrees", "trace"]))]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub switch_sweep: Option<u32>,
    /// Hybrid and min-max on a GPU: take vertices from queues, as work-stealing does.
    #[cfg_attr(feature = "clap", arg(long, help_heading = PAPERS))]
    pub steal: bool,
    /// Work-stealing: the number of queues, one per block, 1 to 4096 [default: the blocks that the GPU runs at once, fewer
    /// for small graphs].
    #[cfg_attr(feature = "clap", arg(long, help_heading = PAPERS))]
    pub queues: Option<u32>,
    /// Work-stealing: each block takes from its own queue only.
    #[cfg_attr(feature = "clap", arg(long, help_heading = PAPERS))]
    pub no_steal: bool,
    /// Work-stealing: the threads per block, which are the vertices per element, 1 to 1024; 64 in the paper.
    #[cfg_attr(feature = "clap", arg(long, value_name = "THREADS", default_value_t = CUBE_SIZE, help_heading = PAPERS))]
    pub cube_size: u32,
    /// Work-stealing: the threads of a block also steal vertices of an element from each other, eight at a time.
    #[cfg_attr(feature = "clap", arg(long, help_heading = PAPERS))]
    pub steal_within: bool,
    /// Multi-hash: the random numbers per vertex, 1 to 16; twice as many colors per iteration.
    #[cfg_attr(feature = "clap", arg(long, value_name = "NUMBERS", default_value_t = HASHES))]
    pub hashes: u32,
    /// Speculative: the number of further passes in another order, which may save colors, 0 to 1024 [default: 4 with 20
    /// colors or fewer, otherwise 0].
    #[cfg_attr(feature = "clap", arg(long))]
    pub passes: Option<u32>,
    /// Jones-plassmann, hybrid and multi-hash on a GPU: the schedule [default: one thread per vertex, as in the paper; for
    /// multi-hash merge-path, where a vertex has over 256 neighbours].
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub schedule: Option<ScheduleName>,
    /// The most bytes of a GPU's memory that may be used.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub memory_limit: Option<u64>,
}

/// The random numbers per vertex of multi-hash.
const HASHES: u32 = 4;
/// The most random numbers for which a word has two bits each.
pub(super) const MOST_HASHES: u32 = 16;
/// The units per cube of work-stealing.
const CUBE_SIZE: u32 = 256;
/// The most units per cube on any GPU.
const MOST_UNITS: u32 = 1 << 10;
/// Several times the number of cubes that any GPU runs at once.
const MOST_QUEUES: u32 = 1 << 12;
/// A pass takes as long as a coloring.
const MOST_PASSES: u32 = 1 << 10;
/// The most iterations by degree of a sweep.
const MOST_SWITCHES: u32 = 10_000;

impl Default for ColorOptions {
    fn default() -> Self {
        Self {
            strategy: ColorStrategy::default(),
            prefer: ColorPreference::default(),
            model: None,
            model_file: None,
            seed: 1,
            switch: ColorSwitch::default(),
            switch_model: None,
            switch_sweep: None,
            steal: false,
            queues: None,
            no_steal: false,
            cube_size: CUBE_SIZE,
            steal_within: false,
            hashes: HASHES,
            passes: None,
            schedule: None,
            memory_limit: None,
        }
    }
}

impl ColorOptions {
    /// Fails if a number is out of range.
    pub(super) fn check(&self) -> Result<()> {
        within("hashes", self.hashes, 1..=MOST_HASHES)?;
        within("queues", self.queues.unwrap_or(1), 1..=MOST_QUEUES)?;
        within("cube-size", self.cube_size, 1..=MOST_UNITS)?;
        within("switch-sweep", self.switch_sweep.unwrap_or(0), 0..=MOST_SWITCHES)?;
        within("passes", self.passes.unwrap_or(0), 0..=MOST_PASSES)?;
        match self.switch {
            ColorSwitch::Colored(share) => within("switch", share, 0.0..=1.0),
            _ => Ok(()),
        }
    }
}
