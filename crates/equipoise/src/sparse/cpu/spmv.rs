//! The loops of SpMV.

use equipoise_graph::{Matrix, Value, parallel::*};

use super::{parts::Part, rows::multiply_rows};
use crate::{
    Error, Result,
    error::wrong,
    sparse::verify::{PlainSum, ReferenceSum},
};

pub(super) fn multiply<T: Value>(matrix: &Matrix<T>, x: &[T], parts: &[Part]) -> Vec<T> {
    // Looking up where the arrays lie takes as long as a short row.
    let (columns, values) = (matrix.csr().indices(), matrix.values());
    multiply_rows(matrix.csr().offsets(), 1, parts, |entries, row| {
        if let [y] = row {
            *y = dot(&columns[entries.clone()], &values[entries], x);
        }
    })
}

/// The sum of the products of neighbouring entries, in several sums that do not wait for each other.
#[inline]
fn dot<T: Value>(columns: &[u32], values: &[T], x: &[T]) -> T {
    const SUMS: usize = 4;
    let (columns, last_columns) = columns.as_chunks::<SUMS>();
    let (values, last_values) = values.as_chunks::<SUMS>();
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

/// Fails where `y` is not `matrix` times `x`.
pub(super) fn verify<T: Value>(y: &[T], matrix: &Matrix<T>, x: &[T]) -> Result<()> {
    matrix.check()?;
    check_shape(matrix, x)?;
    let (rows, numbers) = (matrix.rows() as usize, y.len());
    if numbers != rows {
        return wrong(format!("y has {numbers} numbers, the matrix {rows} rows"));
    }
    y.par_iter().enumerate().try_for_each(|(row, &sum)| {
        let (columns, values) = matrix.row(row as u32);
        let factors = columns.iter().map(|&column| x[column as usize]);
        let pairs = values.iter().copied().zip(factors);
        let mut plain = PlainSum::default();
        pairs.clone().for_each(|(a, b)| plain.add(a.to_f64() * b.to_f64()));
        if plain.proves(sum) {
            return Ok(());
        }
        ReferenceSum::new(pairs).check(sum, || format!("row {row}"))
    })
}

/// Fails unless the vector has one number per column of the matrix.
pub(in crate::sparse) fn check_shape<T: Value>(matrix: &Matrix<T>, x: &[T]) -> Result<()> {
    if x.len() as u64 == u64::from(matrix.columns()) {
        return Ok(());
    }
    Err(Error::Shape(format!(
        "the vector has {} numbers, but the matrix has {} columns",
        x.len(),
        matrix.columns()
    )))
}
