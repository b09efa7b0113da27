//! Buffers, memory and time on a GPU: the first that wgpu finds.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use crate::gpu;
use cubecl::prelude::*;
use equipoise_graph::{Csr, Storage};
use equipoise_schedule::{
    device::{self, Device, Gpu, GpuRuntime, OpenDevice},
    engine::{DeviceRows, upload_columns},
};

#[test]
fn uploads_round_trip() {
    let gpu = gpu();
    for len in [0, 1, 3, 1000, 1 << 20] {
        let values: Vec<u32> = (0..len).map(|value| value * 7).collect();
        let buffer = gpu.upload(&values).unwrap();
        assert_eq!((buffer.len(), buffer.is_empty()), (len as usize, len == 0));
        assert_eq!(gpu.download(&buffer).unwrap(), values);
    }
    let floats = [0.1_f64, -0.0, f64::MAX, f64::MIN_POSITIVE];
    assert_eq!(gpu.download(&gpu.upload(&floats).unwrap()).unwrap(), floats);
}

#[test]
fn filled_buffers_hold_the_value_everywhere() {
    let gpu = gpu();
    for len in [0, 1, 255, 256, 257, 100_000] {
        let buffer = gpu.filled(len, 0xdead_beef_u32).unwrap();
        assert_eq!(gpu.download(&buffer).unwrap(), vec![0xdead_beef_u32; len]);
        gpu.fill(&buffer, 3).unwrap();
        assert_eq!(gpu.download(&buffer).unwrap(), vec![3; len]);
    }
    assert_eq!(gpu.download(&gpu.filled(3, -0.5_f32).unwrap()).unwrap(), [-0.5; 3]);
    assert_eq!(gpu.download(&gpu.filled(3, -7_i32).unwrap()).unwrap(), [-7; 3]);
    if gpu.properties().f64 {
        assert_eq!(gpu.download(&gpu.filled(3, 0.1_f64).unwrap()).unwrap(), [0.1; 3]);
    }
}

#[cube(launch_unchecked)]
fn add_one(array: &mut Array<u32>) {
    if ABSOLUTE_POS < array.len() {
        array[ABSOLUTE_POS] += 1;
    }
}

fn launch_add_one(gpu: &Gpu, buffer: &device::Buffer<u32>) {
    let cubes = gpu.cubes((buffer.len() as u64).div_ceil(64));
    // SAFETY: the kernel checks the bounds of the array.
    unsafe {
        add_one::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            cubes,
            CubeDim::new_1d(64),
            buffer.arg(),
        );
    }
}

#[test]
fn threads_that_share_a_gpu_share_its_queue() {
    let gpu = gpu();
    let buffer = gpu.filled(1000, 0_u32).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| (0..50).for_each(|_| launch_add_one(&gpu, &buffer)));
        }
    });
    assert_eq!(gpu.download(&buffer).unwrap(), [400; 1000]);
}

#[test]
fn buffers_outlive_the_thread_that_made_them() {
    let gpu = gpu();
    let buffer = std::thread::scope(|scope| {
        scope.spawn(|| gpu.upload(&[1_u32, 2, 3]).unwrap()).join().unwrap()
    });
    launch_add_one(&gpu, &buffer);
    assert_eq!(gpu.download(&buffer).unwrap(), [2, 3, 4]);
}

#[test]
fn launches_have_at_least_one_cube_and_no_more_than_the_device_allows() {
    let gpu = gpu();
    let most = gpu.properties().max_cubes;
    for (wanted, cubes) in [(0, 1), (1, 1), (1000, 1000), (u64::MAX, most)] {
        match gpu.cubes(wanted) {
            CubeCount::Static(x, 1, 1) => assert_eq!(x, cubes),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn properties_are_those_of_a_gpu() {
    let gpu = gpu();
    let properties = gpu.properties();
    assert!(properties.name.contains(", "), "{}", properties.name);
    assert_eq!(gpu.plane_size(), properties.plane_size.min);
    assert!(properties.plane_size.min.is_power_of_two());
    assert!(properties.plane_size.min <= properties.plane_size.max);
    assert!(properties.max_units >= 256);
    assert!(properties.shared_memory >= 16 << 10);
    assert!(properties.max_cubes >= 65_535);
    assert!(properties.largest_buffer >= 128 << 20);
    assert_eq!(properties.memory, None, "wgpu does not report it");
}

#[test]
fn opening_twice_gives_the_same_gpu() {
    let (one, other) = (gpu(), gpu());
    one.set_memory_limit(u64::MAX / 2);
    assert_eq!(other.memory().limit, Some(u64::MAX / 2));
}

#[test]
fn devices_are_listed_with_their_properties() {
    let devices = device::list();
    assert_eq!(devices[0].name, "cpu");
    let listed = devices.iter().find(|device| device.name == "wgpu").unwrap();
    assert_eq!(listed.problem, None);
    assert_eq!(listed.model, gpu().properties().name);
    assert_eq!(listed.plane_size, Some(gpu().properties().plane_size));
    for device in &devices {
        let name: Device = device.name.parse().unwrap();
        match &device.problem {
            None => assert!(name.open().is_ok(), "{name}"),
            Some(problem) => {
                let error = name.open().unwrap_err().to_string();
                assert!(error.contains(problem), "{error}: {problem}");
            }
        }
    }
}

#[test]
fn a_number_too_high_is_an_error_with_the_range() {
    let error = Device::Wgpu(77).open().unwrap_err().to_string();
    assert!(error.starts_with("unknown device `wgpu:77`: wgpu's are numbered from 0 to "));
}

#[test]
fn auto_does_not_choose_software() {
    let chosen = match Device::Auto.open().unwrap() {
        OpenDevice::Cpu => "cpu".into(),
        OpenDevice::Gpu(any) => any.properties().name.clone(),
    };
    let software = device::list().into_iter().find(|device| device.software);
    assert_ne!(software.map(|device| device.model), Some(chosen));
}

/// Numbers that a test can change, as another program can change a mapped file.
fn changeable(numbers: &[u32]) -> (Arc<Vec<AtomicU32>>, Storage<u32>) {
    let words: Arc<Vec<AtomicU32>> = Arc::new(numbers.iter().map(|&n| n.into()).collect());
    // SAFETY: the list keeps the numbers alive. They change on one thread only.
    let storage = unsafe {
        let numbers = std::slice::from_raw_parts(words.as_ptr().cast::<u32>(), words.len());
        Storage::shared(numbers, words.clone())
    };
    (words, storage)
}

#[test]
fn rows_that_changed_after_their_check_are_not_uploaded() {
    let gpu = gpu();
    let columns: Vec<u32> = (0..100_000).collect();
    let (words, storage) = changeable(&columns);
    let offsets = vec![0, 50_000, 100_000].into();
    let csr = Csr::from_storage(100_000, offsets, storage).unwrap();
    let rows = DeviceRows::upload(&gpu, &csr).unwrap();
    assert_eq!(gpu.download(&rows.targets).unwrap(), columns);
    assert_eq!(gpu.download(&rows.offsets).unwrap(), [0, 50_000, 100_000]);
    words[99_999].store(100_000, Ordering::Relaxed);
    let error = DeviceRows::upload(&gpu, &csr).unwrap_err().to_string();
    assert!(error.contains("was changed while it was read"), "{error}");
    assert!(upload_columns(&gpu, &csr).is_err());
}
