//! The device layer: what an algorithm can run on, the GPUs, their buffers and their memory.
//!
//! A [`Device`] is a name such as `cpu` or `cuda:1`; [`list`] says what this machine has, and
//! [`Device::open`] makes one ready.

mod info;
mod name;
mod open;

mod bindings;
mod buffer;
#[cfg(feature = "cuda")]
mod cache;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod config;
#[cfg(feature = "cuda")]
mod cuda;
// As the runtime below.
#[cfg_attr(not(any(feature = "cuda", feature = "wgpu")), allow(unused))]
mod definition;
mod failure;
mod fill;
mod gpu;
mod memory;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod opened;
mod panics;
mod properties;
// Without a backend there is no server to hand anything to.
#[cfg_attr(not(any(feature = "cuda", feature = "wgpu")), allow(unused))]
pub(crate) mod runtime;
#[cfg(feature = "cuda")]
mod staging;
mod storage;
mod time;
mod transfer;
#[cfg(feature = "wgpu")]
mod wgpu;

pub use info::{DeviceInfo, PlaneSize, cpu, list};
pub use name::Device;
pub use open::OpenDevice;

pub use self::{
    buffer::{Buffer, Element},
    gpu::Gpu,
    memory::Memory,
    properties::Properties,
    runtime::GpuRuntime,
    time::{Stopwatch, Timing},
};
