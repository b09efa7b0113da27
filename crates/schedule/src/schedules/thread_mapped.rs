//! Thread-mapped: one tile per unit, in strides (Osama et al., listing 2).
//!
//! Cheapest of all where tiles are small and alike. One large tile keeps one unit busy and all
//! others waiting.

use cubecl::prelude::*;

use super::{PreparedShares, Schedule, Shape, Sharing, SharingKind, accumulate::accumulate};
use crate::{
    Result,
    device::Gpu,
    plan::Tiles,
    ranges::*,
    share::{Share, share_of_tile},
    tiles::*,
    work::*,
};

/// One tile per unit; for a work of several lanes, per so many units.
///
/// ```no_run
/// use equipoise_schedule::{
///     device::{Gpu, GpuRuntime},
///     plan::{self, Tiles},
///     schedules::{ThreadMapped, Shape},
///     tiles::TileSet,
///     work::Work,
/// };
///
/// unsafe fn launch<T: TileSet, W: Work>(
///     gpu: &Gpu,
///     set: &Tiles<T>,
///     work: W::RuntimeArg<GpuRuntime>,
/// ) {
///     let shape = Shape { units: 256, plane: gpu.plane_size(), group: 256, items: 4 };
///     // SAFETY: it is up to the caller that the work fits the tiles.
///     unsafe { plan::launch::<ThreadMapped, T, W>(gpu, 100, shape, set.arg(), work) };
/// }
/// ```
pub struct ThreadMapped;

impl SharingKind for ThreadMapped {
    type Prepared = ();

    fn prepare<T: TileSet>(_: &Gpu, _: &Tiles<T>, _: Shape, _: u32) -> Result<PreparedShares<()>> {
        Ok(PreparedShares::nothing())
    }
}

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
    fn run<V: WorkValue>(set: &AnyTiles, work: &mut AnyWork<V>, #[comptime] shape: Shape) {
        let lanes = comptime!(work.lanes());
        let worker = ABSOLUTE_POS as u32 / lanes;
        let workers = CUBE_COUNT as u32 * (CUBE_DIM / lanes);
        for tile in far_range(worker, set.tiles(), workers) {
            let (begin, end) = (set.start(tile), set.start(tile + 1));
            let total = accumulate::<V>(set, work, tile, begin, end, 1u32, shape.items);
            work.end(set.tile(tile), total);
        }
    }
}
