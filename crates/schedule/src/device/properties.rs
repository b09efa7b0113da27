//! The properties of a GPU.

use super::PlaneSize;

/// The properties of a GPU that kernels depend on.
///
/// ```no_run
/// # use equipoise_schedule::device::{Device, OpenDevice};
/// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let properties = gpu.properties();
/// assert!(properties.plane_size.min <= properties.max_units);
/// # Ok::<(), equipoise_schedule::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Properties {
    /// The model, as the GPU reports it.
    pub name: String,
    /// Bytes of memory, if known.
    pub memory: Option<u64>,
    /// Units per plane.
    pub plane_size: PlaneSize,
    /// The multiprocessors, if known.
    pub multiprocessors: Option<u32>,
    /// The most units per cube.
    pub max_units: u32,
    /// Bytes of shared memory per cube.
    pub shared_memory: u64,
    /// The most cubes per launch, in its first dimension.
    pub max_cubes: u32,
    /// The most bytes per buffer.
    pub largest_buffer: u64,
    /// Whether it computes in f64.
    pub f64: bool,
}

/// Resident cubes of 256 units per multiprocessor.
const CUBES_EACH: u32 = 8;
/// Cubes if the number of multiprocessors is unknown.
const CUBES: u32 = 64;

impl Properties {
    /// Cubes of 256 units that occupy the whole device, for kernels with loops.
    ///
    /// ```
    /// use equipoise_schedule::device::{Device, OpenDevice};
    ///
    /// if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
    ///     assert!(gpu.properties().cubes_at_work() > 0);
    /// }
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn cubes_at_work(&self) -> u32 {
        self.multiprocessors.map_or(CUBES, |count| count * CUBES_EACH)
    }
}
