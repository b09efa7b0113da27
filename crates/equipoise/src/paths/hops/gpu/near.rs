//! The number of vertices that each search has reached so far.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, Gpu, GpuRuntime},
    ranges::*,
};

use super::super::SEARCHES;
use crate::{
    Result,
    kernels::{UNITS, cubes_for},
};

/// Counts the vertices that each search has reached.
pub(super) fn count_reached(gpu: &Gpu, reached: &Buffer<u32>) -> Result<Vec<u32>> {
    let counts = gpu.filled(SEARCHES, 0u32)?;
    let words = reached.len() as u32;
    // SAFETY: words are of pairs, with a count per bit.
    unsafe {
        count_bits::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            cubes_for(gpu, words),
            CubeDim::new_1d(UNITS),
            reached.arg(),
            counts.arg(),
            words,
        );
    }
    Ok(gpu.download(&counts)?)
}

/// Each unit counts one bit of the words that its cube has read.
#[cube(launch_unchecked)]
fn count_bits(reached: &Array<u32>, counts: &mut Array<Atomic<u32>>, words: u32) {
    let mut staged = SharedMemory::<u32>::new(comptime!(UNITS as usize));
    let sums = SharedMemory::<Atomic<u32>>::new(comptime!(SEARCHES));
    if UNIT_POS < comptime!(SEARCHES as u32) {
        sums[UNIT_POS as usize].store(0u32);
    }
    // The bit of a pair of words, and the first pair of the unit.
    let bit = UNIT_POS % comptime!(SEARCHES as u32);
    let first_pair = UNIT_POS / comptime!(SEARCHES as u32);
    let mut count = 0u32;
    for start in step_range(CUBE_POS as u32 * UNITS, words, CUBE_COUNT as u32 * UNITS) {
        let index = start + UNIT_POS;
        let mut word = 0u32;
        if index < words {
            word = reached[index as usize];
        }
        staged[UNIT_POS as usize] = word;
        sync_cube();
        for pair in step_range(first_pair, UNITS / 2, comptime!(UNITS / SEARCHES as u32)) {
            count += (staged[(2 * pair + bit / 32) as usize] >> (bit % 32)) & 1;
        }
        sync_cube();
    }
    sync_cube();
    sums[bit as usize].fetch_add(count);
    sync_cube();
    if UNIT_POS < comptime!(SEARCHES as u32) {
        counts[UNIT_POS as usize].fetch_add(sums[UNIT_POS as usize].load());
    }
}
