//! Rows with few products and very few entries in A: one unit per row, which merges the rows of B
//! that the entries name.
//!
//! The rows of B ascend, so the least of their next columns is the next one of the product.

use cubecl::prelude::*;

use super::operands::*;

/// The units of a cube.
pub(super) const UNITS: u32 = 256;
/// The end of a row: matrices have fewer columns.
const END: u32 = u32::MAX;

/// A merge of the rows of B that a row of A names.
#[derive(CubeType)]
struct Merge<F: Float> {
    /// The next entry of each row of B.
    next: Array<u32>,
    /// The end of each row of B.
    ends: Array<u32>,
    /// The column of each next entry, or `END`.
    columns: Array<u32>,
    /// The value of A for each row of B.
    factors: Array<F>,
    /// The maximum number of rows.
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
            let slot = index as usize;
            let entry = span.from + index;
            next[slot] = 0u32;
            ends[slot] = 0u32;
            columns[slot] = END;
            by[slot] = F::new(0.0);
            if entry < span.to {
                let named = factors.row_named_by(entry);
                next[slot] = named.from;
                ends[slot] = named.to;
                if comptime!(values) {
                    by[slot] = factors.a_values[entry as usize];
                }
                if named.from < named.to {
                    columns[slot] = factors.b_columns[named.from as usize];
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

    /// Passes all entries of the least column. Returns their sum, in the order of A.
    fn pass(&mut self, factors: &Factors<F>, column: u32, #[comptime] values: bool) -> F {
        let mut sum = F::new(0.0);
        #[unroll]
        for index in 0..self.rows {
            let slot = index as usize;
            while self.columns[slot] == column {
                if comptime!(values) {
                    sum += self.factors[slot] * factors.b_values[self.next[slot] as usize];
                }
                self.next[slot] += 1;
                self.columns[slot] = END;
                if self.next[slot] < self.ends[slot] {
                    self.columns[slot] = factors.b_columns[self.next[slot] as usize];
                }
            }
        }
        sum
    }
}

/// Counts the entries of rows that have up to `entries` entries in A.
#[cube(launch_unchecked)]
pub(super) fn count_merged<F: Float>(
    factors: &Factors<F>,
    lists: &Lists,
    counts: &mut Array<u32>,
    #[comptime] entries: u32,
) {
    let unit = CUBE_POS as u32 * UNITS + UNIT_POS;
    if unit < lists.count {
        let row = lists.row(unit);
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

/// Fills in the entries of rows that have up to `entries` entries in A.
#[cube(launch_unchecked)]
pub(super) fn fill_merged<F: Float>(
    factors: &Factors<F>,
    lists: &Lists,
    target: &mut Target<F>,
    #[comptime] entries: u32,
) {
    let unit = CUBE_POS as u32 * UNITS + UNIT_POS;
    if unit < lists.count {
        let row = lists.row(unit);
        let mut merge = Merge::<F>::new(factors, row, entries, true);
        let mut index = target.offsets[row as usize];
        let mut column = merge.column();
        while column != END {
            target.columns[index as usize] = column;
            target.values[index as usize] = merge.pass(factors, column, true);
            index += 1;
            column = merge.column();
        }
    }
}
