//! What an edge adds to the length of a path, on a GPU.
//!
//! Distances are 32 bits that order as numbers do, so that the smaller of two is found by one atomic
//! minimum: sums of whole weights, or the bits of sums of floating-point weights, which are not
//! negative. [`NONE`] stands for no path yet.

use cubecl::prelude::*;
use equipoise_schedule::{device::GpuRuntime, input::Input};

use crate::{
    NONE,
    gpu_graph::{DeviceRows, DeviceWeights},
};

/// Stands for sums of whole weights that do not fit: no other sum is as large.
pub(crate) const TOO_LARGE: u32 = NONE - 1;
/// The bits of infinity.
const INFINITE: u32 = 0x7f80_0000;

/// The weights of edges.
#[cube]
pub(crate) trait Weight: LaunchArg + 'static + Send + Sync {
    /// The distance at the end of an edge that starts at that distance.
    fn along(&self, distance: u32, edge: u32) -> u32;
    /// The distance that is farther than another by a length, and at least a little.
    fn beyond(distance: u32, length: u32) -> u32;
}

/// Weights of a graph on a device.
pub(crate) trait WeightOn: Weight {
    /// The weights of edges in the order of these rows, for a kernel.
    fn arg(rows: &DeviceRows) -> Self::RuntimeArg<GpuRuntime>;
    /// The distance that is so much farther than another, and at least a little.
    fn farther(distance: u32, by: f64) -> u32;
}

/// Whole weights.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Whole {
    weights: Input<u32>,
}

#[cube]
impl Weight for Whole {
    fn along(&self, distance: u32, edge: u32) -> u32 {
        let weight = self.weights[edge as usize];
        // What would wrap around stays below `NONE`, and is found at the end.
        distance + min(weight, TOO_LARGE - min(distance, TOO_LARGE))
    }

    fn beyond(distance: u32, length: u32) -> u32 {
        distance + min(max(length, 1u32), u32::MAX - distance)
    }
}

impl WeightOn for Whole {
    fn arg(rows: &DeviceRows) -> WholeLaunch<GpuRuntime> {
        match rows.weights() {
            Some(DeviceWeights::U32(weights)) => WholeLaunch::new(weights.arg()),
            _ => unreachable!("weights are copied before a search, and choose its operation"),
        }
    }

    fn farther(distance: u32, by: f64) -> u32 {
        distance.saturating_add(by.max(1.0) as u32)
    }
}

/// Floating-point weights.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Real {
    weights: Input<f32>,
}

#[cube]
impl Weight for Real {
    fn along(&self, distance: u32, edge: u32) -> u32 {
        let sum = f32::reinterpret(distance) + self.weights[edge as usize];
        let mut result = u32::reinterpret(sum);
        // What is too far for a number counts as not reached.
        if result >= INFINITE {
            result = NONE.runtime();
        }
        result
    }

    fn beyond(distance: u32, length: u32) -> u32 {
        let sum = f32::reinterpret(distance) + f32::reinterpret(length);
        max(u32::reinterpret(sum), distance + min(1u32, u32::MAX - distance))
    }
}

impl WeightOn for Real {
    fn arg(rows: &DeviceRows) -> RealLaunch<GpuRuntime> {
        match rows.weights() {
            Some(DeviceWeights::F32(weights)) => RealLaunch::new(weights.arg()),
            // Only who asked for it has rounded weights there.
            _ => match rows.wide_weights() {
                Some(weights) => RealLaunch::new(weights.rounded.arg()),
                None => {
                    unreachable!("weights are copied before a search, and choose its operation")
                }
            },
        }
    }

    fn farther(distance: u32, by: f64) -> u32 {
        let sum = (f32::from_bits(distance) + by as f32).to_bits();
        sum.max(distance.saturating_add(1))
    }
}
