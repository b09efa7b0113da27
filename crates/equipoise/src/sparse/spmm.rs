//! SpMM: a sparse matrix times a dense one.

use std::ops::Range;

use equipoise_graph::{Matrix, Value, cancel::Cancel, memory};
use rayon::prelude::*;

use super::{
    Dense, Part, SparseOptions, SparseSchedule, cut,
    verify::{Reference, check_product_shape},
};
use crate::{Error, Result, Times, times::timed};

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
    /// The schedule it was made under.
    pub schedule: SparseSchedule,
    /// Where the time went.
    pub times: Times,
}

/// Multiplies a sparse matrix by a dense one: `C = A·B`.
///
/// A row of the product is made a tile of columns at a time, so that its sums stay in registers.
/// The order of summation depends on the shapes and the matrix only. The work is proportional to
/// rows and entries, times the columns of `dense`.
///
/// Fails where `dense` has not one row for each column of `matrix`, the product does not fit in
/// memory, or the schedule is not one of the cpu's.
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
        let parts = schedule.parts(matrix.csr().offsets(), columns.into());
        multiply(matrix, dense, &parts)
    };
    let (values, kernel) = timed(run);
    let product = Dense::new(rows, columns, values)?;
    Ok(Spmm { product, schedule: schedule.name(), times: Times { kernel, ..Times::default() } })
}

fn check_shapes<T: Value>(matrix: &Matrix<T>, dense: &Dense<T>) -> Result<()> {
    match matrix.columns() == dense.rows() {
        true => Ok(()),
        false => Err(Error::Shape(format!(
            "the dense matrix has {} rows, but the sparse one has {} columns",
            dense.rows(),
            matrix.columns()
        ))),
    }
}

pub(super) fn multiply<T: Value>(matrix: &Matrix<T>, dense: &Dense<T>, parts: &[Part]) -> Vec<T> {
    let width = dense.columns() as usize;
    let mut product = vec![T::default(); matrix.rows() as usize * width];
    let cancel = Cancel::current();
    let carries: Vec<Vec<T>> = cut(&mut product, parts, |part| part.rows.len() * width)
        .into_par_iter()
        .zip(parts)
        .inspect(|_| cancel.poll())
        .map(|(rows, part)| multiply_part(matrix, dense, part, rows))
        .collect();
    for (part, carry) in parts.iter().zip(carries) {
        for (sum, carry) in product[part.rows.end * width..].iter_mut().zip(carry) {
            *sum += carry;
        }
    }
    product
}

/// Writes the rows that end in the part; returns the sums of the entries left over, if any.
fn multiply_part<T: Value>(
    matrix: &Matrix<T>,
    dense: &Dense<T>,
    part: &Part,
    product: &mut [T],
) -> Vec<T> {
    let width = dense.columns() as usize;
    let offsets = matrix.csr().offsets();
    if width > 0 {
        for (row, entries) in product.chunks_exact_mut(width).zip(part.pieces(offsets)) {
            multiply_row(matrix, entries, dense, row);
        }
    }
    let rest = part.rest(offsets);
    if rest.is_empty() {
        return Vec::new();
    }
    let mut carry = vec![T::default(); width];
    multiply_row(matrix, rest, dense, &mut carry);
    carry
}

/// One row of the product from some of its entries, tile after tile.
fn multiply_row<T: Value>(
    matrix: &Matrix<T>,
    entries: Range<usize>,
    dense: &Dense<T>,
    mut row: &mut [T],
) {
    let columns = &matrix.csr().indices()[entries.clone()];
    let values = &matrix.values()[entries];
    let mut first = 0;
    while !row.is_empty() {
        let tile = match row.len() {
            16.. => tile::<T, 16>,
            8.. => tile::<T, 8>,
            4.. => tile::<T, 4>,
            _ => tile::<T, 1>,
        };
        let done = tile(columns, values, dense, first, row);
        first += done;
        row = &mut row[done..];
    }
}

/// `WIDTH` neighbouring sums of a row of the product, the first of them in column `first`.
fn tile<T: Value, const WIDTH: usize>(
    columns: &[u32],
    values: &[T],
    dense: &Dense<T>,
    first: usize,
    row: &mut [T],
) -> usize {
    let mut sums = [T::default(); WIDTH];
    for (&column, &value) in columns.iter().zip(values) {
        let factors = &dense.row(column)[first..first + WIDTH];
        for (sum, &factor) in sums.iter_mut().zip(factors) {
            *sum += value * factor;
        }
    }
    row[..WIDTH].copy_from_slice(&sums);
    WIDTH
}

impl<T: Value> Spmm<T> {
    /// Whether this is `matrix` times `dense`.
    ///
    /// Every number is compared with a plain loop in `f64` by the rules of
    /// [`Spmv::verify`](super::Spmv::verify).
    pub fn verify(&self, matrix: &Matrix<T>, dense: &Dense<T>) -> Result<()> {
        matrix.check()?;
        check_shapes(matrix, dense)?;
        let found = (self.product.rows(), self.product.columns());
        check_product_shape(found, (matrix.rows(), dense.columns()))?;
        (0..matrix.rows()).into_par_iter().try_for_each(|row| {
            let (columns, values) = matrix.row(row);
            for (place, &found) in self.product.row(row).iter().enumerate() {
                let mut reference = Reference::default();
                for (&column, &value) in columns.iter().zip(values) {
                    reference.add(value, dense.row(column)[place]);
                }
                reference.check(found, || format!("row {row}, column {place}"))?;
            }
            Ok(())
        })
    }
}
