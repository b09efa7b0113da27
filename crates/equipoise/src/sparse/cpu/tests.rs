//! The product does not depend on how the matrix is cut into parts.
//!
//! Values are small integers, so that every order of summation gives the same sum.

use std::collections::BTreeMap;

use equipoise_graph::Matrix;

use super::{
    parts::{merge_path, steps},
    spgemm::{self, Factors, multiplication_offsets},
    spmm, spmv,
};
use crate::sparse::Dense;

/// Empty rows at both ends and between, a giant row, and short ones.
fn matrix() -> Matrix<f32> {
    let giant = (0..40).map(|column| (2, column, 1.0 + (column % 5) as f32));
    let others = [(1, 0, 2.0), (1, 39, -3.0), (4, 7, 5.0), (5, 7, -1.0), (5, 8, 1.0), (8, 3, 4.0)];
    Matrix::from_entries(40, 40, &giant.chain(others).collect::<Vec<_>>()).unwrap()
}

/// The product with a dense matrix of `width` columns, by plain loops.
fn expected(matrix: &Matrix<f32>, dense: &[f32], width: usize) -> Vec<f32> {
    let mut product = vec![0.0; matrix.rows() as usize * width];
    for row in 0..matrix.rows() {
        let (columns, values) = matrix.row(row);
        for (&column, &value) in columns.iter().zip(values) {
            for index in 0..width {
                product[row as usize * width + index] +=
                    value * dense[column as usize * width + index];
            }
        }
    }
    product
}

#[test]
fn any_number_of_parts_gives_the_same_vector_and_dense_product() {
    let matrix = matrix();
    let offsets = matrix.csr().offsets();
    for width in [1, 2, 5, 21] {
        let factor: Vec<f32> = (0..40 * width).map(|index| (index % 7) as f32 - 3.0).collect();
        let expected = expected(&matrix, &factor, width);
        let dense = Dense::new(40, width as u32, factor.clone()).unwrap();
        for count in 1..=steps(offsets) + 2 {
            let parts = merge_path(offsets, count);
            assert_eq!(spmm::multiply(&matrix, &dense, &parts), expected, "{count} parts");
            if width == 1 {
                assert_eq!(spmv::multiply(&matrix, &factor, &parts), expected, "{count} parts");
            }
        }
    }
}

#[test]
fn any_number_of_parts_gives_the_same_sparse_product() {
    let matrix = matrix();
    let factors = Factors::new(&matrix, &matrix);
    let multiplications = multiplication_offsets(&factors);
    let multiply = |count| {
        let parts = merge_path(&multiplications, count);
        spgemm::multiply(&factors, &multiplications, &parts).unwrap()
    };
    let whole = multiply(1);
    assert_eq!(whole.row(2).0, (0..40).collect::<Vec<u32>>());
    for count in 2..=steps(&multiplications) + 2 {
        assert_eq!(multiply(count), whole, "{count} parts");
    }
}

/// Three rows of a square, of 10 000 columns: with few multiplications; with many and few entries; with many entries.
#[test]
fn short_narrow_and_wide_rows_are_added_up() {
    let short = [(0, 3, 2.0), (0, 4, -1.0), (3, 7, 1.0), (3, 9000, 2.0), (4, 5, 3.0), (4, 7, 5.0)];
    let narrow = (0..40).flat_map(|index| {
        let factor = (10 + index, 9999 - 100 * (index % 4), 1.0 + index as f32);
        [(1, 10 + index, 2.0), factor, (10 + index, 77, 1.0)]
    });
    let wide = (0..40).flat_map(|index| {
        let factors = (0..30).map(move |column| (60 + index, 7 * index + 300 * column, -2.0));
        factors.chain([(2, 60 + index, index as f32 - 5.0)])
    });
    let entries: Vec<_> = short.into_iter().chain(narrow).chain(wide).collect();
    let matrix = Matrix::from_entries(10_000, 10_000, &entries).unwrap();
    let factors = Factors::new(&matrix, &matrix);
    let multiplications = multiplication_offsets(&factors);
    let product = spgemm::multiply(&factors, &multiplications, &merge_path(&multiplications, 3));
    let product = product.unwrap();
    for row in 0..matrix.rows() {
        let mut sums = BTreeMap::new();
        factors.visit(row as usize, |column, left, right| {
            *sums.entry(column).or_insert(0.0) += left * right;
        });
        let (columns, values) = product.row(row);
        let entries: Vec<(u32, f32)> =
            columns.iter().copied().zip(values.iter().copied()).collect();
        assert_eq!(entries, sums.into_iter().collect::<Vec<_>>(), "row {row}");
    }
    assert_eq!([0, 1].map(|row| product.csr().row_len(row)), [3, 5]);
    assert!(product.csr().row_len(2) > 1000);
}
