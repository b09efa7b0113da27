//! SpGEMM on a GPU, compared with the CPU's.

use equipoise::{
    Error, Times,
    graph::{Csr, Matrix},
    sparse::{
        SparseOptions, SparseSchedule, Spgemm,
        gpu::{DeviceMatrix, Number, spgemm as spgemm_on_gpu},
        spgemm,
    },
};
use equipoise_schedule::device::Gpu;
use proptest::prelude::*;

use crate::common::gpu;

/// Numbers that look random, the same on every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        ((self.0 >> 33) % u64::from(limit)) as u32
    }

    fn value(&mut self) -> f64 {
        f64::from(self.below(2001)) / 1000.0 - 1.0
    }
}

/// A matrix whose rows have `lengths` distinct random columns.
fn matrix<T: Number>(columns: u32, lengths: &[u32], seed: u64) -> Matrix<T> {
    let mut numbers = Numbers(seed);
    let mut entries = Vec::new();
    for (row, &length) in (0..).zip(lengths) {
        let mut chosen = std::collections::BTreeSet::new();
        while chosen.len() < length.min(columns) as usize {
            // Dense rows take the rest in order: random choice would take too long.
            if chosen.len() * 2 > columns as usize {
                chosen.extend((0..columns).take(length as usize));
            } else {
                chosen.insert(numbers.below(columns));
            }
        }
        let chosen = chosen.into_iter().take(length as usize);
        entries.extend(chosen.map(|column| (row, column, T::from_f64(numbers.value()))));
    }
    Matrix::from_entries(lengths.len() as u32, columns, &entries).unwrap()
}

/// Multiplies on the GPU, and requires the structure of the CPU's product and correct values.
fn check<T: Number>(gpu: &Gpu, a: &Matrix<T>, b: &Matrix<T>) -> Matrix<T> {
    let device_matrix = spgemm_on_gpu(
        gpu,
        &DeviceMatrix::upload(gpu, a).unwrap(),
        &DeviceMatrix::upload(gpu, b).unwrap(),
    );
    let product = device_matrix.unwrap().download(gpu).unwrap();
    let expected = spgemm(a, b, &SparseOptions::default()).unwrap();
    assert_eq!(product.csr(), expected.product.csr());
    let multiplications = expected.multiplications;
    let result = Spgemm {
        product,
        multiplications,
        schedule: SparseSchedule::Auto,
        times: Times::default(),
    };
    result.verify(a, b).unwrap();
    result.product
}

fn check_both(a: &Matrix<f64>, b: &Matrix<f64>) {
    check(&gpu(), a, b);
    check(&gpu(), &narrowed(a), &narrowed(b));
}

fn narrowed(matrix: &Matrix<f64>) -> Matrix<f32> {
    let values = matrix.values().iter().map(|&value| value as f32).collect();
    Matrix::from_csr(matrix.csr().clone(), values).unwrap()
}

#[test]
fn a_small_product() {
    let a = Matrix::from_entries(2, 3, &[(0, 0, 1.0f32), (0, 2, 2.0), (1, 1, -3.0)]).unwrap();
    let b = Matrix::from_entries(3, 2, &[(0, 1, 4.0f32), (1, 0, 5.0), (2, 0, 6.0), (2, 1, -2.0)]);
    let product = check(&gpu(), &a, &b.unwrap());
    assert_eq!(product.row(0), (&[0, 1][..], &[12.0, 0.0][..]), "what cancels stays");
    assert_eq!(product.row(1), (&[0][..], &[-15.0][..]));
}

#[test]
fn nothing_to_multiply() {
    for (rows, inner, columns) in [(0, 0, 0), (3, 0, 2), (0, 4, 3), (5, 2, 0), (3, 4, 5)] {
        let a = Matrix::from_entries(rows, inner, &[]).unwrap();
        let b = Matrix::from_entries(inner, columns, &[]).unwrap();
        check_both(&a, &b);
    }
    let a = Matrix::from_entries(2, 2, &[(0, 0, 1.0), (1, 0, 1.0)]).unwrap();
    let b = Matrix::from_entries(2, 2, &[(1, 1, 1.0)]).unwrap();
    check_both(&a, &b);
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let gpu = gpu();
    let a = DeviceMatrix::upload(&gpu, &matrix::<f32>(3, &[1, 1], 1)).unwrap();
    let result = spgemm_on_gpu(&gpu, &a, &a);
    let Err(Error::Shape(message)) = result.map(|_| ()) else { panic!("shapes do not fit") };
    assert_eq!(message, "the second matrix has 2 rows, but the first has 3 columns");
}

/// Rows of A with the weights given, on a B whose rows have 0 to 15 entries.
fn rows_of_weight(weights: &[u32], columns: u32, seed: u64) -> (Matrix<f64>, Matrix<f64>) {
    let lengths: Vec<u32> = (0..5000).map(|row| row % 16).collect();
    let b = matrix(columns, &lengths, seed);
    let mut numbers = Numbers(seed + 1);
    let mut entries = Vec::new();
    for (row, &weight) in (0..).zip(weights) {
        let mut left = weight;
        let mut column = numbers.below(100);
        while left > 0 && column < 5000 {
            if lengths[column as usize].max(1) <= left {
                left -= lengths[column as usize].max(1);
                entries.push((row, column, numbers.value()));
            }
            column += 1 + numbers.below(3);
        }
    }
    (Matrix::from_entries(weights.len() as u32, 5000, &entries).unwrap(), b)
}

#[test]
fn rows_of_every_bin() {
    let near = |limit: u32| [limit - 1, limit, limit + 1];
    let limits = [8, 16, 32, 128, 512, 2048, 8192].into_iter().flat_map(near);
    let weights: Vec<u32> = limits.chain(0..200).chain([0, 0, 3000, 6000, 9000]).collect();
    // Few columns, so that most products meet others; as many as one window; and several.
    for columns in [40, 3000, 16_384, 60_000, 150_000] {
        let (a, b) = rows_of_weight(&weights, columns, columns.into());
        check_both(&a, &b);
    }
}

#[test]
fn wide_rows_of_several_windows() {
    let lengths: Vec<u32> = (0..400).map(|row| [3000, 0, 40, 700][row % 4]).collect();
    let b = matrix::<f64>(300_000, &lengths, 5);
    let a = matrix::<f64>(400, &[400, 30, 1, 200, 0, 60], 6);
    check_both(&a, &b);
}

#[test]
fn one_giant_row() {
    let b = matrix::<f64>(17_000, &[60; 4000], 7);
    let a = matrix::<f64>(4000, &[4000], 8);
    check_both(&a, &b);
    let dense = matrix::<f64>(2000, &[2000; 100], 9);
    check_both(&matrix(100, &[100, 1, 90], 10), &dense);
}

#[test]
fn one_column() {
    let b = matrix::<f64>(1, &[1; 3000], 11);
    check_both(&matrix(3000, &[3000, 0, 20, 100, 700], 12), &b);
}

#[test]
fn a_power_law_squared() {
    let lengths: Vec<u32> = (1..=1500).map(|row| 1500 / row).collect();
    let a = matrix::<f64>(1500, &lengths, 13);
    check_both(&a, &a);
    check_both(&a.transpose().unwrap(), &a);
}

#[test]
fn many_short_rows() {
    let a = matrix::<f64>(70_000, &[3; 70_000], 14);
    check_both(&a, &a);
}

#[test]
fn more_rows_than_cubes_in_a_dimension() {
    // One cube per row: rows are too heavy for groups, and columns too many for bits.
    let b = matrix::<f32>(5000, &[40], 17);
    let a = matrix::<f32>(1, &[1; 66_000], 18);
    check(&gpu(), &a, &b);
}

#[test]
fn columns_that_occur_twice_in_a_row() {
    let columns: Vec<u32> = (0..3000).map(|entry| entry / 3).collect();
    let values = (0..3000).map(|entry| f64::from(entry % 7)).collect();
    let b = Matrix::from_csr(Csr::new(1000, vec![0, 2998, 2998, 3000], columns).unwrap(), values);
    let a = Csr::new(3, vec![0, 4, 6, 7], vec![0, 0, 1, 2, 2, 2, 1]).unwrap();
    let a = Matrix::from_csr(a, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]).unwrap();
    check_both(&a, &b.unwrap());
}

#[test]
fn values_that_are_no_numbers() {
    let a = Matrix::from_entries(2, 2, &[(0, 0, f64::NAN), (0, 1, 1.0), (1, 1, f64::INFINITY)]);
    check_both(&a.unwrap(), &matrix(50, &[20, 30], 15));
}

#[test]
fn what_does_not_fit_is_refused() {
    // Other tests do not share the limit.
    let gpu = Gpu::new(gpu().client().clone());
    let a = DeviceMatrix::upload(&gpu, &matrix::<f32>(300, &[300; 300], 16)).unwrap();
    let before = gpu.memory();
    gpu.set_memory_limit(before.held + 300 * 300);
    let result = spgemm_on_gpu(&gpu, &a, &a).map(|_| ());
    let message = result.unwrap_err().to_string();
    assert!(message.contains("a product of 90000 entries needs 720000 bytes"), "{message}");
}

/// The lengths of the rows of a factor.
fn lengths(rows: usize, columns: u32) -> impl Strategy<Value = Vec<u32>> {
    let length = prop_oneof![
        3 => Just(0),
        8 => 0..=columns.min(6),
        2 => 0..=columns.min(80),
        1 => 0..=columns,
    ];
    prop::collection::vec(length, rows)
}

fn factors() -> impl Strategy<Value = (u32, u32, Vec<u32>, Vec<u32>, u64)> {
    let columns = prop_oneof![0u32..50, 0u32..3000];
    (0usize..40, 0usize..120, columns, any::<u64>()).prop_flat_map(
        |(rows, inner, columns, seed)| {
            let both = (lengths(rows, inner as u32), lengths(inner, columns));
            both.prop_map(move |(a, b)| (inner as u32, columns, a, b, seed))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_factors((inner, columns, a, b, seed) in factors()) {
        check_both(&matrix(inner, &a, seed), &matrix(columns, &b, seed ^ 1));
    }
}
