//! The device of a run, as reported to users.

use equipoise::{
    algorithm::Cost,
    device::{Device, Gpu, OpenDevice, take_cache_problem},
    graph::memory,
};
use serde::Serialize;

use crate::{
    arguments::RunArguments,
    choice,
    failure::{Failure, Result, warn},
    numbers,
    screen::Screen,
};

/// A device, and the extent to which it is used.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    device: Device,
    /// The model name of a GPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    threads: usize,
    /// Why `auto` chose this device.
    #[serde(skip)]
    why: Option<String>,
}

impl Machine {
    /// Opens the requested device on a separate thread while `work` runs, because drivers start
    /// slowly.
    ///
    /// If both fail, the device's error takes precedence.
    pub fn open_while<T>(
        arguments: &RunArguments,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<(Self, OpenDevice, T)> {
        std::thread::scope(|scope| {
            let open = || Self::open_device(arguments.device);
            // Where memory is short, the system may refuse a thread.
            let opening = std::thread::Builder::new().spawn_scoped(scope, open);
            let done = work();
            let opened = match opening {
                Ok(thread) => {
                    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                }
                Err(_) => open(),
            };
            let (machine, device) = opened?;
            Ok((machine, device, done?))
        })
    }

    /// Like [`Machine::open_while`], for a job on the loaded input. If `auto` is requested and the
    /// job is known, an estimate decides: a GPU is not even started if the cpu is faster. Work that
    /// a GPU does not support always runs on the cpu.
    pub fn open_for<T>(
        arguments: &RunArguments,
        is_plain: bool,
        load: impl FnOnce() -> Result<T>,
        cost: impl FnOnce(&T) -> Result<Cost>,
    ) -> Result<(Self, OpenDevice, T)> {
        if arguments.device != Device::Auto {
            return Self::open_while(arguments, load);
        }
        let on_cpu = |why: String, loaded: T| {
            let (machine, open) = Self::open_device(Device::Cpu)?;
            Ok((Self { why: Some(why), ..machine }, open, loaded))
        };
        let (machine, open, loaded, cost) = if is_plain {
            let loaded = load()?;
            let cost = cost(&loaded)?;
            if let Some(why) = choice::for_cpu(cost) {
                return on_cpu(why, loaded);
            }
            let (machine, open) = Self::open_device(Device::Auto)?;
            (machine, open, loaded, cost)
        } else {
            let (machine, open, loaded) = Self::open_while(arguments, load)?;
            let cost = cost(&loaded)?;
            (machine, open, loaded, cost)
        };
        match choice::beyond(cost, &open) {
            Some(why) => on_cpu(why.to_owned(), loaded),
            None => Ok((machine, open, loaded)),
        }
    }

    /// Opens a device.
    pub fn open_device(device: Device) -> Result<(Self, OpenDevice)> {
        let open = open(device)?;
        let threads = rayon::current_num_threads();
        let (device, model) = (named(device, &open), model(&open));
        let machine = Self { device, model, threads, why: None };
        Ok((machine, open))
    }

    /// What times depend on: the model of a GPU, or the number of cpu threads.
    pub fn make(&self) -> String {
        match &self.model {
            Some(model) => model.clone(),
            None => numbers::counted(self.threads as u64, "thread", "threads"),
        }
    }

    /// Prints the device.
    pub fn print(&self, screen: &mut Screen) -> Result<()> {
        let why = self.why.as_ref().filter(|_| screen.is_verbose());
        let why = why.map_or(String::new(), |why| format!(" ({why})"));
        screen.fact("device", format_args!("{}, {}{why}", self.device, self.make()))
    }
}

/// Opens a device, and warns if it cannot cache compiled kernels.
pub fn open(device: Device) -> Result<OpenDevice> {
    let open = device.open()?;
    if let Some(problem) = take_cache_problem() {
        warn(&problem);
    }
    Ok(open)
}

/// Limits the memory of a GPU's buffers, or of this process on the cpu, to `limit` bytes.
///
/// Fails if the process already uses more, or if the system does not report its usage.
pub fn limit_memory(limit: Option<u64>, device: &OpenDevice) -> Result<()> {
    let Some(bytes) = limit else { return Ok(()) };
    if let OpenDevice::Gpu(gpu) = device {
        gpu.set_memory_limit(bytes);
        return Ok(());
    }
    let size = numbers::bytes(bytes);
    match memory::limit_process(bytes) {
        None => Err(Failure::new(format!(
            "--memory-limit {size}: on this system only the memory of a GPU can be limited"
        ))),
        Some(held) if held > bytes => Err(Failure::new(format!(
            "--memory-limit {size}: with the graph, the program holds {} already",
            numbers::bytes(held)
        ))),
        Some(_) => Ok(()),
    }
}

/// The limit on the bytes of a GPU's buffers, if known.
pub fn memory_limit(device: &OpenDevice) -> Option<u64> {
    match device {
        OpenDevice::Cpu => None,
        OpenDevice::Gpu(gpu) => gpu.memory().limit,
    }
}

/// The name of an open device; `auto` only ever opens the first of a kind.
pub fn named(requested: Device, open: &OpenDevice) -> Device {
    match open {
        OpenDevice::Cpu => Device::Cpu,
        OpenDevice::Gpu(gpu) if requested == Device::Auto => first_of_kind(gpu),
        OpenDevice::Gpu(_) => requested,
    }
}

fn first_of_kind(gpu: &Gpu) -> Device {
    if gpu.is_cuda() { Device::Cuda(0) } else { Device::Wgpu(0) }
}

/// A description of a device, with the number of cpu threads.
pub fn described(requested: Device, open: &OpenDevice) -> String {
    let (name, threads) = (named(requested, open), rayon::current_num_threads());
    match model(open) {
        Some(model) => format!("{name}, {model}; cpu with {threads} threads"),
        None => format!("{name} with {threads} threads"),
    }
}

/// The model name of a GPU.
pub fn model(open: &OpenDevice) -> Option<String> {
    match open {
        OpenDevice::Cpu => None,
        OpenDevice::Gpu(gpu) => Some(gpu.properties().name.clone()),
    }
}
