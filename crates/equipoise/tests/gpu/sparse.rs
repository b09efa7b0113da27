//! SpMV and SpMM on a GPU under every schedule, compared with the CPU.

use equipoise::{
    graph::{Csr, Matrix},
    sparse::{
        Dense, SparseOptions,
        gpu::{DeviceDense, DeviceMatrix, Number, ScatterPlan, SpmmPlan, SpmvPlan},
        spmm, spmv,
    },
};
use equipoise_schedule::{ScheduleName, device::Gpu};
use proptest::prelude::*;

use crate::common::gpu;

/// A matrix with rows of the given lengths, and numbers that differ.
fn matrix<T: Number>(columns: u32, lengths: &[u32]) -> Matrix<T> {
    let mut offsets = vec![0u64];
    let mut indices = Vec::new();
    for (row, &length) in (0u32..).zip(lengths) {
        let length = length.min(columns);
        let stride = (columns / length.max(1)).max(1);
        indices.extend((0..length).map(|i| (i * stride + row % stride) % columns));
        let start = *offsets.last().unwrap() as usize;
        indices[start..].sort_unstable();
        offsets.push(indices.len() as u64);
    }
    let values = (0..indices.len()).map(|i| T::from_f64((i % 17) as f64 / 8.0 - 1.0)).collect();
    Matrix::from_csr(Csr::new(columns, offsets, indices).unwrap(), values).unwrap()
}

fn numbers<T: Number>(count: usize) -> Vec<T> {
    (0..count).map(|i| T::from_f64((i * 31 % 101) as f64 / 50.0 - 1.0)).collect()
}

fn check_spmv<T: Number>(gpu: &Gpu, matrix: &Matrix<T>, name: ScheduleName) {
    let device_matrix = DeviceMatrix::upload(gpu, matrix).unwrap();
    let x = numbers::<T>(matrix.columns() as usize);
    let plan = SpmvPlan::new(gpu, &device_matrix, name.into()).unwrap();
    let y = gpu.upload(&vec![T::from_f64(f64::NAN); matrix.rows() as usize]).unwrap();
    plan.run(&gpu.upload(&x).unwrap(), &y).unwrap();
    let mut product = spmv(matrix, &x, &SparseOptions::default()).unwrap();
    product.y = gpu.download(&y).unwrap();
    product.verify(matrix, &x).unwrap_or_else(|error| panic!("{name}: {error}"));
}

fn check_spmm<T: Number>(gpu: &Gpu, matrix: &Matrix<T>, columns: u32, name: ScheduleName) {
    let device_matrix = DeviceMatrix::upload(gpu, matrix).unwrap();
    let values = numbers(matrix.columns() as usize * columns as usize);
    let dense = Dense::new(matrix.columns(), columns, values).unwrap();
    let plan = SpmmPlan::new(gpu, &device_matrix, columns, name.into()).unwrap();
    let product = DeviceDense::empty(gpu, matrix.rows(), columns).unwrap();
    plan.run(&DeviceDense::upload(gpu, &dense).unwrap(), &product).unwrap();
    let mut result = spmm(matrix, &dense, &SparseOptions::default()).unwrap();
    result.product = product.download(gpu).unwrap();
    result
        .verify(matrix, &dense)
        .unwrap_or_else(|error| panic!("{name}, {columns} columns: {error}"));
}

fn shapes() -> Vec<(u32, Vec<u32>)> {
    vec![
        (1, vec![]),
        (4, vec![0]),
        (9, vec![9]),
        (3000, vec![0, 3000, 0]),
        (50, vec![0; 300]),
        (700, (0..500).map(|i| if i % 61 == 7 { 650 } else { i % 5 }).collect()),
        (64, vec![4; 1000]),
    ]
}

#[test]
fn spmv_equals_the_cpu_under_every_schedule() {
    let gpu = &gpu();
    for (columns, lengths) in shapes() {
        for &name in ScheduleName::ALL {
            check_spmv(gpu, &matrix::<f32>(columns, &lengths), name);
        }
    }
}

fn check_scatter<T: Number>(plan: &ScatterPlan<T>, gpu: &Gpu, matrix: &Matrix<T>) {
    let x = numbers::<T>(matrix.columns() as usize);
    let y = gpu.upload(&vec![T::from_f64(f64::NAN); matrix.rows() as usize]).unwrap();
    let mut product = spmv(matrix, &x, &SparseOptions::default()).unwrap();
    // The second run must not depend on what the first left.
    for _ in 0..2 {
        plan.run(&gpu.upload(&x).unwrap(), &y).unwrap();
        product.y = gpu.download(&y).unwrap();
        product.verify(matrix, &x).unwrap();
    }
}

#[test]
fn spmv_by_columns_and_by_entries_equals_the_cpu_under_every_schedule() {
    let gpu = &gpu();
    for (columns, lengths) in shapes() {
        let matrix = matrix::<f32>(columns, &lengths);
        for &name in ScheduleName::ALL {
            let plan = ScatterPlan::by_columns(gpu, &matrix, name.into()).unwrap();
            check_scatter(&plan, gpu, &matrix);
            let plan = ScatterPlan::by_entries(gpu, &matrix, name.into()).unwrap();
            check_scatter(&plan, gpu, &matrix);
        }
    }
}

#[test]
fn spmv_in_f64_equals_the_cpu_under_every_schedule() {
    let gpu = &gpu();
    for (columns, lengths) in shapes() {
        for &name in ScheduleName::ALL {
            check_spmv(gpu, &matrix::<f64>(columns, &lengths), name);
        }
    }
}

#[test]
fn spmm_equals_the_cpu_under_every_schedule() {
    let gpu = &gpu();
    for (columns, lengths) in shapes() {
        for &name in ScheduleName::ALL {
            for dense_columns in [1, 3, 8, 32, 37] {
                check_spmm(gpu, &matrix::<f32>(columns, &lengths), dense_columns, name);
            }
        }
    }
}

#[test]
fn spmm_in_f64_equals_the_cpu_under_every_schedule() {
    let gpu = &gpu();
    for (columns, lengths) in shapes() {
        for &name in ScheduleName::ALL {
            check_spmm(gpu, &matrix::<f64>(columns, &lengths), 6, name);
        }
    }
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let gpu = &gpu();
    let device_matrix = DeviceMatrix::upload(gpu, &matrix::<f32>(4, &[2, 3])).unwrap();
    let plan = SpmvPlan::new(gpu, &device_matrix, ScheduleName::MergePath.into()).unwrap();
    let (x, y) = (gpu.upload(&[1.0; 4]).unwrap(), gpu.upload(&[1.0; 3]).unwrap());
    assert!(plan.run(&x, &y).unwrap_err().to_string().contains("4 columns and 2 rows"));
    let plan = SpmmPlan::new(gpu, &device_matrix, 5, ScheduleName::MergePath.into()).unwrap();
    let dense = DeviceDense::empty(gpu, 4, 5).unwrap();
    let product = DeviceDense::empty(gpu, 2, 4).unwrap();
    assert!(plan.run(&dense, &product).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn spmv_of_any_shape(
        columns in 1u32..400,
        lengths in prop::collection::vec(prop_oneof![Just(0u32), 0u32..8, 0u32..300], 0..200),
        schedule in prop::sample::select(ScheduleName::ALL.to_vec()),
    ) {
        let gpu = &gpu();
        check_spmv(gpu, &matrix::<f32>(columns, &lengths), schedule);
    }
}

#[test]
fn operands_are_not_overwritten() {
    let gpu = &gpu();
    let matrix = DeviceMatrix::upload(gpu, &matrix::<f32>(4, &[1, 2, 0, 4])).unwrap();
    let x = gpu.upload(&[1.0f32; 4]).unwrap();
    let plan = SpmvPlan::new(gpu, &matrix, ScheduleName::MergePath.into()).unwrap();
    let error = plan.run(&x, &x.clone()).unwrap_err().to_string();
    assert!(error.contains("a vector cannot be multiplied into itself"), "{error}");
    let dense = DeviceDense::upload(gpu, &Dense::new(4, 1, vec![1.0; 4]).unwrap()).unwrap();
    let plan = SpmmPlan::new(gpu, &matrix, 1, ScheduleName::MergePath.into()).unwrap();
    let error = plan.run(&dense, &dense).unwrap_err().to_string();
    assert!(error.contains("a matrix cannot be multiplied into itself"), "{error}");
}
