//! Plane-mapped and cube-mapped: one tile at a time per group, whose units stride over the atoms (Osama et al., 5.2.2).

use cubecl::prelude::*;

use super::{Schedule, Shape, Sharing, accumulate::accumulate, group_reduce::group_reduce};
use crate::{
    share::{Share, share_of_tile},
    tiles::*,
    work::*,
};

/// One tile at a time per group: plane-mapped if a group is a plane, cube-mapped if it is a cube.
pub struct TileByTile;

#[cube]
impl Sharing for TileByTile {
    fn share<T: TileSet>(
        set: &T,
        _prepared: &mut (),
        turn: u32,
        #[comptime] shape: Shape,
    ) -> Share {
        let groups = comptime!(shape.units / shape.group);
        let first = turn * CUBE_COUNT as u32 * groups;
        let tile = first + CUBE_POS as u32 * groups + UNIT_POS / shape.group;
        let count = set.tiles();
        let (rank, step) = (UNIT_POS % shape.group, shape.group.runtime());
        share_of_tile::<T>(set, tile, tile < count, rank, step, first >= count)
    }
}

#[cube]
impl Schedule for TileByTile {
    fn run(set: &AnyTiles, work: &mut AnyWork, #[comptime] shape: Shape) {
        let count = set.tiles();
        tile_by_tile(set, work, count, shape);
    }
}

/// Every group takes the same number of turns, so that barriers are uniform in the cube.
#[cube]
fn tile_by_tile(set: &AnyTiles, work: &mut AnyWork, count: u32, #[comptime] shape: Shape) {
    let groups = comptime!(shape.units / shape.group);
    let stride = CUBE_COUNT as u32 * groups;
    let turns = count.div_ceil(stride);
    for turn in 0..turns {
        let tile = turn * stride + CUBE_POS as u32 * groups + UNIT_POS / shape.group;
        one_tile(set, work, tile, tile < count, shape);
    }
}

/// Processes one tile by the calling group, if `present`.
#[cube]
pub(super) fn one_tile(
    set: &AnyTiles,
    work: &mut AnyWork,
    tile: u32,
    present: bool,
    #[comptime] shape: Shape,
) {
    let lanes = comptime!(work.lanes());
    let workers = comptime!(shape.group / lanes);
    let rank = UNIT_POS % shape.group / lanes;
    let mut total = work.identity();
    if present {
        let (begin, end) = (set.start(tile) + rank, set.start(tile + 1));
        total = accumulate(set, work, tile, begin, end, workers, shape.items);
    }
    if comptime!(work.reduces()) {
        total = group_reduce(work, total, shape);
    }
    if present && rank == 0 {
        work.end(set.tile(tile), total);
    }
}
