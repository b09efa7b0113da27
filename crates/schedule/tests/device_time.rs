//! Time on a GPU: a separate program, so that no other test uses it meanwhile.
#![cfg(feature = "wgpu")]
// Clippy's permission for tests does not cover the functions that tests share.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use cubecl::prelude::*;
use equipoise_schedule::{
    Error,
    device::{Device, Gpu, GpuRuntime, OpenDevice},
};

#[test]
fn times_are_those_of_the_code() {
    let gpu = match Device::Wgpu(0).open() {
        Ok(OpenDevice::Gpu(gpu)) => gpu,
        other => panic!(
            "these tests need a Vulkan device: {other:?}; \
             mesa-vulkan-drivers on Debian and Ubuntu has one in software"
        ),
    };
    a_larger_fill_takes_longer(&gpu);
    a_kernel_is_compiled_once(&gpu);
}

fn a_larger_fill_takes_longer(gpu: &Gpu) {
    let (small, large) = (gpu.empty::<u32>(1).unwrap(), gpu.empty::<u32>(4 << 20).unwrap());
    let short = gpu.time(1, 20, || gpu.fill(&small, 1)).unwrap();
    let long = gpu.time(1, 20, || gpu.fill(&large, 1)).unwrap();
    assert!(long > short, "{short:?}, {long:?}");
    let failed = gpu.time(0, 1, || Err(Error::Schedule("no".into())));
    assert_eq!(failed, Err(Error::Schedule("no".into())));
}

#[cube(launch_unchecked)]
fn compiled_once(array: &mut Array<u32>) {
    array[0] += 2;
}

fn a_kernel_is_compiled_once(gpu: &Gpu) {
    let buffer = gpu.filled(1, 0_u32).unwrap();
    let launch = || {
        let (cubes, unit) = (CubeCount::Static(1, 1, 1), CubeDim::new_1d(1));
        // SAFETY: the array has one element.
        unsafe {
            compiled_once::launch_unchecked::<GpuRuntime>(gpu.client(), cubes, unit, buffer.arg());
        }
    };
    gpu.finish().unwrap();
    let stopwatch = gpu.stopwatch();
    launch();
    gpu.finish().unwrap();
    let first = stopwatch.compiled();
    assert!(first > Duration::ZERO && stopwatch.elapsed() > Duration::ZERO, "{stopwatch:?}");
    launch();
    gpu.finish().unwrap();
    assert_eq!(stopwatch.compiled(), first, "the second launch compiles nothing");
    assert_eq!(gpu.download(&buffer).unwrap(), [4]);
}
