//! The weights of edges and sums of them, on a GPU.
//!
//! Distances have 32 bits: sums of whole weights, or the bits of sums of floating-point weights. Those are not negative, so
//! that their bits have the order of the numbers, and an atomic minimum of integers finds the smaller one. [`NONE`] means
//! that no path is known yet.

use cubecl::prelude::*;
use equipoise_schedule::{device::GpuRuntime, input::Input};

use crate::{
    NONE,
    gpu_graph::{DeviceWeights, WeightedRows},
};

/// The value of sums of whole weights that overflow; larger than any other sum.
pub(crate) const TOO_LARGE: u32 = NONE - 1;
/// The bits of infinity.
const INFINITE: u32 = 0x7f80_0000;

#[cube]
pub(crate) trait Weight: LaunchArg + 'static + Send + Sync {
    /// The distance of an edge's target, from that of its source.
    fn along(&self, distance: u32, edge: u32) -> u32;
    /// The sum of a distance and a length, larger than the distance.
    fn beyond(distance: u32, length: u32) -> u32;
}

/// The weights of a graph on a device.
pub(crate) trait WeightOn: Weight {
    /// The kernel argument of the weights of these rows.
    fn arg(rows: &WeightedRows) -> Self::RuntimeArg<GpuRuntime>;
    /// The sum of a distance and `by`, larger than the distance.
    fn farther(distance: u32, by: f64) -> u32;
}

#[derive(CubeType, CubeLaunch)]
pub(crate) struct Whole {
    weights: Input<u32>,
}

#[cube]
impl Weight for Whole {
    fn along(&self, distance: u32, edge: u32) -> u32 {
        let weight = self.weights[edge as usize];
        // Saturates below `NONE`; the host detects it after the search.
        distance + min(weight, TOO_LARGE - min(distance, TOO_LARGE))
    }

    fn beyond(distance: u32, length: u32) -> u32 {
        distance + min(max(length, 1u32), u32::MAX - distance)
    }
}

impl WeightOn for Whole {
    fn arg(rows: &WeightedRows) -> WholeLaunch<GpuRuntime> {
        match rows.weights() {
            Some(DeviceWeights::U32(weights)) => WholeLaunch::new(weights.arg()),
            _ => unreachable!("weights are copied before a search, and choose its operation"),
        }
    }

    fn farther(distance: u32, by: f64) -> u32 {
        distance.saturating_add(by.max(1.0) as u32)
    }
}

#[derive(CubeType, CubeLaunch)]
pub(crate) struct Real {
    weights: Input<f32>,
}

#[cube]
impl Weight for Real {
    fn along(&self, distance: u32, edge: u32) -> u32 {
        let sum = f32::reinterpret(distance) + self.weights[edge as usize];
        let mut result = u32::reinterpret(sum);
        // An infinite distance counts as not reached.
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
    fn arg(rows: &WeightedRows) -> RealLaunch<GpuRuntime> {
        match rows.weights() {
            Some(DeviceWeights::F32(weights)) => RealLaunch::new(weights.arg()),
            // Weights of 64 bits were copied for a search with rounded ones.
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
