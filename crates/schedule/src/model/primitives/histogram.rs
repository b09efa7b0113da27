//! Histograms: the frequency of each key.

use cubecl::prelude::*;

use super::block::{UNITS, blocks_of, checked_len, cube_dim, grid};
use crate::{
    Result,
    device::{Buffer, Gpu},
};

/// Bins that a cube counts in shared memory: 16 KiB, which every device has.
const SHARED_BINS: u32 = 4096;
/// More cubes than a GPU runs at once, but few enough that adding up their bins costs little.
const CUBES: u32 = 1024;

/// The frequency of each key below `bins`. Larger keys are not counted.
///
/// ```
/// use equipoise_schedule::{Result, device::Gpu, primitives};
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     let counts = primitives::histogram(gpu, &gpu.upload(&[2, 0, 2])?, 4)?;
///     assert_eq!(gpu.download(&counts)?, [1, 0, 2, 0]);
///     Ok(())
/// }
/// ```
pub fn histogram(gpu: &Gpu, keys: &Buffer<u32>, bins: u32) -> Result<Buffer<u32>> {
    let cubes = blocks_of(keys)?.min(CUBES);
    let counts = zeros(gpu, checked_len("a histogram", bins as usize)?)?;
    if cubes == 0 || bins == 0 {
        return Ok(counts);
    }
    // SAFETY: both kernels read `keys` below its length, and count keys below `bins`, the length of `counts`; the first
    // runs only if `bins` fit its shared memory.
    unsafe {
        if bins <= SHARED_BINS {
            count_in_cubes::launch_unchecked(
                gpu.client(),
                grid(cubes),
                cube_dim(),
                keys.arg(),
                counts.arg(),
                bins,
            );
        } else {
            count_in_place::launch_unchecked(
                gpu.client(),
                grid(cubes),
                cube_dim(),
                keys.arg(),
                counts.arg(),
                bins,
            );
        }
    }
    Ok(counts)
}

fn zeros(gpu: &Gpu, len: u32) -> Result<Buffer<u32>> {
    let zeros = gpu.empty(len as usize)?;
    if len > 0 {
        let cubes = len.div_ceil(UNITS).min(CUBES);
        // SAFETY: the kernel writes `zeros` below its length only.
        unsafe {
            clear::launch_unchecked(gpu.client(), grid(cubes), cube_dim(), zeros.arg());
        }
    }
    Ok(zeros)
}

#[cube(launch_unchecked)]
fn clear(values: &mut Array<u32>) {
    for position in range_stepped(ABSOLUTE_POS, values.len(), CUBE_COUNT * UNITS as usize) {
        values[position] = 0;
    }
}

#[cube(launch_unchecked)]
fn count_in_cubes(keys: &Array<u32>, counts: &mut Array<Atomic<u32>>, bins: u32) {
    let in_cube = SharedMemory::<Atomic<u32>>::new(comptime!(SHARED_BINS as usize));
    for bin in range_stepped(UNIT_POS, bins, UNITS) {
        in_cube[bin as usize].store(0);
    }
    sync_cube();
    for position in range_stepped(ABSOLUTE_POS, keys.len(), CUBE_COUNT * UNITS as usize) {
        let key = keys[position];
        if key < bins {
            in_cube[key as usize].fetch_add(1);
        }
    }
    sync_cube();
    for bin in range_stepped(UNIT_POS, bins, UNITS) {
        let count = in_cube[bin as usize].load();
        if count > 0 {
            counts[bin as usize].fetch_add(count);
        }
    }
}

#[cube(launch_unchecked)]
fn count_in_place(keys: &Array<u32>, counts: &mut Array<Atomic<u32>>, bins: u32) {
    for position in range_stepped(ABSOLUTE_POS, keys.len(), CUBE_COUNT * UNITS as usize) {
        let key = keys[position];
        if key < bins {
            counts[key as usize].fetch_add(1);
        }
    }
}
