//! Reordering: the columns with the most entries come first.
//!
//! A row's entries read numbers of `x` all over memory. With the columns of the most entries in
//! front, most of these reads share few cache lines. Rows keep their order, and with them the
//! result; each product gathers `x` into the new order on the GPU.

use std::cmp::Reverse;

use cubecl::prelude::*;
use equipoise_graph::{Csr, Matrix, Value, parallel::*};
use equipoise_schedule::{
    device::{Buffer, Gpu, GpuRuntime},
    ranges::*,
};

use super::number::Number;
use crate::{Error, Result};

/// A new order of a matrix's columns.
///
/// ```
/// use equipoise::{graph::Matrix, sparse::gpu::Reordering};
///
/// let matrix = Matrix::from_entries(2, 3, &[(0, 2, 5.0f32), (1, 0, 6.0), (1, 2, 7.0)])?;
/// let by_degree = Reordering::by_degree(&matrix);
/// assert_eq!(by_degree.columns(), [2, 0, 1]);
/// let reordered = by_degree.apply(&matrix)?;
/// assert_eq!(reordered.row(1), ([0, 1].as_slice(), [7.0, 6.0].as_slice()));
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reordering {
    columns: Vec<u32>,
}

impl Reordering {
    /// The columns with the most entries first; equal ones keep their order.
    pub fn by_degree<T: Value>(matrix: &Matrix<T>) -> Self {
        let mut entries = vec![0u32; matrix.columns() as usize];
        for &column in matrix.csr().indices() {
            entries[column as usize] += 1;
        }
        let mut columns: Vec<u32> = (0..matrix.columns()).collect();
        columns.par_sort_unstable_by_key(|&column| (Reverse(entries[column as usize]), column));
        Self { columns }
    }

    /// The old column of each new one.
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// The matrix with its columns in the new order.
    ///
    /// Fails where the matrix has another number of columns than the order.
    pub fn apply<T: Value>(&self, matrix: &Matrix<T>) -> Result<Matrix<T>> {
        if matrix.columns() as usize != self.columns.len() {
            return Err(Error::Shape(format!(
                "an order of {} columns does not fit a matrix of {}",
                self.columns.len(),
                matrix.columns()
            )));
        }
        let mut new_of = vec![0u32; self.columns.len()];
        for (new, &old) in (0..).zip(&self.columns) {
            new_of[old as usize] = new;
        }
        let new_row = |row| {
            let (columns, values) = matrix.row(row);
            let new = columns.iter().map(|&column| new_of[column as usize]);
            let mut entries: Vec<(u32, T)> = new.zip(values.iter().copied()).collect();
            entries.sort_by_key(|&(column, _)| column);
            entries
        };
        let rows: Vec<_> = (0..matrix.rows()).into_par_iter().map(new_row).collect();
        let (indices, values) = rows.into_iter().flatten().unzip();
        let offsets = matrix.csr().offsets().to_vec();
        Ok(Matrix::from_csr(Csr::new(matrix.columns(), offsets, indices)?, values)?)
    }
}

/// A [`Reordering`] in the memory of a GPU.
///
/// ```no_run
/// use equipoise::{Result, graph::Matrix, sparse::gpu::{DeviceReordering, Reordering}};
/// use equipoise_schedule::device::Gpu;
///
/// fn example(gpu: &Gpu, matrix: &Matrix<f32>) -> Result<()> {
///     let order = DeviceReordering::upload(gpu, &Reordering::by_degree(matrix))?;
///     let x = gpu.filled(matrix.columns() as usize, 1.0f32)?;
///     let reordered = gpu.empty(x.len())?;
///     order.gather(gpu, &x, &reordered)
/// }
/// ```
pub struct DeviceReordering {
    columns: Buffer<u32>,
}

impl DeviceReordering {
    /// Copies an order to a GPU.
    pub fn upload(gpu: &Gpu, order: &Reordering) -> Result<Self> {
        Ok(Self { columns: gpu.upload(&order.columns)? })
    }

    /// Enqueues a copy of `x` to `reordered`, in the new order.
    ///
    /// Fails unless both vectors have one number per column.
    pub fn gather<T: Number>(&self, gpu: &Gpu, x: &Buffer<T>, reordered: &Buffer<T>) -> Result<()> {
        const UNITS: u32 = 256;
        let count = self.columns.len();
        if [x.len(), reordered.len()] != [count; 2] {
            return Err(Error::Shape(format!(
                "vectors of {} and {} numbers do not fit an order of {count} columns",
                x.len(),
                reordered.len()
            )));
        }
        // SAFETY: all three have `count` elements, and the order names columns below it.
        unsafe {
            gather_numbers::launch_unchecked::<T, GpuRuntime>(
                gpu.client(),
                gpu.cubes((count as u64).div_ceil(u64::from(UNITS))),
                CubeDim::new_1d(UNITS),
                self.columns.arg(),
                x.arg(),
                reordered.arg(),
                count as u32,
            );
        }
        Ok(())
    }
}

#[cube(launch_unchecked)]
fn gather_numbers<F: Float>(
    columns: &Array<u32>,
    x: &Array<F>,
    reordered: &mut Array<F>,
    count: u32,
) {
    for new in grid_stride_range(0, count) {
        reordered[new as usize] = x[columns[new as usize] as usize];
    }
}
