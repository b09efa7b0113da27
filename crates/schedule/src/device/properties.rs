//! What a GPU is like.

use super::PlaneSize;

/// What a GPU offers to kernels.
///
/// ```no_run
/// # use equipoise_schedule::device::{Device, OpenDevice};
/// # fn main() -> equipoise_schedule::Result<()> {
/// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let properties = gpu.properties();
/// println!("{}: planes of {}", properties.name, properties.plane_size);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Properties {
    /// The make, as the GPU reports it.
    pub name: String,
    /// The bytes of memory it has, where known.
    pub memory: Option<u64>,
    /// The units in a plane.
    pub plane_size: PlaneSize,
    /// The multiprocessors, where known.
    pub multiprocessors: Option<u32>,
    /// The most units a cube may have.
    pub max_units: u32,
    /// The bytes of shared memory a cube has.
    pub shared_memory: u64,
    /// The most cubes a launch may have in its first dimension.
    pub max_cubes: u32,
    /// The most bytes a buffer may have.
    pub largest_buffer: u64,
    /// Whether it computes with f64.
    pub f64: bool,
}

/// Cubes of 256 units that a multiprocessor has at the same time, at most.
const CUBES_EACH: u32 = 8;
/// Cubes where the number of multiprocessors is not known.
const CUBES: u32 = 64;

impl Properties {
    /// Cubes of 256 units that keep all of the device at work: for kernels which loop over what is
    /// left.
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
