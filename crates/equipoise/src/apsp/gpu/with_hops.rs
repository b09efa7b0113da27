//! The kernels of a block with the next hop of each path.
//!
//! Every step of the block is that of `with_hops` on the cpu, whose documentation proves that next
//! hops lead to their targets: a path through vertex k of the block consists of lengths as they are
//! when step k begins. For (i, k) in the panel of columns and (k, j) in that of rows, that is before
//! any later step; in the middle tile, which serves both, (r, c) is at the step of the smaller of r
//! and c. The panels are therefore not closed, and a product takes their vertices in order.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    ranges::*,
};

use super::{
    block::{BLOCK, Block},
    length::{DeviceLength, UNITS},
    panels::{ACROSS, OWN, position_of},
    strip::Strip,
};

/// Intermediate vertices that are staged at a time.
const STAGED: u32 = 16;

/// Allows paths through block `number` in a strip, with their next hops: those of the strip and those
/// of the columns. If the strip `has_rows` of the block, the block is made of them first.
pub(super) fn step<T: DeviceLength>(
    strip: &Strip<T>,
    block: &Block<T>,
    columns: &Buffer<T>,
    [hops, column_hops]: [&Buffer<u32>; 2],
    number: u32,
    has_rows: bool,
) {
    let (client, cube) = (strip.gpu.client(), CubeDim::new_1d(UNITS));
    let (across, down) = (strip.side / BLOCK, strip.rows / BLOCK);
    // SAFETY: the strip has `rows` rows of `side` lengths and hops, multiples of a block's, the block's
    // rows among them if it `has_rows`. The middle has the lengths of a tile, and panels have a row of
    // `side` elements per vertex of a block; `side` is no less than `rows`.
    unsafe {
        if has_rows {
            stage_middle::launch_unchecked::<T, GpuRuntime>(
                client,
                CubeCount::new_single(),
                cube,
                strip.lengths.arg(),
                block.middle.arg(),
                number,
                strip.side,
            );
            stage_rows::launch_unchecked::<T, GpuRuntime>(
                client,
                CubeCount::new_1d(across),
                cube,
                strip.lengths.arg(),
                block.middle.arg(),
                block.rows.arg(),
                number,
                strip.side,
            );
        }
        stage_columns::launch_unchecked::<T, GpuRuntime>(
            client,
            CubeCount::new_1d(down),
            cube,
            strip.lengths.arg(),
            hops.arg(),
            block.middle.arg(),
            columns.arg(),
            column_hops.arg(),
            number,
            strip.side,
        );
        improve_with_hops::launch_unchecked::<T, GpuRuntime>(
            client,
            CubeCount::new_2d(across, down),
            cube,
            strip.lengths.arg(),
            hops.arg(),
            block.rows.arg(),
            columns.arg(),
            column_hops.arg(),
            strip.side,
        );
    }
}

/// Advances each length of the middle to the step of the smaller of its vertices. One cube.
#[cube(launch_unchecked)]
fn stage_middle<L: Numeric>(lengths: &Array<L>, middle: &mut Array<L>, block: u32, side: u32) {
    let mut first = SharedMemory::<L>::new(comptime!(BLOCK as usize));
    let mut second = SharedMemory::<L>::new(comptime!(BLOCK as usize));
    let mut own = Array::<L>::new(OWN);
    let (column, row) = (UNIT_POS % ACROSS, UNIT_POS / ACROSS);
    let corner = block * BLOCK * side + block * BLOCK;
    #[unroll]
    for item in 0..OWN {
        let (r, c) = position_of(row, column, item);
        own[item] = lengths[(corner + r * side + c) as usize];
    }
    for through in 0..BLOCK {
        #[unroll]
        for item in 0..OWN {
            let (r, c) = position_of(row, column, item);
            if c == through {
                first[r as usize] = own[item];
            }
            if r == through {
                second[c as usize] = own[item];
            }
        }
        sync_cube();
        #[unroll]
        for item in 0..OWN {
            let (r, c) = position_of(row, column, item);
            if min(r, c) > through {
                own[item] = min(own[item], first[r as usize] + second[c as usize]);
            }
        }
        sync_cube();
    }
    #[unroll]
    for item in 0..OWN {
        let (r, c) = position_of(row, column, item);
        middle[(r * BLOCK + c) as usize] = own[item];
    }
}

/// Advances each row of a block to its own step. One cube per tile.
#[cube(launch_unchecked)]
fn stage_rows<L: Numeric>(
    lengths: &Array<L>,
    middle: &Array<L>,
    rows: &mut Array<L>,
    block: u32,
    side: u32,
) {
    let mut second = SharedMemory::<L>::new(comptime!(BLOCK as usize));
    let mut own = Array::<L>::new(OWN);
    let (column, row) = (UNIT_POS % ACROSS, UNIT_POS / ACROSS);
    let tile = CUBE_POS_X * BLOCK;
    #[unroll]
    for item in 0..OWN {
        let (r, c) = position_of(row, column, item);
        own[item] = lengths[((block * BLOCK + r) * side + tile + c) as usize];
    }
    for through in 0..BLOCK {
        #[unroll]
        for item in 0..OWN {
            let (r, c) = position_of(row, column, item);
            if r == through {
                second[c as usize] = own[item];
            }
        }
        sync_cube();
        #[unroll]
        for item in 0..OWN {
            let (r, c) = position_of(row, column, item);
            if r > through {
                let path = middle[(r * BLOCK + through) as usize] + second[c as usize];
                own[item] = min(own[item], path);
            }
        }
        sync_cube();
    }
    #[unroll]
    for item in 0..OWN {
        let (r, c) = position_of(row, column, item);
        rows[(r * side + tile + c) as usize] = own[item];
    }
}

/// Advances each column of a block to its own step, with its next hops. One cube per tile, which
/// writes a row per vertex of the block.
#[cube(launch_unchecked)]
fn stage_columns<L: Numeric>(
    lengths: &Array<L>,
    hops: &Array<u32>,
    middle: &Array<L>,
    columns: &mut Array<L>,
    column_hops: &mut Array<u32>,
    block: u32,
    side: u32,
) {
    let mut first = SharedMemory::<L>::new(comptime!(BLOCK as usize));
    let mut first_hop = SharedMemory::<u32>::new(comptime!(BLOCK as usize));
    let mut own = Array::<L>::new(OWN);
    let mut own_hops = Array::<u32>::new(OWN);
    let (column, row) = (UNIT_POS % ACROSS, UNIT_POS / ACROSS);
    let tile = CUBE_POS_X * BLOCK;
    #[unroll]
    for item in 0..OWN {
        let (r, c) = position_of(row, column, item);
        let index = ((tile + r) * side + block * BLOCK + c) as usize;
        own[item] = lengths[index];
        own_hops[item] = hops[index];
    }
    for through in 0..BLOCK {
        #[unroll]
        for item in 0..OWN {
            let (r, c) = position_of(row, column, item);
            if c == through {
                first[r as usize] = own[item];
                first_hop[r as usize] = own_hops[item];
            }
        }
        sync_cube();
        #[unroll]
        for item in 0..OWN {
            let (r, c) = position_of(row, column, item);
            if c > through {
                let path = first[r as usize] + middle[(through * BLOCK + c) as usize];
                if path < own[item] {
                    own[item] = path;
                    own_hops[item] = first_hop[r as usize];
                }
            }
        }
        sync_cube();
    }
    #[unroll]
    for item in 0..OWN {
        let (r, c) = position_of(row, column, item);
        let index = (c * side + tile + r) as usize;
        columns[index] = own[item];
        column_hops[index] = own_hops[item];
    }
}

/// Compares lengths with the paths through a block, one vertex of it after the other. One cube per
/// tile.
#[cube(launch_unchecked)]
fn improve_with_hops<L: Numeric>(
    lengths: &mut Array<L>,
    hops: &mut Array<u32>,
    rows: &Array<L>,
    columns: &Array<L>,
    column_hops: &Array<u32>,
    side: u32,
) {
    let mut from = SharedMemory::<L>::new(comptime!((STAGED * BLOCK) as usize));
    let mut to = SharedMemory::<L>::new(comptime!((STAGED * BLOCK) as usize));
    let (right, down) = (CUBE_POS_X * BLOCK, CUBE_POS_Y * BLOCK);
    let (column, row) = (UNIT_POS % ACROSS, UNIT_POS / ACROSS);
    let mut own = Array::<L>::new(OWN);
    // The vertex on the best path; `BLOCK` for none.
    let mut by = Array::<u32>::new(OWN);
    #[unroll]
    for item in 0..OWN {
        let (r, c) = position_of(row, column, item);
        own[item] = lengths[((down + r) * side + right + c) as usize];
        by[item] = BLOCK.runtime();
    }
    for stage in 0..comptime!(BLOCK / STAGED) {
        for index in cube_stride_range(0, comptime!(STAGED * BLOCK)) {
            let start = (stage * STAGED + index / BLOCK) * side;
            from[index as usize] = columns[(start + down + index % BLOCK) as usize];
            to[index as usize] = rows[(start + right + index % BLOCK) as usize];
        }
        sync_cube();
        for between in 0..STAGED {
            #[unroll]
            for item in 0..OWN {
                let (r, c) = position_of(row, column, item);
                let path =
                    from[(between * BLOCK + r) as usize] + to[(between * BLOCK + c) as usize];
                if path < own[item] {
                    own[item] = path;
                    by[item] = stage * STAGED + between;
                }
            }
        }
        sync_cube();
    }
    #[unroll]
    for item in 0..OWN {
        let (r, c) = position_of(row, column, item);
        if by[item] < BLOCK {
            let index = ((down + r) * side + right + c) as usize;
            lengths[index] = own[item];
            hops[index] = column_hops[(by[item] * side + down + r) as usize];
        }
    }
}
