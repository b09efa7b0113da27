//! SpGEMM: a sparse matrix times a sparse one.

use equipoise_graph::{Matrix, Value, memory, parallel::*};

use super::{
    cpu::{
        Loops,
        parts::parts,
        spgemm::{Factors, check_shapes, multiplication_offsets},
    },
    options::{SparseOptions, SparseSchedule},
};
use crate::{Error, Result, Times, error::wrong, times::timed};

/// The result of [`spgemm`].
///
/// ```
/// use equipoise::{graph::Matrix, sparse::{SparseOptions, spgemm}};
///
/// let matrix = Matrix::from_entries(2, 2, &[(0, 1, 2.0), (1, 0, 3.0)])?;
/// let result = spgemm(&matrix, &matrix, &SparseOptions::default())?;
/// result.verify(&matrix, &matrix)?;
/// assert_eq!(result.product.row(0), (&[0][..], &[6.0][..]));
/// assert_eq!(result.multiplications, 2);
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Spgemm<T: Value> {
    /// The product. Not serialised: write it to a separate file.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub product: Matrix<T>,
    /// The number of multiplications.
    pub multiplications: u64,
    /// The schedule of the product; `auto` where the device has only one way.
    pub schedule: SparseSchedule,
    /// The times of the run.
    pub times: Times,
}

/// Multiplies two sparse matrices: `C = A·B`.
///
/// A row of `C` is the sum of the rows of `B` that the row of `A` names, each times its value. The
/// first of two passes counts the entries of each row, the second fills them in. Rows are divided by
/// their number of multiplications; a row is never cut, so one with most of the multiplications keeps
/// one thread busy. Products are added in the order of the entries of `A`. `C` has an entry wherever
/// at least one multiplication contributes, even if they add up to zero.
///
/// Fails unless `a` has one column per row of `b`, the product fits in memory, and the cpu has the
/// schedule.
///
/// ```
/// use equipoise::{graph::Matrix, sparse::{SparseOptions, spgemm}};
///
/// let row = Matrix::from_entries(1, 2, &[(0, 0, 1.0f32), (0, 1, 1.0)])?;
/// let column = Matrix::from_entries(2, 1, &[(0, 0, 1.0), (1, 0, -1.0)])?;
/// let zero = spgemm(&row, &column, &SparseOptions::default())?.product;
/// assert_eq!(zero.row(0), (&[0][..], &[0.0][..]));
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn spgemm<T: Value>(
    a: &Matrix<T>,
    b: &Matrix<T>,
    options: &SparseOptions,
) -> Result<Spgemm<T>> {
    options.check()?;
    a.check()?;
    b.check()?;
    check_shapes(a.columns(), b.rows())?;
    check_memory(a, b)?;
    let factors = Factors::new(a, b);
    let schedule = options.schedule.on_cpu()?;
    let run = || {
        let multiplications = multiplication_offsets(&factors);
        let parts = parts(schedule, &multiplications, 1);
        let product = (Loops::get().spgemm)(&factors, &multiplications, &parts)?;
        Ok::<_, Error>((product, multiplications[multiplications.len() - 1]))
    };
    let (result, kernel) = timed(run);
    let (product, multiplications) = result?;
    let times = Times { kernel, ..Times::default() };
    Ok(Spgemm { product, multiplications, schedule, times })
}

/// Fails where memory is short for all but the product, whose size is not known yet: three numbers per
/// row, and a sum, a stamp and a bit per column in each thread.
fn check_memory<T: Value>(a: &Matrix<T>, b: &Matrix<T>) -> Result<()> {
    let (rows, columns) = (u64::from(a.rows()), u64::from(b.columns()));
    let each = memory::bytes_of::<(T, u32)>(columns).saturating_add(columns / 8);
    let all = each.saturating_mul(rayon::current_num_threads() as u64);
    let bytes = all.saturating_add(memory::bytes_of::<[u64; 3]>(rows + 1));
    let what = format_args!("counting the entries of a product of {rows} rows × {columns} columns");
    Ok(memory::check(what, bytes)?)
}

/// The number of multiplications of the product of two matrices.
///
/// Fails unless `a` has one column per row of `b`.
///
/// ```
/// use equipoise::{graph::Matrix, sparse::multiplications};
///
/// let matrix = Matrix::from_entries(2, 2, &[(0, 0, 2.0), (0, 1, 1.0), (1, 0, 3.0)])?;
/// assert_eq!(multiplications(&matrix, &matrix)?, 5);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn multiplications<T: Value>(a: &Matrix<T>, b: &Matrix<T>) -> Result<u64> {
    check_shapes(a.columns(), b.rows())?;
    let factors = Factors::new(a, b);
    Ok((0..a.rows() as usize).into_par_iter().map(|row| factors.multiplications(row)).sum())
}

impl<T: Value> Spgemm<T> {
    /// Whether this is `a` times `b`.
    ///
    /// The products of each row are sorted by column; the row must have exactly their columns, in
    /// ascending order, and each value is compared with the sum of its products in `f64` by the
    /// rules of [`Spmv::verify`](super::Spmv::verify).
    pub fn verify(&self, a: &Matrix<T>, b: &Matrix<T>) -> Result<()> {
        let multiplications = (Loops::get().verify_spgemm)(&self.product, a, b)?;
        if multiplications == self.multiplications {
            return Ok(());
        }
        wrong(format!(
            "the product takes {multiplications} multiplications, not {}",
            self.multiplications
        ))
    }
}
