//! Policies: which schedule a matrix gets.

use equipoise_graph::{Matrix, Value};
use equipoise_schedule::{ScheduleName, plan::ScheduleOptions};

/// What a policy looks at.
///
/// ```
/// use equipoise::{gpu::MatrixFeatures, graph::Matrix};
///
/// let matrix = Matrix::from_entries(3, 2, &[(0, 0, 1.0f32), (0, 1, 1.0), (2, 1, 1.0)])?;
/// let features = MatrixFeatures::of(&matrix);
/// assert_eq!((features.entries, features.longest_row, features.empty_rows), (3, 2, 1));
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MatrixFeatures {
    /// The number of rows.
    pub rows: u32,
    /// The number of columns.
    pub columns: u32,
    /// The number of entries.
    pub entries: u64,
    /// The entries of the longest row.
    pub longest_row: u64,
    /// How many rows have no entries.
    pub empty_rows: u32,
    /// The standard deviation of a row's entries.
    pub row_deviation: f64,
}

impl MatrixFeatures {
    /// The features of a matrix: one pass over where its rows start.
    pub fn of<T: Value>(matrix: &Matrix<T>) -> Self {
        let mean = matrix.entries() as f64 / f64::from(matrix.rows().max(1));
        let lengths = matrix.csr().offsets().windows(2).map(|ends| ends[1] - ends[0]);
        let (mut longest_row, mut empty_rows, mut squares) = (0, 0, 0.0);
        for length in lengths {
            longest_row = longest_row.max(length);
            empty_rows += u32::from(length == 0);
            squares += (length as f64 - mean).powi(2);
        }
        Self {
            rows: matrix.rows(),
            columns: matrix.columns(),
            entries: matrix.entries(),
            longest_row,
            empty_rows,
            row_deviation: (squares / f64::from(matrix.rows().max(1))).sqrt(),
        }
    }

    /// The mean of a row's entries.
    pub fn mean_row(&self) -> f64 {
        self.entries as f64 / f64::from(self.rows.max(1))
    }
}

/// Picks the schedule for a matrix.
///
/// ```
/// use equipoise::gpu::{MatrixFeatures, SchedulePolicy};
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
/// use equipoise::gpu::PaperHeuristic;
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
/// use equipoise::{gpu::{Measured, MatrixFeatures, SchedulePolicy}, graph::Matrix};
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
