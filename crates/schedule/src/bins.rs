//! The preparation of the binned schedule.

use cubecl::prelude::*;

use crate::{
    Result,
    device::{Buffer, Gpu, GpuRuntime},
    plan::Tiles,
    primitives::sort_by_class,
    schedules::{BIN_NUMBERS, Shape, find_bins, group_workers},
    tiles::AnyTiles,
};

/// The tiles in the order of their bins, and which cubes do which.
pub(crate) struct Bins {
    pub(crate) order: Buffer<u32>,
    pub(crate) table: Buffer<u32>,
    pub(crate) cubes: u32,
}

impl Bins {
    /// Sorts the tiles of a set, as it is now, into bins. With `cubes`, each bin has all of so
    /// many cubes; otherwise each has its own, as many as it can use, and all together `most`.
    pub(crate) fn new(
        gpu: &Gpu,
        set: &Tiles<AnyTiles>,
        shape: Shape,
        lanes: u32,
        cubes: Option<u32>,
        most: u32,
    ) -> Result<Self> {
        let workers = group_workers(shape, lanes);
        let bins = workers.len() as u32;
        // Tiles beyond those of the set are in no bin.
        let bin_of = gpu.filled(set.tiles() as usize, u32::MAX)?;
        // SAFETY: the kernel writes one number a tile, and there are at most as many.
        unsafe {
            find_bins::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                gpu.cubes(u64::from(set.tiles()).div_ceil(u64::from(shape.units))),
                CubeDim::new_1d(shape.units),
                set.arg(),
                bin_of.arg(),
                shape,
                lanes,
            );
        }
        let sorted = sort_by_class(gpu, &bin_of, bins)?;
        let offsets = gpu.download(&sorted.offsets)?;
        let most = u64::from(most / bins).max(1);
        let mut table = Vec::with_capacity(bins as usize * BIN_NUMBERS);
        let mut next_cube = 0;
        for (ends, workers) in offsets.windows(2).zip(&workers) {
            let count = ends[1] - ends[0];
            let groups = u64::from(shape.units / (workers * lanes));
            let wanted = u64::from(count).div_ceil(groups).min(most) as u32;
            let (first, own) = match cubes {
                Some(cubes) => (0, cubes),
                None => (next_cube, wanted),
            };
            table.extend([ends[0], count, first, own]);
            next_cube += wanted;
        }
        let cubes = cubes.unwrap_or(next_cube).max(1);
        Ok(Self { order: sorted.order, table: gpu.upload(&table)?, cubes })
    }
}
