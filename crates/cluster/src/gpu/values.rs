//! Values of some vertices, between host and GPU.

use cubecl::prelude::*;
use equipoise_schedule::{
    Result,
    device::{Buffer, Element, Gpu},
    ranges::grid_stride_range,
};

const UNITS: u32 = 256;

/// The values at `places`, in their order.
pub(super) fn read_at<T: Element>(gpu: &Gpu, values: &Buffer<T>, places: &[u32]) -> Result<Vec<T>> {
    if places.is_empty() {
        return Ok(Vec::new());
    }
    let (count, read) = (places.len(), gpu.empty(places.len())?);
    let places = gpu.upload(places)?;
    let cubes = gpu.cubes(count.div_ceil(UNITS as usize) as u64);
    let units = CubeDim::new_1d(UNITS);
    read_places::launch::<T, _>(gpu.client(), cubes, units, places.arg(), values.arg(), read.arg());
    gpu.download(&read)
}

/// Writes `new` at `places`, each of which is there once.
pub(super) fn write_at<T: Element>(
    gpu: &Gpu,
    values: &Buffer<T>,
    places: &[u32],
    new: &[T],
) -> Result<()> {
    if places.is_empty() {
        return Ok(());
    }
    let cubes = gpu.cubes(places.len().div_ceil(UNITS as usize) as u64);
    let (places, new, units) = (gpu.upload(places)?, gpu.upload(new)?, CubeDim::new_1d(UNITS));
    write_places::launch::<T, _>(gpu.client(), cubes, units, places.arg(), new.arg(), values.arg());
    Ok(())
}

#[cube(launch)]
fn read_places<T: CubePrimitive>(places: &Array<u32>, values: &Array<T>, read: &mut Array<T>) {
    for index in grid_stride_range(0, places.len() as u32) {
        read[index as usize] = values[places[index as usize] as usize];
    }
}

#[cube(launch)]
fn write_places<T: CubePrimitive>(places: &Array<u32>, new: &Array<T>, values: &mut Array<T>) {
    for index in grid_stride_range(0, places.len() as u32) {
        let place = places[index as usize];
        values[place as usize] = new[index as usize];
    }
}
