//! Rules that choose the schedule of a matrix.

use equipoise_schedule::{ScheduleName, plan::ScheduleOptions};

use crate::sparse::features::MatrixFeatures;

/// The schedule by the heuristic of Osama et al. (6.2): merge-path, unless the matrix is small, with
/// fewer than `alpha` rows or columns and fewer than `beta` entries.
///
/// ```
/// use equipoise::{graph::Matrix, sparse::{MatrixFeatures, gpu::paper_schedule}};
/// use equipoise_schedule::ScheduleName;
///
/// let matrix = Matrix::from_entries(2, 2, &[(0, 0, 1.0f32), (1, 1, 1.0)])?;
/// let features = MatrixFeatures::new(&matrix);
/// assert_eq!(paper_schedule(&features, 500, 10_000).schedule, ScheduleName::ThreadMapped);
/// assert_eq!(paper_schedule(&features, 500, 2).schedule, ScheduleName::MergePath);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn paper_schedule(features: &MatrixFeatures, alpha: u32, beta: u64) -> ScheduleOptions {
    let is_narrow = features.rows.min(features.columns) < alpha;
    let name = if !is_narrow || features.entries >= beta {
        ScheduleName::MergePath
    } else if features.mean_row() <= 8.0 {
        // The paper says thread- or group-mapped.
        ScheduleName::ThreadMapped
    } else {
        ScheduleName::GroupMapped
    };
    name.into()
}

/// The longest row that one unit handles well.
const SHORT_ROW: u64 = 8;
/// A longer row that has more than one in `GIANT_SHARE` of all entries keeps one cube busy after all
/// others have finished.
const GIANT_ROW: u64 = 1 << 16;
const GIANT_SHARE: u64 = 64;
/// The largest deviation over mean of rows of uniform length.
const UNIFORM: f64 = 0.5;

/// The fastest measured schedule for a product with a vector (docs/guide/src/strategies.md).
///
/// ```
/// use equipoise::{graph::Matrix, sparse::{MatrixFeatures, gpu::spmv_schedule}};
/// use equipoise_schedule::ScheduleName;
///
/// let short_rows = Matrix::from_entries(2, 2, &[(0, 0, 1.0f32), (1, 1, 1.0)])?;
/// let options = spmv_schedule(&MatrixFeatures::new(&short_rows));
/// assert_eq!(options.schedule, ScheduleName::ThreadMapped);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn spmv_schedule(features: &MatrixFeatures) -> ScheduleOptions {
    if features.longest_row <= SHORT_ROW {
        return ScheduleOptions { units: 128, ..ScheduleName::ThreadMapped.into() };
    }
    if has_giant_row(features) {
        return ScheduleName::MergePath.into();
    }
    if is_uniform(features) && features.empty_rows == 0 && features.mean_row() > 16.0 {
        return ScheduleOptions { items: 8, ..ScheduleName::NonzeroSplit.into() };
    }
    ScheduleOptions { units: 512, items: 8, ..ScheduleName::Binned.into() }
}

/// The fastest measured schedule for a product with a dense matrix.
pub fn spmm_schedule(features: &MatrixFeatures) -> ScheduleOptions {
    if has_giant_row(features) {
        ScheduleName::MergePath.into()
    } else if is_uniform(features) {
        ScheduleName::ThreadMapped.into()
    } else {
        ScheduleOptions { units: 512, items: 4, ..ScheduleName::Binned.into() }
    }
}

fn has_giant_row(features: &MatrixFeatures) -> bool {
    let longest = features.longest_row;
    longest > GIANT_ROW && longest.saturating_mul(GIANT_SHARE) > features.entries
}

fn is_uniform(features: &MatrixFeatures) -> bool {
    features.row_deviation < UNIFORM * features.mean_row()
}
