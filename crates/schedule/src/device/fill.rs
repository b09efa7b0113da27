//! Filling buffers.

use crate::device::GpuRuntime;
use cubecl::{ScalarArgType, prelude::*};

use super::{Buffer, Gpu};
use crate::{Error, Result};

const UNITS: u32 = 256;

/// More cubes would not be faster.
const CUBES: u32 = 1 << 16;

/// The most elements for which an index plus the stride of the launch fits 32 bits.
const MOST: u64 = (u32::MAX - CUBES * UNITS) as u64;

impl Gpu {
    /// Sets all elements of a buffer to a value.
    ///
    /// ```no_run
    /// # use equipoise_schedule::device::{Device, OpenDevice};
    /// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
    /// let counts = gpu.upload(&[1u32, 2, 3])?;
    /// gpu.fill(&counts, 0)?;
    /// assert_eq!(gpu.download(&counts)?, [0; 3]);
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn fill<T: ScalarArgType>(&self, buffer: &Buffer<T>, value: T) -> Result<()> {
        let count = buffer.len() as u64;
        if count > MOST {
            return Err(Error::TooMany { what: "a buffer".into(), count, limit: MOST });
        }
        let units = UNITS.min(self.properties().max_units);
        let cubes = self.cubes(count.div_ceil(u64::from(units)).min(u64::from(CUBES)));
        let cube = CubeDim::new_1d(units);
        // SAFETY: the kernel writes below the given length, which is the buffer's.
        unsafe {
            fill_array::launch_unchecked::<T, GpuRuntime>(
                self.client(),
                cubes,
                cube,
                buffer.arg(),
                value,
                buffer.len() as u32,
            );
        }
        Ok(())
    }

    /// A new buffer with one value everywhere.
    ///
    /// ```no_run
    /// # use equipoise_schedule::device::{Device, OpenDevice};
    /// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
    /// let distances = gpu.filled(3, u32::MAX)?;
    /// assert_eq!(gpu.download(&distances)?, [u32::MAX; 3]);
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn filled<T: ScalarArgType>(&self, len: usize, value: T) -> Result<Buffer<T>> {
        let buffer = self.empty(len)?;
        self.fill(&buffer, value)?;
        Ok(buffer)
    }
}

#[cube(launch_unchecked)]
fn fill_array<T: ScalarArgType>(array: &mut Array<T>, value: T, count: u32) {
    let stride = CUBE_COUNT * CUBE_DIM as usize;
    let mut index = ABSOLUTE_POS;
    while index < count as usize {
        array[index] = value;
        index += stride;
    }
}
