//! What tests share: a device, and graphs.

use equipoise::{
    device::{Device, Gpu, OpenDevice},
    graph::{Graph, io::ReadOptions, load},
};

/// The software GPU that every machine can have.
pub fn device() -> OpenDevice {
    Device::Wgpu(0).open().unwrap_or_else(|error| {
        panic!(
            "these tests need a Vulkan device ({error}): on Debian and Ubuntu, apt-get install \
             mesa-vulkan-drivers gives one in software"
        )
    })
}

/// A device with accounts of its own, so that the limit is not that of other tests.
pub fn with_memory(bytes: u64) -> OpenDevice {
    let OpenDevice::Gpu(gpu) = device() else { panic!("wgpu opened something else") };
    let gpu = Gpu::new(gpu.client().clone());
    gpu.set_memory_limit(bytes);
    OpenDevice::Gpu(gpu)
}

pub fn made(spec: &str) -> Graph {
    load(spec, &ReadOptions::default()).unwrap()
}
