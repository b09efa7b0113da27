//! Products with a vector, a dense and a sparse matrix.

use equipoise::{
    graph::{Csr, Matrix},
    sparse::{Dense, SparseOptions, Spgemm, Spmm, Spmv, spgemm, spmm, spmv},
};
use proptest::prelude::*;

use super::rearranged;

/// Numbers of which all products and sums are exact, and those of which none is a number.
const FINITE: [f32; 5] = [-2.0, -1.0, 0.0, 1.0, 3.0];
const ODD: [f32; 3] = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN];

type Entry = (u32, u32, f32);

fn matrix(rows: u32, columns: u32, entries: &[Entry]) -> Matrix<f32> {
    Matrix::from_entries(rows, columns, entries).unwrap()
}

fn entries(rows: u32, columns: u32) -> impl Strategy<Value = Vec<Entry>> {
    let value = prop_oneof![12 => prop::sample::select(FINITE.to_vec()), 1 => prop::sample::select(ODD.to_vec())];
    prop::collection::vec((0..rows, 0..columns, value), 0..12).prop_map(|mut entries| {
        entries.sort_by_key(|&(row, column, _)| (row, column));
        entries.dedup_by_key(|&mut (row, column, _)| (row, column));
        entries
    })
}

fn same(found: f32, expected: f32) -> bool {
    found == expected || found.is_nan() && expected.is_nan()
}

fn wrong(value: f32) -> Vec<f32> {
    let near = [value + 0.5, value - 1.0, -value, 0.0, 0.5, f32::MAX];
    near.into_iter().chain(ODD).collect()
}

/// A row of `a` times a column of `b`, in order, with no other rounding than that of each sum.
fn sum(row: &[Entry], factor: impl Fn(u32) -> f32) -> f32 {
    row.iter().fold(0.0, |sum, &(_, column, value)| sum + value * factor(column))
}

fn changed(right: &[f32]) -> Vec<Vec<f32>> {
    let mut all = rearranged(right, &[0.0, 1.0]);
    for place in 0..right.len() {
        for value in wrong(right[place]) {
            let mut values = right.to_vec();
            values[place] = value;
            all.push(values);
        }
    }
    all
}

fn are_same(found: &[f32], expected: &[f32]) -> bool {
    found.len() == expected.len() && found.iter().zip(expected).all(|(&a, &b)| same(a, b))
}

fn row_of(entries: &[Entry], row: u32) -> Vec<Entry> {
    entries.iter().copied().filter(|entry| entry.0 == row).collect()
}

/// The product as entries, by the definition.
fn true_product(a: &[Entry], b: &[Entry], rows: u32, columns: u32) -> Vec<Entry> {
    let mut product = Vec::new();
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let in_column = |middle| b.iter().find(|entry| (entry.0, entry.1) == (middle, column));
        let terms: Vec<Entry> =
            row_of(a, row).into_iter().filter(|&(_, m, _)| in_column(m).is_some()).collect();
        if !terms.is_empty() {
            product.push((row, column, sum(&terms, |m| in_column(m).map_or(0.0, |entry| entry.2))));
        }
    }
    product
}

/// Rows from entries in the order given; nothing where a matrix cannot be made of them.
fn rows_of(rows: u32, columns: u32, entries: &[Entry]) -> Option<Matrix<f32>> {
    let counts = (0..rows).map(|row| entries.iter().filter(|entry| entry.0 <= row).count() as u64);
    let offsets = std::iter::once(0).chain(counts).collect::<Vec<u64>>();
    let csr = Csr::new(columns, offsets, entries.iter().map(|entry| entry.1).collect()).ok()?;
    Matrix::from_csr(csr, entries.iter().map(|entry| entry.2).collect::<Vec<_>>()).ok()
}

fn sparse_mutants(right: &[Entry], rows: u32, columns: u32) -> Vec<Vec<Entry>> {
    let mut all = vec![Vec::new()];
    for place in 0..right.len() {
        let mut with = |change: &dyn Fn(&mut Vec<Entry>)| {
            let mut entries = right.to_vec();
            change(&mut entries);
            all.push(entries);
        };
        with(&|entries| _ = entries.remove(place));
        with(&|entries| entries.insert(place, entries[place]));
        for value in wrong(right[place].2) {
            with(&|entries| entries[place].2 = value);
        }
        for column in 0..columns {
            with(&|entries| entries[place].1 = column);
        }
        if place > 0 && right[place - 1].0 == right[place].0 {
            with(&|entries| entries.swap(place - 1, place));
        }
    }
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let mut entries = right.to_vec();
        let place = entries.partition_point(|entry| (entry.0, entry.1) < (row, column));
        entries.insert(place, (row, column, 0.0));
        all.push(entries);
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn with_a_vector(
        a in entries(4, 5),
        x in prop::collection::vec(prop::sample::select([&FINITE[..], &ODD].concat()), 5),
    ) {
        let made = matrix(4, 5, &a);
        let right = spmv(&made, &x, &SparseOptions::default()).unwrap();
        right.verify(&made, &x).unwrap();
        let expected: Vec<f32> = (0..4).map(|row| sum(&row_of(&a, row), |c| x[c as usize])).collect();
        for y in changed(&right.y) {
            let mutant = Spmv { y, ..right.clone() };
            let verdict = mutant.verify(&made, &x);
            prop_assert_eq!(verdict.is_ok(), are_same(&mutant.y, &expected), "{:?}: {:?}", mutant, verdict);
        }
    }

    #[test]
    fn with_a_dense_matrix(
        a in entries(3, 4),
        x in prop::collection::vec(prop::sample::select(FINITE.to_vec()), 8),
    ) {
        let (made, dense) = (matrix(3, 4, &a), Dense::new(4, 2, x.clone()).unwrap());
        let right = spmm(&made, &dense, &SparseOptions::default()).unwrap();
        right.verify(&made, &dense).unwrap();
        let expected: Vec<f32> = (0..6u32)
            .map(|place| sum(&row_of(&a, place / 2), |c| x[(c * 2 + place % 2) as usize]))
            .collect();
        let tables = changed(right.product.values());
        for values in tables.into_iter().filter(|values| values.len() == 6) {
            let is_right = are_same(&values, &expected);
            let mutant = Spmm { product: Dense::new(3, 2, values).unwrap(), ..right.clone() };
            prop_assert_eq!(mutant.verify(&made, &dense).is_ok(), is_right, "{:?}", mutant);
        }
        for (rows, columns) in [(2, 3), (6, 1), (0, 2), (3, 1)] {
            let values = vec![0.0; (rows * columns) as usize];
            let mutant = Spmm { product: Dense::new(rows, columns, values).unwrap(), ..right.clone() };
            prop_assert!(mutant.verify(&made, &dense).is_err());
        }
    }

    #[test]
    fn with_a_sparse_matrix(a in entries(3, 4), b in entries(4, 3)) {
        let (left, right_factor) = (matrix(3, 4, &a), matrix(4, 3, &b));
        let right = spgemm(&left, &right_factor, &SparseOptions::default()).unwrap();
        right.verify(&left, &right_factor).unwrap();
        let expected = true_product(&a, &b, 3, 3);
        for entries in sparse_mutants(&expected, 3, 3) {
            let Some(product) = rows_of(3, 3, &entries) else { continue };
            let mutant = Spgemm { product, ..right.clone() };
            let is_right = entries.len() == expected.len()
                && entries.iter().zip(&expected).all(|(a, b)| (a.0, a.1) == (b.0, b.1) && same(a.2, b.2));
            let verdict = mutant.verify(&left, &right_factor);
            prop_assert_eq!(verdict.is_ok(), is_right, "{:?}: {:?}", entries, verdict);
        }
        let more = Spgemm { multiplications: right.multiplications + 1, ..right.clone() };
        prop_assert!(more.verify(&left, &right_factor).is_err());
        let taller = Spgemm { product: matrix(4, 3, &[]), ..right };
        prop_assert!(taller.verify(&left, &right_factor).is_err());
    }
}
