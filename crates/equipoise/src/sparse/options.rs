//! The options of sparse products.

use std::sync::Arc;

use equipoise_schedule::ScheduleName;
use equipoise_select::Model;

#[cfg(feature = "clap")]
use crate::algorithm::help::PAPERS;
use crate::{
    Error, Result,
    limits::{power_within, within},
};

equipoise_graph::named_enum! {
    /// How the rows and entries of a matrix are divided, by the name that `--schedule` takes.
    ///
    /// A GPU has all of them. The cpu has `auto`, `merge-path` and `thread-mapped`, where `auto` is
    /// merge-path unless a model chooses, since a small matrix is a single part under either
    /// schedule.
    ///
    /// ```
    /// use equipoise::sparse::SparseSchedule;
    ///
    /// assert_eq!("merge-path".parse(), Ok(SparseSchedule::MergePath));
    /// ```
    #[derive(Default)]
    pub enum SparseSchedule("schedule") {
        /// What the policy picks for the matrix.
        #[default]
        Auto = "auto",
        /// One row per unit; on the cpu, an equal number of rows per thread.
        ThreadMapped = "thread-mapped",
        /// A row at a time per plane.
        PlaneMapped = "plane-mapped",
        /// A row at a time per cube.
        CubeMapped = "cube-mapped",
        /// A group shares the entries of as many rows as it has units.
        GroupMapped = "group-mapped",
        /// Rows and entries, added up, are divided evenly: no row is too long.
        MergePath = "merge-path",
        /// Entries alone are divided evenly.
        NonzeroSplit = "nonzero-split",
        /// Rows sorted by length, each bin with a fitting group.
        Binned = "binned",
        /// Cubes take rows from one counter until none is left.
        Persistent = "persistent",
        /// Cubes take rows from their own queues, then from those of others.
        WorkStealing = "work-stealing",
    }
}

impl From<ScheduleName> for SparseSchedule {
    fn from(name: ScheduleName) -> Self {
        match name {
            ScheduleName::ThreadMapped => Self::ThreadMapped,
            ScheduleName::PlaneMapped => Self::PlaneMapped,
            ScheduleName::CubeMapped => Self::CubeMapped,
            ScheduleName::GroupMapped => Self::GroupMapped,
            ScheduleName::MergePath => Self::MergePath,
            ScheduleName::NonzeroSplit => Self::NonzeroSplit,
            ScheduleName::Binned => Self::Binned,
            ScheduleName::Persistent => Self::Persistent,
            ScheduleName::WorkStealing => Self::WorkStealing,
        }
    }
}

equipoise_graph::named_enum! {
    /// How the schedule `auto` chooses on a GPU, by the name that `--policy` takes. The cpu takes merge-path without a
    /// model.
    ///
    /// ```
    /// use equipoise::sparse::SparsePolicy;
    ///
    /// assert_eq!("paper".parse(), Ok(SparsePolicy::Paper));
    /// assert_eq!(SparsePolicy::default(), SparsePolicy::Rule);
    /// ```
    #[derive(Default)]
    pub enum SparsePolicy("policy") {
        /// A rule by the lengths of rows: on matrices that no model was trained on, as fast as a model.
        #[default]
        Rule = "rule",
        /// For products with a vector, the built-in model for the device, if any; otherwise the rule.
        Learned = "learned",
        /// The heuristic of Osama et al.: merge-path unless the matrix is small.
        Paper = "paper",
    }
}

equipoise_graph::named_enum! {
    /// The order in which a matrix' columns are kept on a GPU, by the name that `--reorder` takes.
    ///
    /// ```
    /// use equipoise::sparse::SparseOrder;
    ///
    /// assert_eq!("degree".parse(), Ok(SparseOrder::Degree));
    /// ```
    #[derive(Default)]
    pub enum SparseOrder("order") {
        /// As they are.
        #[default]
        None = "none",
        /// Those with the most entries first: numbers of the vector that are asked for often then
        /// lie together, and in a cache.
        Degree = "degree",
    }
}

equipoise_graph::named_enum! {
    /// How a matrix is laid out on a GPU for a product with a vector, by the name that `--layout`
    /// takes.
    ///
    /// ```
    /// use equipoise::sparse::SparseLayout;
    ///
    /// assert_eq!("coo".parse(), Ok(SparseLayout::Coo));
    /// ```
    #[derive(Default)]
    pub enum SparseLayout("layout") {
        /// By rows: a row's products are added up where its schedule has them.
        #[default]
        Csr = "csr",
        /// By columns: products are added to the numbers of the result by atomics.
        Csc = "csc",
        /// One entry after the other, each with its row and column; added up as with `csc`.
        Coo = "coo",
    }
}

/// The options of a sparse product.
///
/// ```
/// use equipoise::sparse::{SparseOptions, SparseSchedule};
///
/// assert_eq!(SparseOptions::default().schedule, SparseSchedule::Auto);
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct SparseOptions {
    /// How rows and entries are divided; the cpu has auto, thread-mapped and merge-path.
    #[cfg_attr(feature = "clap", arg(long, alias = "strategy", default_value_t, value_enum))]
    pub schedule: SparseSchedule,
    /// How the schedule auto chooses; paper is for a GPU.
    #[cfg_attr(feature = "clap", arg(long, default_value_t, value_enum))]
    pub policy: SparsePolicy,
    /// Policy paper: a matrix with fewer rows or columns may be small.
    #[cfg_attr(feature = "clap", arg(long, value_name = "ROWS", default_value_t = ALPHA, help_heading = PAPERS))]
    pub alpha: u32,
    /// Policy paper: it is small if it also has fewer entries.
    #[cfg_attr(feature = "clap", arg(long, value_name = "ENTRIES", default_value_t = BETA, help_heading = PAPERS))]
    pub beta: u64,
    /// Group-mapped on a GPU: the units of a group, a power of two up to 1024 [default: 256]
    #[cfg_attr(feature = "clap", arg(long, value_name = "UNITS"))]
    pub group: Option<u32>,
    /// Thread-mapped on a GPU: the rows per unit, one after the other, 1 to 65536 [default: 1]
    #[cfg_attr(feature = "clap", arg(long, value_name = "ROWS"))]
    pub coarsening: Option<u32>,
    /// Spmv on a GPU: reorder the columns first, for products with many vectors.
    #[cfg_attr(feature = "clap", arg(long, value_name = "ORDER", default_value_t, value_enum))]
    pub reorder: SparseOrder,
    /// Spmv on a GPU: how the matrix is laid out; csc and coo need its atomic additions.
    #[cfg_attr(feature = "clap", arg(long, default_value_t, value_enum))]
    pub layout: SparseLayout,
    /// A learned model that chooses the schedule of [`LoadedMatrix::spmv`](crate::LoadedMatrix::spmv), whatever the policy.
    #[cfg_attr(feature = "clap", arg(skip))]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub model: Option<Arc<Model>>,
}

impl SparseSchedule {
    /// The schedule of the cpu that this stands for. Fails where the cpu does not have it.
    pub(crate) fn on_cpu(self) -> Result<Self> {
        match self {
            Self::Auto | Self::MergePath => Ok(Self::MergePath),
            Self::ThreadMapped => Ok(self),
            _ => Err(Error::Option(format!(
                "the schedule `{self}` needs a GPU; the cpu has: `auto`, `thread-mapped`, \
                 `merge-path`"
            ))),
        }
    }
}

/// The paper's bounds of a small matrix (6.2).
const ALPHA: u32 = 500;
const BETA: u64 = 10_000;

impl Default for SparseOptions {
    fn default() -> Self {
        Self {
            schedule: SparseSchedule::default(),
            policy: SparsePolicy::default(),
            alpha: ALPHA,
            beta: BETA,
            group: None,
            coarsening: None,
            reorder: SparseOrder::None,
            layout: SparseLayout::Csr,
            model: None,
        }
    }
}

/// The largest cube of any GPU.
const MOST_GROUP: u32 = 1 << 10;
/// More rows per unit leave any GPU idle.
const MOST_COARSENING: u32 = 1 << 16;

impl SparseOptions {
    /// Fails where a number is outside its range.
    pub(crate) fn check(&self) -> Result<()> {
        power_within("group", self.group.unwrap_or(1), 1..=MOST_GROUP)?;
        within("coarsening", self.coarsening.unwrap_or(1), 1..=MOST_COARSENING)
    }
}
