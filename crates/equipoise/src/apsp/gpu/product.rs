//! The comparison of every length with the paths through a block, which takes nearly all of the time.
//!
//! A cube takes a tile of 128 × 128 lengths, and each unit 8 × 8 of them, which stay in registers: two
//! fours of neighbouring rows and two of neighbouring columns. So 16 numbers from shared memory serve
//! 64 comparisons, and neighbouring units read neighbouring fours.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    ranges::*,
};

use super::{
    block::{BLOCK, Four},
    length::{DeviceLength, UNITS},
    strip::Strip,
};

/// Lengths per row or column of a tile, and fours of them.
const TILE: u32 = 128;
const FOURS: u32 = TILE / 4;
/// Units per row of a tile.
const ACROSS: u32 = 16;
/// Intermediate vertices that are staged at a time.
const STAGED: u32 = 16;
/// Fours per unit: 2 in each of 8 rows.
const OWN: usize = 16;

/// Compares all lengths of a strip with the paths through a block.
pub(super) fn improve_all<T: DeviceLength>(
    strip: &Strip<T>,
    rows: &Buffer<T>,
    columns: &Buffer<T>,
) {
    // SAFETY: the strip has `rows` rows of `side` lengths, both multiples of a tile's, and both panels
    // have a row of `side` lengths per vertex of a block.
    unsafe {
        improve::launch_unchecked::<T, GpuRuntime>(
            strip.gpu.client(),
            CubeCount::new_2d(strip.side / TILE, strip.rows / TILE),
            CubeDim::new_1d(UNITS),
            strip.lengths.vector_arg(4),
            rows.vector_arg(4),
            columns.vector_arg(4),
            strip.side / 4,
        );
    }
}

#[cube(launch_unchecked)]
fn improve<L: Numeric>(
    lengths: &mut Array<Four<L>>,
    rows: &Array<Four<L>>,
    columns: &Array<Four<L>>,
    width: u32,
) {
    let mut from = SharedMemory::<Four<L>>::new(comptime!((STAGED * FOURS) as usize));
    let mut to = SharedMemory::<Four<L>>::new(comptime!((STAGED * FOURS) as usize));
    let (right, down) = (CUBE_POS_X * FOURS, CUBE_POS_Y * FOURS);
    let (column, row) = (UNIT_POS % ACROSS, UNIT_POS / ACROSS);
    let mut own = Array::<Four<L>>::new(OWN);
    #[unroll]
    for item in 0..OWN {
        own[item] = lengths[index_of(row, column, right, down, width, item)];
    }
    for stage in 0..comptime!(BLOCK / STAGED) {
        for index in cube_stride_range(0, comptime!(STAGED * FOURS)) {
            let start = (stage * STAGED + index / FOURS) * width;
            from[index as usize] = columns[(start + down + index % FOURS) as usize];
            to[index as usize] = rows[(start + right + index % FOURS) as usize];
        }
        sync_cube();
        #[unroll]
        for between in 0..STAGED {
            compare::<L>(&mut own, &from, &to, between * FOURS, row, column);
        }
        sync_cube();
    }
    #[unroll]
    for item in 0..OWN {
        lengths[index_of(row, column, right, down, width, item)] = own[item];
    }
}

/// The index in the matrix of a unit's four.
#[cube]
fn index_of(
    row: u32,
    column: u32,
    right: u32,
    down: u32,
    width: u32,
    #[comptime] item: usize,
) -> usize {
    let (half, in_four) = comptime!((item as u32 / 8, item as u32 / 2 % 4));
    let r = (down + half * ACROSS + row) * 4 + in_four;
    let c = right + comptime!(item as u32 % 2 * ACROSS) + column;
    (r * width + c) as usize
}

/// Compares a unit's fours with the paths through one vertex.
#[cube]
fn compare<L: Numeric>(
    own: &mut Array<Four<L>>,
    from: &SharedMemory<Four<L>>,
    to: &SharedMemory<Four<L>>,
    start: u32,
    row: u32,
    column: u32,
) {
    let near = to[(start + column) as usize];
    let far = to[(start + ACROSS + column) as usize];
    #[unroll]
    for half in 0..2usize {
        let four = from[(start + comptime!(half as u32 * ACROSS) + row) as usize];
        #[unroll]
        for in_four in 0..4usize {
            let first = Four::<L>::new(four[in_four]);
            let item = comptime!(half * 8 + in_four * 2);
            own[item] = min(own[item], first + near);
            own[item + 1] = min(own[item + 1], first + far);
        }
    }
}
