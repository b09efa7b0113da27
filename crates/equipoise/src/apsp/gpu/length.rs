//! The numbers that a GPU computes path lengths with.

use cubecl::prelude::*;
use equipoise_schedule::device::{Buffer, Element};

use super::super::length::Length;
use crate::{
    Error, Result,
    gpu_graph::{DeviceRows, DeviceWeights},
};

/// Units a cube, of kernels over lengths.
pub(super) const UNITS: u32 = 256;

/// A path length that a GPU computes with: `u32` or `f32`.
pub(crate) trait DeviceLength: Length + Numeric + Element {
    /// Its bits, which order as lengths do.
    fn bits(self) -> u32;
    fn of_bits(bits: u32) -> Self;
    /// The weights of edges that were copied with rows.
    fn weights(rows: &DeviceRows) -> Result<Buffer<Self>>;
}

impl DeviceLength for u32 {
    fn bits(self) -> u32 {
        self
    }

    fn of_bits(bits: u32) -> Self {
        bits
    }

    fn weights(rows: &DeviceRows) -> Result<Buffer<Self>> {
        match rows.weights() {
            Some(DeviceWeights::U32(weights)) => Ok(weights.clone()),
            _ => Err(other_weights()),
        }
    }
}

impl DeviceLength for f32 {
    fn bits(self) -> u32 {
        self.to_bits()
    }

    fn of_bits(bits: u32) -> Self {
        f32::from_bits(bits)
    }

    fn weights(rows: &DeviceRows) -> Result<Buffer<Self>> {
        match rows.weights() {
            Some(DeviceWeights::F32(weights)) => Ok(weights.clone()),
            _ => Err(other_weights()),
        }
    }
}

fn other_weights() -> Error {
    Error::Wrong("lengths are of another type than weights".into())
}
