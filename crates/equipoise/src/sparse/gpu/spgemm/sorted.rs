//! Rows whose products fit shared memory: one cube per row, which sorts them by column.

use cubecl::prelude::*;

use super::{
    operands::*,
    stage::{Stage, Visit, VisitExpand, VisitKind},
};

#[derive_cube_comptime]
pub(super) struct SortShape {
    /// The maximum number of products: a power of two.
    pub capacity: u32,
    /// The units of a cube: a power of two.
    pub units: u32,
}

/// Gathers the columns of a row's products.
#[derive(CubeType)]
struct Columns {
    columns: SharedMemory<u32>,
}

impl VisitKind for Columns {
    const VALUES: bool = false;
}

#[cube]
impl<F: Float> Visit<F, SharedMemory<F>> for Columns {
    fn visit(&mut self, _values: &mut SharedMemory<F>, number: u32, column: u32, _product: F) {
        self.columns[number as usize] = column;
    }
}

/// Gathers the columns of a row's products, and the products.
#[derive(CubeType)]
struct Products {
    columns: SharedMemory<u32>,
}

impl VisitKind for Products {
    const VALUES: bool = true;
}

#[cube]
impl<F: Float> Visit<F, SharedMemory<F>> for Products {
    fn visit(&mut self, values: &mut SharedMemory<F>, number: u32, column: u32, product: F) {
        self.columns[number as usize] = column;
        values[number as usize] = product;
    }
}

/// Counts the entries of rows.
#[cube(launch_unchecked)]
pub(super) fn count_sorted<F: Float>(
    factors: &Factors<F>,
    lists: &Lists,
    counts: &mut Array<u32>,
    #[comptime] shape: SortShape,
) {
    if CUBE_POS as u32 >= lists.count {
        terminate!();
    }
    let row = lists.row(CUBE_POS as u32);
    let mut stage = Stage::<F>::new(shape.units, false);
    let mut columns = SharedMemory::<u32>::new(comptime!(shape.capacity as usize));
    let mut values = SharedMemory::<F>::new(1usize);
    let mut visitor = Columns { columns };
    let length = stage.visit::<SharedMemory<F>, Columns>(
        factors,
        factors.row(row),
        &mut visitor,
        &mut values,
    );
    sort::<F>(&mut columns, &mut values, length, shape.units, false);

    let own = own_part(length, shape.units);
    let count = stage.sum_up_to(heads(&columns, own));
    if UNIT_POS == comptime!(shape.units - 1) {
        counts[row as usize] = count;
    }
}

/// Fills in the entries of rows.
#[cube(launch_unchecked)]
pub(super) fn fill_sorted<F: Float>(
    factors: &Factors<F>,
    lists: &Lists,
    target: &mut Target<F>,
    #[comptime] shape: SortShape,
) {
    if CUBE_POS as u32 >= lists.count {
        terminate!();
    }
    let row = lists.row(CUBE_POS as u32);
    let mut stage = Stage::<F>::new(shape.units, true);
    let mut columns = SharedMemory::<u32>::new(comptime!(shape.capacity as usize));
    let mut values = SharedMemory::<F>::new(comptime!(shape.capacity as usize));
    let mut visitor = Products { columns };
    let length = stage.visit::<SharedMemory<F>, Products>(
        factors,
        factors.row(row),
        &mut visitor,
        &mut values,
    );
    sort::<F>(&mut columns, &mut values, length, shape.units, true);

    let own = own_part(length, shape.units);
    let heads = heads(&columns, own);
    let rank = stage.sum_up_to(heads) - heads;
    let mut index = target.offsets[row as usize] + rank;
    for head in own.from..own.to {
        if is_head(&columns, head) {
            let column = columns[head as usize];
            let mut sum = values[head as usize];
            let mut next = head + 1;
            // CubeCL evaluates both sides of `&&`: never beyond the row.
            while next < length && columns[min(next, length - 1) as usize] == column {
                sum += values[next as usize];
                next += 1;
            }
            target.columns[index as usize] = column;
            target.values[index as usize] = sum;
            index += 1;
        }
    }
}

/// The part of the sorted products that a unit handles.
#[cube]
fn own_part(length: u32, #[comptime] units: u32) -> Span {
    let part = length.div_ceil(units);
    let from = min(UNIT_POS * part, length);
    Span { from, to: min(from + part, length) }
}

/// Whether a sorted product is the first of its column.
#[cube]
fn is_head(columns: &SharedMemory<u32>, product: u32) -> bool {
    let mut head = true;
    if product > 0 {
        head = columns[product as usize] != columns[(product - 1) as usize];
    }
    head
}

/// The number of products of a part that are the first of their column.
#[cube]
fn heads(columns: &SharedMemory<u32>, part: Span) -> u32 {
    let mut count = 0u32;
    for product in part.from..part.to {
        if is_head(columns, product) {
            count += 1;
        }
    }
    count
}

/// Sorts the first `length` columns, `with_values` or without, by a bitonic network in which all
/// comparators point upwards, so that elements beyond `length` can be left out.
#[cube]
fn sort<F: Float>(
    columns: &mut SharedMemory<u32>,
    values: &mut SharedMemory<F>,
    length: u32,
    #[comptime] units: u32,
    #[comptime] with_values: bool,
) {
    let mut run = 2u32;
    while run < 2 * length {
        let mut distance = run / 2;
        while distance > 0 {
            // A unit's pairs ascend, so it stops at the first that begins past the end.
            let mut pair = UNIT_POS;
            let mut low = low_of(pair, distance);
            while low < length {
                let mut high = low + distance;
                if distance * 2 == run {
                    high = (low / run) * run + run - 1 - low % run;
                }
                if high < length {
                    let (a, b) = (columns[low as usize], columns[high as usize]);
                    if a > b {
                        columns[low as usize] = b;
                        columns[high as usize] = a;
                        if comptime!(with_values) {
                            let value = values[low as usize];
                            values[low as usize] = values[high as usize];
                            values[high as usize] = value;
                        }
                    }
                }
                pair += units;
                low = low_of(pair, distance);
            }
            sync_cube();
            distance /= 2;
        }
        run *= 2;
    }
}

/// The lower element of a pair of compared elements. The distance is a power of two.
#[cube]
fn low_of(pair: u32, distance: u32) -> u32 {
    2 * pair - (pair & (distance - 1))
}
