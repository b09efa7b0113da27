//! Opening a device by its name.

use super::Device;
use super::Gpu;
#[cfg(feature = "cuda")]
use super::cuda;
#[cfg(feature = "wgpu")]
use super::wgpu;
use crate::{Error, Result};

/// A device that is ready to run something.
///
/// ```no_run
/// use equipoise_schedule::device::{Device, OpenDevice};
///
/// # fn main() -> equipoise_schedule::Result<()> {
/// match Device::Auto.open()? {
///     OpenDevice::Cpu => println!("the cpu"),
///     OpenDevice::Gpu(gpu) => println!("{gpu:?}"),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub enum OpenDevice {
    /// This machine's processor.
    Cpu,
    /// A GPU.
    Gpu(Gpu),
}

impl Device {
    /// Makes the device ready. Opening a GPU twice gives the same one.
    ///
    /// `auto` takes CUDA's first device, else the first hardware GPU of wgpu, else the cpu. A
    /// device that was named but cannot be used is an error that says why.
    ///
    /// ```
    /// use equipoise_schedule::device::{Device, OpenDevice};
    ///
    /// assert!(matches!(Device::Cpu.open(), Ok(OpenDevice::Cpu)));
    /// ```
    pub fn open(self) -> Result<OpenDevice> {
        match self {
            Self::Auto => Ok(best()),
            Self::Cpu => Ok(OpenDevice::Cpu),
            Self::Cuda(number) => open_cuda(number).map(OpenDevice::Gpu),
            Self::Wgpu(number) => open_wgpu(number).map(OpenDevice::Gpu),
        }
    }
}

fn best() -> OpenDevice {
    let gpu = open_cuda(0).or_else(|_| open_hardware_wgpu());
    gpu.map_or(OpenDevice::Cpu, OpenDevice::Gpu)
}

#[cfg(feature = "cuda")]
fn open_cuda(number: u32) -> Result<Gpu> {
    cuda::open(number)
}

#[cfg(not(feature = "cuda"))]
fn open_cuda(_: u32) -> Result<Gpu> {
    Err(Error::Unusable(built_without("cuda")))
}

#[cfg(feature = "wgpu")]
fn open_wgpu(number: u32) -> Result<Gpu> {
    wgpu::open(number)
}

#[cfg(not(feature = "wgpu"))]
fn open_wgpu(_: u32) -> Result<Gpu> {
    Err(Error::Unusable(built_without("wgpu")))
}

#[cfg(feature = "wgpu")]
fn open_hardware_wgpu() -> Result<Gpu> {
    match wgpu::list() {
        Ok(devices) if devices.first().is_some_and(|device| !device.software) => open_wgpu(0),
        Ok(_) => Err(Error::Unusable("wgpu has no hardware GPU".into())),
        Err(problem) => Err(Error::Unusable(problem)),
    }
}

#[cfg(not(feature = "wgpu"))]
fn open_hardware_wgpu() -> Result<Gpu> {
    open_wgpu(0)
}

/// Why a device cannot be used whose runtime is not in this program.
#[cfg(not(all(feature = "cuda", feature = "wgpu")))]
pub(super) fn built_without(feature: &str) -> String {
    format!(
        "this program was built without `{feature}`: it needs the feature `{feature}` when it is built"
    )
}

#[cfg(all(test, not(any(feature = "cuda", feature = "wgpu"))))]
mod tests {
    use crate::device::{Device, OpenDevice, list};

    #[test]
    fn without_runtimes_there_is_the_cpu_and_errors_say_why() {
        assert!(matches!(Device::Auto.open(), Ok(OpenDevice::Cpu)));
        for (device, feature) in [(Device::Cuda(0), "cuda"), (Device::Wgpu(1), "wgpu")] {
            let error = device.open().unwrap_err().to_string();
            assert!(error.starts_with(&format!("this program was built without `{feature}`")));
            assert!(list().iter().any(|device| device.problem.as_ref() == Some(&error)));
        }
    }
}
