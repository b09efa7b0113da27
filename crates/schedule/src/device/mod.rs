//! The device layer: devices, GPUs, buffers and memory.
//!
//! A [`Device`] is a name such as `cpu` or `cuda:1`; [`list`] lists the devices of this machine, and [`Device::open`]
//! opens one.

mod info;
mod name;
mod open;

// Unused without a backend.
#[cfg_attr(not(any(feature = "cuda", feature = "wgpu")), allow(unused))]
mod backend;
mod bindings;
mod buffer;
#[cfg(feature = "cuda")]
mod build;
#[cfg(feature = "cuda")]
mod cache;
mod caller;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod config;
#[cfg(feature = "cuda")]
mod cuda;
// As the backend.
#[cfg_attr(not(any(feature = "cuda", feature = "wgpu")), allow(unused))]
mod definition;
#[cfg(feature = "cuda")]
mod driver;
mod failure;
mod fill;
mod gpu;
#[cfg(feature = "lower")]
mod lowering;
mod memory;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod opened;
mod panics;
mod properties;
// As the backend.
#[cfg_attr(not(any(feature = "cuda", feature = "wgpu")), allow(unused))]
pub(crate) mod runtime;
#[cfg_attr(not(any(feature = "cuda", feature = "wgpu")), allow(unused))]
mod server;
#[cfg(feature = "cuda")]
mod staging;
mod storage;
mod streams;
mod time;
mod transfer;
#[cfg(feature = "wgpu")]
mod wgpu;

pub use info::{DeviceInfo, PlaneSize, cpu};
pub use name::Device;
pub use open::{OpenDevice, list, take_cache_problem};

pub use self::{
    buffer::{Buffer, Element},
    gpu::Gpu,
    memory::Memory,
    properties::Properties,
    runtime::GpuRuntime,
    streams::CudaStream,
    time::Stopwatch,
};
