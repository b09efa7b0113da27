//! The loops of SpGEMM.

use std::sync::Mutex;

use equipoise_graph::{Csr, Matrix, Value, cancel::Cancel, memory, parallel::*};

pub(in crate::sparse) use super::accumulator::Factors;
use super::{
    accumulator::Accumulator,
    parts::{Part, cut},
};
use crate::{Error, Result};

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
    offsets_of(factors.rows(), |row| factors.multiplications(row))
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

    let mut counts = vec![0; factors.rows()];
    cut(&mut counts, parts, |part| part.rows.len()).into_par_iter().zip(parts).for_each(
        |(counts, part)| {
            cancel.poll();
            accumulators.lend(|accumulator| {
                for (count, row) in counts.iter_mut().zip(part.rows.clone()) {
                    *count = accumulator.count(factors, row);
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
    Ok(Matrix::from_csr(Csr::new(factors.columns(), offsets, columns)?, values)?)
}

/// Accumulators that parts share: at most one per thread is allocated.
struct Pool<T>(Mutex<Vec<Accumulator<T>>>);

impl<T: Value> Pool<T> {
    fn lend(&self, work: impl FnOnce(&mut Accumulator<T>)) {
        let free = || self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut accumulator = free().pop().unwrap_or_default();
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
