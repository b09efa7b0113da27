//! SpMM: a sparse matrix times a dense one.

use equipoise_graph::{Matrix, Value, memory};

use super::{
    cpu::{Loops, parts::parts, spmm::check_shapes},
    dense::Dense,
    options::{SparseOptions, SparseSchedule},
};
use crate::{Result, Times, times::timed};

/// The result of [`spmm`].
///
/// ```
/// use equipoise::{graph::Matrix, sparse::{Dense, SparseOptions, spmm}};
///
/// let matrix = Matrix::from_entries(1, 2, &[(0, 1, 2.0)])?;
/// let dense = Dense::new(2, 2, vec![1.0, 2.0, 3.0, 4.0])?;
/// let result = spmm(&matrix, &dense, &SparseOptions::default())?;
/// result.verify(&matrix, &dense)?;
/// assert_eq!(result.product.row(0), [6.0, 8.0]);
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Spmm<T> {
    /// The product.
    pub product: Dense<T>,
    /// The schedule of the product.
    pub schedule: SparseSchedule,
    /// The times of the run.
    pub times: Times,
}

/// Multiplies a sparse matrix by a dense one: `C = A·B`.
///
/// A row of the product is made a tile of columns at a time, so that its sums stay in registers.
/// The order of summation depends on the shapes and the matrix only. The work is proportional to
/// rows and entries, times the columns of `dense`.
///
/// Fails unless `dense` has one row per column of `matrix`, the product fits in memory, and the cpu
/// has the schedule.
///
/// ```
/// use equipoise::{graph::Matrix, sparse::{Dense, SparseOptions, spmm}};
///
/// let matrix = Matrix::from_entries(2, 2, &[(0, 0, 1.0f32), (1, 0, -1.0)])?;
/// let dense = Dense::new(2, 1, vec![5.0, 7.0])?;
/// let result = spmm(&matrix, &dense, &SparseOptions::default())?;
/// assert_eq!(result.product.values(), [5.0, -5.0]);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn spmm<T: Value>(
    matrix: &Matrix<T>,
    dense: &Dense<T>,
    options: &SparseOptions,
) -> Result<Spmm<T>> {
    options.check()?;
    matrix.check()?;
    check_shapes(matrix, dense)?;
    let (rows, columns) = (matrix.rows(), dense.columns());
    let what = format_args!("a dense product of {rows} rows × {columns} columns");
    memory::check(what, memory::bytes_of::<T>(u64::from(rows) * u64::from(columns)))?;
    let schedule = options.schedule.on_cpu()?;
    let run = || {
        let parts = parts(schedule, matrix.csr().offsets(), columns.into());
        (Loops::get().spmm)(matrix, dense, &parts)
    };
    let (values, kernel) = timed(run);
    let product = Dense::new(rows, columns, values)?;
    Ok(Spmm { product, schedule, times: Times { kernel, ..Times::default() } })
}

impl<T: Value> Spmm<T> {
    /// Whether this is `matrix` times `dense`.
    ///
    /// Every number is compared with a plain loop in `f64` by the rules of
    /// [`Spmv::verify`](super::Spmv::verify).
    pub fn verify(&self, matrix: &Matrix<T>, dense: &Dense<T>) -> Result<()> {
        (Loops::get().verify_spmm)(&self.product, matrix, dense)
    }
}
