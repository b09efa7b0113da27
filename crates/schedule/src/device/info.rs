//! What a machine has to run on.

use std::fmt;

use super::Device;

/// What is known of one device.
///
/// ```
/// use equipoise_schedule::device;
///
/// let devices = device::list();
/// assert_eq!(devices[0].name, "cpu");
/// assert_eq!(devices[0].problem, None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DeviceInfo {
    /// The name that `--device` takes.
    pub name: String,
    /// The make, as the device reports it.
    pub model: String,
    /// Whether the processor does a GPU's work, for tests; `auto` does not choose such a device.
    pub software: bool,
    /// Units that run at the same time, where known.
    pub units: Option<u64>,
    /// The multiprocessors of a GPU, where known.
    pub multiprocessors: Option<u32>,
    /// The units in a plane of a GPU, where known.
    pub plane_size: Option<PlaneSize>,
    /// The bytes of memory it has, where known.
    pub memory: Option<u64>,
    /// The bytes of memory that are free, where known.
    pub available: Option<u64>,
    /// Why it cannot be used, and what to do about it.
    pub problem: Option<String>,
}

/// The smallest and the largest number of units in a plane.
///
/// ```
/// use equipoise_schedule::device::PlaneSize;
///
/// assert_eq!(PlaneSize { min: 32, max: 32 }.to_string(), "32");
/// assert_eq!(PlaneSize { min: 8, max: 32 }.to_string(), "8 to 32");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PlaneSize {
    /// The smallest.
    pub min: u32,
    /// The largest.
    pub max: u32,
}

impl fmt::Display for PlaneSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.min == self.max {
            true => write!(f, "{}", self.min),
            false => write!(f, "{} to {}", self.min, self.max),
        }
    }
}

impl DeviceInfo {
    /// A device of which nothing is known but why it cannot be used.
    fn unusable(device: Device, problem: String) -> Self {
        Self {
            name: device.to_string(),
            model: "none".into(),
            software: false,
            units: None,
            multiprocessors: None,
            plane_size: None,
            memory: None,
            available: None,
            problem: Some(problem),
        }
    }
}

/// Every device of this machine, usable or not: the cpu, then CUDA's, then wgpu's.
///
/// ```
/// for device in equipoise_schedule::device::list() {
///     println!("{}: {}", device.name, device.problem.unwrap_or("usable".into()));
/// }
/// ```
pub fn list() -> Vec<DeviceInfo> {
    let mut devices = vec![cpu()];
    devices.extend(one_at_least(Device::Cuda(0), cuda()));
    devices.extend(one_at_least(Device::Wgpu(0), wgpu()));
    devices
}

fn one_at_least(device: Device, found: Result<Vec<DeviceInfo>, String>) -> Vec<DeviceInfo> {
    found.unwrap_or_else(|problem| vec![DeviceInfo::unusable(device, problem)])
}

#[cfg(feature = "cuda")]
fn cuda() -> Result<Vec<DeviceInfo>, String> {
    super::cuda::list()
}

#[cfg(not(feature = "cuda"))]
fn cuda() -> Result<Vec<DeviceInfo>, String> {
    Err(super::open::built_without("cuda"))
}

#[cfg(feature = "wgpu")]
fn wgpu() -> Result<Vec<DeviceInfo>, String> {
    super::wgpu::list()
}

#[cfg(not(feature = "wgpu"))]
fn wgpu() -> Result<Vec<DeviceInfo>, String> {
    Err(super::open::built_without("wgpu"))
}

/// This machine's processor and its main memory.
///
/// ```
/// assert!(equipoise_schedule::device::cpu().units >= Some(1));
/// ```
pub fn cpu() -> DeviceInfo {
    let system = sysinfo::System::new_with_specifics(
        sysinfo::RefreshKind::nothing()
            .with_cpu(sysinfo::CpuRefreshKind::nothing())
            .with_memory(sysinfo::MemoryRefreshKind::nothing().with_ram()),
    )
    .ok();
    let model = system.as_ref().and_then(|system| system.cpus().first());
    DeviceInfo {
        name: Device::Cpu.to_string(),
        model: model.map_or("unknown", |cpu| cpu.brand().trim()).into(),
        software: false,
        units: Some(std::thread::available_parallelism().map_or(1, |n| n.get() as u64)),
        multiprocessors: None,
        plane_size: None,
        memory: system.as_ref().map(|system| system.total_memory()),
        available: Some(equipoise_base::memory::available()),
        problem: None,
    }
}
