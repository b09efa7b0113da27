//! Adds up the products of one row of a sparse product by their column.

use equipoise_graph::{Matrix, Value};

use crate::{prefetch::prefetch, rows::Rows};

/// The two factors of a sparse product, as plain slices: looking up where the arrays of a matrix lie takes as long as a
/// short row.
pub(in crate::sparse) struct Factors<'a, T> {
    a: Entries<'a, T>,
    b: Entries<'a, T>,
    /// The number of columns of `b`, and of the product.
    columns: u32,
}

struct Entries<'a, T> {
    rows: Rows<'a>,
    values: &'a [T],
}

/// The distance of prefetching, in rows of `b`. The offset of a row is prefetched at twice the distance.
const AHEAD: usize = 2;

impl<'a, T: Value> Factors<'a, T> {
    pub fn new(a: &'a Matrix<T>, b: &'a Matrix<T>) -> Self {
        let columns = b.columns();
        let [a, b] =
            [a, b].map(|it| Entries { rows: Rows::from_csr(it.csr()), values: it.values() });
        Self { a, b, columns }
    }

    /// The number of rows of the product.
    pub fn rows(&self) -> usize {
        self.a.rows.vertices() as usize
    }

    /// The number of columns of the product.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// The number of multiplications of row `row` of the product.
    pub fn multiplications(&self, row: usize) -> u64 {
        let columns = self.a.rows.row(row as u32);
        columns.iter().map(|&column| self.b.rows.degree(column)).sum()
    }

    /// Calls `take(column, left, right)` for each multiplication of row `row`, in order.
    #[inline]
    pub fn visit(&self, row: usize, mut take: impl FnMut(u32, T, T)) {
        let range = self.a.rows.range(row as u32);
        let factors = self.a.rows.targets(range.clone());
        for (index, (&factor, &left)) in factors.iter().zip(&self.a.values[range]).enumerate() {
            if let Some(row) = self.prefetch_rows(factors, index) {
                prefetch(self.b.values, self.b.rows.range(row).start);
            }
            let range = self.b.rows.range(factor);
            let columns = self.b.rows.targets(range.clone());
            for (&column, &right) in columns.iter().zip(&self.b.values[range]) {
                take(column, left, right);
            }
        }
    }

    /// Calls `take` with the column of each multiplication of row `row`.
    #[inline]
    fn visit_columns(&self, row: usize, mut take: impl FnMut(u32)) {
        let factors = self.a.rows.row(row as u32);
        for (index, &factor) in factors.iter().enumerate() {
            self.prefetch_rows(factors, index);
            self.b.rows.row(factor).iter().for_each(|&column| take(column));
        }
    }

    /// Prefetches rows of `b` that are visited after the row at `index`. Returns the row whose columns are prefetched.
    #[inline]
    fn prefetch_rows(&self, factors: &[u32], index: usize) -> Option<u32> {
        if let Some(&row) = factors.get(index + 2 * AHEAD) {
            self.b.rows.prefetch_offset(row);
        }
        let row = factors.get(index + AHEAD).copied();
        row.inspect(|&row| self.b.rows.prefetch_row(row))
    }
}

/// Rows with no more multiplications are merged into a sorted list.
const MERGED: usize = 32;
/// Longer rows sort their columns, or read the bits of all columns in order if they have an entry per this many words.
const WORDS_PER_ENTRY: usize = 8;

/// Working memory, reused from row to row.
///
/// Products of a column are added in the order of the entries of `a` in each of the three ways, so that all give the same
/// bits.
#[derive(Default)]
pub(super) struct Accumulator<T> {
    /// Per column, the stamp of the last row that was stamped there, and a sum, valid where that row is the current one or
    /// the bit is set.
    sums: Vec<(u32, T)>,
    /// The stamp of the current row.
    stamp: u32,
    /// A bit per column: whether it has a product. All clear between rows.
    seen: Vec<u64>,
}

impl<T: Value> Accumulator<T> {
    /// The number of entries of row `row`.
    pub fn count(&mut self, factors: &Factors<T>, row: usize) -> usize {
        let stamp = self.start_row(factors);
        let mut count = 0;
        factors.visit_columns(row, |column| {
            let (last, _) = &mut self.sums[column as usize];
            count += usize::from(*last != stamp);
            *last = stamp;
        });
        count
    }

    /// Writes the columns and values of row `row`; the slices have the row's length.
    pub fn fill(
        &mut self,
        factors: &Factors<T>,
        row: usize,
        multiplications: usize,
        columns: &mut [u32],
        values: &mut [T],
    ) {
        let words = factors.columns().div_ceil(64) as usize;
        if multiplications <= MERGED {
            merge(factors, row, columns, values);
        } else if columns.len() < words / WORDS_PER_ENTRY {
            self.scatter_and_sort(factors, row, columns);
            for (column, value) in columns.iter().zip(values) {
                *value = self.sums[*column as usize].1;
            }
        } else {
            self.scatter_and_mark(factors, row);
            let marked = self.seen.iter_mut().enumerate().flat_map(take_marks);
            for ((column, value), marked) in columns.iter_mut().zip(values).zip(marked) {
                (*column, *value) = (marked, self.sums[marked as usize].1);
            }
        }
    }

    /// Adds up a row's products by column, and writes the columns in ascending order.
    fn scatter_and_sort(&mut self, factors: &Factors<T>, row: usize, columns: &mut [u32]) {
        let stamp = self.start_row(factors);
        let mut count = 0;
        factors.visit(row, |column, left, right| {
            let (last, sum) = &mut self.sums[column as usize];
            if *last == stamp {
                *sum += left * right;
            } else {
                (*last, *sum) = (stamp, left * right);
                columns[count] = column;
                count += 1;
            }
        });
        columns.sort_unstable();
    }

    /// Adds up a row's products by column, and marks the columns.
    fn scatter_and_mark(&mut self, factors: &Factors<T>, row: usize) {
        self.start_row(factors);
        self.seen.resize(factors.columns().div_ceil(64) as usize, 0);
        factors.visit(row, |column, left, right| {
            let (_, sum) = &mut self.sums[column as usize];
            if mark(&mut self.seen, column) {
                *sum = left * right;
            } else {
                *sum += left * right;
            }
        });
    }

    /// Returns a stamp that no column has.
    fn start_row(&mut self, factors: &Factors<T>) -> u32 {
        if self.sums.is_empty() {
            // Zeros of the system, which provides only the pages that are used.
            self.sums = vec![(0, T::default()); factors.columns() as usize];
        }
        if self.stamp == u32::MAX {
            self.sums.iter_mut().for_each(|(stamp, _)| *stamp = 0);
            self.stamp = 0;
        }
        self.stamp += 1;
        self.stamp
    }
}

/// Merges the products of a row into a list sorted by column.
fn merge<T: Value>(factors: &Factors<T>, row: usize, columns: &mut [u32], values: &mut [T]) {
    let mut length = 0;
    let mut place = 0;
    factors.visit(row, |column, left, right| {
        // The columns of a row of `b` ascend: only at the start of a row is the place after the column.
        if place > 0 && columns[place - 1] >= column {
            place = 0;
        }
        while place < length && columns[place] < column {
            place += 1;
        }
        if place < length && columns[place] == column {
            values[place] += left * right;
        } else {
            // A few numbers at most, for which a call of `memmove` takes longer.
            for index in (place..length).rev() {
                (columns[index + 1], values[index + 1]) = (columns[index], values[index]);
            }
            (columns[place], values[place]) = (column, left * right);
            length += 1;
        }
    });
}

/// Sets a column's bit. Returns whether it was clear.
#[inline]
fn mark(seen: &mut [u64], column: u32) -> bool {
    let word = &mut seen[column as usize / 64];
    let bit = 1 << (column % 64);
    let new = *word & bit == 0;
    *word |= bit;
    new
}

/// Clears a word of bits and returns the columns that were set in it, ascending.
fn take_marks((index, word): (usize, &mut u64)) -> impl Iterator<Item = u32> {
    let mut bits = std::mem::take(word);
    std::iter::from_fn(move || {
        let column = (bits != 0).then(|| index as u32 * 64 + bits.trailing_zeros());
        bits &= bits.wrapping_sub(1);
        column
    })
}
