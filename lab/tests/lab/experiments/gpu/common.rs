//! The device and the graphs of the tests.

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

/// The device with a limit of memory that other tests do not share.
pub fn with_memory(bytes: u64) -> OpenDevice {
    let OpenDevice::Gpu(gpu) = device() else { panic!("wgpu opened something else") };
    let gpu = Gpu::new(gpu.client().clone());
    gpu.set_memory_limit(bytes);
    OpenDevice::Gpu(gpu)
}

pub fn generated(spec: &str) -> Graph {
    load(spec, &ReadOptions::default()).unwrap()
}
