//! SpMV: a sparse matrix times a vector.

use std::ops::Range;

use equipoise_graph::{Matrix, Value, memory};
use rayon::prelude::*;

use super::{Part, SparseOptions, SparseSchedule, cut, verify::Reference};
use crate::{Error, Result, Times, times::timed};

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
    /// The product: one number a row.
    pub y: Vec<T>,
    /// The schedule it was made under.
    pub schedule: SparseSchedule,
    /// Where the time went.
    pub times: Times,
}

/// Multiplies a sparse matrix by the vector `x`: `y = A·x`.
///
/// A row's products are summed in an order that depends on the matrix only (see [`Spmv::verify`]
/// for how far the sum can be off). The work is proportional to rows and entries.
///
/// Fails where `x` has not one number a column, or the schedule is not one of the cpu's.
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
    let run = || multiply(matrix, x, &schedule.parts(matrix.csr().offsets(), 1));
    let (y, kernel) = timed(run);
    Ok(Spmv { y, schedule: schedule.name(), times: Times { kernel, ..Times::default() } })
}

fn check_shape<T: Value>(matrix: &Matrix<T>, x: &[T]) -> Result<()> {
    match x.len() as u64 == u64::from(matrix.columns()) {
        true => Ok(()),
        false => Err(Error::Shape(format!(
            "the vector has {} numbers, but the matrix has {} columns",
            x.len(),
            matrix.columns()
        ))),
    }
}

pub(super) fn multiply<T: Value>(matrix: &Matrix<T>, x: &[T], parts: &[Part]) -> Vec<T> {
    let mut y = vec![T::default(); matrix.rows() as usize];
    let carries: Vec<T> = cut(&mut y, parts, |part| part.rows.len())
        .into_par_iter()
        .zip(parts)
        .map(|(y, part)| multiply_part(matrix, x, part, y))
        .collect();
    for (part, carry) in parts.iter().zip(carries) {
        if let Some(y) = y.get_mut(part.rows.end) {
            *y += carry;
        }
    }
    y
}

/// Writes the rows that end in the part; returns the sum of the entries left over.
fn multiply_part<T: Value>(matrix: &Matrix<T>, x: &[T], part: &Part, y: &mut [T]) -> T {
    let offsets = matrix.csr().offsets();
    for (y, entries) in y.iter_mut().zip(part.pieces(offsets)) {
        *y = dot(matrix, entries, x);
    }
    dot(matrix, part.rest(offsets), x)
}

/// The products of some neighbouring entries, in several sums that do not wait for each other.
#[inline]
fn dot<T: Value>(matrix: &Matrix<T>, entries: Range<usize>, x: &[T]) -> T {
    const SUMS: usize = 4;
    let (columns, last_columns) = matrix.csr().indices()[entries.clone()].as_chunks::<SUMS>();
    let (values, last_values) = matrix.values()[entries].as_chunks::<SUMS>();
    let mut sums = [T::default(); SUMS];
    for (columns, values) in columns.iter().zip(values) {
        for ((sum, &column), &value) in sums.iter_mut().zip(columns).zip(values) {
            *sum += value * x[column as usize];
        }
    }
    for ((sum, &column), &value) in sums.iter_mut().zip(last_columns).zip(last_values) {
        *sum += value * x[column as usize];
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

impl<T: Value> Spmv<T> {
    /// Whether this is `matrix` times `x`.
    ///
    /// Each row is summed again by a plain loop in `f64`. With k entries in the row, u half the
    /// type's epsilon, and every product a·x of the row:
    ///
    /// - Whatever the order of summation, each product goes through at most k roundings (its own,
    ///   and k − 1 additions), each of which multiplies it by 1 + δ with |δ| ≤ u. So the sum is
    ///   off by at most ((1 + u)ᵏ − 1)·Σ|a·x|, which is γ(k)·Σ|a·x| to first order: k·u·Σ|a·x|.
    /// - The plain loop is off by the same with the u of `f64`: both are allowed for, with k + 1
    ///   in place of k to pay for the rounding of Σ|a·x| and of the comparison itself.
    /// - A product that underflows is off by at most the type's smallest number in addition.
    /// - Where a product is NaN, or two are infinities of both signs, the result must be NaN; where
    ///   some are one infinity, that. Otherwise it must be finite, unless the products of one sign
    ///   add up to more than the type holds: then it may be that infinity, too, and NaN where both
    ///   signs do.
    pub fn verify(&self, matrix: &Matrix<T>, x: &[T]) -> Result<()> {
        matrix.check()?;
        check_shape(matrix, x)?;
        let (rows, found) = (matrix.rows() as usize, self.y.len());
        if found != rows {
            return Err(Error::Wrong(format!("y has {found} numbers, the matrix {rows} rows")));
        }
        self.y.par_iter().enumerate().try_for_each(|(row, &found)| {
            let (columns, values) = matrix.row(row as u32);
            let mut reference = Reference::default();
            for (&column, &value) in columns.iter().zip(values) {
                reference.add(value, x[column as usize]);
            }
            reference.check(found, || format!("row {row}"))
        })
    }
}
