//! Numbers of 64 bits in two words.

use cubecl::prelude::*;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    input::Input,
};

use crate::Result;
pub(super) use crate::votes::ordered::*;

/// Sums of 64 bits, each in two words.
pub(super) struct WideSums {
    pub low: Buffer<u32>,
    pub high: Buffer<u32>,
}

impl WideSums {
    /// Sums of zero.
    pub fn zeros(gpu: &Gpu, count: usize) -> Result<Self> {
        Ok(Self { low: gpu.filled(count, 0)?, high: gpu.filled(count, 0)? })
    }

    /// The argument of a kernel that only reads them.
    pub fn arg(&self) -> WideLaunch<GpuRuntime> {
        WideLaunch::new(self.low.arg(), self.high.arg())
    }

    /// The argument of a kernel that adds to them.
    pub fn atomic(&self, gpu: &Gpu) -> AtomicWideLaunch<GpuRuntime> {
        let array = |buffer| AtomicArray::bind(gpu, buffer);
        AtomicWideLaunch::new(array(&self.low), array(&self.high))
    }
}

/// The same in a kernel that only reads them.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Wide {
    pub low: Input<u32>,
    pub high: Input<u32>,
}

#[cube]
impl Wide {
    /// A sum, rounded once.
    pub fn get(&self, index: u32) -> f32 {
        to_float(self.low[index as usize], self.high[index as usize])
    }

    /// A sum less another one less a number, rounded once.
    pub fn difference(&self, index: u32, other: u32, number: u32) -> f32 {
        let low = self.low[other as usize];
        let high = self.high[other as usize] - u32::cast_from(low < number);
        let (own_low, own_high) = (self.low[index as usize], self.high[index as usize]);
        signed_difference(own_low, own_high, low - number, high)
    }
}

#[cube]
fn to_float(low: u32, high: u32) -> f32 {
    f32::cast_from(high) * 4294967296.0f32 + f32::cast_from(low)
}

/// The difference of two numbers of 64 bits, each in two words.
#[cube]
pub(super) fn signed_difference(low: u32, high: u32, less_low: u32, less_high: u32) -> f32 {
    let is_negative = high < less_high || (high == less_high && low < less_low);
    let large_low = select(is_negative, less_low, low);
    let large_high = select(is_negative, less_high, high);
    let small_low = select(is_negative, low, less_low);
    let small_high = select(is_negative, high, less_high);
    let upper = large_high - small_high - u32::cast_from(large_low < small_low);
    let size = to_float(large_low - small_low, upper);
    select(is_negative, -size, size)
}

/// The same in a kernel that adds to them. Both words are consistent when all units have added.
#[derive(CubeType, CubeLaunch)]
pub(super) struct AtomicWide {
    low: AtomicArray,
    high: AtomicArray,
}

#[cube]
impl AtomicWide {
    pub fn add(&mut self, index: u32, number: u32) {
        let before = self.low.fetch_add(index, number);
        if before > u32::MAX - number {
            self.high.fetch_add(index, 1u32);
        }
    }

    pub fn subtract(&mut self, index: u32, number: u32) {
        let before = self.low.fetch_add(index, 0u32 - number);
        if before < number {
            self.high.fetch_add(index, u32::MAX.runtime());
        }
    }
}
