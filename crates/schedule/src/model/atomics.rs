//! Arrays with atomic updates and plain reads.

use cubecl::prelude::*;

use crate::device::{Buffer, Gpu, GpuRuntime};

/// An array that units update atomically and read without an atomic operation if the device can. A read may return an
/// earlier value.
///
/// CUDA reads through a second view of the same memory, since an atomic load costs as much as an atomic addition.
/// WebGPU forbids two views, and its atomic loads are plain loads.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{atomics::*, device::{Device, OpenDevice}};
///
/// #[cube(launch)]
/// fn lower_all(labels: &mut AtomicArray, to: u32) {
///     let index = ABSOLUTE_POS as u32;
///     if index < labels.len() && to < labels.get(index) {
///         labels.fetch_min(index, to);
///     }
/// }
///
/// # fn main() -> equipoise_schedule::Result<()> {
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let labels = gpu.upload(&[7u32, 3, 9])?;
/// let (cubes, units) = (CubeCount::new_single(), CubeDim::new_1d(32));
/// lower_all::launch(gpu.client(), cubes, units, AtomicArray::bind(&gpu, &labels), 5);
/// assert_eq!(gpu.download(&labels)?, [5, 3, 5]);
/// # Ok(())
/// # }
/// ```
#[derive(CubeType, CubeLaunch)]
pub struct AtomicArray {
    atomic: Array<Atomic<u32>>,
    plain: ComptimeOption<Array<u32>>,
}

impl AtomicArray {
    /// The argument that binds a buffer.
    pub fn bind(gpu: &Gpu, buffer: &Buffer<u32>) -> AtomicArrayLaunch<GpuRuntime> {
        let plain = if gpu.allows_two_views() {
            ComptimeOptionArgs::Some(buffer.arg())
        } else {
            ComptimeOptionArgs::None
        };
        AtomicArrayLaunch::new(buffer.arg(), plain)
    }
}

#[cube]
impl AtomicArray {
    /// The value at an index, possibly an earlier one.
    pub fn get(&self, index: u32) -> u32 {
        #[comptime]
        match &self.plain {
            ComptimeOption::Some(plain) => plain[index as usize],
            ComptimeOption::None => self.atomic[index as usize].load(),
        }
    }

    /// Writes a value at an index that no other unit writes at the same time.
    pub fn set(&mut self, index: u32, value: u32) {
        #[comptime]
        match &mut self.plain {
            ComptimeOption::Some(plain) => plain[index as usize] = value,
            ComptimeOption::None => self.atomic[index as usize].store(value),
        }
    }

    /// Replaces a value by the minimum; returns the old one.
    pub fn fetch_min(&mut self, index: u32, value: u32) -> u32 {
        self.atomic[index as usize].fetch_min(value)
    }

    /// Replaces a value by the maximum; returns the old one.
    pub fn fetch_max(&mut self, index: u32, value: u32) -> u32 {
        self.atomic[index as usize].fetch_max(value)
    }

    /// Adds to a value; returns the old one.
    pub fn fetch_add(&mut self, index: u32, value: u32) -> u32 {
        self.atomic[index as usize].fetch_add(value)
    }

    /// Sets bits of a value; returns the old one.
    pub fn fetch_or(&mut self, index: u32, value: u32) -> u32 {
        self.atomic[index as usize].fetch_or(value)
    }

    /// Replaces a value if it is `old`; returns the old one. May fail although it is `old`.
    pub fn compare_exchange_weak(&mut self, index: u32, old: u32, new: u32) -> u32 {
        self.atomic[index as usize].compare_exchange_weak(old, new)
    }

    /// The number of elements.
    #[allow(clippy::len_without_is_empty, reason = "a buffer has at least one")]
    pub fn len(&self) -> u32 {
        self.atomic.len() as u32
    }
}
