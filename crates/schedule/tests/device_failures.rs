//! Failures on a GPU are errors of one line, and the GPU keeps working.
#![cfg(feature = "wgpu")]
#![allow(clippy::unwrap_used)]

use std::sync::{Mutex, MutexGuard, PoisonError};

use cubecl::prelude::*;
use equipoise_schedule::{
    Error,
    device::{Buffer, Device, Gpu, GpuRuntime, OpenDevice},
};

/// The GPU for one test at a time, because some measure its memory.
fn gpu() -> (Gpu, MutexGuard<'static, ()>) {
    static IN_USE: Mutex<()> = Mutex::new(());
    let guard = IN_USE.lock().unwrap_or_else(PoisonError::into_inner);
    match Device::Wgpu(0).open() {
        Ok(OpenDevice::Gpu(gpu)) => (gpu, guard),
        other => panic!(
            "these tests need a Vulkan device: {other:?}; \
             mesa-vulkan-drivers on Debian and Ubuntu has one in software"
        ),
    }
}

fn one_line(error: &Error) -> String {
    let line = error.to_string();
    assert!(!line.contains('\n') && !line.contains("acktrace"), "{line}");
    line
}

fn still_works(gpu: &Gpu) {
    assert!(!gpu.is_lost());
    gpu.finish().unwrap();
    let buffer = gpu.filled(1000, 7_u32).unwrap();
    assert_eq!(gpu.download(&buffer).unwrap(), [7; 1000]);
}

fn one_cube() -> CubeCount {
    CubeCount::Static(1, 1, 1)
}

#[cube(launch_unchecked)]
fn share(array: &mut Array<u32>, #[comptime] words: usize) {
    let mut shared = SharedMemory::<u32>::new(words);
    shared[UNIT_POS as usize] = UNIT_POS;
    sync_cube();
    array[0] = shared[words - 1];
}

#[test]
fn too_much_shared_memory() {
    let (gpu, _guard) = gpu();
    let buffer = gpu.upload(&[5_u32]).unwrap();
    let words = gpu.properties().shared_memory as usize;
    let unit = CubeDim::new_1d(1);
    // SAFETY: the kernel does not run.
    unsafe {
        share::launch_unchecked::<GpuRuntime>(gpu.client(), one_cube(), unit, buffer.arg(), words);
    }
    let line = one_line(&gpu.download(&buffer).unwrap_err());
    let expected = format!(
        "the device failed: a kernel asks for {} bytes of shared memory a cube: this device has {}",
        words * 4,
        words
    );
    assert_eq!(line, expected);
    still_works(&gpu);
    assert_eq!(gpu.download(&buffer).unwrap(), [5]);
}

#[cube(launch_unchecked)]
fn write_one(array: &mut Array<u32>) {
    if ABSOLUTE_POS < array.len() {
        array[ABSOLUTE_POS] = 1;
    }
}

fn launch_write_one(gpu: &Gpu, cubes: CubeCount, units: u32, buffer: &Buffer<u32>) {
    // SAFETY: the kernel checks the bounds of the array.
    unsafe {
        let cube = CubeDim::new_1d(units);
        write_one::launch_unchecked::<GpuRuntime>(gpu.client(), cubes, cube, buffer.arg());
    }
}

#[test]
fn a_cube_too_large() {
    let (gpu, _guard) = gpu();
    let buffer = gpu.upload(&[0_u32]).unwrap();
    launch_write_one(&gpu, one_cube(), 1 << 20, &buffer);
    let line = one_line(&gpu.finish().unwrap_err());
    assert!(line.contains("units: this device allows"), "{line}");
    still_works(&gpu);
}

#[test]
fn more_cubes_than_a_launch_may_have() {
    let (gpu, _guard) = gpu();
    let buffer = gpu.upload(&[0_u32]).unwrap();
    let cubes = CubeCount::Static(gpu.properties().max_cubes + 1, 1, 1);
    launch_write_one(&gpu, cubes, 1, &buffer);
    let line = one_line(&gpu.finish().unwrap_err());
    assert!(line.contains("65536") || line.contains("workgroup"), "{line}");
    still_works(&gpu);
}

#[cube(launch_unchecked)]
fn cannot_be_built(array: &mut Array<u32>, #[comptime] words: u32) {
    comptime!(assert!(words > 1, "this kernel cannot be built with {words} words"));
    array[0] = words;
}

#[test]
fn a_kernel_whose_expansion_panics() {
    let (gpu, _guard) = gpu();
    let buffer = gpu.upload(&[3_u32]).unwrap();
    let unit = CubeDim::new_1d(1);
    // SAFETY: the kernel does not run.
    unsafe {
        cannot_be_built::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            one_cube(),
            unit,
            buffer.arg(),
            1,
        );
    }
    let line = one_line(&gpu.download(&buffer).unwrap_err());
    assert_eq!(line, "the device failed: this kernel cannot be built with 1 words");
    still_works(&gpu);
    assert_eq!(gpu.download(&buffer).unwrap(), [3]);
}

#[test]
fn a_buffer_too_large() {
    let (gpu, _guard) = gpu();
    let largest = gpu.properties().largest_buffer;
    let needed = largest + 4;
    let refused = gpu.empty::<u32>((needed / 4) as usize).unwrap_err();
    assert_eq!(refused, Error::BufferTooLarge { needed, largest });
    assert!(matches!(
        gpu.empty::<u64>(usize::MAX),
        Err(Error::BufferTooLarge { needed: u64::MAX, .. })
    ));
    assert_eq!(gpu.memory().held, 0);
    still_works(&gpu);
}

#[test]
fn an_allocation_that_the_driver_refuses() {
    let (gpu, _guard) = gpu();
    let handle = gpu.client().empty(1 << 50);
    let line = one_line(&gpu.finish().unwrap_err());
    assert!(line.starts_with("the device failed: "), "{line}");
    drop(handle);
    still_works(&gpu);
}

#[test]
fn memory_is_counted_and_limited() {
    let (gpu, _guard) = gpu();
    let before = gpu.memory();
    assert_eq!((before.held, before.limit), (0, None));
    let buffer = gpu.upload(&[0_u32; 1000]).unwrap();
    let copy = buffer.clone();
    assert_eq!((buffer.bytes(), gpu.memory().held), (4000, 4000));
    drop(buffer);
    assert_eq!(gpu.memory().held, 4000, "the clone still holds it");
    gpu.set_memory_limit(10_000);
    let refused = Error::OutOfMemory { what: "a buffer".into(), needed: 8000, available: 6000 };
    assert_eq!(gpu.empty::<u32>(2000).unwrap_err(), refused);
    assert_eq!(gpu.upload(&[0_u32; 2000]).unwrap_err(), refused);
    assert!(gpu.require("a search", 6000).is_ok());
    let refused = Error::OutOfMemory { what: "a search".into(), needed: 6001, available: 6000 };
    assert_eq!(gpu.require("a search", 6001).unwrap_err(), refused);
    drop(copy);
    assert_eq!(gpu.memory().held, 0);
    still_works(&gpu);
    gpu.set_memory_limit(u64::MAX);
}

#[test]
fn the_memory_of_dropped_buffers_is_reused_and_released() {
    let (gpu, _guard) = gpu();
    let reserved = || gpu.client().memory_usage().unwrap().bytes_reserved;
    gpu.clean_up();
    gpu.finish().unwrap();
    let before = reserved();
    for _ in 0..10 {
        let buffer = gpu.filled(1 << 20, 1_u32).unwrap();
        gpu.download(&buffer).unwrap();
    }
    assert_eq!(reserved() - before, 4 << 20, "one allocation for all ten");
    gpu.clean_up();
    assert_eq!(reserved(), before);
    for megabytes in 1..60 {
        gpu.empty::<u32>(megabytes << 18).unwrap();
    }
    assert!(reserved() - before < 400 << 20, "of 1.8 GB without a user");
    gpu.clean_up();
    still_works(&gpu);
}

/// Three kinds of failures: detected before a launch is enqueued, by a panic of CubeCL's thread, and by the driver at
/// submission.
#[test]
fn a_failure_is_reported_to_the_thread_that_caused_it() {
    let (gpu, _guard) = gpu();
    let buffer = gpu.upload(&[0_u32]).unwrap();
    gpu.finish().unwrap();
    let too_many_units = || launch_write_one(&gpu, one_cube(), 1 << 20, &buffer);
    let too_many_cubes = || {
        let cubes = CubeCount::Static(gpu.properties().max_cubes + 1, 1, 1);
        launch_write_one(&gpu, cubes, 1, &buffer);
    };
    let panicking = || {
        let (arg, unit) = (buffer.arg(), CubeDim::new_1d(1));
        // SAFETY: the kernel does not run.
        unsafe {
            cannot_be_built::launch_unchecked::<GpuRuntime>(gpu.client(), one_cube(), unit, arg, 1);
        }
    };
    let failing: [&(dyn Fn() + Sync); 3] = [&too_many_units, &too_many_cubes, &panicking];
    for (number, enqueue) in failing.into_iter().enumerate() {
        enqueue();
        // Another thread waits for the device first.
        std::thread::scope(|scope| {
            let other = || {
                let ones = gpu.filled(1000, 1_u32).unwrap();
                assert_eq!(gpu.download(&ones), Ok(vec![1; 1000]), "failure {number}");
                gpu.finish().unwrap();
            };
            scope.spawn(other).join().unwrap();
        });
        assert!(gpu.finish().is_err(), "failure {number}");
        still_works(&gpu);
        // The failure of a thread that ended is reported to the next one.
        std::thread::scope(|scope| scope.spawn(enqueue).join().unwrap());
        assert!(gpu.finish().is_err(), "failure {number}");
        still_works(&gpu);
    }
}

#[test]
fn panics_of_other_threads_are_not_caught() {
    let (gpu, _guard) = gpu();
    let thread = std::thread::Builder::new().name("DSomething".into());
    let panicked = thread.spawn(|| panic!("on purpose")).unwrap().join();
    assert!(panicked.is_err());
    still_works(&gpu);
}

#[cube(launch_unchecked)]
fn copy(from: &Array<u32>, to: &mut Array<u32>) {
    if ABSOLUTE_POS < to.len() {
        to[ABSOLUTE_POS] = from[ABSOLUTE_POS];
    }
}

#[cube(launch_unchecked)]
fn add(one: &Array<u32>, other: &Array<u32>, to: &mut Array<u32>) {
    if ABSOLUTE_POS < to.len() {
        to[ABSOLUTE_POS] = one[ABSOLUTE_POS] + other[ABSOLUTE_POS];
    }
}

/// WebGPU forbids a second binding; validation, which tests enable, makes it an error.
#[test]
fn a_written_buffer_is_bound_once() {
    let (gpu, _guard) = gpu();
    let (buffer, sums) = (gpu.upload(&[5_u32]).unwrap(), gpu.upload(&[0_u32]).unwrap());
    let unit = CubeDim::new_1d(1);
    // SAFETY: the kernels check the bounds of the arrays.
    unsafe {
        // A buffer that is only read may be bound twice.
        let args = (buffer.arg(), buffer.arg(), sums.arg());
        add::launch_unchecked::<GpuRuntime>(gpu.client(), one_cube(), unit, args.0, args.1, args.2);
    }
    assert_eq!(gpu.download(&sums).unwrap(), [10]);
    // SAFETY: as above.
    unsafe {
        let (from, to) = (buffer.arg(), buffer.arg());
        copy::launch_unchecked::<GpuRuntime>(gpu.client(), one_cube(), unit, from, to);
    }
    let line = one_line(&gpu.finish().unwrap_err());
    assert!(line.contains("writes a buffer that is bound twice, as numbers 0 and 1"), "{line}");
    still_works(&gpu);
}
