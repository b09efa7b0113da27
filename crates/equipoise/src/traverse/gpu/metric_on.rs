//! Metrics of a graph on a device.

use equipoise_schedule::device::GpuRuntime;

use super::{
    graph::{DeviceRows, DeviceWeights},
    metric::*,
};

/// A metric whose weights a graph has.
pub(crate) trait MetricOn: Metric {
    /// The metric of a graph's edges in the order of these rows, for a kernel.
    fn arg(rows: &DeviceRows) -> Self::RuntimeArg<GpuRuntime>;
    /// The label that is so much farther than another, and at least a little.
    fn farther(label: u32, by: f64) -> u32;
}

impl MetricOn for Hops {
    fn arg(_: &DeviceRows) -> HopsLaunch<GpuRuntime> {
        HopsLaunch::new(1)
    }

    fn farther(label: u32, by: f64) -> u32 {
        label.saturating_add(by.max(1.0) as u32)
    }
}

impl MetricOn for Whole {
    fn arg(rows: &DeviceRows) -> WholeLaunch<GpuRuntime> {
        match &rows.weights {
            DeviceWeights::U32(weights) => WholeLaunch::new(weights.arg()),
            DeviceWeights::Ones(ones) => {
                // Made before a search starts.
                WholeLaunch::new(ones.get().unwrap_or(&rows.targets).arg())
            }
            DeviceWeights::F32(_) => unreachable!("the metric is chosen by the weights"),
        }
    }

    fn farther(label: u32, by: f64) -> u32 {
        label.saturating_add(by.max(1.0) as u32)
    }
}

impl MetricOn for Real {
    fn arg(rows: &DeviceRows) -> RealLaunch<GpuRuntime> {
        match &rows.weights {
            DeviceWeights::F32(weights) => RealLaunch::new(weights.arg()),
            _ => unreachable!("the metric is chosen by the weights"),
        }
    }

    fn farther(label: u32, by: f64) -> u32 {
        let sum = (f32::from_bits(label) + by as f32).to_bits();
        sum.max(label.saturating_add(1))
    }
}
