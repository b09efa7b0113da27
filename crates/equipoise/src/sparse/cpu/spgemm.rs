//! The loops of SpGEMM.

use std::sync::Mutex;

use equipoise_graph::{Csr, Matrix, Value, cancel::Cancel, memory, parallel::*};

pub(in crate::sparse) use super::accumulator::Factors;
use super::{
    accumulator::Accumulator,
    parts::{Part, cut},
};
use crate::{
    Error, Result,
    error::wrong,
    sparse::verify::{ReferenceSum, check_product_shape},
};

/// Fails unless `a` has one column per row of `b`; takes these two numbers.
pub(in crate::sparse) fn check_shapes(a_columns: u32, b_rows: u32) -> Result<()> {
    if a_columns == b_rows {
        return Ok(());
    }
    Err(Error::Shape(format!(
        "the second matrix has {b_rows} rows, but the first has {a_columns} columns"
    )))
}

/// The running sum of the multiplications per row of the product.
pub(in crate::sparse) fn multiplication_offsets<T: Value>(factors: &Factors<T>) -> Vec<u64> {
    offsets_of(factors.a.rows() as usize, |row| factors.multiplications(row))
}

/// Counts the entries of each row, then fills them in. `multiplications` are offsets: row r takes
/// `multiplications[r + 1] - multiplications[r]` of them.
pub(super) fn multiply<T: Value>(
    factors: &Factors<T>,
    multiplications: &[u64],
    parts: &[Part],
) -> Result<Matrix<T>> {
    let multiplications = |row| length(multiplications, row);
    let accumulators = Pool(Mutex::new(Vec::new()));
    let cancel = Cancel::current();

    let mut counts = vec![0; factors.a.rows() as usize];
    cut(&mut counts, parts, |part| part.rows.len()).into_par_iter().zip(parts).for_each(
        |(counts, part)| {
            cancel.poll();
            accumulators.lend(|accumulator| {
                for (count, row) in counts.iter_mut().zip(part.rows.clone()) {
                    *count = accumulator.count(factors, row, multiplications(row));
                }
            });
        },
    );

    let offsets = offsets_of(counts.len(), |row| counts[row] as u64);
    let entries = offsets[counts.len()];
    let bytes = memory::bytes_of::<u32>(entries).saturating_add(memory::bytes_of::<T>(entries));
    memory::check(format_args!("a product of {entries} entries"), bytes)?;
    let mut columns = vec![0; entries as usize];
    let mut values = vec![T::default(); entries as usize];
    let entries_of = |part: &Part| (offsets[part.rows.end] - offsets[part.rows.start]) as usize;
    cut(&mut columns, parts, entries_of)
        .into_par_iter()
        .zip(cut(&mut values, parts, entries_of))
        .zip(parts)
        .for_each(|((mut columns, mut values), part)| {
            cancel.poll();
            accumulators.lend(|accumulator| {
                for row in part.rows.clone() {
                    let entries = length(&offsets, row);
                    let row_columns = columns.split_off_mut(..entries).unwrap_or_default();
                    let row_values = values.split_off_mut(..entries).unwrap_or_default();
                    let multiplications = multiplications(row);
                    accumulator.fill(factors, row, multiplications, row_columns, row_values);
                }
            });
        });
    Ok(Matrix::from_csr(Csr::new(factors.b.columns(), offsets, columns)?, values)?)
}

/// Accumulators that parts share: at most one per thread is allocated.
struct Pool<T>(Mutex<Vec<Accumulator<T>>>);

impl<T: Value> Pool<T> {
    fn lend(&self, work: impl FnOnce(&mut Accumulator<T>)) {
        let free = || self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut accumulator = free().pop().unwrap_or_else(Accumulator::new);
        work(&mut accumulator);
        free().push(accumulator);
    }
}

/// The running sum of a count per row: the start of each row, and the end of the last.
fn offsets_of(rows: usize, count: impl Fn(usize) -> u64 + Sync) -> Vec<u64> {
    let mut offsets = vec![0; rows + 1];
    offsets[1..].par_iter_mut().enumerate().for_each(|(row, offset)| *offset = count(row));
    let mut sum = 0;
    for offset in &mut offsets {
        sum += *offset;
        *offset = sum;
    }
    offsets
}

fn length(offsets: &[u64], row: usize) -> usize {
    (offsets[row + 1] - offsets[row]) as usize
}

/// Fails where `product` is not `a` times `b`; otherwise returns the number of multiplications.
pub(super) fn verify<T: Value>(product: &Matrix<T>, a: &Matrix<T>, b: &Matrix<T>) -> Result<u64> {
    a.check()?;
    b.check()?;
    check_shapes(a.columns(), b.rows())?;
    check_product_shape((product.rows(), product.columns()), (a.rows(), b.columns()))?;
    let factors = Factors { a, b };
    // The products of a row in each thread, with room to grow and to sort them.
    let rows = (0..a.rows() as usize).into_par_iter().map(|row| factors.multiplications(row));
    let (most, all) = rows.map(|it| (it, it)).reduce(|| (0, 0), |a, b| (a.0.max(b.0), a.1 + b.1));
    let products = most.saturating_mul(rayon::current_num_threads() as u64).min(all);
    let bytes = memory::bytes_of::<(u32, T, T)>(products.saturating_mul(3));
    memory::check("verifying a sparse product", bytes)?;
    (0..a.rows() as usize)
        .into_par_iter()
        .try_for_each(|row| verify_row(product, &factors, row))?;
    Ok(all)
}

fn verify_row<T: Value>(product: &Matrix<T>, factors: &Factors<T>, row: usize) -> Result<()> {
    let mut products = Vec::new();
    factors.visit(row, |column, left, right| products.push((column, left, right)));
    products.sort_by_key(|&(column, ..)| column);
    let (columns, values) = product.row(row as u32);
    let mut entries = columns.iter().zip(values);
    for group in products.chunk_by(|a, b| a.0 == b.0) {
        let column = group[0].0;
        let Some((_, &value)) = entries.next().filter(|entry| *entry.0 == column) else {
            return wrong(format!(
                "row {row} of the product lacks an entry in column {column}, or is not sorted"
            ));
        };
        let reference = ReferenceSum::new(group.iter().map(|&(_, left, right)| (left, right)));
        reference.check(value, || format!("row {row}, column {column}"))?;
    }
    match entries.next() {
        None => Ok(()),
        Some((column, _)) => wrong(format!(
            "row {row} of the product has an entry in column {column}, to which nothing contributes"
        )),
    }
}
