//! The programming model: on the first GPU that wgpu finds, which can be one in software.
#![cfg(feature = "wgpu")]
// Clippy's permission for tests does not cover the functions that tests share.
#![allow(clippy::unwrap_used)]

mod conformance;
mod device;
mod engine;
mod examples;
mod loops;
#[cfg(all(feature = "lower", target_os = "linux"))]
mod nvrtc;
mod primitives;
mod properties;

/// The first GPU that wgpu finds.
fn gpu() -> equipoise_schedule::device::Gpu {
    use equipoise_schedule::device::{Device, OpenDevice};
    match Device::Wgpu(0).open() {
        Ok(OpenDevice::Gpu(gpu)) => gpu,
        other => panic!(
            "these tests need a Vulkan device: {other:?}; \
             mesa-vulkan-drivers on Debian and Ubuntu has one in software"
        ),
    }
}
