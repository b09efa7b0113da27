//! Rows of few products and of very few entries in A: a unit each, which merges the rows of B that
//! its entries name.
//!
//! The rows of B ascend, so the least of their next columns is the next one of the product.

use cubecl::prelude::*;

use super::{factors::Factors, rows::*};

/// The units of a cube.
pub(super) const UNITS: u32 = 256;
/// Stands for the end of a row: matrices have fewer columns.
const END: u32 = u32::MAX;

/// The rows of B that a row of A names, at the columns that come next.
#[derive(CubeType)]
struct Merge<F: Float> {
    /// The next entry of each row of B.
    next: Array<u32>,
    /// Where each of them ends.
    ends: Array<u32>,
    /// The column of each next entry, or `END`.
    columns: Array<u32>,
    /// What each is multiplied by.
    factors: Array<F>,
    /// How many rows there are at most.
    #[cube(comptime)]
    rows: u32,
}

#[cube]
impl<F: Float> Merge<F> {
    /// At the start of all rows.
    fn new(
        factors: &Factors<F>,
        row: u32,
        #[comptime] rows: u32,
        #[comptime] values: bool,
    ) -> Merge<F> {
        let mut next = Array::<u32>::new(comptime!(rows as usize));
        let mut ends = Array::<u32>::new(comptime!(rows as usize));
        let mut columns = Array::<u32>::new(comptime!(rows as usize));
        let mut by = Array::<F>::new(comptime!(rows as usize));
        let span = factors.row(row);
        #[unroll]
        for index in 0..rows {
            let place = index as usize;
            let entry = span.from + index;
            next[place] = 0u32;
            ends[place] = 0u32;
            columns[place] = END;
            by[place] = F::new(0.0);
            if entry < span.to {
                let named = factors.row_named_by(entry);
                next[place] = named.from;
                ends[place] = named.to;
                if comptime!(values) {
                    by[place] = factors.a_values[entry as usize];
                }
                if named.from < named.to {
                    columns[place] = factors.b_columns[named.from as usize];
                }
            }
        }
        Merge::<F> { next, ends, columns, factors: by, rows }
    }

    /// The least column that comes next, or `END`.
    fn column(&self) -> u32 {
        let mut least = END.runtime();
        #[unroll]
        for index in 0..self.rows {
            least = min(least, self.columns[index as usize]);
        }
        least
    }

    /// Passes all entries of a column, which is the least; what they add up to, in the order of A.
    fn pass(&mut self, factors: &Factors<F>, column: u32, #[comptime] values: bool) -> F {
        let mut sum = F::new(0.0);
        #[unroll]
        for index in 0..self.rows {
            let place = index as usize;
            while self.columns[place] == column {
                if comptime!(values) {
                    sum += self.factors[place] * factors.b_values[self.next[place] as usize];
                }
                self.next[place] += 1;
                self.columns[place] = END;
                if self.next[place] < self.ends[place] {
                    self.columns[place] = factors.b_columns[self.next[place] as usize];
                }
            }
        }
        sum
    }
}

/// Counts the entries of rows, each with at most so many entries in A.
#[cube(launch_unchecked)]
pub(super) fn count_merged<F: Float>(
    factors: &Factors<F>,
    lists: &Lists,
    counts: &mut Array<u32>,
    #[comptime] entries: u32,
) {
    let index = CUBE_POS as u32 * UNITS + UNIT_POS;
    if index < lists.count {
        let row = lists.row(index);
        let mut merge = Merge::<F>::new(factors, row, entries, false);
        let mut count = 0u32;
        let mut column = merge.column();
        while column != END {
            merge.pass(factors, column, false);
            count += 1;
            column = merge.column();
        }
        counts[row as usize] = count;
    }
}

/// Fills in the entries of rows, each with at most so many entries in A.
#[cube(launch_unchecked)]
pub(super) fn fill_merged<F: Float>(
    factors: &Factors<F>,
    lists: &Lists,
    target: &mut Target<F>,
    #[comptime] entries: u32,
) {
    let index = CUBE_POS as u32 * UNITS + UNIT_POS;
    if index < lists.count {
        let row = lists.row(index);
        let mut merge = Merge::<F>::new(factors, row, entries, true);
        let mut place = target.offsets[row as usize];
        let mut column = merge.column();
        while column != END {
            target.columns[place as usize] = column;
            target.values[place as usize] = merge.pass(factors, column, true);
            place += 1;
            column = merge.column();
        }
    }
}
