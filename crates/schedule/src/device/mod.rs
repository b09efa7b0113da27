//! The device layer: GPUs, their buffers and their memory.

mod buffer;
mod gpu;
mod memory;

pub use buffer::{Buffer, Element};
pub use gpu::Gpu;
