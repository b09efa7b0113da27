//! The device layer: what an algorithm can run on, the GPUs, their buffers and their memory.
//!
//! A [`Device`] is a name such as `cpu` or `cuda:1`; [`list`] says what this machine has, and
//! [`Device::open`] makes one ready.

mod info;
mod name;
mod open;

#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod buffer;
#[cfg(feature = "cuda")]
mod cache;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod config;
#[cfg(feature = "cuda")]
mod cuda;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod failure;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod fill;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod gpu;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod memory;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod opened;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod panics;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod properties;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod time;
#[cfg(feature = "wgpu")]
mod wgpu;

pub use info::{DeviceInfo, PlaneSize, cpu, list};
pub use name::Device;
pub use open::{AnyGpu, OpenDevice};

#[cfg(any(feature = "cuda", feature = "wgpu"))]
pub use self::{
    buffer::{Buffer, Element},
    gpu::Gpu,
    memory::Memory,
    properties::Properties,
    time::Timing,
};
