//! Every kernel compiles for CUDA, as NVRTC on a machine without a GPU says.
//!
//! What launches kernels is called here once for each set of types and constants that matters:
//! one line each. Results are not looked at, since nothing runs.

#![cfg(all(feature = "lower", target_os = "linux"))]
#![allow(clippy::unwrap_used)]

use equipoise_schedule::{
    device::Gpu,
    lower::{self, Lowered, Lowering, Nvrtc},
    primitives::{self, Max, Min, Sum},
};

fn launch_primitives(gpu: &Gpu<Lowering>) {
    let few = gpu.upload(&[1u32; 3]).unwrap();
    let many = gpu.upload(&[1u32; 5000]).unwrap();
    let floats = gpu.upload(&[1f32; 3]).unwrap();
    primitives::offsets(gpu, &few).unwrap();
    primitives::offsets(gpu, &many).unwrap();
    primitives::reduce::<Min<u32>, _>(gpu, &few).unwrap();
    primitives::reduce::<Max<u32>, _>(gpu, &few).unwrap();
    primitives::reduce::<Sum<f32>, _>(gpu, &floats).unwrap();
    primitives::reduce::<Min<f32>, _>(gpu, &floats).unwrap();
    primitives::reduce::<Max<f32>, _>(gpu, &floats).unwrap();
    primitives::histogram(gpu, &few, 2).unwrap();
    primitives::histogram(gpu, &few, 100_000).unwrap();
    primitives::compact(gpu, &few).unwrap();
    primitives::sort_by_class(gpu, &few, 2).unwrap();
}

#[test]
fn every_kernel_compiles() {
    let gpu = lower::gpu();
    launch_primitives(&gpu);
    let kernels = lower::kernels(&gpu).unwrap();
    let compiled = Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels));
    compiled.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_kernel_that_does_not_compile_is_told_with_its_log() {
    let broken = Lowered {
        name: "broken".into(),
        source: "extern \"C\" __global__ void broken() { nothing(); }".into(),
    };
    let error = Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&[broken])).unwrap_err().to_string();
    assert!(error.contains("`broken` does not compile"), "{error}");
    assert!(error.contains("identifier \"nothing\" is undefined"), "{error}");
}
