//! The devices of a machine.

use std::fmt;

use super::Device;

/// A device of this machine.
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
    /// The model, as the device reports it.
    pub model: String,
    /// Whether the cpu emulates the GPU, for tests; `auto` does not choose such a device.
    pub software: bool,
    /// Units that run at the same time, if known.
    pub units: Option<u64>,
    /// The multiprocessors of a GPU, if known.
    pub multiprocessors: Option<u32>,
    /// The units in a plane of a GPU, if known.
    pub plane_size: Option<PlaneSize>,
    /// Bytes of memory, if known.
    pub memory: Option<u64>,
    /// Bytes of free memory, if known.
    pub available: Option<u64>,
    /// Why the device is unusable, and what to do about it.
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
        if self.min == self.max {
            write!(f, "{}", self.min)
        } else {
            write!(f, "{} to {}", self.min, self.max)
        }
    }
}

impl DeviceInfo {
    /// A device about which only the problem is known.
    pub(super) fn unusable(device: Device, problem: String) -> Self {
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

/// This machine's processor and main memory.
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
        available: Some(equipoise_graph::memory::available()),
        problem: None,
    }
}
