//! What a run took place on.

use bytesize::ByteSize;
use equipoise::device::{Device, Gpu, OpenDevice};
use serde::Serialize;

use crate::{arguments::RunArguments, choice::Job, failure::Result, numbers, screen::Screen};

/// A device and how much of it is used.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    device: Device,
    /// The make of a GPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    threads: usize,
    /// Why it is this one, where that was for the program to decide.
    #[serde(skip)]
    why: Option<String>,
}

impl Machine {
    /// Opens the device that the arguments ask for, on a thread of its own, while something else is
    /// done: drivers take their time.
    ///
    /// Where both fail, what the device says comes first.
    pub fn open_while<T>(
        arguments: &RunArguments,
        work: impl FnOnce() -> Result<T>,
    ) -> Result<(Self, OpenDevice, T)> {
        std::thread::scope(|scope| {
            let opening = scope.spawn(|| Self::open_device(arguments.device));
            let done = work();
            let opened = opening.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            let (machine, device) = opened?;
            Ok((machine, device, done?))
        })
    }

    /// The same for a job on what is loaded meanwhile. Where `auto` is asked for and there is a job to
    /// judge by, an estimate says where to go on: a GPU is not even started where the cpu has the
    /// answer first.
    pub fn open_for<T>(
        arguments: &RunArguments,
        is_plain: bool,
        load: impl FnOnce() -> Result<T>,
        job: impl FnOnce(&T) -> Result<Job>,
    ) -> Result<(Self, OpenDevice, T)> {
        if arguments.device != Device::Auto || !is_plain {
            return Self::open_while(arguments, load);
        }
        let loaded = load()?;
        let why = job(&loaded)?.for_cpu();
        let device = if why.is_some() { Device::Cpu } else { Device::Auto };
        let (machine, open) = Self::open_device(device)?;
        Ok((Self { why, ..machine }, open, loaded))
    }

    /// Opens a device.
    pub fn open_device(device: Device) -> Result<(Self, OpenDevice)> {
        let open = device.open()?;
        let threads = rayon::current_num_threads();
        let (device, model) = (named(device, &open), model(&open));
        let machine = Self { device, model, threads, why: None };
        Ok((machine, open))
    }

    /// What its times depend on: the make of a GPU, or how many threads of the cpu there are.
    pub fn make(&self) -> String {
        match &self.model {
            Some(model) => model.clone(),
            None => numbers::counted(self.threads as u64, "thread", "threads"),
        }
    }

    /// Prints it.
    pub fn print(&self, screen: &mut Screen) -> Result<()> {
        let why = self.why.as_ref().filter(|_| screen.is_verbose());
        let why = why.map_or(String::new(), |why| format!(" ({why})"));
        screen.fact("device", format_args!("{}, {}{why}", self.device, self.make()))
    }
}

/// A number of bytes, such as 2GiB.
pub fn bytes(text: &str) -> Result<u64, String> {
    let size = text.parse::<ByteSize>();
    size.map(|size| size.as_u64())
        .map_err(|_| "expected a number of bytes, such as 500MB or 2GiB".into())
}

/// Lets buffers of a GPU hold so many bytes at most.
pub fn limit_memory(limit: Option<u64>, device: &OpenDevice) {
    match (limit, device) {
        (None, _) | (_, OpenDevice::Cpu) => {}
        (Some(bytes), OpenDevice::Gpu(gpu)) => gpu.set_memory_limit(bytes),
    }
}

/// The bytes that buffers of a GPU may hold, where known.
pub fn memory_limit(device: &OpenDevice) -> Option<u64> {
    match device {
        OpenDevice::Cpu => None,
        OpenDevice::Gpu(gpu) => gpu.memory().limit,
    }
}

/// The name of an open device; `auto` only ever opens the first of a kind.
pub fn named(asked: Device, open: &OpenDevice) -> Device {
    match open {
        OpenDevice::Cpu => Device::Cpu,
        OpenDevice::Gpu(gpu) if asked == Device::Auto => first_of_kind(gpu),
        OpenDevice::Gpu(_) => asked,
    }
}

fn first_of_kind(gpu: &Gpu) -> Device {
    match gpu.is_cuda() {
        true => Device::Cuda(0),
        false => Device::Wgpu(0),
    }
}

/// A device in words, with the threads of the cpu.
pub fn described(asked: Device, open: &OpenDevice) -> String {
    let (name, threads) = (named(asked, open), rayon::current_num_threads());
    match model(open) {
        Some(model) => format!("{name}, {model}; cpu with {threads} threads"),
        None => format!("{name} with {threads} threads"),
    }
}

/// The make of a GPU.
pub fn model(open: &OpenDevice) -> Option<String> {
    match open {
        OpenDevice::Cpu => None,
        OpenDevice::Gpu(gpu) => Some(gpu.properties().name.clone()),
    }
}
