//! For tests: the CUDA source of kernels, without a GPU.
//!
//! [`gpu`] opens a GPU that lowers every kernel launched on it to CUDA source, as a launch on CUDA would, and runs
//! nothing: downloads from it are zero. So tests run the code that launches kernels unchanged, with the types that it
//! uses. [`Nvrtc`] then compiles the source.
//!
//! ```
//! use equipoise_schedule::{lower, primitives};
//!
//! let gpu = lower::gpu();
//! primitives::offsets(&gpu, &gpu.upload(&[3, 0, 4])?)?;
//! let kernels = lower::kernels(&gpu)?;
//! assert_eq!(kernels.len(), 1);
//! assert!(kernels[0].source.contains("__global__"));
//! # Ok::<(), equipoise_schedule::Error>(())
//! ```

mod nvrtc;

use std::sync::atomic::{AtomicU16, Ordering};

use cubecl::prelude::*;

pub use nvrtc::Nvrtc;

use crate::{
    Error, Result,
    device::{
        Gpu,
        runtime::{GpuDevice, GpuRuntime},
    },
};

/// A kernel as CUDA source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lowered {
    /// The kernel, its types and constants, and the dimensions of a cube.
    pub name: String,
    /// Its CUDA source.
    pub source: String,
}

/// A new GPU that lowers kernels instead of running them.
pub fn gpu() -> Gpu {
    static GPUS: AtomicU16 = AtomicU16::new(0);
    let index = GPUS.fetch_add(1, Ordering::Relaxed);
    Gpu::new(GpuRuntime::client(&GpuDevice::lowering(index)))
}

/// Every kernel launched on the GPU so far, once each. Fails if one could not be lowered.
pub fn kernels(gpu: &Gpu) -> Result<Vec<Lowered>> {
    gpu.finish()?;
    let mut kernels = Vec::new();
    let sources = gpu.client().info().sources.as_ref();
    for (name, lowered) in sources.map(|sources| sources.all()).unwrap_or_default() {
        match lowered {
            Ok(source) => kernels.push(Lowered { name, source }),
            Err(reason) => {
                return Err(Error::Device(format!("`{name}` cannot be lowered: {reason}")));
            }
        }
    }
    Ok(kernels)
}
