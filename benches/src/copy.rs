//! The bandwidth of a GPU's memory: a copy, read and written bytes counted.

use cubecl::prelude::*;
use equipoise_schedule::device::{Gpu, GpuRuntime};

use crate::Result;

/// Enough to be far larger than any cache, where the device has room for it.
const MOST_BYTES: u64 = 1 << 30;

#[cube(launch_unchecked)]
fn copy_numbers(
    from: &Array<Vector<f32, Const<4>>>,
    to: &mut Array<Vector<f32, Const<4>>>,
    count: u32,
) {
    let place = ABSOLUTE_POS as u32;
    if place < count {
        to[place as usize] = from[place as usize];
    }
}

/// Bytes a second.
pub fn bandwidth(gpu: &Gpu) -> Result<f64> {
    const UNITS: u32 = 256;
    let bytes = MOST_BYTES.min(gpu.properties().largest_buffer / 4) as usize;
    let numbers = bytes / size_of::<f32>();
    let fours = numbers as u32 / 4;
    let from = gpu.filled(numbers, 1.5f32)?;
    let to = gpu.filled(numbers, 0.0f32)?;
    let timing = gpu.time(3, 20, || {
        // SAFETY: both have the same length, which the kernel stays below.
        unsafe {
            copy_numbers::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                CubeCount::Static(fours.div_ceil(UNITS), 1, 1),
                CubeDim::new_1d(UNITS),
                from.vector_arg(4),
                to.vector_arg(4),
                fours,
            );
        }
        Ok(())
    })?;
    if gpu.download(&to)?.iter().any(|&number| number != 1.5) {
        return Err("the copy is not what was copied".into());
    }
    Ok(2.0 * bytes as f64 / timing.seconds)
}
