//! Scans: running sums.

use cubecl::prelude::*;

use super::{
    block::{
        BLOCK, ITEMS, block_start, blocks_of, cube_dim, grid, scan_staged, slot, staged_block,
        striped,
    },
    reduce::{Sum, reduce_to_blocks},
};
use crate::{
    Result,
    device::{Buffer, Gpu},
};

/// The sum of all elements before each one, modulo 2³².
///
/// ```
/// use equipoise_schedule::{Result, device::Gpu, primitives};
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     let sums = primitives::exclusive_scan(gpu, &gpu.upload(&[3, 0, 4])?)?;
///     assert_eq!(gpu.download(&sums)?, [0, 3, 3]);
///     Ok(())
/// }
/// ```
pub fn exclusive_scan(gpu: &Gpu, input: &Buffer<u32>) -> Result<Buffer<u32>> {
    scan(gpu, input, input.len(), 1)
}

/// The sum of all elements up to each one, modulo 2³².
///
/// ```
/// use equipoise_schedule::{Result, device::Gpu, primitives};
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     let sums = primitives::inclusive_scan(gpu, &gpu.upload(&[3, 0, 4])?)?;
///     assert_eq!(gpu.download(&sums)?, [3, 3, 7]);
///     Ok(())
/// }
/// ```
pub fn inclusive_scan(gpu: &Gpu, input: &Buffer<u32>) -> Result<Buffer<u32>> {
    scan(gpu, input, input.len(), 0)
}

/// The sum of all elements before each one, then the sum of all, modulo 2³²: from the sizes of tiles, where they start
/// and where the last one ends. One element more than the input.
///
/// ```
/// use equipoise_schedule::{Result, device::Gpu, primitives};
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     let offsets = primitives::offsets(gpu, &gpu.upload(&[3, 0, 4])?)?;
///     assert_eq!(gpu.download(&offsets)?, [0, 3, 3, 7]);
///     Ok(())
/// }
/// ```
pub fn offsets(gpu: &Gpu, input: &Buffer<u32>) -> Result<Buffer<u32>> {
    if input.is_empty() {
        return gpu.upload(&[0]);
    }
    scan(gpu, input, input.len() + 1, 1)
}

/// Running sums, shifted by `shift` elements.
///
/// First the sums of blocks are scanned, recursively; then each block from its start value.
fn scan(gpu: &Gpu, input: &Buffer<u32>, len: usize, shift: u32) -> Result<Buffer<u32>> {
    let blocks = blocks_of(input)?;
    let output = gpu.empty(len)?;
    if blocks == 0 {
        return Ok(output);
    }
    let continues = blocks > 1;
    let before = if continues {
        exclusive_scan(gpu, &reduce_to_blocks::<Sum<u32>>(gpu, input)?)?
    } else {
        input.clone()
    };
    // SAFETY: the kernel reads `input` and writes `output` below their lengths; `before` has an
    // element per block if the blocks are several.
    unsafe {
        scan_blocks::launch_unchecked(
            gpu.client(),
            grid(blocks),
            cube_dim(),
            input.arg(),
            before.arg(),
            output.arg(),
            shift,
            continues,
        );
    }
    Ok(output)
}

#[cube(launch_unchecked)]
fn scan_blocks(
    input: &Array<u32>,
    before: &Array<u32>,
    output: &mut Array<u32>,
    shift: u32,
    #[comptime] continues: bool,
) {
    let start = block_start();
    let len = input.len() as u32;
    if start >= len {
        terminate!();
    }

    let mut sums = staged_block();
    #[unroll]
    for round in 0..ITEMS {
        let item = striped(round);
        let mut value = 0u32;
        if start + item < len {
            value = input[(start + item) as usize];
        }
        sums[slot(item)] = value;
    }

    let mut sum_of_others = 0u32;
    if comptime!(continues) {
        sum_of_others = before[(start / BLOCK) as usize];
    }
    scan_staged(&mut sums, sum_of_others);

    if start == 0 && UNIT_POS < shift {
        output[UNIT_POS as usize] = 0;
    }
    let end = output.len() as u32;
    #[unroll]
    for round in 0..ITEMS {
        let item = striped(round);
        let index = start + item + shift;
        if start + item < len && index < end {
            output[index as usize] = sums[slot(item)];
        }
    }
}
