//! The kernels of a block that note the next hop of each path.
//!
//! Every step of the block is that of `with_hops` on the cpu, where it is said why its next hops lead to
//! their targets: a path through vertex k of the block is made of lengths as they are when step k
//! begins. For (i, k) in the panel of columns that is before any later step; for (k, j) in that of
//! rows, too; and in the tile in the middle, where both are wanted, (r, c) stands for the step of
//! the smaller of r and c. The panels are therefore not closed, and a product takes their vertices
//! in order.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    ranges::*,
};

use super::{
    block::{BLOCK, Block, Columns},
    length::{DeviceLength, UNITS},
    matrix::Strip,
    panels::{ACROSS, OWN, place_of},
};

/// Vertices on the way that are staged at a time.
const STAGED: u32 = 16;

/// Makes the middle of a block whose rows the strip has.
pub(super) fn stage_middle_of<T: DeviceLength>(strip: &Strip<T>, block: &Block<T>, number: u32) {
    // SAFETY: the block's rows and columns are in the strip, and the middle has the lengths of a
    // tile.
    unsafe {
        stage_middle::launch_unchecked::<T, GpuRuntime>(
            strip.gpu.client(),
            CubeCount::new_single(),
            CubeDim::new_1d(UNITS),
            strip.lengths.arg(),
            block.middle.arg(),
            number,
            strip.side,
        );
    }
}

/// Makes the rows of a block that the strip has.
pub(super) fn make_rows<T: DeviceLength>(strip: &Strip<T>, block: &Block<T>, number: u32) {
    // SAFETY: the block's rows are in the strip, and the panel has as many of the same length.
    unsafe {
        stage_rows::launch_unchecked::<T, GpuRuntime>(
            strip.gpu.client(),
            CubeCount::new_1d(strip.side / BLOCK),
            CubeDim::new_1d(UNITS),
            strip.lengths.arg(),
            block.middle.arg(),
            block.rows.arg(),
            number,
            strip.side,
        );
    }
}

/// Makes the columns of a block for all rows of the strip.
pub(super) fn make_columns<T: DeviceLength>(
    strip: &Strip<T>,
    block: &Block<T>,
    columns: &Columns<T>,
    column_hops: &Buffer<u32>,
    hops: &Buffer<u32>,
    number: u32,
) {
    // SAFETY: the strip has `rows` rows of `side` lengths and hops, and the panels `side` for each
    // vertex of a block, which are no fewer than the rows.
    unsafe {
        stage_columns::launch_unchecked::<T, GpuRuntime>(
            strip.gpu.client(),
            CubeCount::new_1d(strip.rows / BLOCK),
            CubeDim::new_1d(UNITS),
            strip.lengths.arg(),
            hops.arg(),
            block.middle.arg(),
            columns.lengths.arg(),
            column_hops.arg(),
            number,
            strip.side,
        );
    }
}

/// Compares all lengths of the strip with the paths through a block.
pub(super) fn improve_all<T: DeviceLength>(
    strip: &Strip<T>,
    block: &Block<T>,
    columns: &Columns<T>,
    column_hops: &Buffer<u32>,
    hops: &Buffer<u32>,
) {
    // SAFETY: the strip has `rows` rows of `side` lengths and hops, both multiples of a block's, and
    // the panels `side` for each vertex of a block.
    unsafe {
        improve_with_hops::launch_unchecked::<T, GpuRuntime>(
            strip.gpu.client(),
            CubeCount::new_2d(strip.side / BLOCK, strip.rows / BLOCK),
            CubeDim::new_1d(UNITS),
            strip.lengths.arg(),
            hops.arg(),
            block.rows.arg(),
            columns.lengths.arg(),
            column_hops.arg(),
            strip.side,
        );
    }
}

/// Brings each length of the middle to the step of the smaller of its vertices. One cube.
#[cube(launch_unchecked)]
fn stage_middle<L: Numeric>(lengths: &Array<L>, middle: &mut Array<L>, block: u32, side: u32) {
    let mut first = SharedMemory::<L>::new(comptime!(BLOCK as usize));
    let mut second = SharedMemory::<L>::new(comptime!(BLOCK as usize));
    let mut own = Array::<L>::new(OWN);
    let (column, row) = (UNIT_POS % ACROSS, UNIT_POS / ACROSS);
    let corner = block * BLOCK * side + block * BLOCK;
    #[unroll]
    for item in 0..OWN {
        let (r, c) = place_of(row, column, item);
        own[item] = lengths[(corner + r * side + c) as usize];
    }
    for through in 0..BLOCK {
        #[unroll]
        for item in 0..OWN {
            let (r, c) = place_of(row, column, item);
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
            let (r, c) = place_of(row, column, item);
            if min(r, c) > through {
                own[item] = min(own[item], first[r as usize] + second[c as usize]);
            }
        }
        sync_cube();
    }
    #[unroll]
    for item in 0..OWN {
        let (r, c) = place_of(row, column, item);
        middle[(r * BLOCK + c) as usize] = own[item];
    }
}

/// Brings the rows of a block to their own steps. A cube makes one tile.
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
        let (r, c) = place_of(row, column, item);
        own[item] = lengths[((block * BLOCK + r) * side + tile + c) as usize];
    }
    for through in 0..BLOCK {
        #[unroll]
        for item in 0..OWN {
            let (r, c) = place_of(row, column, item);
            if r == through {
                second[c as usize] = own[item];
            }
        }
        sync_cube();
        #[unroll]
        for item in 0..OWN {
            let (r, c) = place_of(row, column, item);
            if r > through {
                let path = middle[(r * BLOCK + through) as usize] + second[c as usize];
                own[item] = min(own[item], path);
            }
        }
        sync_cube();
    }
    #[unroll]
    for item in 0..OWN {
        let (r, c) = place_of(row, column, item);
        rows[(r * side + tile + c) as usize] = own[item];
    }
}

/// Brings the columns of a block to their own steps, with their next hops. A cube makes one tile,
/// and puts a row for each vertex of the block.
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
        let (r, c) = place_of(row, column, item);
        let place = ((tile + r) * side + block * BLOCK + c) as usize;
        own[item] = lengths[place];
        own_hops[item] = hops[place];
    }
    for through in 0..BLOCK {
        #[unroll]
        for item in 0..OWN {
            let (r, c) = place_of(row, column, item);
            if c == through {
                first[r as usize] = own[item];
                first_hop[r as usize] = own_hops[item];
            }
        }
        sync_cube();
        #[unroll]
        for item in 0..OWN {
            let (r, c) = place_of(row, column, item);
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
        let (r, c) = place_of(row, column, item);
        let place = (c * side + tile + r) as usize;
        columns[place] = own[item];
        column_hops[place] = own_hops[item];
    }
}

/// Compares lengths with the paths through a block, one vertex of it after the other. A cube takes a
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
    // The vertex that the best path goes through; `BLOCK` for none.
    let mut by = Array::<u32>::new(OWN);
    #[unroll]
    for item in 0..OWN {
        let (r, c) = place_of(row, column, item);
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
                let (r, c) = place_of(row, column, item);
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
        let (r, c) = place_of(row, column, item);
        if by[item] < BLOCK {
            let place = ((down + r) * side + right + c) as usize;
            lengths[place] = own[item];
            hops[place] = column_hops[(by[item] * side + down + r) as usize];
        }
    }
}
