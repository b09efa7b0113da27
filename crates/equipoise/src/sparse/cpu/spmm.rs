//! The loops of SpMM.

use equipoise_graph::{Matrix, Value};

use super::{
    parts::Part,
    rows::{RowSums, fill_row, multiply_rows},
};
use crate::{
    Error, Result,
    sparse::{
        dense::Dense,
        verify::{PlainRow, ReferenceSum, check_dense},
    },
};

pub(super) fn multiply<T: Value>(matrix: &Matrix<T>, dense: &Dense<T>, parts: &[Part]) -> Vec<T> {
    let width = dense.columns() as usize;
    let (columns, values) = (matrix.csr().indices(), matrix.values());
    multiply_rows(matrix.csr().offsets(), width, parts, |entries, row| {
        let (columns, values) = (&columns[entries.clone()], &values[entries]);
        fill_row(row, &EntriesTimesDense { columns, values, dense });
    })
}

struct EntriesTimesDense<'a, T> {
    columns: &'a [u32],
    values: &'a [T],
    dense: &'a Dense<T>,
}

impl<T: Value> RowSums<T> for EntriesTimesDense<'_, T> {
    #[inline(always)]
    fn sums<const WIDTH: usize>(&self, first: usize) -> [T; WIDTH] {
        let mut sums = [T::default(); WIDTH];
        for (&column, &value) in self.columns.iter().zip(self.values) {
            let factors = &self.dense.row(column)[first..first + WIDTH];
            for (sum, &factor) in sums.iter_mut().zip(factors) {
                *sum += value * factor;
            }
        }
        sums
    }
}

/// Fails where `product` is not `matrix` times `dense`.
pub(super) fn verify<T: Value>(
    product: &Dense<T>,
    matrix: &Matrix<T>,
    dense: &Dense<T>,
) -> Result<()> {
    matrix.check()?;
    check_shapes(matrix, dense)?;
    let add = |row: u32, sums: &mut PlainRow| {
        let (columns, values) = matrix.row(row);
        for (&column, value) in columns.iter().zip(values) {
            sums.add(dense.row(column).iter().map(|factor| value.to_f64() * factor.to_f64()));
        }
    };
    check_dense(product, (matrix.rows(), dense.columns()), add, |row, column| {
        let (columns, values) = matrix.row(row);
        let factors = columns.iter().map(|&index| dense.row(index)[column]);
        ReferenceSum::new(values.iter().copied().zip(factors))
    })
}

/// Fails unless the dense matrix has one row per column of the sparse one.
pub(in crate::sparse) fn check_shapes<T: Value>(
    matrix: &Matrix<T>,
    dense: &Dense<T>,
) -> Result<()> {
    if matrix.columns() == dense.rows() {
        return Ok(());
    }
    Err(Error::Shape(format!(
        "the dense matrix has {} rows, but the sparse one has {} columns",
        dense.rows(),
        matrix.columns()
    )))
}
