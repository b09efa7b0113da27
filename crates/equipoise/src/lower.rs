//! A check that kernels compile for CUDA, with NVRTC and without a GPU.

use equipoise_schedule::{
    device::Gpu,
    lower::{self, Nvrtc},
};

/// Asserts that kernels of these names, separated by spaces, were launched on a GPU that only compiles, and that NVRTC
/// compiles all kernels.
pub(crate) fn assert_compiles(gpu: &Gpu, names: &str) {
    let kernels = lower::kernels(gpu).unwrap_or_else(|e| panic!("{e}"));
    for name in names.split_whitespace() {
        assert!(kernels.iter().any(|kernel| kernel.name.contains(name)), "{name}");
    }
    Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels)).unwrap_or_else(|e| panic!("{e}"));
}
