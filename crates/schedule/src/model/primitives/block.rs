//! Blocks: the elements of one cube, and operations of a cube on them.

use cubecl::prelude::*;

use crate::{
    Error, Result,
    device::{Buffer, Element},
};

/// Units per cube.
pub(super) const UNITS: u32 = 256;
/// Elements per unit.
pub(super) const ITEMS: u32 = 8;
/// Elements per block.
pub(super) const BLOCK: u32 = UNITS * ITEMS;

/// Steps from all units of a cube to one by halving.
pub(super) const HALVINGS: u32 = UNITS.ilog2();
/// Banks of shared memory.
const BANKS: u32 = 32;
/// The length of the shared memory of a block.
const STAGED: u32 = BLOCK + BLOCK / BANKS;
/// Cubes that every backend allows in one dimension.
const MAX_CUBES: u32 = 65_535;

/// The most elements of a primitive: positions fit 32 bits, including those of surplus cubes of a grid and of a step
/// beyond the last element.
///
/// ```
/// use equipoise_schedule::primitives::MAX_LEN;
///
/// assert!(MAX_LEN > 4_290_000_000);
/// ```
pub const MAX_LEN: u32 = u32::MAX - (1 << 20);

pub(super) fn blocks_of<T: Element>(input: &Buffer<T>) -> Result<u32> {
    Ok(checked_len("the input of a primitive", input.len())?.div_ceil(BLOCK))
}

/// The length of an array, if positions in it fit 32 bits.
pub(super) fn checked_len(what: &str, len: usize) -> Result<u32> {
    match u32::try_from(len) {
        Ok(len) if len <= MAX_LEN => Ok(len),
        _ => Err(Error::TooMany { what: what.into(), count: len as u64, limit: MAX_LEN.into() }),
    }
}

/// At least `cubes` cubes. `CUBE_POS` of surplus cubes is `cubes` or more.
pub(super) fn grid(cubes: u32) -> CubeCount {
    let rows = cubes.div_ceil(MAX_CUBES).max(1);
    CubeCount::Static(cubes.div_ceil(rows), rows, 1)
}

pub(super) fn cube_dim() -> CubeDim {
    CubeDim::new_1d(UNITS)
}

/// The first element of a cube's block.
#[cube]
pub(super) fn block_start() -> u32 {
    CUBE_POS as u32 * BLOCK
}

/// The `round`th position in a block that a unit accesses: neighbouring units access neighbouring positions.
#[cube]
pub(super) fn striped(round: u32) -> u32 {
    round * UNITS + UNIT_POS
}

/// Shared memory for a block, see [`slot`].
#[cube]
pub(super) fn staged_block() -> SharedMemory<u32> {
    SharedMemory::<u32>::new(comptime!(STAGED as usize))
}

/// The position of a staged element: with gaps, so that units that walk over their own elements avoid bank conflicts.
#[cube]
pub(super) fn slot(item: u32) -> usize {
    (item + item / BANKS) as usize
}

/// Replaces each element of a staged block by the inclusive running sum plus `before`.
#[cube]
pub(super) fn scan_staged(staged: &mut SharedMemory<u32>, before: u32) {
    sync_cube();
    let first = UNIT_POS * ITEMS;
    let mut total = 0u32;
    #[unroll]
    for item in 0..ITEMS {
        total += staged[slot(first + item)];
    }
    let mut sum = before + sum_before(total);
    #[unroll]
    for item in 0..ITEMS {
        sum += staged[slot(first + item)];
        staged[slot(first + item)] = sum;
    }
    sync_cube();
}

/// The sum of the values of all lower units.
#[cube]
pub(super) fn sum_before(value: u32) -> u32 {
    // Two halves, read and written in turns. The number of steps is even, so that the result is in the first half,
    // where a unit reads only its own sum: the next call may overwrite it at once.
    let mut sums = SharedMemory::<u32>::new(comptime!(2 * UNITS as usize));
    sums[UNIT_POS as usize] = value;
    sync_cube();
    #[unroll]
    for step in 0..HALVINGS {
        let read = comptime!(step % 2 * UNITS) + UNIT_POS;
        let write = comptime!((step + 1) % 2 * UNITS) + UNIT_POS;
        let distance = comptime!(1u32 << step);
        let mut sum = sums[read as usize];
        if UNIT_POS >= distance {
            sum += sums[(read - distance) as usize];
        }
        sums[write as usize] = sum;
        sync_cube();
    }
    sums[UNIT_POS as usize] - value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_limited() {
        assert_eq!(HALVINGS % 2, 0, "sum_before ends in its first half");
        assert_eq!(checked_len("it", MAX_LEN as usize).unwrap(), MAX_LEN);
        let error = checked_len("it", MAX_LEN as usize + 1).unwrap_err().to_string();
        assert!(error.contains("it has") && error.contains(&MAX_LEN.to_string()), "{error}");
    }

    #[test]
    fn grids_have_few_surplus_cubes_and_their_positions_fit() {
        for cubes in [1, 2, MAX_CUBES, MAX_CUBES + 1, 1_000_003, MAX_LEN.div_ceil(BLOCK)] {
            let CubeCount::Static(x, y, z) = grid(cubes) else { panic!("a grid is static") };
            assert!(x <= MAX_CUBES && y <= MAX_CUBES && z == 1);
            assert!(x * y >= cubes && x * y - cubes < 64);
            assert!((u64::from(x * y)) * u64::from(BLOCK) <= u64::from(u32::MAX));
        }
    }
}
