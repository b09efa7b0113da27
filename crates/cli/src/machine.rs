//! What a run took place on.

use bytesize::ByteSize;
use equipoise::device::{Device, Gpu, OpenDevice};
use serde::Serialize;

use crate::{arguments::RunArguments, failure::Result, numbers, screen::Screen};

/// A device and how much of it is used.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    device: Device,
    /// The make of a GPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    threads: usize,
}

impl Machine {
    /// Opens the device that the arguments ask for.
    pub fn open(arguments: &RunArguments) -> Result<(Self, OpenDevice)> {
        Self::open_device(arguments.device)
    }

    /// Opens a device.
    pub fn open_device(device: Device) -> Result<(Self, OpenDevice)> {
        let open = device.open()?;
        let threads = rayon::current_num_threads();
        let machine = Self { device: named(device, &open), model: model(&open), threads };
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
        screen.fact("device", format_args!("{}, {}", self.device, self.make()))
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

/// The make of a GPU.
pub fn model(open: &OpenDevice) -> Option<String> {
    match open {
        OpenDevice::Cpu => None,
        OpenDevice::Gpu(gpu) => Some(gpu.properties().name.clone()),
    }
}
