//! Packed: a cube takes as many whole tiles as fit its shared memory.
//!
//! Its units stage the values of all their atoms, neighbours next to each other, and then a worker
//! a tile adds them up. No tile is cut, so that nothing has to be put together afterwards: cheaper
//! than the splits where tiles are small. A tile that does not fit is done by the whole cube.

use cubecl::prelude::*;

use super::{
    Shape,
    search::{first_tile_ending_after, first_tile_from},
    tile_by_tile::one_tile,
};
use crate::{ranges::*, tiles::*, work::*};

/// How many tiles and atoms a pack starts after the one before: as many as there is room for.
pub(crate) fn pack_size<W: Work>(shape: Shape) -> u32 {
    shape.units / W::LANES * shape.items
}

/// Finds the first tile of each pack, and the end of the last: those that start in so many
/// positions of the line through tiles and atoms are packed together.
#[cube(launch_unchecked)]
pub(crate) fn find_packs<T: TileSet>(
    set: &T,
    starts: &mut Array<u32>,
    packs: u32,
    #[comptime] size: u32,
) {
    for index in grid_stride_range(0, packs + 1) {
        let mut tile = set.tiles();
        if index < packs {
            tile = first_tile_from::<T>(set, index * size);
        }
        starts[index as usize] = tile;
    }
}

/// Does all packs.
#[cube(launch_unchecked)]
pub(crate) fn do_packs<T: TileSet, W: Work>(
    set: &T,
    work: &mut W,
    starts: &Array<u32>,
    packs: u32,
    #[comptime] shape: Shape,
) {
    for index in cube_grid_stride_range(0, packs) {
        let (first, last) = (starts[index as usize], starts[(index + 1) as usize]);
        if comptime!(W::REDUCES) {
            reduce_pack::<T, W>(set, work, first, last, shape);
        } else {
            scatter_pack::<T, W>(set, work, first, last);
        }
    }
}

/// Without totals, nothing is staged.
#[cube]
fn scatter_pack<T: TileSet, W: Work>(set: &T, work: &mut W, first: u32, last: u32) {
    let lanes = comptime!(W::LANES);
    let (worker, workers) = (UNIT_POS / lanes, CUBE_DIM / lanes);
    for atom in step_range(set.start(first) + worker, set.start(last), workers) {
        let tile = tile_of::<T, W>(set, first, last, atom);
        work.atom(set.tile(tile), set.atom(tile, atom));
    }
    for tile in step_range(first + worker, last, workers) {
        work.end(set.tile(tile), W::identity());
    }
}

#[cube]
fn reduce_pack<T: TileSet, W: Work>(
    set: &T,
    work: &mut W,
    first: u32,
    last: u32,
    #[comptime] shape: Shape,
) {
    let lanes = comptime!(W::LANES);
    let workers = comptime!(shape.units / lanes);
    let (lane, worker) = (UNIT_POS % lanes, UNIT_POS / lanes);
    let begin = set.start(first);
    // All but the last tile start so near the first that what they have together fits.
    let mut fitting = last;
    if set.start(last) - begin > comptime!(pack_size::<W>(shape)) {
        fitting = last - 1;
    }
    let end = set.start(fitting);

    let mut values = SharedMemory::<W::Value>::new(comptime!((shape.units * shape.items) as usize));
    #[unroll]
    for item in 0..shape.items {
        let place = item * workers + worker;
        let atom = begin + place;
        if atom < end {
            let tile = tile_of::<T, W>(set, first, fitting, atom);
            values[(place * lanes + lane) as usize] =
                work.atom(set.tile(tile), set.atom(tile, atom));
        }
    }
    sync_cube();
    for tile in step_range(first + worker, fitting, workers) {
        let (from, to) = (set.start(tile) - begin, set.start(tile + 1) - begin);
        let mut total = W::identity();
        for place in from..to {
            total = W::combine(total, values[(place * lanes + lane) as usize]);
        }
        work.end(set.tile(tile), total);
    }
    if fitting < last {
        one_tile::<T, W>(
            set,
            work,
            fitting,
            true,
            comptime!(Shape { group: shape.units, ..shape }),
        );
    }
    sync_cube();
}

/// The tile of an atom, where the work or the tile set asks for it.
#[cube]
fn tile_of<T: TileSet, W: Work>(set: &T, first: u32, last: u32, atom: u32) -> u32 {
    if comptime!(W::ATOM_NEEDS_TILE || T::ATOM_NEEDS_TILE) {
        first_tile_ending_after::<T>(set, first, last, atom)
    } else {
        first
    }
}
