//! A dense matrix in the memory of a GPU.

use equipoise_schedule::device::{Buffer, Gpu};

use super::Number;
use crate::{Error, Result, sparse::Dense};

/// A dense matrix in the memory of a GPU, row after row, each filled up to a multiple of four.
///
/// ```no_run
/// use equipoise::{Result, sparse::{Dense, gpu::DeviceDense}};
/// use equipoise_schedule::device::Gpu;
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     let dense = Dense::new(2, 1, vec![5.0f32, 7.0])?;
///     assert_eq!(DeviceDense::upload(gpu, &dense)?.download(gpu)?, dense);
///     Ok(())
/// }
/// ```
pub struct DeviceDense<T> {
    rows: u32,
    columns: u32,
    values: Buffer<T>,
}

impl<T: Number> DeviceDense<T> {
    /// A matrix whose content is not defined yet.
    ///
    /// Fails where it has more numbers than 32 bits count, or the memory is not there.
    pub fn empty(gpu: &Gpu, rows: u32, columns: u32) -> Result<Self> {
        let numbers = u64::from(rows) * u64::from(columns.div_ceil(4)) * 4;
        if numbers > u64::from(u32::MAX) {
            return Err(Error::from(equipoise_schedule::Error::TooMany {
                what: format!("a dense matrix of {rows} × {columns}"),
                count: numbers,
                limit: u64::from(u32::MAX),
            }));
        }
        Ok(Self { rows, columns, values: gpu.empty(numbers as usize)? })
    }

    /// Copies a matrix to a GPU.
    pub fn upload(gpu: &Gpu, dense: &Dense<T>) -> Result<Self> {
        let mut there = Self::empty(gpu, dense.rows(), dense.columns())?;
        let width = there.width() as usize * 4;
        if width == dense.columns() as usize {
            there.values = gpu.upload(dense.values())?;
            return Ok(there);
        }
        let mut values = vec![T::default(); dense.rows() as usize * width];
        for (row, padded) in (0..dense.rows()).zip(values.chunks_exact_mut(width)) {
            padded[..dense.columns() as usize].copy_from_slice(dense.row(row));
        }
        there.values = gpu.upload(&values)?;
        Ok(there)
    }

    /// Copies the matrix back.
    pub fn download(&self, gpu: &Gpu) -> Result<Dense<T>> {
        let values = gpu.download(&self.values)?;
        let width = self.width() as usize * 4;
        let columns = self.columns as usize;
        if width == columns {
            return Dense::new(self.rows, self.columns, values);
        }
        let rows = values.chunks_exact(width.max(1)).flat_map(|row| &row[..columns]);
        Dense::new(self.rows, self.columns, rows.copied().collect())
    }

    /// How many rows it has.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// How many columns it has.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Fours of numbers a row.
    pub(crate) fn width(&self) -> u32 {
        self.columns.div_ceil(4)
    }

    pub(crate) fn values(&self) -> &Buffer<T> {
        &self.values
    }
}
