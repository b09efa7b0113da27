//! Rows of few products: a group of units per row, one product per unit.
//!
//! Every unit compares its product with all products of its row. The first of a column adds them up,
//! in order; its rank is the number of firsts with smaller columns.

use cubecl::prelude::*;

use super::operands::*;

/// The units of a cube.
pub(super) const UNITS: u32 = 256;
/// No column: matrices have fewer.
const NONE: u32 = u32::MAX;

/// A unit of a group, with its product in the group's row.
#[derive(CubeType)]
struct Member<F: Float> {
    row: u32,
    /// Whether the group has a row.
    present: bool,
    /// The index of the unit in its group.
    lane: u32,
    /// The first unit of the group.
    base: u32,
    /// The column of the product, or `NONE`.
    column: u32,
    product: F,
    /// The columns of all units.
    columns: SharedMemory<u32>,
    /// The group's bits: set for the units that are the first of their column.
    firsts: SharedMemory<Atomic<u32>>,
}

/// Finds the product of each unit. The row has no more of them, and no more entries in A, than
/// the group has units.
#[cube]
fn gather<F: Float>(
    factors: &Factors<F>,
    lists: &Lists,
    #[comptime] group: u32,
    #[comptime] values: bool,
) -> Member<F> {
    let groups = comptime!(UNITS / group);
    let lane = UNIT_POS % group;
    let base = UNIT_POS - lane;
    let number = CUBE_POS as u32 * groups + UNIT_POS / group;
    let present = number < lists.count;

    let mut row = 0u32;
    let mut first_entry = 0u32;
    let mut entries = 0u32;
    let mut start = 0u32;
    let mut length = 0u32;
    if present {
        row = lists.row(number);
        let span = factors.row(row);
        first_entry = span.from;
        entries = span.to - span.from;
        if lane < entries {
            let named = factors.row_named_by(first_entry + lane);
            start = named.from;
            length = named.to - named.from;
        }
    }
    let mut starts = SharedMemory::<u32>::new(comptime!(UNITS as usize));
    let mut lengths = SharedMemory::<u32>::new(comptime!(UNITS as usize));
    let firsts = SharedMemory::<Atomic<u32>>::new(comptime!(groups as usize));
    starts[UNIT_POS as usize] = start;
    lengths[UNIT_POS as usize] = length;
    if lane == 0 {
        firsts[(UNIT_POS / group) as usize].store(0);
    }
    sync_cube();

    let mut before = 0u32;
    let mut index = 0u32;
    let mut from = 0u32;
    for entry in 0..entries {
        let length = lengths[(base + entry) as usize];
        if lane >= before && lane < before + length {
            index = starts[(base + entry) as usize] + lane - before;
            from = first_entry + entry;
        }
        before += length;
    }
    let mut column = NONE.runtime();
    let mut product = F::new(0.0);
    if lane < before {
        column = factors.b_columns[index as usize];
        if comptime!(values) {
            product = factors.a_values[from as usize] * factors.b_values[index as usize];
        }
    }
    let mut columns = SharedMemory::<u32>::new(comptime!(UNITS as usize));
    columns[UNIT_POS as usize] = column;
    Member::<F> { row, present, lane, base, column, product, columns, firsts }
}

#[cube]
impl<F: Float> Member<F> {
    /// The bits of the group's units that are the first of their column. `earlier` says whether an
    /// earlier unit has the same column. All units of the cube must call it together.
    fn find_firsts(&self, earlier: bool, #[comptime] group: u32) -> u32 {
        let index = (UNIT_POS / group) as usize;
        if self.column != NONE && !earlier {
            self.firsts[index].fetch_or(1u32 << self.lane);
        }
        sync_cube();
        self.firsts[index].load()
    }
}

/// Counts the entries of rows.
#[cube(launch_unchecked)]
pub(super) fn count_small<F: Float>(
    factors: &Factors<F>,
    lists: &Lists,
    counts: &mut Array<u32>,
    #[comptime] group: u32,
) {
    let member = gather::<F>(factors, lists, group, false);
    sync_cube();
    let mut earlier = false;
    #[unroll]
    for other in 0..group {
        let equal = member.columns[(member.base + other) as usize] == member.column;
        earlier = earlier || (equal && other < member.lane);
    }
    let firsts = member.find_firsts(earlier, group);
    if member.present && member.lane == 0 {
        counts[member.row as usize] = firsts.count_ones();
    }
}

/// Fills in the entries of rows.
#[cube(launch_unchecked)]
pub(super) fn fill_small<F: Float>(
    factors: &Factors<F>,
    lists: &Lists,
    target: &mut Target<F>,
    #[comptime] group: u32,
) {
    let member = gather::<F>(factors, lists, group, true);
    let mut products = SharedMemory::<F>::new(comptime!(UNITS as usize));
    products[UNIT_POS as usize] = member.product;
    sync_cube();
    let mut earlier = false;
    let mut smaller = 0u32;
    let mut sum = F::new(0.0);
    #[unroll]
    for other in 0..group {
        let unit = (member.base + other) as usize;
        let column = member.columns[unit];
        if column < member.column {
            smaller |= comptime!(1u32 << other);
        }
        if column == member.column {
            sum += products[unit];
            earlier = earlier || other < member.lane;
        }
    }
    let firsts = member.find_firsts(earlier, group);
    if member.column != NONE && !earlier {
        let rank = (smaller & firsts).count_ones();
        let index = (target.offsets[member.row as usize] + rank) as usize;
        target.columns[index] = member.column;
        target.values[index] = sum;
    }
}
