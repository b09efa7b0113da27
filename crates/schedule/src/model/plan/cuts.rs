//! The preparation of the schedules that split.

use cubecl::prelude::*;

use super::launches::ValueShape;
use crate::{
    Result,
    device::{Buffer, Gpu, GpuRuntime},
    schedules::{Shape, Split, find_cuts, piece_size},
    tiles::{AnyTiles, Tiles},
};

/// The cuts of a split, and space for the values of the tiles it cuts.
pub(crate) struct Cuts {
    pub(crate) pieces: u32,
    pub(crate) starts: Buffer<u32>,
    pub(crate) heads: Buffer<u32>,
    pub(crate) tails: Buffer<u32>,
}

impl Cuts {
    /// Cuts the line through the tiles and atoms of a set, `positions` long, for a work with these values.
    pub(crate) fn new<S: Split>(
        gpu: &Gpu,
        set: &Tiles<AnyTiles>,
        positions: u64,
        values: ValueShape,
        shape: Shape,
    ) -> Result<Self> {
        let size = piece_size(shape, values.lanes);
        let pieces = positions.div_ceil(size as u64).max(1) as u32;
        let words = pieces as usize * values.lanes as usize * values.bytes.div_ceil(4);
        let cuts = Self {
            pieces,
            starts: gpu.empty(pieces as usize + 1)?,
            heads: gpu.empty(words)?,
            tails: gpu.empty(words)?,
        };
        let units = shape.units;
        // SAFETY: `starts` has an element per piece and one more, all of which are written.
        unsafe {
            find_cuts::launch_unchecked::<S, GpuRuntime>(
                gpu.client(),
                gpu.cubes(u64::from(pieces + 1).div_ceil(u64::from(units))),
                CubeDim::new_1d(units),
                set.arg(),
                cuts.starts.arg(),
                pieces,
                size,
            );
        }
        Ok(cuts)
    }
}
