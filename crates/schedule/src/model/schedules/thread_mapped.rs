//! Thread-mapped: one tile per unit, in strides (Osama et al., listing 2).
//!
//! The cheapest for small tiles of similar size. One large tile keeps one unit busy and all others waiting.

use cubecl::prelude::*;

use super::{Schedule, Shape, Sharing, accumulate::accumulate};
use crate::{
    ranges::*,
    share::{Share, share_of_tile},
    tiles::*,
    work::*,
};

/// One tile per unit, or per worker for a work of several lanes.
pub struct ThreadMapped;

#[cube]
impl Sharing for ThreadMapped {
    fn share<T: TileSet>(
        set: &T,
        _prepared: &mut (),
        turn: u32,
        #[comptime] _shape: Shape,
    ) -> Share {
        let first = turn * CUBE_COUNT as u32 * CUBE_DIM;
        let tile = first + ABSOLUTE_POS as u32;
        let count = set.tiles();
        let (rank, step) = (0u32.runtime(), 1u32.runtime());
        share_of_tile::<T>(set, tile, tile < count, rank, step, first >= count)
    }
}

#[cube]
impl Schedule for ThreadMapped {
    fn run(set: &AnyTiles, work: &mut AnyWork, #[comptime] shape: Shape) {
        let lanes = comptime!(work.lanes());
        let worker = ABSOLUTE_POS as u32 / lanes;
        let workers = CUBE_COUNT as u32 * (CUBE_DIM / lanes);
        for tile in far_range(worker, set.tiles(), workers) {
            let (begin, end) = (set.start(tile), set.start(tile + 1));
            let total = accumulate(set, work, tile, begin, end, 1u32, shape.items);
            work.end(set.tile(tile), total);
        }
    }
}
