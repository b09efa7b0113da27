//! Time on a GPU, measured while nothing else uses it: a program of its own.
#![cfg(feature = "wgpu")]
// Clippy's leave for tests does not reach the functions that tests share.
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
    something_longer_takes_longer(&gpu);
    compiling_takes_time_once(&gpu);
}

fn something_longer_takes_longer(gpu: &Gpu) {
    let (small, large) = (gpu.empty::<u32>(1).unwrap(), gpu.empty::<u32>(4 << 20).unwrap());
    let short = gpu.time(1, 20, || gpu.fill(&small, 1)).unwrap();
    let long = gpu.time(1, 20, || gpu.fill(&large, 1)).unwrap();
    assert!(long.seconds > short.seconds, "{short:?}, {long:?}");
    assert!(short.seconds >= 0.0 && long.method.contains("host clock"));
    let failed = gpu.time(0, 1, || Err(Error::Schedule("no".into())));
    assert_eq!(failed, Err(Error::Schedule("no".into())));
}

#[cube(launch_unchecked)]
fn compiled_once(array: &mut Array<u32>) {
    array[0] += 2;
}

fn compiling_takes_time_once(gpu: &Gpu) {
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
    assert_eq!(stopwatch.compiled(), first, "it is compiled once");
    assert_eq!(gpu.download(&buffer).unwrap(), [4]);
}
