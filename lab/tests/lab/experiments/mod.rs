//! Measuring through the library.

#[cfg(feature = "wgpu")]
pub mod gpu;
