//! Functions that several kernels and launches call.

use cubecl::prelude::*;
use equipoise_schedule::{device::Gpu, input::Input};

/// Units per cube.
pub(crate) const UNITS: u32 = 256;

/// Cubes of [`UNITS`] for `units` units, at most as many as run at once.
pub(crate) fn cubes_for(gpu: &Gpu, units: u32) -> CubeCount {
    gpu.cubes(units.div_ceil(UNITS).min(gpu.properties().cubes_at_work()).into())
}

/// All cubes that run at once.
pub(crate) fn concurrent_cubes(gpu: &Gpu) -> CubeCount {
    gpu.cubes(gpu.properties().cubes_at_work().into())
}

/// The index of the first of the ascending entries from `begin` to `end` that is not below `bound`, or `end`.
#[cube]
pub(crate) fn lower_bound(entries: &Input<u32>, bound: u32, begin: u32, end: u32) -> u32 {
    let mut low = begin;
    let mut high = end;
    while low < high {
        let middle = low + (high - low) / 2;
        if entries[middle as usize] < bound {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The inclusive prefix sum over the units of a plane. All of them call it together.
#[cube]
pub(crate) fn inclusive_sum(value: u32) -> u32 {
    let mut sum = value;
    let mut distance = 1u32;
    while distance < PLANE_DIM {
        let before = plane_shuffle_up(sum, distance);
        if UNIT_POS_PLANE >= distance {
            sum += before;
        }
        distance *= 2;
    }
    sum
}
