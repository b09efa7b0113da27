//! What a GPU is like.

use super::PlaneSize;

/// What a GPU offers to kernels.
///
/// ```no_run
/// # use equipoise_schedule::{device::{Device, OpenDevice}, with_gpu};
/// # fn main() -> equipoise_schedule::Result<()> {
/// # let OpenDevice::Gpu(any) = Device::Auto.open()? else { return Ok(()) };
/// # with_gpu!(any, |gpu| {
/// let properties = gpu.properties();
/// println!("{}: planes of {}", properties.name, properties.plane_size);
/// # });
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
