//! Compaction: the indices of flagged elements.

use cubecl::prelude::*;

use super::{
    block::{
        BLOCK, ITEMS, block_start, blocks_of, cube_dim, grid, scan_staged, slot, staged_block,
        striped,
    },
    offsets,
    reduce::{Sum, reduce_cube},
};
use crate::{
    Result,
    device::{Buffer, Gpu},
};

/// The result of [`compact`].
pub struct Compacted {
    /// The indices in ascending order, followed by undefined elements: as long as the flags.
    pub indices: Buffer<u32>,
    /// The number of indices, in a buffer of length one.
    pub count: Buffer<u32>,
}

impl Compacted {
    /// The number of indices. Waits for the device.
    pub fn read_count(&self, gpu: &Gpu) -> Result<u32> {
        Ok(gpu.download(&self.count)?.iter().sum())
    }
}

/// The indices of the non-zero flags, in ascending order.
///
/// ```
/// use equipoise_schedule::{Result, device::Gpu, primitives};
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     let flagged = primitives::compact(gpu, &gpu.upload(&[0, 1, 0, 5])?)?;
///     assert_eq!(flagged.read_count(gpu)?, 2);
///     assert_eq!(gpu.download(&flagged.indices)?[..2], [1, 3]);
///     Ok(())
/// }
/// ```
pub fn compact(gpu: &Gpu, flags: &Buffer<u32>) -> Result<Compacted> {
    let blocks = blocks_of(flags)?;
    if blocks == 0 {
        return Ok(Compacted { indices: gpu.empty(0)?, count: gpu.upload(&[0])? });
    }
    let counts = gpu.empty(blocks as usize)?;
    // SAFETY: the kernel reads `flags` and writes `counts` below their lengths only.
    unsafe {
        count_flags::launch_unchecked(
            gpu.client(),
            grid(blocks),
            cube_dim(),
            flags.arg(),
            counts.arg(),
        );
    }
    let before = offsets(gpu, &counts)?;
    let found = Compacted { indices: gpu.empty(flags.len())?, count: gpu.empty(1)? };
    // SAFETY: the kernel reads `flags` below its length; `before` has an element per block and one more; `indices` is
    // as long as the flags.
    unsafe {
        gather_flagged::launch_unchecked(
            gpu.client(),
            grid(blocks),
            cube_dim(),
            flags.arg(),
            before.arg(),
            found.indices.arg(),
            found.count.arg(),
        );
    }
    Ok(found)
}

/// 1 for a flagged element, 0 for others and beyond the end.
#[cube]
fn flagged(flags: &Array<u32>, index: u32) -> u32 {
    let mut flagged = 0u32;
    if index < flags.len() as u32 {
        flagged = min(flags[index as usize], 1u32);
    }
    flagged
}

#[cube(launch_unchecked)]
fn count_flags(flags: &Array<u32>, counts: &mut Array<u32>) {
    let start = block_start();
    let mut count = 0u32;
    #[unroll]
    for round in 0..ITEMS {
        count += flagged(flags, start + striped(round));
    }
    let count = reduce_cube::<Sum<u32>>(count);
    if UNIT_POS == 0 && CUBE_POS < counts.len() {
        counts[CUBE_POS] = count;
    }
}

#[cube(launch_unchecked)]
fn gather_flagged(
    flags: &Array<u32>,
    before: &Array<u32>,
    indices: &mut Array<u32>,
    count: &mut Array<u32>,
) {
    let start = block_start();
    if start >= flags.len() as u32 {
        terminate!();
    }

    let mut ranks = staged_block();
    #[unroll]
    for round in 0..ITEMS {
        let item = striped(round);
        ranks[slot(item)] = flagged(flags, start + item);
    }
    scan_staged(&mut ranks, before[(start / BLOCK) as usize]);
    #[unroll]
    for round in 0..ITEMS {
        let item = striped(round);
        if flagged(flags, start + item) == 1 {
            indices[(ranks[slot(item)] - 1) as usize] = start + item;
        }
    }

    if start == 0 && UNIT_POS == 0 {
        count[0] = before[before.len() - 1];
    }
}
