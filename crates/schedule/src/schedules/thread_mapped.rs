//! Thread-mapped: a tile a unit.

use cubecl::prelude::*;

use crate::{tiles::*, work::*};

#[cube(launch_unchecked)]
pub fn thread_mapped<T: TileSet, W: Work>(tiles: &T, work: &mut W) {
    for tile in range_stepped(ABSOLUTE_POS as u32, tiles.tiles(), CUBE_COUNT as u32 * CUBE_DIM) {
        let mut total = W::identity();
        let name = tiles.tile(tile);
        for atom in tiles.start(tile)..tiles.start(tile + 1) {
            total = W::combine(total, work.atom(name, tiles.atom(tile, atom)));
        }
        work.end(name, total);
    }
}
