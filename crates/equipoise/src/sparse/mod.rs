//! Sparse linear algebra: a sparse matrix times a vector ([`spmv`]), a dense matrix ([`spmm`])
//! or a sparse matrix ([`spgemm`]), in `f32` and `f64`.
//!
//! The work is divided by a [`SparseSchedule`]. How it is divided depends on the matrix, never on
//! the number of threads, wherever it could change a result: results are the same to the last bit
//! for any number of threads.

mod accumulator;
mod dense;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub mod gpu;
mod merge_path;
mod spgemm;
mod spmm;
mod spmv;
#[cfg(test)]
mod tests;
mod thread_mapped;
mod verify;

pub use dense::Dense;
pub use spgemm::{Spgemm, spgemm};
pub use spmm::{Spmm, spmm};
pub use spmv::{Spmv, spmv};

use merge_path::{Part, merge_path, steps};
use thread_mapped::thread_mapped;

use crate::{Error, Result, device::available_memory};

equipoise_graph::named_enum! {
    /// How the rows and entries of a matrix are divided, by the name that `--schedule` takes.
    ///
    /// `auto` is merge-path on every matrix. Osama et al. (6.2) choose another schedule for
    /// matrices with fewer than 500 rows or columns and 10 000 entries; on a cpu those make a
    /// single part, which costs the same under either schedule.
    ///
    /// ```
    /// use equipoise::SparseSchedule;
    ///
    /// assert_eq!("merge-path".parse(), Ok(SparseSchedule::MergePath));
    /// ```
    #[derive(Default)]
    pub enum SparseSchedule("schedule") {
        /// Merge-path.
        #[default]
        Auto = "auto",
        /// Rows and entries, added up, are divided evenly: no row is too long.
        MergePath = "merge-path",
        /// Rows are divided evenly among the threads, whatever they hold.
        ThreadMapped = "thread-mapped",
    }
}

/// How to multiply.
///
/// ```
/// use equipoise::{SparseOptions, SparseSchedule};
///
/// let options = SparseOptions { schedule: SparseSchedule::ThreadMapped };
/// assert_eq!(SparseOptions::default().schedule, SparseSchedule::Auto);
/// # let _ = options;
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct SparseOptions {
    /// How rows and entries are divided among threads.
    #[cfg_attr(feature = "clap", arg(long, alias = "strategy", default_value_t, value_enum))]
    pub schedule: SparseSchedule,
}

/// With less work than this, a part is not worth handing to a thread.
const WORK_PER_PART: u64 = 1 << 15;
/// Enough for every thread of a large machine to have several.
const MOST_PARTS: u64 = 1 << 10;

impl SparseSchedule {
    /// Divides rows (given by where each starts, and where the last one ends) where each row and
    /// each entry stands for `cost` units of work.
    fn parts(self, offsets: &[u64], cost: u64) -> Vec<Part> {
        match self {
            Self::Auto | Self::MergePath => {
                let work = (steps(offsets) as u64).saturating_mul(cost);
                let count = work.div_ceil(WORK_PER_PART).clamp(1, MOST_PARTS);
                merge_path(offsets, count as usize)
            }
            Self::ThreadMapped => thread_mapped(offsets),
        }
    }
}

/// Cuts an array into one piece a part, as long as `length` says.
fn cut<'a, T>(
    mut array: &'a mut [T],
    parts: &[Part],
    length: impl Fn(&Part) -> usize,
) -> Vec<&'a mut [T]> {
    parts.iter().map(|part| array.split_off_mut(..length(part)).unwrap_or_default()).collect()
}

/// Fails where `count` things of `size` bytes are more than the memory there is.
fn check_fits(what: impl Fn() -> String, count: u64, size: u64) -> Result<()> {
    let (needed, available) = (count.saturating_mul(size), available_memory());
    match needed <= available {
        true => Ok(()),
        false => Err(Error::TooBig { what: what(), needed, available }),
    }
}
