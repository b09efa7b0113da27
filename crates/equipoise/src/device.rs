//! What an algorithm can run on.

equipoise_graph::named_enum! {
    /// A device, by the name that `--device` takes.
    ///
    /// ```
    /// use equipoise::device::Device;
    ///
    /// assert_eq!("cpu".parse(), Ok(Device::Cpu));
    /// ```
    pub enum Device("device") {
        /// All cores of this machine's processor.
        Cpu = "cpu",
    }
}

/// What a machine offers of one device.
///
/// ```
/// use equipoise::device;
///
/// let devices = device::list();
/// assert_eq!(devices[0].name, "cpu");
/// assert!(devices[0].units >= 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct DeviceInfo {
    /// The name that `--device` takes.
    pub name: String,
    /// The make, as the machine reports it.
    pub model: String,
    /// Threads that run at the same time.
    pub units: u64,
    /// The bytes of memory it has, where known.
    pub memory: Option<u64>,
    /// The bytes of memory that are free, where known.
    pub available: Option<u64>,
}

/// Every device of this machine.
pub fn list() -> Vec<DeviceInfo> {
    let system = sysinfo::System::new_with_specifics(
        sysinfo::RefreshKind::nothing()
            .with_cpu(sysinfo::CpuRefreshKind::nothing())
            .with_memory(sysinfo::MemoryRefreshKind::nothing().with_ram()),
    )
    .ok();
    let model = system.as_ref().and_then(|system| system.cpus().first());
    vec![DeviceInfo {
        name: Device::Cpu.name().into(),
        model: model.map_or("unknown", |cpu| cpu.brand().trim()).into(),
        units: std::thread::available_parallelism().map_or(1, |n| n.get() as u64),
        memory: system.as_ref().map(|system| system.total_memory()),
        available: system.as_ref().map(|system| system.available_memory()),
    }]
}

/// The bytes of main memory that can be had without swapping; no limit where it is not known.
pub(crate) fn available_memory() -> u64 {
    list().into_iter().find_map(|device| device.available).unwrap_or(u64::MAX)
}
