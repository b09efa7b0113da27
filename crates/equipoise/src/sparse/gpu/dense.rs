//! A dense matrix in the memory of a GPU.

use equipoise_schedule::device::{Buffer, Gpu};

use super::number::{Number, check_count};
use crate::{Result, sparse::dense::Dense};

/// A dense matrix in the memory of a GPU, row after row, each padded to a multiple of four.
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
    /// A matrix of undefined content.
    ///
    /// Fails where the number of values exceeds 32 bits, or the GPU lacks the memory.
    pub fn empty(gpu: &Gpu, rows: u32, columns: u32) -> Result<Self> {
        let count = u64::from(rows) * u64::from(columns.div_ceil(4)) * 4;
        let what = format!("a dense matrix of {rows} × {columns}");
        let count = check_count(what, count, u32::MAX)?;
        Ok(Self { rows, columns, values: gpu.empty(count as usize)? })
    }

    /// Copies a matrix to a GPU.
    pub fn upload(gpu: &Gpu, dense: &Dense<T>) -> Result<Self> {
        let mut uploaded = Self::empty(gpu, dense.rows(), dense.columns())?;
        let width = uploaded.width() as usize * 4;
        if width == dense.columns() as usize {
            uploaded.values = gpu.upload(dense.values())?;
            return Ok(uploaded);
        }
        let mut values = vec![T::default(); dense.rows() as usize * width];
        for (row, padded) in (0..dense.rows()).zip(values.chunks_exact_mut(width)) {
            padded[..dense.columns() as usize].copy_from_slice(dense.row(row));
        }
        uploaded.values = gpu.upload(&values)?;
        Ok(uploaded)
    }

    /// Copies the matrix to the host.
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

    /// The number of rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// The fours of values per row.
    pub(crate) fn width(&self) -> u32 {
        self.columns.div_ceil(4)
    }

    pub(crate) fn values(&self) -> &Buffer<T> {
        &self.values
    }
}
