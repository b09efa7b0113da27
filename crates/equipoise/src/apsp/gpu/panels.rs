//! The kernels that make the panels of a block.

use cubecl::prelude::*;
use equipoise_schedule::ranges::*;

use super::block::{AREA, BLOCK};

/// Units per row or column of a tile, and lengths per unit of each.
pub(super) const ACROSS: u32 = 16;
const EACH: u32 = BLOCK / ACROSS;
pub(super) const OWN: usize = (EACH * EACH) as usize;
/// Intermediate vertices that are staged at a time.
const STAGED: u32 = 32;

/// Closes the tile in the middle of a block over itself. One cube, with 4 × 4 lengths per unit.
#[cube(launch_unchecked)]
pub(super) fn close_middle<L: Numeric>(
    lengths: &Array<L>,
    middle: &mut Array<L>,
    block: u32,
    side: u32,
) {
    let mut tile = SharedMemory::<L>::new(AREA);
    let mut own = Array::<L>::new(OWN);
    let (column, row) = (UNIT_POS % ACROSS, UNIT_POS / ACROSS);
    let corner = block * BLOCK * side + block * BLOCK;
    #[unroll]
    for item in 0..OWN {
        let (r, c) = position_of(row, column, item);
        own[item] = lengths[(corner + r * side + c) as usize];
        tile[(r * BLOCK + c) as usize] = own[item];
    }
    sync_cube();
    for through in 0..BLOCK {
        #[unroll]
        for item in 0..OWN {
            let (r, c) = position_of(row, column, item);
            let path = tile[(r * BLOCK + through) as usize] + tile[(through * BLOCK + c) as usize];
            own[item] = min(own[item], path);
        }
        sync_cube();
        #[unroll]
        for item in 0..OWN {
            let (r, c) = position_of(row, column, item);
            tile[(r * BLOCK + c) as usize] = own[item];
        }
        sync_cube();
    }
    #[unroll]
    for item in 0..OWN {
        let (r, c) = position_of(row, column, item);
        middle[(r * BLOCK + c) as usize] = own[item];
    }
}

/// The row and the column in a tile of a unit's length.
#[cube]
pub(super) fn position_of(row: u32, column: u32, #[comptime] item: usize) -> (u32, u32) {
    let down = comptime!(item as u32 / EACH * ACROSS);
    let right = comptime!(item as u32 % EACH * ACROSS);
    (row + down, column + right)
}

/// Compares paths that start or end in the block with those through it. One cube per tile of a panel.
#[cube(launch_unchecked)]
pub(super) fn make_panels<L: Numeric>(
    lengths: &Array<L>,
    middle: &Array<L>,
    rows: &mut Array<L>,
    columns: &mut Array<L>,
    block: u32,
    side: u32,
) {
    let mut from = SharedMemory::<L>::new(comptime!((BLOCK * STAGED) as usize));
    let mut to = SharedMemory::<L>::new(comptime!((BLOCK * STAGED) as usize));
    let mut own = Array::<L>::new(OWN);
    let (column, row) = (UNIT_POS % ACROSS, UNIT_POS / ACROSS);
    let is_row = CUBE_POS_Y == 0;
    let tile = CUBE_POS_X * BLOCK;
    let in_block = block * BLOCK;
    #[unroll]
    for item in 0..OWN {
        let (r, c) = position_of(row, column, item);
        let mut index = (in_block + r) * side + tile + c;
        if !is_row {
            index = (tile + r) * side + in_block + c;
        }
        own[item] = lengths[index as usize];
    }
    for stage in 0..comptime!(BLOCK / STAGED) {
        let done = stage * STAGED;
        for element in cube_stride_range(0, comptime!(BLOCK * STAGED)) {
            let (a_row, a_between) = (element / STAGED, done + element % STAGED);
            let (b_between, b_column) = (done + element / BLOCK, element % BLOCK);
            if is_row {
                from[element as usize] = middle[(a_row * BLOCK + a_between) as usize];
                let index = (in_block + b_between) * side + tile + b_column;
                to[element as usize] = lengths[index as usize];
            } else {
                let index = (tile + a_row) * side + in_block + a_between;
                from[element as usize] = lengths[index as usize];
                to[element as usize] = middle[(b_between * BLOCK + b_column) as usize];
            }
        }
        sync_cube();
        for between in 0..STAGED {
            #[unroll]
            for item in 0..OWN {
                let (r, c) = position_of(row, column, item);
                let path =
                    from[(r * STAGED + between) as usize] + to[(between * BLOCK + c) as usize];
                own[item] = min(own[item], path);
            }
        }
        sync_cube();
    }
    #[unroll]
    for item in 0..OWN {
        let (r, c) = position_of(row, column, item);
        if is_row {
            rows[(r * side + tile + c) as usize] = own[item];
        } else {
            columns[(c * side + tile + r) as usize] = own[item];
        }
    }
}
