//! Values of some vertices, between host and GPU.

use cubecl::prelude::*;
use equipoise_schedule::{
    Result,
    device::{Buffer, Element, Gpu},
    ranges::grid_stride_range,
};

const UNITS: u32 = 256;

/// The values at these indices, in their order.
pub(super) fn read_at<T: Element>(
    gpu: &Gpu,
    values: &Buffer<T>,
    indices: &[u32],
) -> Result<Vec<T>> {
    if indices.is_empty() {
        return Ok(Vec::new());
    }
    let (count, read) = (indices.len(), gpu.empty(indices.len())?);
    let indices = gpu.upload(indices)?;
    let cubes = gpu.cubes(count.div_ceil(UNITS as usize) as u64);
    let units = CubeDim::new_1d(UNITS);
    read_places::launch::<T, _>(
        gpu.client(),
        cubes,
        units,
        indices.arg(),
        values.arg(),
        read.arg(),
    );
    gpu.download(&read)
}

/// Writes `new` at these distinct indices.
pub(super) fn write_at<T: Element>(
    gpu: &Gpu,
    values: &Buffer<T>,
    indices: &[u32],
    new: &[T],
) -> Result<()> {
    if indices.is_empty() {
        return Ok(());
    }
    let cubes = gpu.cubes(indices.len().div_ceil(UNITS as usize) as u64);
    let (indices, new, units) = (gpu.upload(indices)?, gpu.upload(new)?, CubeDim::new_1d(UNITS));
    write_places::launch::<T, _>(
        gpu.client(),
        cubes,
        units,
        indices.arg(),
        new.arg(),
        values.arg(),
    );
    Ok(())
}

#[cube(launch)]
fn read_places<T: CubePrimitive>(indices: &Array<u32>, values: &Array<T>, read: &mut Array<T>) {
    for index in grid_stride_range(0, indices.len() as u32) {
        read[index as usize] = values[indices[index as usize] as usize];
    }
}

#[cube(launch)]
fn write_places<T: CubePrimitive>(indices: &Array<u32>, new: &Array<T>, values: &mut Array<T>) {
    for index in grid_stride_range(0, indices.len() as u32) {
        let target = indices[index as usize];
        values[target as usize] = new[index as usize];
    }
}
