//! cuSPARSE and CuPy on the same matrix and GPU, timed with CUDA events.

use std::fs;

use equipoise::graph::Matrix;

use crate::{Result, python::Python};

/// Times in seconds, if requested.
pub struct Times {
    /// The best SpMV algorithm, after preprocessing.
    pub spmv: Option<f64>,
    /// The best SpMM algorithm with 32 columns in row-major order.
    pub spmm: Option<f64>,
    /// CuPy's A·A.
    pub spgemm: Option<f64>,
}

/// Times the operations named in `wanted`: spmv, spmm, spgemm.
pub fn time(python: &mut Python, matrix: &Matrix<f32>, wanted: &str) -> Result<Times> {
    let folder = tempfile::tempdir()?;
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes);
    let offsets: Vec<u32> = matrix.csr().offsets().iter().map(|&offset| offset as u32).collect();
    write("offsets.u32", bytemuck::cast_slice(&offsets))?;
    write("indices.u32", bytemuck::cast_slice(matrix.csr().indices()))?;
    write("values.f32", bytemuck::cast_slice(matrix.values()))?;
    write("shape.txt", format!("{} {}", matrix.rows(), matrix.columns()).as_bytes())?;
    let answers = python.ask(&format!("{} {wanted}", folder.path().display()))?;
    let seconds = |index: usize| -> Option<f64> {
        answers.get(index)?.parse::<f64>().ok().map(|milliseconds| milliseconds / 1e3)
    };
    Ok(Times { spmv: seconds(0), spmm: seconds(1), spgemm: seconds(2) })
}
