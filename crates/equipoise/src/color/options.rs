//! The options of coloring.

use std::sync::Arc;

use equipoise_schedule::ScheduleName;
use equipoise_select::Model;

use super::ColorSwitch;
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
        /// As a model says that comes with the program; without one speculative on a GPU, on the cpu greedy for a small graph and largest-degree-first for others.
        #[default]
        Auto = "auto",
        /// By random numbers, a color an iteration.
        JonesPlassmann = "jones-plassmann",
        /// As jones-plassmann, from queues that cubes steal from each other. For GPUs only.
        WorkStealing = "work-stealing",
        /// As jones-plassmann, coloring those with the smallest numbers too: two colors an iteration.
        MinMax = "min-max",
        /// By degree first, then by random numbers, a color an iteration.
        Hybrid = "hybrid",
        /// By several random numbers, several colors an iteration.
        MultiHash = "multi-hash",
        /// Each vertex takes the first color that fits, and conflicts are mended.
        Speculative = "speculative",
        /// Vertices with many neighbours first, each the first color that fits. For the cpu only.
        LargestDegreeFirst = "largest-degree-first",
        /// One after the other, in smallest-last order: few colors. For the cpu only.
        Greedy = "greedy",
    }
}

equipoise_graph::named_enum! {
    /// What matters more to `auto`, where both cannot be had.
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
        /// Little time, with however many colors.
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
    /// A learned policy that chooses the strategy; `strategy` and `prefer` are not looked at then.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub model: Option<Arc<Model>>,
    /// The seed of the random numbers that order vertices.
    #[cfg_attr(feature = "clap", arg(long, value_name = "S", default_value_t = 1))]
    pub seed: u64,
    /// Hybrid: when to go over from degrees to random numbers: `learned`, `stall`,
    /// `after=ITERATIONS`, `below=VERTICES`, `below=device` or `colored=SHARE`.
    #[cfg_attr(feature = "clap", arg(long, value_name = "RULE", default_value_t))]
    pub switch: ColorSwitch,
    /// Hybrid and min-max on a GPU: from queues, as work-stealing.
    #[cfg_attr(feature = "clap", arg(long))]
    pub steal: bool,
    /// Work-stealing: the queues, one a cube, 1 to 4096; without it as many as the GPU has at work, if each has
    /// something in it.
    #[cfg_attr(feature = "clap", arg(long))]
    pub queues: Option<u32>,
    /// Work-stealing: each cube keeps to its own queue.
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_steal: bool,
    /// Work-stealing: the units of a cube, and the vertices of an element, 1 to 1024; 64 in the paper.
    #[cfg_attr(feature = "clap", arg(long, value_name = "UNITS", default_value_t = CUBE_SIZE))]
    pub cube_size: u32,
    /// Work-stealing: the units of a cube steal vertices of an element, then eight each, from each other too.
    #[cfg_attr(feature = "clap", arg(long))]
    pub steal_within: bool,
    /// Multi-hash: the random numbers of a vertex, 1 to 16; twice as many colors an iteration.
    #[cfg_attr(feature = "clap", arg(long, value_name = "NUMBERS", default_value_t = HASHES))]
    pub hashes: u32,
    /// Speculative: how often to color once more in another order, which may save colors, 0 to 1024.
    /// Four times without it where there are 20 colors or fewer.
    #[cfg_attr(feature = "clap", arg(long))]
    pub passes: Option<u32>,
    /// Jones-plassmann, hybrid and multi-hash on a GPU: the schedule. Without it a unit for each
    /// vertex of the graph, as in the paper; for multi-hash merge-path, where a vertex has over
    /// 256 neighbours.
    #[cfg_attr(feature = "clap", arg(long, value_enum))]
    pub schedule: Option<ScheduleName>,
    /// The most bytes of a GPU's memory that may be taken.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub memory_limit: Option<u64>,
}

/// The random numbers of a vertex for multi-hash.
const HASHES: u32 = 4;
/// The most that one word has bits for: two each.
pub(super) const MOST_HASHES: u32 = 16;
/// The units of a cube that takes from queues.
const CUBE_SIZE: u32 = 256;
/// The most units of a cube on any GPU.
const MOST_UNITS: u32 = 1 << 10;
/// Several times the cubes that are at work on any GPU.
const MOST_QUEUES: u32 = 1 << 12;
/// Each takes as long as to color.
const MOST_PASSES: u32 = 1 << 10;

impl Default for ColorOptions {
    fn default() -> Self {
        Self {
            strategy: ColorStrategy::default(),
            prefer: ColorPreference::default(),
            model: None,
            seed: 1,
            switch: ColorSwitch::default(),
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
    /// Fails where a number is out of its range.
    pub(super) fn check(&self) -> Result<()> {
        within("hashes", self.hashes, 1..=MOST_HASHES)?;
        within("queues", self.queues.unwrap_or(1), 1..=MOST_QUEUES)?;
        within("cube-size", self.cube_size, 1..=MOST_UNITS)?;
        within("passes", self.passes.unwrap_or(0), 0..=MOST_PASSES)?;
        match self.switch {
            ColorSwitch::Colored(share) => within("switch", share, 0.0..=1.0),
            _ => Ok(()),
        }
    }
}
