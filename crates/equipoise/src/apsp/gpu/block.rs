//! The paths of a block of vertices, which all rows of the matrix then take.

use cubecl::prelude::*;
use equipoise_schedule::device::{Buffer, Gpu};

use super::length::DeviceLength;
use crate::Result;

/// Vertices per block.
pub(super) const BLOCK: u32 = 64;
pub(super) const AREA: usize = (BLOCK * BLOCK) as usize;

/// Four neighbouring lengths.
pub(super) type Four<L> = Vector<L, Const<4>>;

/// The bytes of a [`Block`] for rows of `side` lengths.
pub(super) fn block_bytes(gpu: &Gpu, side: u64) -> u64 {
    panel_bytes(gpu, side) + gpu.held_by(4 * AREA as u64)
}

pub(super) fn column_bytes(gpu: &Gpu, side: u64, with_hops: bool) -> u64 {
    panel_bytes(gpu, side) * if with_hops { 2 } else { 1 }
}

/// The bytes of a panel: one length per vertex of a block and element of a row.
pub(super) fn panel_bytes(gpu: &Gpu, side: u64) -> u64 {
    gpu.held_by(4 * u64::from(BLOCK) * side)
}

/// The paths from a block.
pub(super) struct Block<T: DeviceLength> {
    /// From each vertex of the block to each vertex of the block.
    pub middle: Buffer<T>,
    /// From each vertex of the block to all vertices.
    pub rows: Buffer<T>,
}

impl<T: DeviceLength> Block<T> {
    pub fn new(gpu: &Gpu, side: u32) -> Result<Self> {
        Ok(Self { middle: gpu.empty(AREA)?, rows: gpu.empty((BLOCK * side) as usize)? })
    }
}

/// The paths to a block: a row per vertex of the block.
pub(super) struct Columns<T: DeviceLength> {
    pub lengths: Buffer<T>,
    /// The next hops of these paths, if requested.
    pub hops: Option<Buffer<u32>>,
}

impl<T: DeviceLength> Columns<T> {
    pub fn new(gpu: &Gpu, side: u32, with_hops: bool) -> Result<Self> {
        let count = (BLOCK * side) as usize;
        let hops = with_hops.then(|| gpu.empty(count)).transpose()?;
        Ok(Self { lengths: gpu.empty(count)?, hops })
    }
}
