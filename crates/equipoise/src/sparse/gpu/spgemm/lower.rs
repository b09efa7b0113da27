//! Tests that every kernel of SpGEMM compiles for CUDA, with NVRTC and without a GPU.

// Clippy's exception for tests does not cover their helper functions.
#![allow(clippy::unwrap_used)]

use equipoise_graph::Matrix;
use equipoise_schedule::{
    device::Gpu,
    lower::{self, Nvrtc},
};

use super::{
    bins::{Method, bins},
    launch::{Multiplication, Rows},
    wide::{AtomicSums, AtomicSumsLaunch, PlainSums, PlainSumsLaunch},
};
use crate::sparse::gpu::{DeviceMatrix, Number};

/// Launches the kernels of all bins of a product of `columns` columns.
fn launch<T: Number>(gpu: &Gpu, columns: u32) {
    let entries = [(0, 0, T::from_f64(1.0))];
    let a = Matrix::from_entries(1, 1, &entries).unwrap();
    let b = Matrix::from_entries(1, columns, &entries).unwrap();
    let (a, b) = (DeviceMatrix::upload(gpu, &a).unwrap(), DeviceMatrix::upload(gpu, &b).unwrap());
    // This backend only compiles, so `count` and `fill` find no bin with rows.
    let multiplication = Multiplication::prepare(gpu, &a, &b).unwrap();
    let counts = multiplication.count().unwrap();
    let product = multiplication.fill(&counts).unwrap();
    let rows = Rows { first: 0, count: 1 };
    for bin in bins(gpu.properties(), columns, size_of::<T>()) {
        multiplication.count_rows(bin.method, rows, &counts);
        multiplication.fill_rows(bin.method, rows, &product);
        if let Method::Wide(shape) = bin.method {
            let (atomic, plain) = (product.values().arg(), product.values().arg());
            let (atomic, plain) = (AtomicSumsLaunch::new(atomic), PlainSumsLaunch::new(plain));
            // SAFETY: nothing runs.
            unsafe {
                multiplication.fill_wide_rows::<AtomicSums<T>>(shape, rows, &product, atomic);
                multiplication.fill_wide_rows::<PlainSums<T>>(shape, rows, &product, plain);
            }
        }
    }
}

#[test]
fn every_kernel_compiles() {
    let gpu = lower::gpu();
    for columns in [10, 40_000, 10_000_000] {
        launch::<f32>(&gpu, columns);
        launch::<f64>(&gpu, columns);
    }
    let kernels = lower::kernels(&gpu).unwrap();
    assert!(kernels.iter().any(|kernel| kernel.name.contains("fill_wide")));
    let compiled = Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels));
    compiled.unwrap_or_else(|error| panic!("{error}"));
}
