//! Policies: which schedule a matrix gets.

use equipoise_schedule::{ScheduleName, plan::ScheduleOptions};

use crate::sparse::MatrixFeatures;

/// Picks the schedule for a matrix.
///
/// ```
/// use equipoise::sparse::gpu::{MatrixFeatures, SchedulePolicy};
/// use equipoise_schedule::{ScheduleName, plan::ScheduleOptions};
///
/// /// Always the same.
/// struct Fixed(ScheduleName);
///
/// impl SchedulePolicy for Fixed {
///     fn spmv(&self, _: &MatrixFeatures) -> ScheduleOptions {
///         self.0.into()
///     }
///     fn spmm(&self, _: &MatrixFeatures, _columns: u32) -> ScheduleOptions {
///         self.0.into()
///     }
/// }
/// ```
pub trait SchedulePolicy {
    /// For a product with a vector.
    fn spmv(&self, features: &MatrixFeatures) -> ScheduleOptions;
    /// For a product with a dense matrix of so many columns.
    fn spmm(&self, features: &MatrixFeatures, columns: u32) -> ScheduleOptions;
}

/// The heuristic of Osama et al. (6.2): merge-path, unless the matrix is small: fewer than `alpha`
/// rows or columns, and fewer than `beta` entries.
///
/// ```
/// use equipoise::sparse::gpu::PaperHeuristic;
///
/// assert_eq!(PaperHeuristic::default(), PaperHeuristic { alpha: 500, beta: 10_000 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaperHeuristic {
    /// Rows or columns that a small matrix has fewer of.
    pub alpha: u32,
    /// Entries that a small matrix has fewer of.
    pub beta: u64,
}

impl Default for PaperHeuristic {
    fn default() -> Self {
        Self { alpha: 500, beta: 10_000 }
    }
}

impl PaperHeuristic {
    fn choose(&self, features: &MatrixFeatures) -> ScheduleOptions {
        let narrow = features.rows.min(features.columns) < self.alpha;
        let name = match narrow && features.entries < self.beta {
            // Paper: thread- or group-mapped; a thread a row where rows are short.
            true if features.mean_row() <= 8.0 => ScheduleName::ThreadMapped,
            true => ScheduleName::GroupMapped,
            false => ScheduleName::MergePath,
        };
        name.into()
    }
}

impl SchedulePolicy for PaperHeuristic {
    fn spmv(&self, features: &MatrixFeatures) -> ScheduleOptions {
        self.choose(features)
    }

    fn spmm(&self, features: &MatrixFeatures, _columns: u32) -> ScheduleOptions {
        self.choose(features)
    }
}

/// What was fastest where it was measured (docs/performance.md).
///
/// ```
/// use equipoise::{graph::Matrix, sparse::gpu::{MatrixFeatures, Measured, SchedulePolicy}};
/// use equipoise_schedule::ScheduleName;
///
/// let short_rows = Matrix::from_entries(2, 2, &[(0, 0, 1.0f32), (1, 1, 1.0)])?;
/// let options = Measured.spmv(&MatrixFeatures::of(&short_rows));
/// assert_eq!(options.schedule, ScheduleName::ThreadMapped);
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measured;

/// A row of so many entries is still fit for one unit.
const SHORT_ROW: u64 = 8;
/// A row with a larger share of all entries than one in so many would keep one cube busy while
/// all others have finished.
const GIANT_SHARE: u64 = 64;
/// A deviation below this part of the mean makes rows alike.
const ALIKE: f64 = 0.5;

impl SchedulePolicy for Measured {
    fn spmv(&self, features: &MatrixFeatures) -> ScheduleOptions {
        if features.longest_row <= SHORT_ROW {
            return ScheduleOptions { units: 128, ..ScheduleName::ThreadMapped.into() };
        }
        let giant = features.longest_row.saturating_mul(GIANT_SHARE) > features.entries;
        if giant && features.longest_row > 1 << 16 {
            return ScheduleName::MergePath.into();
        }
        let alike = features.row_deviation < ALIKE * features.mean_row();
        if alike && features.empty_rows == 0 && features.mean_row() > 16.0 {
            return ScheduleOptions { items: 8, ..ScheduleName::NonzeroSplit.into() };
        }
        ScheduleOptions { units: 512, items: 8, ..ScheduleName::Binned.into() }
    }

    fn spmm(&self, features: &MatrixFeatures, _columns: u32) -> ScheduleOptions {
        let giant = features.longest_row.saturating_mul(GIANT_SHARE) > features.entries;
        if giant && features.longest_row > 1 << 16 {
            return ScheduleName::MergePath.into();
        }
        match features.row_deviation < ALIKE * features.mean_row() {
            true => ScheduleName::ThreadMapped.into(),
            false => ScheduleOptions { units: 512, items: 4, ..ScheduleName::Binned.into() },
        }
    }
}
