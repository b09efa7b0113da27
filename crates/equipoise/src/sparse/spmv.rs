//! SpMV: a sparse matrix times a vector.

use equipoise_graph::{Matrix, Value, memory};

use super::{
    cpu::{Loops, parts::parts, spmv::check_shape},
    options::{SparseOptions, SparseSchedule},
};
use crate::{Result, Times, times::timed};

/// The result of [`spmv`].
///
/// ```
/// use equipoise::{graph::Matrix, sparse::{SparseOptions, spmv}};
///
/// let matrix = Matrix::from_entries(2, 3, &[(0, 0, 2.0), (1, 2, -1.0)])?;
/// let mut product = spmv(&matrix, &[1.0, 2.0, 3.0], &SparseOptions::default())?;
/// assert_eq!(product.y, [2.0, -3.0]);
/// product.y[0] = 2.5;
/// assert!(product.verify(&matrix, &[1.0, 2.0, 3.0]).is_err());
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Spmv<T> {
    /// The product: one number per row.
    pub y: Vec<T>,
    /// The schedule of the product.
    pub schedule: SparseSchedule,
    /// The times of the run.
    pub times: Times,
}

/// Multiplies a sparse matrix by the vector `x`: `y = A·x`.
///
/// The order of summation depends on the matrix only; [`Spmv::verify`] bounds the error of the sums.
/// The work is proportional to rows and entries.
///
/// Fails unless `x` has one number per column, the product fits in memory, and the cpu has the
/// schedule.
///
/// ```
/// use equipoise::{graph::Matrix, sparse::{SparseOptions, spmv}};
///
/// let matrix = Matrix::from_entries(1, 2, &[(0, 0, 2.0f32), (0, 1, 0.5)])?;
/// assert_eq!(spmv(&matrix, &[1.0, 4.0], &SparseOptions::default())?.y, [4.0]);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn spmv<T: Value>(matrix: &Matrix<T>, x: &[T], options: &SparseOptions) -> Result<Spmv<T>> {
    options.check()?;
    matrix.check()?;
    check_shape(matrix, x)?;
    let rows = u64::from(matrix.rows());
    memory::check(format_args!("a product of {rows} numbers"), memory::bytes_of::<T>(rows))?;
    let schedule = options.schedule.on_cpu()?;
    let run = || (Loops::get().spmv)(matrix, x, &parts(schedule, matrix.csr().offsets(), 1));
    let (y, kernel) = timed(run);
    Ok(Spmv { y, schedule, times: Times { kernel, ..Times::default() } })
}

impl<T: Value> Spmv<T> {
    /// Whether this is `matrix` times `x`.
    ///
    /// Each row is summed again by a plain loop in `f64`. With k entries in the row, u half the
    /// type's epsilon, and every product a·x of the row:
    ///
    /// - In any order of summation, each product goes through at most k roundings (its own, and
    ///   k − 1 additions), each of which multiplies it by 1 + δ with |δ| ≤ u. So the error of the sum
    ///   is at most ((1 + u)ᵏ − 1)·Σ|a·x|, to first order k·u·Σ|a·x|.
    /// - The error of the plain loop has the same bound with the u of `f64`. Both are allowed, with
    ///   k + 1 in place of k for the rounding of Σ|a·x| and of the comparison itself.
    /// - A product that underflows adds an error of at most the type's smallest number.
    /// - Where a product is NaN, or two are infinities of opposite signs, the result must be NaN;
    ///   where some are one infinity, that infinity. Otherwise it must be finite, unless the products
    ///   of one sign add up to more than the type holds: then it may also be that infinity, or NaN if
    ///   both signs overflow.
    pub fn verify(&self, matrix: &Matrix<T>, x: &[T]) -> Result<()> {
        (Loops::get().verify_spmv)(&self.y, matrix, x)
    }
}
