//! Distances in the type of Python's arrays, on the GPU that found them.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, Gpu, GpuRuntime},
    ranges::*,
};

use crate::{Error, NONE, Result, traversal::UNITS};

/// The distances of labels, which are whole numbers, or the bits of `f32` if `are_bits`: both are exact in `f64`. They are
/// infinite without a path.
///
/// Fails where the GPU has no memory for them, or does not compute in `f64`.
pub(super) fn wide_distances(
    gpu: &Gpu,
    labels: &Buffer<u32>,
    are_bits: bool,
) -> Result<Buffer<f64>> {
    if !gpu.properties().f64 {
        return Err(Error::Option("this GPU does not compute distances in float64".into()));
    }
    widened(gpu, labels, are_bits)
}

fn widened(gpu: &Gpu, labels: &Buffer<u32>, are_bits: bool) -> Result<Buffer<f64>> {
    let distances = gpu.empty(labels.len())?;
    let vertices = labels.len() as u32;
    // SAFETY: each vertex has a label and a distance.
    unsafe {
        widen::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            gpu.cubes(vertices.div_ceil(UNITS).into()),
            CubeDim::new_1d(UNITS),
            labels.arg(),
            distances.arg(),
            vertices,
            f64::INFINITY,
            are_bits,
        );
    }
    Ok(distances)
}

#[cube(launch_unchecked)]
fn widen(
    labels: &Array<u32>,
    distances: &mut Array<f64>,
    vertices: u32,
    infinity: f64,
    #[comptime] are_bits: bool,
) {
    for vertex in grid_stride_range(0, vertices) {
        let label = labels[vertex as usize];
        let mut distance = infinity;
        if label != NONE {
            if are_bits {
                distance = f64::cast_from(f32::reinterpret(label));
            } else {
                distance = f64::cast_from(label);
            }
        }
        distances[vertex as usize] = distance;
    }
}

#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod tests {
    use equipoise_schedule::lower;

    use super::widened;
    use crate::lower::assert_compiles;

    #[test]
    fn the_kernel_compiles_for_cuda() {
        let gpu = lower::gpu();
        let labels = gpu.filled(4, 0u32).unwrap();
        widened(&gpu, &labels, false).unwrap();
        widened(&gpu, &labels, true).unwrap();
        assert_compiles(&gpu, "widen");
    }
}
