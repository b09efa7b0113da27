//! The bandwidth of a GPU's memory: a copy, read and written bytes counted.

use cubecl::prelude::*;
use equipoise_schedule::device::Gpu;

use crate::Result;

const NUMBERS: usize = 1 << 28;

#[cube(launch_unchecked)]
fn copy_numbers(from: &Array<Vector<f32, Const<4>>>, to: &mut Array<Vector<f32, Const<4>>>) {
    let place = ABSOLUTE_POS;
    if place < from.len() {
        to[place] = from[place];
    }
}

/// Bytes a second.
pub fn bandwidth<R: Runtime>(gpu: &Gpu<R>) -> Result<f64> {
    const UNITS: u32 = 256;
    let from = gpu.filled(NUMBERS, 1.5f32)?;
    let to = gpu.filled(NUMBERS, 0.0f32)?;
    let timing = gpu.time(3, 20, || {
        // SAFETY: both have the same length, which the kernel stays below.
        unsafe {
            copy_numbers::launch_unchecked::<R>(
                gpu.client(),
                CubeCount::Static((NUMBERS as u32 / 4).div_ceil(UNITS), 1, 1),
                CubeDim::new_1d(UNITS),
                from.vector_arg(4),
                to.vector_arg(4),
            );
        }
        Ok(())
    })?;
    Ok(2.0 * (NUMBERS * size_of::<f32>()) as f64 / timing.seconds)
}
