//! Adds up the products of one row of a sparse product by their column.

use equipoise_graph::{Matrix, Value};

/// The two factors of a sparse product.
pub(in crate::sparse) struct Factors<'a, T: Value> {
    pub a: &'a Matrix<T>,
    pub b: &'a Matrix<T>,
}

impl<T: Value> Factors<'_, T> {
    /// The number of multiplications of row `row` of the product.
    pub fn multiplications(&self, row: usize) -> u64 {
        let columns = self.a.csr().row(row as u32);
        columns.iter().map(|&column| self.b.csr().row_len(column) as u64).sum()
    }

    /// Calls `take(column, left, right)` for each multiplication of row `row`, in order.
    #[inline]
    pub fn visit(&self, row: usize, mut take: impl FnMut(u32, T, T)) {
        let (columns, values) = self.a.row(row as u32);
        for (&column, &left) in columns.iter().zip(values) {
            let (columns, values) = self.b.row(column);
            for (&column, &right) in columns.iter().zip(values) {
                take(column, left, right);
            }
        }
    }

    /// Whether the products of a row are sorted by column rather than scattered over an array of
    /// all columns. On squares of power-law and uniform matrices with 2¹² to 2¹⁸ columns, sorting is
    /// a little faster up to about 32 products; up to columns / 2¹² products it costs no more, and
    /// saves an array much larger than the row. A hash table was never the fastest of the three.
    fn sorts(&self, multiplications: usize) -> bool {
        let columns = self.b.columns() as usize;
        multiplications <= 32 || multiplications <= columns >> 12
    }
}

/// Working memory, reused from row to row.
///
/// Products of a column are added in the order of the entries of `a` whether sorted or scattered, so
/// both give the same bits.
pub(super) struct Accumulator<T> {
    products: Vec<(u32, T)>,
    columns: Vec<u32>,
    /// A bit per column: whether it has a product. All clear between rows.
    seen: Vec<u64>,
    /// A sum per column, valid where `seen` is set.
    sums: Vec<T>,
}

impl<T: Value> Accumulator<T> {
    pub fn new() -> Self {
        Self { products: Vec::new(), columns: Vec::new(), seen: Vec::new(), sums: Vec::new() }
    }

    /// The number of entries of row `row`.
    pub fn count(&mut self, factors: &Factors<T>, row: usize, multiplications: usize) -> usize {
        self.columns.clear();
        if factors.sorts(multiplications) {
            factors.visit(row, |column, _, _| self.columns.push(column));
            self.columns.sort_unstable();
            self.columns.dedup();
            return self.columns.len();
        }
        self.seen.resize(factors.b.columns().div_ceil(64) as usize, 0);
        factors.visit(row, |column, _, _| {
            if mark(&mut self.seen, column) {
                self.columns.push(column);
            }
        });
        for &column in &self.columns {
            self.seen[column as usize / 64] = 0;
        }
        self.columns.len()
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
        let entries = columns.iter_mut().zip(values);
        if factors.sorts(multiplications) {
            self.products.clear();
            factors.visit(row, |column, left, right| self.products.push((column, left * right)));
            self.products.sort_by_key(|&(column, _)| column);
            let sums = self.products.chunk_by(|a, b| a.0 == b.0).map(sum_of_equal_columns);
            write(entries, sums);
            return;
        }
        self.scatter(factors, row);
        let sums = &self.sums;
        if self.columns.len() < self.seen.len() {
            self.columns.sort_unstable();
            write(entries, self.columns.iter().map(|&column| (column, sums[column as usize])));
            for &column in &self.columns {
                self.seen[column as usize / 64] = 0;
            }
        } else {
            let marked = self.seen.iter_mut().enumerate().flat_map(take_marks);
            write(entries, marked.map(|column| (column, sums[column as usize])));
        }
    }

    /// Adds up a row's products by column.
    fn scatter(&mut self, factors: &Factors<T>, row: usize) {
        let width = factors.b.columns() as usize;
        self.seen.resize(width.div_ceil(64), 0);
        self.sums.resize(width, T::default());
        self.columns.clear();
        factors.visit(row, |column, left, right| {
            let sum = &mut self.sums[column as usize];
            if mark(&mut self.seen, column) {
                self.columns.push(column);
                *sum = left * right;
            } else {
                *sum += left * right;
            }
        });
    }
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

fn sum_of_equal_columns<T: Value>(products: &[(u32, T)]) -> (u32, T) {
    let (column, first) = products[0];
    let sum = products[1..].iter().fold(first, |sum, &(_, product)| sum + product);
    (column, sum)
}

fn write<'a, T: Value + 'a>(
    entries: impl Iterator<Item = (&'a mut u32, &'a mut T)>,
    sums: impl Iterator<Item = (u32, T)>,
) {
    for ((column, value), sum) in entries.zip(sums) {
        (*column, *value) = sum;
    }
}
