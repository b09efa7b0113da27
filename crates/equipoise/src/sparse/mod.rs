//! Sparse linear algebra: a sparse matrix times a vector ([`spmv`]), a dense matrix ([`spmm`])
//! or a sparse matrix ([`spgemm`]), in `f32` and `f64`.
//!
//! The work is divided by a [`SparseSchedule`]. On the cpu, how it is divided depends on the matrix,
//! never on the number of threads, wherever it could change a result: results are the same to the
//! last bit for any number of threads.
//!
//! [`spmv`], [`spmm`] and [`spgemm`] run on the cpu; [`LoadedMatrix`] runs all three on any device.

mod accumulator;
mod candidate;
mod dense;
mod device;
mod features;
pub mod gpu;
mod learned;
mod merge_path;
mod spgemm;
mod spmm;
mod spmv;
#[cfg(test)]
mod tests;
mod thread_mapped;
mod vector;
mod verify;

pub use candidate::SpmvCandidate;
pub use dense::Dense;
pub use device::{Choice, LoadedMatrix, PreparedSpgemm, PreparedSpmm, PreparedSpmv};
pub(crate) use device::{for_spmm, without_what_is_for_spmv};
pub use features::MatrixFeatures;
pub use gpu::Number;
pub use spgemm::{Spgemm, multiplications, spgemm};
pub use spmm::{Spmm, spmm};
pub use spmv::{Spmv, spmv};
pub use vector::LoadedVector;
pub(crate) use verify::{Reference, check_product_shape};

use std::sync::Arc;

use equipoise_schedule::ScheduleName;
use equipoise_select::Model;
pub(crate) use merge_path::Part;
use merge_path::{merge_path, steps};
use thread_mapped::thread_mapped;

use crate::{
    Error, Result,
    limits::{power_within, within},
};

equipoise_graph::named_enum! {
    /// How the rows and entries of a matrix are divided, by the name that `--schedule` takes.
    ///
    /// A GPU has all of them. The cpu has `auto`, `merge-path` and `thread-mapped`; there `auto` is
    /// merge-path, unless a model chooses: the small ones for which a GPU has better schedules make
    /// a single part on a cpu, which costs the same under either schedule.
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
        /// One row per unit; on the cpu, an equal number of rows a thread.
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
        /// Cubes take rows from queues of their own, then from those of others.
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
    /// What picks the schedule of a matrix, by the name that `--policy` takes. The cpu has no rules:
    /// without a model it takes merge-path.
    ///
    /// ```
    /// use equipoise::sparse::SparsePolicy;
    ///
    /// assert_eq!("paper".parse(), Ok(SparsePolicy::Paper));
    /// ```
    #[derive(Default)]
    pub enum SparsePolicy("policy") {
        /// A model, for products with a vector: the one that was given, or the one that comes with
        /// the program; where there is none, as measured.
        #[default]
        Learned = "learned",
        /// A rule by what was fastest where it was measured.
        Measured = "measured",
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

/// How to multiply.
///
/// ```
/// use equipoise::sparse::{SparseOptions, SparseSchedule};
///
/// let schedule = SparseSchedule::ThreadMapped;
/// let options = SparseOptions { schedule, ..SparseOptions::default() };
/// assert_eq!(SparseOptions::default().schedule, SparseSchedule::Auto);
/// # let _ = options;
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct SparseOptions {
    /// How rows and entries are divided; the cpu has auto, thread-mapped and merge-path.
    #[cfg_attr(feature = "clap", arg(long, alias = "strategy", default_value_t, value_enum))]
    pub schedule: SparseSchedule,
    /// What auto goes by; measured and paper are for a GPU.
    #[cfg_attr(feature = "clap", arg(long, default_value_t, value_enum))]
    pub policy: SparsePolicy,
    /// Policy paper: a matrix with fewer rows or columns may be small.
    #[cfg_attr(feature = "clap", arg(long, value_name = "ROWS", default_value_t = ALPHA))]
    pub alpha: u32,
    /// Policy paper: it is small if it has fewer entries, too.
    #[cfg_attr(feature = "clap", arg(long, value_name = "ENTRIES", default_value_t = BETA))]
    pub beta: u64,
    /// Group-mapped on a GPU: the units of a group, a power of two up to 1024; 256 without it.
    #[cfg_attr(feature = "clap", arg(long, value_name = "UNITS"))]
    pub group: Option<u32>,
    /// Thread-mapped on a GPU: the rows a unit takes, one after the other, 1 to 65536; 1 without
    /// it.
    #[cfg_attr(feature = "clap", arg(long, value_name = "ROWS"))]
    pub coarsening: Option<u32>,
    /// Spmv on a GPU: reorder the columns first, for products with many vectors.
    #[cfg_attr(feature = "clap", arg(long, value_name = "ORDER", default_value_t, value_enum))]
    pub reorder: SparseOrder,
    /// Spmv on a GPU: how the matrix is laid out; csc and coo need its atomic additions.
    #[cfg_attr(feature = "clap", arg(long, default_value_t, value_enum))]
    pub layout: SparseLayout,
    /// Policy learned: the model that chooses the schedule of [`LoadedMatrix::spmv`].
    #[cfg_attr(feature = "clap", arg(skip))]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub model: Option<Arc<Model>>,
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

/// The most units a cube has on any GPU.
const MOST_GROUP: u32 = 1 << 10;
/// With that many rows a unit, no GPU has enough to do.
const MOST_COARSENING: u32 = 1 << 16;

impl SparseOptions {
    /// Fails where a number is out of its range.
    pub(crate) fn check(&self) -> Result<()> {
        power_within("group", self.group.unwrap_or(1), 1..=MOST_GROUP)?;
        within("coarsening", self.coarsening.unwrap_or(1), 1..=MOST_COARSENING)
    }
}

/// With less work than this, a part is not worth handing to a thread.
const WORK_PER_PART: u64 = 1 << 15;
/// Enough for every thread of a large machine to have several.
const MOST_PARTS: u64 = 1 << 10;

/// The schedules that the cpu has.
#[derive(Clone, Copy)]
pub(crate) enum CpuSchedule {
    MergePath,
    ThreadMapped,
}

impl SparseSchedule {
    /// What this is on the cpu, if it has it.
    pub(crate) fn on_cpu(self) -> Result<CpuSchedule> {
        match self {
            Self::Auto | Self::MergePath => Ok(CpuSchedule::MergePath),
            Self::ThreadMapped => Ok(CpuSchedule::ThreadMapped),
            _ => Err(Error::Option(format!(
                "the schedule `{self}` needs a GPU; the cpu has: `auto`, `thread-mapped`, \
                 `merge-path`"
            ))),
        }
    }
}

impl CpuSchedule {
    pub(crate) fn name(self) -> SparseSchedule {
        match self {
            Self::MergePath => SparseSchedule::MergePath,
            Self::ThreadMapped => SparseSchedule::ThreadMapped,
        }
    }

    /// Divides rows (given by where each starts, and where the last one ends) where each row and
    /// each entry stands for `cost` units of work.
    pub(crate) fn parts(self, offsets: &[u64], cost: u64) -> Vec<Part> {
        match self {
            Self::MergePath => {
                let work = (steps(offsets) as u64).saturating_mul(cost);
                let count = work.div_ceil(WORK_PER_PART).clamp(1, MOST_PARTS);
                merge_path(offsets, count as usize)
            }
            Self::ThreadMapped => thread_mapped(offsets),
        }
    }
}

/// Cuts an array into one piece a part, as long as `length` says.
pub(crate) fn cut<'a, T>(
    mut array: &'a mut [T],
    parts: &[Part],
    length: impl Fn(&Part) -> usize,
) -> Vec<&'a mut [T]> {
    parts.iter().map(|part| array.split_off_mut(..length(part)).unwrap_or_default()).collect()
}
