//! Arrays that a kernel changes atomically and reads plainly.

use cubecl::prelude::*;

use crate::device::{Buffer, Gpu, GpuRuntime};

/// An array of numbers that units change atomically, and read without an atomic operation where the
/// device can: what is read may be out of date, but was there once.
///
/// CUDA reads through a second view of the same memory, since an atomic load costs as much as an
/// atomic addition there. WebGPU does not allow two views; its atomic loads are plain ones.
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
/// lower_all::launch(gpu.client(), cubes, units, AtomicArray::of(&gpu, &labels), 5);
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
    pub fn of(gpu: &Gpu, buffer: &Buffer<u32>) -> AtomicArrayLaunch<GpuRuntime> {
        let plain = match gpu.allows_two_views() {
            true => ComptimeOptionArgs::Some(buffer.arg()),
            false => ComptimeOptionArgs::None,
        };
        AtomicArrayLaunch::new(buffer.arg(), plain)
    }
}

#[cube]
impl AtomicArray {
    /// The number at an index; it may be out of date.
    pub fn get(&self, index: u32) -> u32 {
        #[comptime]
        match &self.plain {
            ComptimeOption::Some(plain) => plain[index as usize],
            ComptimeOption::None => self.atomic[index as usize].load(),
        }
    }

    /// Writes a number that no other unit writes at the same time.
    pub fn set(&mut self, index: u32, value: u32) {
        #[comptime]
        match &mut self.plain {
            ComptimeOption::Some(plain) => plain[index as usize] = value,
            ComptimeOption::None => self.atomic[index as usize].store(value),
        }
    }

    /// Lowers a number; what it was.
    pub fn fetch_min(&mut self, index: u32, value: u32) -> u32 {
        self.atomic[index as usize].fetch_min(value)
    }

    /// Raises a number; what it was.
    pub fn fetch_max(&mut self, index: u32, value: u32) -> u32 {
        self.atomic[index as usize].fetch_max(value)
    }

    /// Adds to a number; what it was.
    pub fn fetch_add(&mut self, index: u32, value: u32) -> u32 {
        self.atomic[index as usize].fetch_add(value)
    }

    /// Sets bits of a number; what it was.
    pub fn fetch_or(&mut self, index: u32, value: u32) -> u32 {
        self.atomic[index as usize].fetch_or(value)
    }

    /// Writes a number if it is still `old`; what it was. May fail where it is.
    pub fn compare_exchange_weak(&mut self, index: u32, old: u32, new: u32) -> u32 {
        self.atomic[index as usize].compare_exchange_weak(old, new)
    }

    /// How many there are.
    #[allow(clippy::len_without_is_empty, reason = "a buffer has at least one")]
    pub fn len(&self) -> u32 {
        self.atomic.len() as u32
    }
}
