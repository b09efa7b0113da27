//! Binned: tiles sorted into bins by the logarithm of their size, each bin with a fitting group.
//!
//! All bins are in one launch: each has its own cubes, those of the largest tiles first, so that
//! the longest work starts earliest.

use cubecl::prelude::*;

use super::{Shape, tile_by_tile::one_tile};
use crate::{ranges::*, tiles::*, work::*};

/// Atoms a worker of a group gets, if its tile is as large as its bin allows.
const ATOMS_A_WORKER: u32 = 4;

/// How many bins there are: groups of all powers of two up to the whole cube.
pub(crate) fn bins(shape: Shape, lanes: u32) -> u32 {
    (shape.units / lanes).ilog2() + 1
}

/// Units a group of a bin; bin 0 has the largest.
pub(crate) fn group_of(bin: u32, shape: Shape) -> u32 {
    shape.units >> bin
}

/// The bin of each tile.
#[cube(launch_unchecked)]
pub(crate) fn find_bins<T: TileSet>(set: &T, bin_of: &mut Array<u32>, #[comptime] bins: u32) {
    for tile in grid_stride_range(0, set.tiles()) {
        let size = set.start(tile + 1) - set.start(tile);
        let mut bin = comptime!(bins - 1).runtime();
        let mut fits = ATOMS_A_WORKER.runtime();
        while fits < size && bin > 0 {
            bin -= 1;
            fits *= 2;
        }
        bin_of[tile as usize] = bin;
    }
}

/// Numbers of a bin in the table that [`do_bins`] reads.
pub(crate) const BIN_NUMBERS: usize = 4;

/// Does all bins. For each, `table` has where it starts in `order`, how many tiles it has, its
/// first cube, and how many cubes it has.
#[cube(launch_unchecked)]
pub(crate) fn do_bins<T: TileSet, W: Work>(
    set: &T,
    work: &mut W,
    order: &Array<u32>,
    table: &Array<u32>,
    #[comptime] shape: Shape,
) {
    #[unroll]
    for bin in 0..comptime!(bins(shape, W::LANES)) {
        let numbers = bin as usize * BIN_NUMBERS;
        let (first, count) = (table[numbers], table[numbers + 1]);
        let (first_cube, cubes) = (table[numbers + 2], table[numbers + 3]);
        let cube = CUBE_POS as u32 - first_cube;
        if CUBE_POS as u32 >= first_cube && cube < cubes {
            let shape = comptime!(Shape { group: group_of(bin, shape), ..shape });
            do_bin::<T, W>(set, work, order, first, count, cube, cubes, shape);
        }
    }
}

#[cube]
fn do_bin<T: TileSet, W: Work>(
    set: &T,
    work: &mut W,
    order: &Array<u32>,
    first: u32,
    count: u32,
    cube: u32,
    cubes: u32,
    #[comptime] shape: Shape,
) {
    let groups = comptime!(shape.units / shape.group);
    let stride = cubes * groups;
    for turn in 0..count.div_ceil(stride) {
        let index = turn * stride + cube * groups + UNIT_POS / shape.group;
        let present = index < count;
        let mut tile = 0u32;
        if present {
            tile = order[(first + index) as usize];
        }
        one_tile::<T, W>(set, work, tile, present, shape);
    }
}
