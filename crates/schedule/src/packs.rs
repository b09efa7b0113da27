//! The preparation of the packed schedule.

use cubecl::prelude::*;

use crate::{
    Result,
    device::{Buffer, Gpu},
    plan::Tiles,
    schedules::{Shape, find_packs, pack_size},
    tiles::TileSet,
    work::Work,
};

/// Which tiles are packed together.
pub(crate) struct Packs {
    pub(crate) count: u32,
    pub(crate) starts: Buffer<u32>,
}

impl Packs {
    /// Packs the tiles of a set, as it is now, which has at most so many tiles and atoms.
    pub(crate) fn new<T: TileSet, W: Work, R: Runtime>(
        gpu: &Gpu<R>,
        set: &Tiles<T, R>,
        positions: u64,
        shape: Shape,
    ) -> Result<Self> {
        let size = pack_size::<W>(shape);
        let count = positions.div_ceil(u64::from(size)).max(1) as u32;
        let starts = gpu.empty(count as usize + 1)?;
        // SAFETY: `starts` has a place for each pack and one more, which is what is written.
        unsafe {
            find_packs::launch_unchecked::<T, R>(
                gpu.client(),
                gpu.cubes(u64::from(count + 1).div_ceil(u64::from(shape.units))),
                CubeDim::new_1d(shape.units),
                set.arg(),
                starts.arg(),
                count,
                size,
            );
        }
        Ok(Self { count, starts })
    }
}
