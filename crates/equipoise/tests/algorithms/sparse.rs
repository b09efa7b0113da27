//! SpMV, SpMM and SpGEMM against plain loops.

use std::collections::BTreeMap;

use equipoise::graph::Error::OutOfMemory;
use equipoise::{
    Error,
    graph::{Csr, Matrix, Value},
    sparse::{Dense, SparseOptions, SparseSchedule, spgemm, spmm, spmv},
};
use proptest::prelude::*;

use crate::in_pool;

/// A matrix as plain data: rows, columns and entries.
type Entries = Vec<(u32, u32, f64)>;

fn options() -> impl Iterator<Item = SparseOptions> {
    let of_cpu =
        [SparseSchedule::Auto, SparseSchedule::MergePath, SparseSchedule::ThreadMapped].into_iter();
    of_cpu.map(|schedule| SparseOptions { schedule, ..SparseOptions::default() })
}

fn matrix<T: Value>(rows: u32, columns: u32, entries: &Entries) -> Matrix<T> {
    let entries: Vec<_> = entries.iter().map(|&(r, c, v)| (r, c, T::from_f64(v))).collect();
    Matrix::from_entries(rows, columns, &entries).unwrap()
}

/// The same matrix as an array of arrays.
fn dense(rows: u32, columns: u32, entries: &Entries) -> Vec<Vec<f64>> {
    let mut dense = vec![vec![0.0; columns as usize]; rows as usize];
    for &(row, column, value) in entries {
        dense[row as usize][column as usize] += value;
    }
    dense
}

fn triple_loop(a: &[Vec<f64>], b: &[Vec<f64>], columns: u32) -> Vec<Vec<f64>> {
    let mut product = vec![vec![0.0; columns as usize]; a.len()];
    for (i, row) in a.iter().enumerate() {
        for (k, left) in row.iter().enumerate() {
            for j in 0..columns as usize {
                product[i][j] += left * b[k][j];
            }
        }
    }
    product
}

/// Entries whose values are quarters between -8 and 8: their sums and products are exact.
fn entries(rows: u32, columns: u32) -> BoxedStrategy<Entries> {
    if rows == 0 || columns == 0 {
        return Just(Vec::new()).boxed();
    }
    let value = (-32i32..=32).prop_map(|quarters| f64::from(quarters) / 4.0);
    prop::collection::vec((0..rows, 0..columns, value), 0..60).boxed()
}

/// The shapes of two factors, and their entries.
fn factors() -> impl Strategy<Value = (u32, u32, u32, Entries, Entries)> {
    (0u32..9, 0u32..9, 0u32..40).prop_flat_map(|(rows, inner, columns)| {
        let both = (entries(rows, inner), entries(inner, columns));
        both.prop_map(move |(a, b)| (rows, inner, columns, a, b))
    })
}

fn check_products<T: Value>(
    (rows, inner, columns, a_entries, b_entries): &(u32, u32, u32, Entries, Entries),
) {
    let (rows, inner, columns) = (*rows, *inner, *columns);
    let (a, b) = (matrix::<T>(rows, inner, a_entries), matrix::<T>(inner, columns, b_entries));
    let b_dense = dense(inner, columns, b_entries);
    let expected = triple_loop(&dense(rows, inner, a_entries), &b_dense, columns);
    let expected: Vec<Vec<T>> =
        expected.iter().map(|row| row.iter().map(|&v| T::from_f64(v)).collect()).collect();
    let b_values = b_dense.concat().into_iter().map(T::from_f64).collect();
    let b_dense = Dense::new(inner, columns, b_values).unwrap();

    for options in options() {
        let result = spmm(&a, &b_dense, &options).unwrap();
        result.verify(&a, &b_dense).unwrap();
        for row in 0..rows {
            assert_eq!(result.product.row(row), expected[row as usize]);
        }
        if columns > 0 {
            let x: Vec<T> = (0..inner).map(|row| b_dense.row(row)[0]).collect();
            let result = spmv(&a, &x, &options).unwrap();
            result.verify(&a, &x).unwrap();
            let first_column: Vec<T> = expected.iter().map(|row| row[0]).collect();
            assert_eq!(result.y, first_column);
        }
        let result = spgemm(&a, &b, &options).unwrap();
        result.verify(&a, &b).unwrap();
        for row in 0..rows {
            let (found_columns, values) = result.product.row(row);
            let mut result = vec![T::default(); columns as usize];
            for (&column, &value) in found_columns.iter().zip(values) {
                result[column as usize] = value;
            }
            assert_eq!(result, expected[row as usize]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn products_equal_triple_loops(factors in factors()) {
        check_products::<f32>(&factors);
        check_products::<f64>(&factors);
    }

    #[test]
    fn products_of_any_numbers_are_within_the_bound(
        a in prop::collection::vec((0u32..6, 0u32..5, -1e3..1e3f64), 0..40),
        b in prop::collection::vec((0u32..5, 0u32..4, -1e-3..1e3f64), 0..40),
    ) {
        check_bound::<f32>(&a, &b);
        check_bound::<f64>(&a, &b);
    }
}

fn check_bound<T: Value>(a: &Entries, b: &Entries) {
    let (a, b) = (matrix::<T>(6, 5, a), matrix::<T>(5, 4, b));
    let x: Vec<T> = (0..5).map(|i| T::from_f64(f64::from(i) / 3.0 - 0.7)).collect();
    for options in options() {
        spmv(&a, &x, &options).unwrap().verify(&a, &x).unwrap();
        spgemm(&a, &b, &options).unwrap().verify(&a, &b).unwrap();
    }
}

/// A matrix large enough to be cut into many parts: a giant row in front of many short ones,
/// empty rows at both ends.
fn uneven<T: Value>(rows: u32, columns: u32) -> Matrix<T> {
    let value = |n: u32| T::from_f64(f64::from(n.wrapping_mul(2_654_435_761)) / 3e9 - 0.7);
    let giant = (0..columns).map(|column| (1, column, value(column)));
    let short = (2..rows - 1).flat_map(|row| {
        (0..row % 7).map(move |n| (row, row.wrapping_mul(31).wrapping_add(n * n) % columns, n))
    });
    let short = short.map(|(row, column, n)| (row, column, value(row ^ n << 20)));
    Matrix::from_entries(rows, columns, &giant.chain(short).collect::<Vec<_>>()).unwrap()
}

/// Every product of uneven matrices, as bits, with every schedule, on `threads` threads.
fn all_products<T: Value>(threads: usize) -> Vec<Vec<u8>> {
    let (a, b) = (uneven::<T>(30_000, 70_000), uneven::<T>(70_000, 2_000));
    let x: Vec<T> = (0..70_000).map(|n| T::from_f64(1.0 / f64::from(n + 1))).collect();
    let panel = Dense::new(70_000, 3, [x.clone(), x.clone(), x.clone()].concat()).unwrap();
    let run = || {
        let mut products = Vec::new();
        for options in options() {
            let result = spmv(&a, &x, &options).unwrap();
            result.verify(&a, &x).unwrap();
            products.push(bytes(&result.y));
            let result = spmm(&a, &panel, &options).unwrap();
            result.verify(&a, &panel).unwrap();
            products.push(bytes(result.product.values()));
            let result = spgemm(&a, &b, &options).unwrap();
            result.verify(&a, &b).unwrap();
            products.push(bytes(result.product.values()));
        }
        products
    };
    in_pool(threads, run)
}

fn bytes<T: Value>(numbers: &[T]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_f64().to_bits().to_le_bytes()).collect()
}

#[test]
fn products_are_the_same_bits_on_any_number_of_threads() {
    let (f32s, f64s) = (all_products::<f32>(1), all_products::<f64>(1));
    for threads in [2, 5] {
        assert!(all_products::<f32>(threads) == f32s, "f32 on {threads} threads");
        assert!(all_products::<f64>(threads) == f64s, "f64 on {threads} threads");
    }
}

/// Rows of a sparse product are added up in ways that depend on how wide and how full they are.
#[test]
fn rows_of_every_width_and_fullness_are_added_up() {
    for columns in [40, 300, 10_000, 1 << 21] {
        for per_row in [1, 20, 60, 2_000] {
            let a: Entries = (0..30).map(|k| (k % 2, k, f64::from(k) - 9.0)).collect();
            let b: Entries = (0..30 * per_row)
                .map(|n: u32| (n / per_row, n.wrapping_mul(7_919) % columns, f64::from(n % 11)))
                .collect();
            let mut expected = BTreeMap::new();
            for &(row, k, left) in &a {
                for &(_, column, right) in b.iter().filter(|&&(inner, ..)| inner == k) {
                    *expected.entry((row, column)).or_insert(0.0) += left * right;
                }
            }
            let (a, b) = (matrix::<f64>(2, 30, &a), matrix::<f64>(30, columns, &b));
            let product = spgemm(&a, &b, &SparseOptions::default()).unwrap().product;
            let result: BTreeMap<_, _> = (0..2)
                .flat_map(|row| {
                    let (columns, values) = product.row(row);
                    columns.iter().zip(values).map(move |(&column, &value)| ((row, column), value))
                })
                .collect();
            assert_eq!(result, expected, "{columns} columns, {per_row} entries a row");
            assert_eq!(product.entries() as usize, expected.len());
        }
    }
}

#[test]
fn empty_and_thin_shapes() {
    for (rows, inner, columns) in [(0, 0, 0), (0, 3, 2), (3, 0, 2), (3, 2, 0), (3, 2, 4)] {
        let (a, b) = (matrix::<f32>(rows, inner, &vec![]), matrix::<f32>(inner, columns, &vec![]));
        let panel = Dense::new(inner, columns, vec![1.0; (inner * columns) as usize]).unwrap();
        for options in options() {
            let x = vec![1.0; inner as usize];
            assert_eq!(spmv(&a, &x, &options).unwrap().y, vec![0.0; rows as usize]);
            let product = spmm(&a, &panel, &options).unwrap().product;
            assert_eq!((product.rows(), product.columns()), (rows, columns));
            assert!(product.values().iter().all(|&value| value == 0.0));
            let result = spgemm(&a, &b, &options).unwrap();
            assert_eq!((result.product.rows(), result.product.columns()), (rows, columns));
            assert_eq!((result.product.entries(), result.multiplications), (0, 0));
            result.verify(&a, &b).unwrap();
        }
    }
}

#[test]
fn entries_of_the_same_place_count_each() {
    let twice = Csr::new(2, vec![0, 3], vec![0, 0, 1]).unwrap();
    let twice = Matrix::from_csr(twice, vec![1.0, 2.0, 4.0]).unwrap();
    let column = matrix::<f64>(2, 1, &vec![(0, 0, 10.0), (1, 0, 1.0)]);
    for options in options() {
        assert_eq!(spmv(&twice, &[10.0, 1.0], &options).unwrap().y, [34.0]);
        let result = spgemm(&twice, &column, &options).unwrap();
        assert_eq!(result.product.row(0), (&[0][..], &[34.0][..]));
        assert_eq!(result.multiplications, 3);
        result.verify(&twice, &column).unwrap();
    }
}

#[test]
fn numbers_that_are_not_finite_go_through() {
    let a = matrix::<f32>(3, 2, &vec![(0, 0, 1.0), (1, 1, 1.0), (2, 0, 1.0), (2, 1, 1.0)]);
    let x = [f32::INFINITY, f32::NAN];
    let result = spmv(&a, &x, &SparseOptions::default()).unwrap();
    assert!(result.y[0] == f32::INFINITY && result.y[1].is_nan() && result.y[2].is_nan());
    result.verify(&a, &x).unwrap();
}

#[test]
fn shapes_that_do_not_fit_are_refused_with_both_numbers() {
    let a = matrix::<f64>(2, 3, &vec![]);
    let options = SparseOptions::default();
    let panel = Dense::new(4, 1, vec![0.0; 4]).unwrap();
    let errors = [
        spmv(&a, &[0.0; 4], &options).map(drop).unwrap_err(),
        spmm(&a, &panel, &options).map(drop).unwrap_err(),
        spgemm(&a, &matrix(4, 1, &vec![]), &options).map(drop).unwrap_err(),
        Dense::new(3, 4, vec![0.0; 5]).map(drop).unwrap_err(),
    ];
    for (error, numbers) in errors.iter().zip([["4", "3"], ["4", "3"], ["4", "3"], ["5", "12"]]) {
        let message = error.to_string();
        assert!(matches!(error, Error::Shape(_)), "{message}");
        assert!(numbers.iter().all(|number| message.contains(number)), "{message}");
    }
}

#[test]
fn a_product_too_large_for_memory_is_refused() {
    let tall = matrix::<f32>(1 << 22, 1, &vec![(7, 0, 1.0)]);
    let wide = Dense::new(1, 1 << 23, vec![1.0; 1 << 23]).unwrap();
    let error = spmm(&tall, &wide, &SparseOptions::default()).unwrap_err();
    assert!(
        matches!(error, Error::Graph(OutOfMemory { needed, .. }) if needed == 1 << 47),
        "{error}"
    );
}

/// Mutants are of 32 bits.
#[test]
fn products_of_64_bits_are_verified_in_64_bits() {
    let (a, b) = (matrix::<f64>(1, 2, &vec![(0, 0, 1.0), (0, 1, 2.0)]), [1.0, 3.0]);
    let off = |value: f64| value * (1.0 + 1e-12);
    let mut vector = spmv(&a, &b, &SparseOptions::default()).unwrap();
    vector.y[0] = off(vector.y[0]);
    assert!(matches!(vector.verify(&a, &b), Err(Error::Wrong(_))));

    let dense = Dense::new(2, 1, b.to_vec()).unwrap();
    let mut product = spmm(&a, &dense, &SparseOptions::default()).unwrap();
    product.product = Dense::new(1, 1, vec![off(product.product.values()[0])]).unwrap();
    assert!(matches!(product.verify(&a, &dense), Err(Error::Wrong(_))));

    let b = matrix::<f64>(2, 1, &vec![(0, 0, 1.0), (1, 0, 3.0)]);
    let mut product = spgemm(&a, &b, &SparseOptions::default()).unwrap();
    product.product = matrix(1, 1, &vec![(0, 0, off(7.0))]);
    assert!(matches!(product.verify(&a, &b), Err(Error::Wrong(_))));
}
