//! Lists and opens devices.

#[cfg(feature = "cuda")]
use super::cuda;
#[cfg(feature = "wgpu")]
use super::wgpu;
use super::{Device, DeviceInfo, Gpu, cpu};
use crate::{Error, Result};

/// A device that is ready for use.
///
/// ```no_run
/// use equipoise_schedule::device::{Device, OpenDevice};
///
/// match Device::Auto.open()? {
///     OpenDevice::Cpu => println!("the cpu"),
///     OpenDevice::Gpu(gpu) => println!("{gpu:?}"),
/// }
/// # Ok::<(), equipoise_schedule::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum OpenDevice {
    /// This machine's processor.
    Cpu,
    /// A GPU.
    Gpu(Gpu),
}

impl Device {
    /// Opens the device. Opening a GPU twice returns the same one.
    ///
    /// `auto` takes CUDA's first device, else the first hardware GPU of wgpu, else the cpu. Fails if a named device is
    /// unusable, with the reason.
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

/// Why compiled kernels are not cached on disk, if other users could write to the folder. A program can print it after
/// it opened a GPU: it is returned once.
///
/// ```
/// // No GPU was opened.
/// assert_eq!(equipoise_schedule::device::take_cache_problem(), None);
/// ```
pub fn take_cache_problem() -> Option<String> {
    #[cfg(feature = "cuda")]
    return super::cache::take_problem();
    #[cfg(not(feature = "cuda"))]
    None
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

/// Every device of this machine, usable or not: the cpu, then CUDA's, then wgpu's.
///
/// ```
/// let devices = equipoise_schedule::device::list();
/// assert!(devices.iter().any(|device| device.name == "cpu" && device.problem.is_none()));
/// ```
pub fn list() -> Vec<DeviceInfo> {
    let mut devices = vec![cpu()];
    devices.extend(one_at_least(Device::Cuda(0), list_cuda()));
    devices.extend(one_at_least(Device::Wgpu(0), list_wgpu()));
    devices
}

fn one_at_least(device: Device, found: Result<Vec<DeviceInfo>, String>) -> Vec<DeviceInfo> {
    found.unwrap_or_else(|problem| vec![DeviceInfo::unusable(device, problem)])
}

#[cfg(feature = "cuda")]
fn list_cuda() -> Result<Vec<DeviceInfo>, String> {
    cuda::list()
}

#[cfg(not(feature = "cuda"))]
fn list_cuda() -> Result<Vec<DeviceInfo>, String> {
    Err(built_without("cuda"))
}

#[cfg(feature = "wgpu")]
fn list_wgpu() -> Result<Vec<DeviceInfo>, String> {
    wgpu::list()
}

#[cfg(not(feature = "wgpu"))]
fn list_wgpu() -> Result<Vec<DeviceInfo>, String> {
    Err(built_without("wgpu"))
}

/// Why a device whose runtime is not in this program is unusable.
#[cfg(not(all(feature = "cuda", feature = "wgpu")))]
fn built_without(feature: &str) -> String {
    format!(
        "this program was built without `{feature}`: it needs the feature `{feature}` when it is built"
    )
}

#[cfg(all(test, not(any(feature = "cuda", feature = "wgpu"))))]
mod tests {
    use crate::device::{Device, OpenDevice, list};

    #[test]
    fn without_runtimes_only_the_cpu_opens_and_errors_say_why() {
        assert!(matches!(Device::Auto.open(), Ok(OpenDevice::Cpu)));
        for (device, feature) in [(Device::Cuda(0), "cuda"), (Device::Wgpu(1), "wgpu")] {
            let error = device.open().unwrap_err().to_string();
            assert!(error.starts_with(&format!("this program was built without `{feature}`")));
            assert!(list().iter().any(|device| device.problem.as_ref() == Some(&error)));
        }
    }
}
