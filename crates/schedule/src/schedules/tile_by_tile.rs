//! Plane-mapped and cube-mapped: a tile at a time a group, its atoms strided by the group's units
//! (Osama et al., 5.2.2).

use cubecl::prelude::*;

use super::{
    PreparedShares, Schedule, Shape, Sharing, SharingKind, accumulate::accumulate,
    group_reduce::group_reduce,
};
use crate::{
    Result,
    device::Gpu,
    plan::Tiles,
    share::{Share, share_of_tile},
    tiles::*,
    work::*,
};

/// A tile at a time a group: plane-mapped where a group is a plane, cube-mapped where it is a
/// cube.
///
/// ```no_run
/// use equipoise_schedule::{
///     device::{Gpu, GpuRuntime},
///     plan::{self, Tiles},
///     schedules::{TileByTile, Shape},
///     tiles::TileSet,
///     work::Work,
/// };
///
/// unsafe fn launch<T: TileSet, W: Work>(
///     gpu: &Gpu,
///     set: &Tiles<T>,
///     work: W::RuntimeArg<GpuRuntime>,
/// ) {
///     let plane = gpu.plane_size();
///     let shape = Shape { units: 256, plane, group: plane, items: 4 };
///     // SAFETY: it is up to the caller that the work fits the tiles.
///     unsafe { plan::launch::<TileByTile, T, W>(gpu, 100, shape, set.arg(), work) };
/// }
/// ```
pub struct TileByTile;

impl SharingKind for TileByTile {
    type Prepared = ();

    fn prepare<T: TileSet>(_: &Gpu, _: &Tiles<T>, _: Shape, _: u32) -> Result<PreparedShares<()>> {
        Ok(PreparedShares::nothing())
    }
}

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
    fn run<V: WorkValue>(set: &AnyTiles, work: &mut AnyWork<V>, #[comptime] shape: Shape) {
        let count = set.tiles();
        tile_by_tile::<V>(set, work, count, shape);
    }
}

/// Every group takes the same number of turns, so that the cube stays together.
#[cube]
fn tile_by_tile<V: WorkValue>(
    set: &AnyTiles,
    work: &mut AnyWork<V>,
    count: u32,
    #[comptime] shape: Shape,
) {
    let groups = comptime!(shape.units / shape.group);
    let stride = CUBE_COUNT as u32 * groups;
    let turns = count.div_ceil(stride);
    for turn in 0..turns {
        let tile = turn * stride + CUBE_POS as u32 * groups + UNIT_POS / shape.group;
        one_tile::<V>(set, work, tile, tile < count, shape);
    }
}

/// One tile by the calling group, if there is one for it.
#[cube]
pub(super) fn one_tile<V: WorkValue>(
    set: &AnyTiles,
    work: &mut AnyWork<V>,
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
        total = accumulate::<V>(set, work, tile, begin, end, workers, shape.items);
    }
    if comptime!(work.reduces()) {
        total = group_reduce::<V>(work, total, shape);
    }
    if present && rank == 0 {
        work.end(set.tile(tile), total);
    }
}
