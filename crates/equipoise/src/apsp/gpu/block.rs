//! What is kept of a block of vertices that paths may go through.

use cubecl::prelude::*;
use equipoise_schedule::device::{Buffer, Gpu};

use super::length::DeviceLength;
use crate::Result;

/// Vertices of a block.
pub(super) const BLOCK: u32 = 64;
pub(super) const AREA: usize = (BLOCK * BLOCK) as usize;

/// Four neighbouring lengths.
pub(super) type Four<L> = Vector<L, Const<4>>;

/// The bytes that a block takes for rows of that length.
pub(super) fn block_bytes(gpu: &Gpu, side: u64) -> u64 {
    panel_bytes(gpu, side) + gpu.held_by(4 * AREA as u64)
}

/// The bytes that the columns of a block take.
pub(super) fn column_bytes(gpu: &Gpu, side: u64, with_hops: bool) -> u64 {
    panel_bytes(gpu, side) * if with_hops { 2 } else { 1 }
}

/// The bytes that a length for each vertex of a block and each of a row takes.
pub(super) fn panel_bytes(gpu: &Gpu, side: u64) -> u64 {
    gpu.held_by(4 * u64::from(BLOCK) * side)
}

/// What is kept of a block, for all rows to take its paths.
pub(super) struct Block<T: DeviceLength> {
    /// From each vertex of the block to each.
    pub middle: Buffer<T>,
    /// From each vertex of the block to all vertices.
    pub rows: Buffer<T>,
}

/// The paths that lead from rows to a block.
pub(super) struct Columns<T: DeviceLength> {
    /// From all vertices to each of the block: a row for each of these.
    pub lengths: Buffer<T>,
    /// The next hops of these paths, where they are wanted.
    pub hops: Option<Buffer<u32>>,
}

impl<T: DeviceLength> Columns<T> {
    pub fn new(gpu: &Gpu, side: u32, with_hops: bool) -> Result<Self> {
        let count = (BLOCK * side) as usize;
        let hops = with_hops.then(|| gpu.empty(count)).transpose()?;
        Ok(Self { lengths: gpu.empty(count)?, hops })
    }
}

impl<T: DeviceLength> Block<T> {
    pub fn new(gpu: &Gpu, side: u32) -> Result<Self> {
        Ok(Self { middle: gpu.empty(AREA)?, rows: gpu.empty((BLOCK * side) as usize)? })
    }
}
