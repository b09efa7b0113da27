//! The numbers that a GPU computes path lengths with.

use cubecl::prelude::*;
use equipoise_schedule::device::{Buffer, Element};

use crate::{apsp::length::Length, gpu_graph::DeviceWeights};

/// Units per cube of kernels over lengths.
pub(super) const UNITS: u32 = 256;

/// A path length that a GPU computes with: `u32` or `f32`.
pub(super) trait DeviceLength: Length + Numeric + Element {
    /// The bits of a length, which order as lengths do.
    fn bits(self) -> u32 {
        bytemuck::cast(self)
    }

    fn of_bits(bits: u32) -> Self {
        bytemuck::cast(bits)
    }

    /// The weights, if they have this type.
    fn weights(weights: &DeviceWeights) -> Option<&Buffer<Self>>;
}

impl DeviceLength for u32 {
    fn weights(weights: &DeviceWeights) -> Option<&Buffer<u32>> {
        if let DeviceWeights::U32(weights) = weights { Some(weights) } else { None }
    }
}

impl DeviceLength for f32 {
    fn weights(weights: &DeviceWeights) -> Option<&Buffer<f32>> {
        if let DeviceWeights::F32(weights) = weights { Some(weights) } else { None }
    }
}
