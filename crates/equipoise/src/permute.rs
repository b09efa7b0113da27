//! Numbers, looked up and written by index, on a GPU.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, Gpu, GpuRuntime},
    ranges::grid_stride_range,
};

use crate::{
    Result,
    kernels::{UNITS, cubes_for},
};

/// The numbers from 0 on.
pub(crate) fn identity(gpu: &Gpu, count: usize) -> Result<Buffer<u32>> {
    let numbers = gpu.empty(count)?;
    let cubes = cubes_for(gpu, count as u32);
    // SAFETY: as many numbers are written as it has.
    unsafe {
        count_up::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            cubes,
            CubeDim::new_1d(UNITS),
            numbers.arg(),
            count as u32,
        );
    }
    Ok(numbers)
}

/// The value at each index.
///
/// # Safety
///
/// The indices are those of values.
pub(crate) unsafe fn look_up(
    gpu: &Gpu,
    values: &Buffer<u32>,
    indices: &Buffer<u32>,
) -> Result<Buffer<u32>> {
    let (count, found) = (indices.len() as u32, gpu.empty(indices.len())?);
    // SAFETY: callers pass indices of values, and as many results are written as exist.
    unsafe {
        look_up_each::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            cubes_for(gpu, count),
            CubeDim::new_1d(UNITS),
            values.arg(),
            indices.arg(),
            found.arg(),
            count,
        );
    }
    Ok(found)
}

/// Writes each value at its index in an array of `len`; one of several, if they have the same.
///
/// # Safety
///
/// There are as many indices as values, all smaller than `len`. What has no value is arbitrary.
pub(crate) unsafe fn scatter(
    gpu: &Gpu,
    values: &Buffer<u32>,
    indices: &Buffer<u32>,
    len: usize,
) -> Result<Buffer<u32>> {
    let (count, written) = (indices.len() as u32, gpu.empty(len)?);
    // SAFETY: callers pass as many values as indices, which are smaller than the length.
    unsafe {
        scatter_each::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            cubes_for(gpu, count),
            CubeDim::new_1d(UNITS),
            values.arg(),
            indices.arg(),
            written.arg(),
            count,
        );
    }
    Ok(written)
}

#[cube(launch_unchecked)]
fn count_up(numbers: &mut Array<u32>, count: u32) {
    for index in grid_stride_range(0, count) {
        numbers[index as usize] = index;
    }
}

#[cube(launch_unchecked)]
fn look_up_each(values: &Array<u32>, indices: &Array<u32>, found: &mut Array<u32>, count: u32) {
    for index in grid_stride_range(0, count) {
        let value = values[indices[index as usize] as usize];
        found[index as usize] = value;
    }
}

#[cube(launch_unchecked)]
fn scatter_each(values: &Array<u32>, indices: &Array<u32>, written: &mut Array<u32>, count: u32) {
    for index in grid_stride_range(0, count) {
        let target = indices[index as usize];
        written[target as usize] = values[index as usize];
    }
}
