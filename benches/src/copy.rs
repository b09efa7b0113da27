//! The bandwidth of GPU memory: a copy, counting bytes read and written.

use cubecl::prelude::*;
use equipoise_schedule::device::{Gpu, GpuRuntime};

use crate::Result;

/// Far larger than any cache, if the device has enough memory.
const MOST_BYTES: u64 = 1 << 30;

#[cube(launch_unchecked)]
fn copy_numbers(
    from: &Array<Vector<f32, Const<4>>>,
    to: &mut Array<Vector<f32, Const<4>>>,
    count: u32,
) {
    let index = ABSOLUTE_POS as u32;
    if index < count {
        to[index as usize] = from[index as usize];
    }
}

/// The bandwidth in bytes per second.
pub fn bandwidth(gpu: &Gpu) -> Result<f64> {
    const UNITS: u32 = 256;
    let bytes = MOST_BYTES.min(gpu.properties().largest_buffer / 4) as usize;
    let numbers = bytes / size_of::<f32>();
    let fours = numbers as u32 / 4;
    let from = gpu.filled(numbers, 1.5f32)?;
    let to = gpu.filled(numbers, 0.0f32)?;
    let timing = gpu.time(3, 20, || {
        // SAFETY: both have the same length, which bounds the kernel's accesses.
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
    Ok(2.0 * bytes as f64 / timing.as_secs_f64())
}
