//! The backends of GPUs: their names and numbers.

#[cfg(feature = "lower")]
use std::sync::Arc;
#[cfg(feature = "cuda")]
use std::sync::OnceLock;
use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

#[cfg(feature = "lower")]
use super::lowering::Sources;

/// CubeCL's device type of CUDA.
#[cfg(feature = "cuda")]
pub(super) const CUDA: u16 = 0;
/// The device type of devices that lower kernels to CUDA source and run nothing.
#[cfg(feature = "lower")]
pub(super) const LOWERING: u16 = 100;

/// The backend of a GPU and its statistics.
#[derive(Debug)]
pub struct GpuInfo {
    pub(super) backend: &'static str,
    /// Nanoseconds spent compiling kernels.
    pub(super) compiling: AtomicU64,
    /// CubeCL's stream on CUDA, as the driver numbers it, from the first use of an address on; none if unknown.
    #[cfg(feature = "cuda")]
    pub(super) stream: OnceLock<Option<u64>>,
    /// The lowered kernels of a device that runs nothing.
    #[cfg(feature = "lower")]
    pub(crate) sources: Option<Arc<Sources>>,
}

impl GpuInfo {
    pub(super) fn new(backend: &'static str) -> Self {
        Self {
            backend,
            compiling: AtomicU64::new(0),
            #[cfg(feature = "cuda")]
            stream: OnceLock::new(),
            #[cfg(feature = "lower")]
            sources: None,
        }
    }

    /// The time spent compiling kernels so far.
    pub(super) fn compile_time(&self) -> Duration {
        Duration::from_nanos(self.compiling.load(Ordering::Relaxed))
    }
}

/// A launch on CUDA that takes longer than this has compiled its kernel or loaded it from the cache.
pub(super) const LOADS: Duration = Duration::from_micros(300);

pub(super) const CUDA_BACKEND: &str = "cuda";
pub(super) const WGPU_BACKEND: &str = "wgpu";
