//! SpGEMM: a sparse matrix times a sparse one.

use std::sync::Mutex;

use equipoise_graph::{Csr, Matrix, Value, cancel::Cancel, memory};
use rayon::prelude::*;

use super::{
    Part, SparseOptions, SparseSchedule,
    accumulator::{Accumulator, Factors},
    cut,
    verify::{Reference, check_product_shape},
};
use crate::{Error, Result, Times, times::timed};

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
    /// The product. Not serialised: write it to a file of its own.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub product: Matrix<T>,
    /// The multiplications it took.
    pub multiplications: u64,
    /// The schedule it was made under; `auto` where the device has but one way.
    pub schedule: SparseSchedule,
    /// Where the time went.
    pub times: Times,
}

/// Multiplies two sparse matrices: `C = A·B`.
///
/// A row of `C` is the sum of the rows of `B` that the row of `A` names, each times its value.
/// Two passes are made: the first counts the entries of each row, the second fills them in. Rows
/// are divided by the multiplications they take; a row is never cut, so one that takes most of
/// the multiplications keeps one thread busy. Products are added in the order of the entries of
/// `A`. Where they add up to zero the entry stays: `C` has an entry wherever at least one
/// multiplication contributes.
///
/// Fails where `a` has not one column for each row of `b`, the product does not fit in memory, or
/// the schedule is not one of the cpu's.
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
    check_shapes(a, b)?;
    check_memory(a, b)?;
    let factors = Factors { a, b };
    let schedule = options.schedule.on_cpu()?;
    let run = || {
        let multiplications = multiplication_offsets(&factors);
        let parts = schedule.parts(&multiplications, 1);
        let product = multiply(&factors, &multiplications, &parts)?;
        Ok::<_, Error>((product, multiplications[multiplications.len() - 1]))
    };
    let (result, kernel) = timed(run);
    let (product, multiplications) = result?;
    let times = Times { kernel, ..Times::default() };
    Ok(Spgemm { product, multiplications, schedule: schedule.name(), times })
}

fn check_shapes<T: Value>(a: &Matrix<T>, b: &Matrix<T>) -> Result<()> {
    match a.columns() == b.rows() {
        true => Ok(()),
        false => Err(Error::Shape(format!(
            "the second matrix has {} rows, but the first has {} columns",
            b.rows(),
            a.columns()
        ))),
    }
}

/// Refuses what there is no memory for beside the product itself, whose size is known later: three
/// numbers a row, and a sum, a column and a bit for each column in each thread.
fn check_memory<T: Value>(a: &Matrix<T>, b: &Matrix<T>) -> Result<()> {
    let (rows, columns) = (u64::from(a.rows()), u64::from(b.columns()));
    let each = memory::bytes_of::<(T, u32)>(columns).saturating_add(columns / 8);
    let all = each.saturating_mul(rayon::current_num_threads() as u64);
    let bytes = all.saturating_add(memory::bytes_of::<[u64; 3]>(rows + 1));
    let what = format_args!("counting the entries of a product of {rows} rows × {columns} columns");
    Ok(memory::check(what, bytes)?)
}

/// How many multiplications the product of two matrices takes.
///
/// Fails where `a` has not one column for each row of `b`.
///
/// ```
/// use equipoise::{graph::Matrix, sparse::multiplications};
///
/// let matrix = Matrix::from_entries(2, 2, &[(0, 0, 2.0), (0, 1, 1.0), (1, 0, 3.0)])?;
/// assert_eq!(multiplications(&matrix, &matrix)?, 5);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn multiplications<T: Value>(a: &Matrix<T>, b: &Matrix<T>) -> Result<u64> {
    check_shapes(a, b)?;
    let factors = Factors { a, b };
    Ok((0..a.rows() as usize).into_par_iter().map(|row| factors.multiplications(row)).sum())
}

/// The running sum of the multiplications that the rows of the product take.
pub(super) fn multiplication_offsets<T: Value>(factors: &Factors<T>) -> Vec<u64> {
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

/// Accumulators that parts take turns with: as many are made as threads want one at once.
struct Pool<T>(Mutex<Vec<Accumulator<T>>>);

impl<T: Value> Pool<T> {
    fn lend(&self, work: impl FnOnce(&mut Accumulator<T>)) {
        let free = || self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut accumulator = free().pop().unwrap_or_else(Accumulator::new);
        work(&mut accumulator);
        free().push(accumulator);
    }
}

/// The running sum of a count for each row: where each row starts, and where the last one ends.
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

impl<T: Value> Spgemm<T> {
    /// Whether this is `a` times `b`.
    ///
    /// The products of each row are sorted by column; the row must have exactly their columns, in
    /// ascending order, and each value is compared with the sum of its products in `f64` by the
    /// rules of [`Spmv::verify`](super::Spmv::verify).
    pub fn verify(&self, a: &Matrix<T>, b: &Matrix<T>) -> Result<()> {
        a.check()?;
        b.check()?;
        check_shapes(a, b)?;
        let found = (self.product.rows(), self.product.columns());
        check_product_shape(found, (a.rows(), b.columns()))?;
        let factors = Factors { a, b };
        // The products of a row in each thread, with room to grow and to sort them.
        let rows = (0..a.rows() as usize).into_par_iter().map(|row| factors.multiplications(row));
        let (most, all) =
            rows.map(|it| (it, it)).reduce(|| (0, 0), |a, b| (a.0.max(b.0), a.1 + b.1));
        let products = most.saturating_mul(rayon::current_num_threads() as u64).min(all);
        let bytes = memory::bytes_of::<(u32, T, T)>(products.saturating_mul(3));
        memory::check("verifying a sparse product", bytes)?;
        let multiplications = (0..a.rows() as usize)
            .into_par_iter()
            .map(|row| self.verify_row(&factors, row))
            .try_reduce(|| 0, |a, b| Ok(a + b))?;
        match multiplications == self.multiplications {
            true => Ok(()),
            false => Err(Error::Wrong(format!(
                "the product takes {multiplications} multiplications, not {}",
                self.multiplications
            ))),
        }
    }

    /// Returns the number of multiplications of the row.
    fn verify_row(&self, factors: &Factors<T>, row: usize) -> Result<u64> {
        let mut products = Vec::new();
        factors.visit(row, |column, left, right| products.push((column, left, right)));
        products.sort_by_key(|&(column, ..)| column);
        let (columns, values) = self.product.row(row as u32);
        let mut entries = columns.iter().zip(values);
        for group in products.chunk_by(|a, b| a.0 == b.0) {
            let column = group[0].0;
            let Some((_, &found)) = entries.next().filter(|entry| *entry.0 == column) else {
                return Err(Error::Wrong(format!(
                    "row {row} of the product lacks an entry in column {column}, or is not sorted"
                )));
            };
            let mut reference = Reference::default();
            for &(_, left, right) in group {
                reference.add(left, right);
            }
            reference.check(found, || format!("row {row}, column {column}"))?;
        }
        match entries.next() {
            None => Ok(products.len() as u64),
            Some((column, _)) => Err(Error::Wrong(format!(
                "row {row} of the product has an entry in column {column}, to which nothing \
                 contributes"
            ))),
        }
    }
}
