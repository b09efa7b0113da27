//! The preparation of the schedules that take tiles as they run.

use cubecl::prelude::*;

use crate::{
    Result,
    device::{Buffer, Gpu, GpuRuntime},
    plan::Tiles,
    schedules::{Shape, TileQueuesLaunch, block_size, refill_queues},
    tiles::TileSet,
};

/// Units a cube of the launch that fills queues.
const UNITS: u32 = 256;

/// Queues with all blocks of a tile set, as many in each.
#[derive(Clone)]
pub(crate) struct Queues {
    /// The next block of each queue that nobody has taken.
    heads: Buffer<u32>,
    /// Blocks a queue.
    blocks: u32,
}

impl Queues {
    /// So many queues.
    pub(crate) fn new<T: TileSet>(
        gpu: &Gpu,
        set: &Tiles<T>,
        shape: Shape,
        queues: u32,
    ) -> Result<Self> {
        let blocks = set.tiles().div_ceil(block_size(shape)).div_ceil(queues);
        Ok(Self { heads: gpu.empty(queues as usize)?, blocks })
    }

    /// Makes the queues full again.
    pub(crate) fn refill(&self, gpu: &Gpu) {
        // SAFETY: the kernel writes below the length of `heads` only.
        unsafe {
            refill_queues::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                gpu.cubes((self.heads.len() as u64).div_ceil(u64::from(UNITS))),
                CubeDim::new_1d(UNITS),
                self.heads.arg(),
                self.blocks,
            );
        }
    }

    /// The argument for a kernel, whose launch empties the queues.
    pub(crate) fn arg(&self) -> TileQueuesLaunch<GpuRuntime> {
        TileQueuesLaunch::new(self.heads.arg(), self.heads.len() as u32, self.blocks)
    }
}
