//! The product does not depend on how the matrix is cut into parts.
//!
//! Values are small integers, so that every order of summation gives the same sum.

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
    let factors = Factors { a: &matrix, b: &matrix };
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
