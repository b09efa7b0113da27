//! Rows of many products: a cube each, with a bit for every column.
//!
//! The columns that have a product are marked in shared memory, a window of columns at a time. To
//! fill a row in, the bits before a column are counted: that is its place in the row, where its
//! products are added up in global memory.

use cubecl::prelude::*;

use super::{
    factors::{Factors, Span},
    rows::*,
    stage::{Stage, Visit, VisitExpand, VisitKind},
    sums::{Sums, SumsExpand},
    window::Window,
};

/// The columns of a word of bits.
pub(super) const WORD: u32 = u32::BITS;

/// How wide rows are laid out.
#[derive_cube_comptime]
pub(super) struct WideShape {
    /// The units of a cube: a power of two.
    pub units: u32,
    /// The words of bits of a window.
    pub words: u32,
    /// Whether there are more columns than a window has.
    pub windowed: bool,
}

/// Where the entries of the product go; their values are in sums.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Places {
    /// Where each row of the product starts.
    pub offsets: Array<u32>,
    /// The column of each entry.
    pub columns: Array<u32>,
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

/// The marks of a window, and how many there are before each word of them.
#[derive(CubeType)]
struct Ranks {
    window: Window,
    /// Where in the product the entries of the window start.
    place: u32,
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
        let place = self.place_of(column - self.window.from);
        sums.add(place, product);
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
    for index in 0..windows(columns, shape) {
        let window = window(index, columns, true, shape);
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

/// Fills in the entries of rows, whose sums are zero before.
#[cube(launch_unchecked)]
pub(super) fn fill_wide<S: Sums>(
    factors: &Factors<S::Value>,
    lists: &Lists,
    cursors: &mut Array<u32>,
    places: &mut Places,
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
    let mut place = places.offsets[row as usize];
    for index in 0..windows(columns, shape) {
        // The products of a window are visited again to add them up, by its cursors or without.
        let window = window(index, columns, comptime!(!S::SHARED), shape);
        mark::<S::Value>(factors, entries, window, cursors, &mut stage, &mut bits, shape);
        let mut ranks = Ranks { window, place, marks, before };
        ranks.count_marks::<S::Value>(&bits, &mut stage, shape);
        let total = before[comptime!(shape.words as usize)];
        ranks.write_columns(places, total, shape);
        add::<S>(factors, entries, cursors, &mut stage, &mut ranks, sums, shape);
        place += total;
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

/// How many windows there are.
#[cube]
fn windows(columns: u32, #[comptime] shape: WideShape) -> u32 {
    let mut windows = 1u32;
    if comptime!(shape.windowed) {
        windows = columns.div_ceil(comptime!(shape.words * WORD));
    }
    windows
}

/// The window of that number.
#[cube]
fn window(
    index: u32,
    columns: u32,
    #[comptime] moves_on: bool,
    #[comptime] shape: WideShape,
) -> Window {
    let from = index * comptime!(shape.words * WORD);
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

/// Adds up the products of a window, one entry of A after the other: since a row of B has each
/// column once, or in a row, no two units add to the same sum.
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
                // Both sides of an `and` are read: never beyond the row.
                let last = span.to - 1;
                while next < span.to && factors.b_columns[min(next, last) as usize] == column {
                    sum += left * factors.b_values[next as usize];
                    next += 1;
                }
                sums.add(ranks.place_of(column - ranks.window.from), sum);
            }
        }
        sync_cube();
        sync_storage();
    }
}

#[cube]
impl Ranks {
    /// Where in the product the entry of a column, counted from the start of the window, is.
    fn place_of(&self, column: u32) -> u32 {
        let word = (column / WORD) as usize;
        let below = self.marks[word] & ((1u32 << (column % WORD)) - 1);
        self.place + self.before[word] + below.count_ones()
    }

    /// Takes over the bits, which are cleared, and counts them.
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

    /// Writes the columns that are marked, `total` of them.
    fn write_columns(&self, places: &mut Places, total: u32, #[comptime] shape: WideShape) {
        if total >= shape.words {
            // Units side by side look at columns side by side, and write them so.
            let columns = self.window.to - self.window.from;
            for column in range_stepped(UNIT_POS, columns, shape.units) {
                if (self.marks[(column / WORD) as usize] >> (column % WORD)) & 1 == 1 {
                    let place = self.place_of(column);
                    places.columns[place as usize] = self.window.from + column;
                }
            }
        } else {
            for word in range_stepped(UNIT_POS, shape.words, shape.units) {
                let mut place = self.place + self.before[word as usize];
                let mut marks = self.marks[word as usize];
                while marks != 0 {
                    let rest = marks & (marks - 1);
                    let bit = ((marks ^ rest) - 1).count_ones();
                    places.columns[place as usize] = self.window.from + word * WORD + bit;
                    place += 1;
                    marks = rest;
                }
            }
        }
    }
}
