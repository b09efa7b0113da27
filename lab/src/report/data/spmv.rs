//! Sparse matrix times vector by schedule: Osama et al.

use serde::{Deserialize, Serialize};

/// The time of a schedule for one matrix.
///
/// ```
/// use equipoise_lab::report::data::{Results, SpmvTime};
///
/// let mut results = Results::new("Nightly run", "2026-11-15");
/// results.spmv.push(SpmvTime {
///     matrix: "rmat20".into(),
///     rows: 1 << 20,
///     columns: 1 << 20,
///     nonzeros: 8_260_000,
///     schedule: "merge-path".into(),
///     seconds: 0.000_05,
///     chosen: true,
/// });
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpmvTime {
    /// The matrix.
    pub matrix: String,
    /// Its rows.
    pub rows: u64,
    /// Its columns.
    pub columns: u64,
    /// Its nonzeros.
    pub nonzeros: u64,
    /// The schedule, with settings after a `+` if it has any: `binned+512x8`.
    pub schedule: String,
    /// The time of one product.
    pub seconds: f64,
    /// Whether the policy chooses this schedule for this matrix.
    pub chosen: bool,
}
