//! Rows of many products: one cube per row, with one bit per column.
//!
//! The columns that have a product are marked in shared memory, a window of columns at a time. The
//! number of marks before a column is its index in the row, where its products are added up in global
//! memory.

use cubecl::prelude::*;

use super::{
    operands::*,
    stage::{Stage, Visit, VisitExpand, VisitKind},
};

/// The columns of a word of bits.
pub(super) const WORD: u32 = u32::BITS;

/// The shape of the bits of a wide row.
#[derive_cube_comptime]
pub(super) struct WideShape {
    /// The units of a cube: a power of two.
    pub units: u32,
    /// The words of bits of a window.
    pub words: u32,
    /// Whether the matrix has more columns than a window.
    pub windowed: bool,
}

/// The product without its values.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Pattern {
    /// The start of each row.
    pub offsets: Array<u32>,
    pub columns: Array<u32>,
}

pub(super) trait SumsKind {
    /// Whether several units may add to the same sum at once.
    const SHARED: bool;
}

/// The values of a product, added up in global memory.
#[cube]
pub(super) trait Sums: SumsKind + LaunchArg {
    type Value: Float;

    fn add(&mut self, index: u32, value: Self::Value);
}

#[derive(CubeType, CubeLaunch)]
pub(super) struct AtomicSums<F: Float> {
    sums: Array<Atomic<F>>,
}

impl<F: Float> SumsKind for AtomicSums<F> {
    const SHARED: bool = true;
}

#[cube]
impl<F: Float> Sums for AtomicSums<F> {
    type Value = F;

    fn add(&mut self, index: u32, value: F) {
        self.sums[index as usize].fetch_add(value);
    }
}

/// Sums for devices without atomic additions of the type.
#[derive(CubeType, CubeLaunch)]
pub(super) struct PlainSums<F: Float> {
    sums: Array<F>,
}

impl<F: Float> SumsKind for PlainSums<F> {
    const SHARED: bool = false;
}

#[cube]
impl<F: Float> Sums for PlainSums<F> {
    type Value = F;

    fn add(&mut self, index: u32, value: F) {
        self.sums[index as usize] += value;
    }
}

/// Marks the columns of products.
#[derive(CubeType)]
struct Mark {
    window: Window,
}

impl VisitKind for Mark {
    const VALUES: bool = false;
}

#[cube]
impl<F: Float> Visit<F, SharedMemory<Atomic<u32>>> for Mark {
    fn visit(
        &mut self,
        bits: &mut SharedMemory<Atomic<u32>>,
        _number: u32,
        column: u32,
        _product: F,
    ) {
        let bit = column - self.window.from;
        bits[(bit / WORD) as usize].fetch_or(1u32 << (bit % WORD));
    }
}

/// The marks of a window, and their number before each word.
#[derive(CubeType)]
struct Ranks {
    window: Window,
    /// The index in the product of the window's first entry.
    first: u32,
    marks: SharedMemory<u32>,
    before: SharedMemory<u32>,
}

impl VisitKind for Ranks {
    const VALUES: bool = true;
}

/// Adds products to the sums of their columns.
#[cube]
impl<S: Sums> Visit<S::Value, S> for Ranks {
    fn visit(&mut self, sums: &mut S, _number: u32, column: u32, product: S::Value) {
        let index = self.index_of(column - self.window.from);
        sums.add(index, product);
    }
}

/// Counts the entries of rows.
#[cube(launch_unchecked)]
pub(super) fn count_wide<F: Float>(
    factors: &Factors<F>,
    lists: &Lists,
    cursors: &mut Array<u32>,
    counts: &mut Array<u32>,
    columns: u32,
    #[comptime] shape: WideShape,
) {
    if CUBE_POS as u32 >= lists.count {
        terminate!();
    }
    let row = lists.row(CUBE_POS as u32);
    let entries = factors.row(row);
    let mut stage = Stage::<F>::new(shape.units, false);
    let mut bits = cleared_bits(shape);
    let mut count = 0u32;
    for number in 0..windows(columns, shape) {
        let window = window(number, columns, true, shape);
        mark::<F>(factors, entries, window, cursors, &mut stage, &mut bits, shape);
        for word in range_stepped(UNIT_POS, shape.words, shape.units) {
            count += bits[word as usize].load().count_ones();
            bits[word as usize].store(0);
        }
        sync_cube();
    }
    let total = stage.sum_up_to(count);
    if UNIT_POS == comptime!(shape.units - 1) {
        counts[row as usize] = total;
    }
}

/// Fills in the entries of rows. Their sums must be zero.
#[cube(launch_unchecked)]
pub(super) fn fill_wide<S: Sums>(
    factors: &Factors<S::Value>,
    lists: &Lists,
    cursors: &mut Array<u32>,
    pattern: &mut Pattern,
    sums: &mut S,
    columns: u32,
    #[comptime] shape: WideShape,
) {
    if CUBE_POS as u32 >= lists.count {
        terminate!();
    }
    let row = lists.row(CUBE_POS as u32);
    let entries = factors.row(row);
    let mut stage = Stage::<S::Value>::new(shape.units, comptime!(S::SHARED));
    let mut bits = cleared_bits(shape);
    let marks = SharedMemory::<u32>::new(comptime!(shape.words as usize));
    let before = SharedMemory::<u32>::new(comptime!(shape.words as usize + 1));
    let mut first = pattern.offsets[row as usize];
    for number in 0..windows(columns, shape) {
        // The products of a window are visited again to add them up.
        let window = window(number, columns, comptime!(!S::SHARED), shape);
        mark::<S::Value>(factors, entries, window, cursors, &mut stage, &mut bits, shape);
        let mut ranks = Ranks { window, first, marks, before };
        ranks.count_marks::<S::Value>(&bits, &mut stage, shape);
        let total = before[comptime!(shape.words as usize)];
        ranks.write_columns(pattern, total, shape);
        add::<S>(factors, entries, cursors, &mut stage, &mut ranks, sums, shape);
        first += total;
    }
}

#[cube]
fn cleared_bits(#[comptime] shape: WideShape) -> SharedMemory<Atomic<u32>> {
    let bits = SharedMemory::<Atomic<u32>>::new(comptime!(shape.words as usize));
    for word in range_stepped(UNIT_POS, shape.words, shape.units) {
        bits[word as usize].store(0);
    }
    sync_cube();
    bits
}

#[cube]
fn windows(columns: u32, #[comptime] shape: WideShape) -> u32 {
    let mut windows = 1u32;
    if comptime!(shape.windowed) {
        windows = columns.div_ceil(comptime!(shape.words * WORD));
    }
    windows
}

#[cube]
fn window(
    number: u32,
    columns: u32,
    #[comptime] moves_on: bool,
    #[comptime] shape: WideShape,
) -> Window {
    let from = number * comptime!(shape.words * WORD);
    let to = from + min(columns - from, comptime!(shape.words * WORD));
    Window { from, to, moves_on }
}

/// Marks the columns of a window that have a product.
#[cube]
fn mark<F: Float>(
    factors: &Factors<F>,
    entries: Span,
    window: Window,
    cursors: &mut Array<u32>,
    stage: &mut Stage<F>,
    bits: &mut SharedMemory<Atomic<u32>>,
    #[comptime] shape: WideShape,
) {
    let mut mark = Mark { window };
    if comptime!(shape.windowed) {
        stage.visit_window::<SharedMemory<Atomic<u32>>, Mark>(
            factors, entries, &window, cursors, &mut mark, bits,
        );
    } else {
        stage.visit::<SharedMemory<Atomic<u32>>, Mark>(factors, entries, &mut mark, bits);
    }
}

/// Adds up the products of a window.
#[cube]
fn add<S: Sums>(
    factors: &Factors<S::Value>,
    entries: Span,
    cursors: &mut Array<u32>,
    stage: &mut Stage<S::Value>,
    ranks: &mut Ranks,
    sums: &mut S,
    #[comptime] shape: WideShape,
) {
    let window = Window { from: ranks.window.from, to: ranks.window.to, moves_on: true };
    if comptime!(!S::SHARED) {
        add_in_turn::<S>(factors, entries, ranks, sums, shape);
    } else if comptime!(shape.windowed) {
        stage.visit_window::<S, Ranks>(factors, entries, &window, cursors, ranks, sums);
    } else {
        stage.visit::<S, Ranks>(factors, entries, ranks, sums);
    }
}

/// Adds up the products of a window, one entry of A after the other. A row of B has equal columns next
/// to each other, so no two units add to the same sum.
#[cube]
fn add_in_turn<S: Sums>(
    factors: &Factors<S::Value>,
    entries: Span,
    ranks: &mut Ranks,
    sums: &mut S,
    #[comptime] shape: WideShape,
) {
    for entry in entries.from..entries.to {
        let mut span = factors.row_named_by(entry);
        if comptime!(shape.windowed) {
            span.from = factors.first_from(span, ranks.window.from);
            span.to = factors.first_from(span, ranks.window.to);
        }
        let left = factors.a_values[entry as usize];
        for first in range_stepped(span.from + UNIT_POS, span.to, shape.units) {
            let column = factors.b_columns[first as usize];
            let mut is_first = true;
            if first > span.from {
                is_first = factors.b_columns[first as usize - 1] != column;
            }
            if is_first {
                let mut sum = left * factors.b_values[first as usize];
                let mut next = first + 1;
                // CubeCL evaluates both sides of `&&`: never beyond the row.
                let last = span.to - 1;
                while next < span.to && factors.b_columns[min(next, last) as usize] == column {
                    sum += left * factors.b_values[next as usize];
                    next += 1;
                }
                sums.add(ranks.index_of(column - ranks.window.from), sum);
            }
        }
        sync_cube();
        sync_storage();
    }
}

#[cube]
impl Ranks {
    /// The index in the product of the entry of a column, counted from the start of the window.
    fn index_of(&self, column: u32) -> u32 {
        let word = (column / WORD) as usize;
        let below = self.marks[word] & ((1u32 << (column % WORD)) - 1);
        self.first + self.before[word] + below.count_ones()
    }

    /// Moves the bits to the marks, and counts them.
    fn count_marks<F: Float>(
        &mut self,
        bits: &SharedMemory<Atomic<u32>>,
        stage: &mut Stage<F>,
        #[comptime] shape: WideShape,
    ) {
        let part = comptime!(shape.words.div_ceil(shape.units));
        let from = UNIT_POS * part;
        let to = min(from + part, shape.words);
        let mut count = 0u32;
        for word in from..to {
            let marks = bits[word as usize].load();
            bits[word as usize].store(0);
            self.marks[word as usize] = marks;
            count += marks.count_ones();
        }
        let sum = stage.sum_up_to(count);
        let mut before = sum - count;
        for word in from..to {
            self.before[word as usize] = before;
            before += self.marks[word as usize].count_ones();
        }
        if UNIT_POS == comptime!(shape.units - 1) {
            self.before[comptime!(shape.words as usize)] = sum;
        }
        sync_cube();
    }

    /// Writes the marked columns, `total` in number.
    fn write_columns(&self, pattern: &mut Pattern, total: u32, #[comptime] shape: WideShape) {
        if total >= shape.words {
            // Neighbouring units check neighbouring columns, so that writes coalesce.
            let columns = self.window.to - self.window.from;
            for column in range_stepped(UNIT_POS, columns, shape.units) {
                if (self.marks[(column / WORD) as usize] >> (column % WORD)) & 1 == 1 {
                    let index = self.index_of(column);
                    pattern.columns[index as usize] = self.window.from + column;
                }
            }
        } else {
            for word in range_stepped(UNIT_POS, shape.words, shape.units) {
                let mut index = self.first + self.before[word as usize];
                let mut marks = self.marks[word as usize];
                while marks != 0 {
                    let rest = marks & (marks - 1);
                    let bit = ((marks ^ rest) - 1).count_ones();
                    pattern.columns[index as usize] = self.window.from + word * WORD + bit;
                    index += 1;
                    marks = rest;
                }
            }
        }
    }
}
