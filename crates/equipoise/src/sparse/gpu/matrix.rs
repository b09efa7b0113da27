//! A sparse matrix in the memory of a GPU.

use equipoise_graph::{Csr, Matrix};
use equipoise_schedule::{
    device::{Buffer, Gpu},
    engine::DeviceRows,
    plan::Tiles,
    tiles::{CsrRows, CsrRowsLaunch},
};

use super::number::Number;
use crate::Result;

/// A sparse matrix in the memory of a GPU, by rows. Clones share it.
///
/// ```no_run
/// use equipoise::{Result, graph::Matrix, sparse::gpu::DeviceMatrix};
/// use equipoise_schedule::device::Gpu;
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     let matrix = Matrix::from_entries(2, 3, &[(0, 0, 2.0f32), (1, 2, -1.0)])?;
///     let uploaded = DeviceMatrix::upload(gpu, &matrix)?;
///     assert_eq!(uploaded.download(gpu)?, matrix);
///     Ok(())
/// }
/// ```
#[derive(Clone)]
pub struct DeviceMatrix<T> {
    rows: u32,
    columns: u32,
    entries: u32,
    offsets: Buffer<u32>,
    indices: Buffer<u32>,
    values: Buffer<T>,
}

impl<T: Number> DeviceMatrix<T> {
    /// Copies a matrix to a GPU.
    ///
    /// Fails where the number of entries exceeds 32 bits, or the GPU lacks the memory.
    pub fn upload(gpu: &Gpu, matrix: &Matrix<T>) -> Result<Self> {
        matrix.check()?;
        let rows = DeviceRows::upload(gpu, matrix.csr())?;
        let values = gpu.upload(matrix.values())?;
        Ok(Self::from_parts(matrix.rows(), matrix.columns(), rows.offsets, rows.targets, values))
    }

    /// A matrix from arrays in the GPU's memory: row offsets, and the columns and values of entries.
    pub(crate) fn from_parts(
        rows: u32,
        columns: u32,
        offsets: Buffer<u32>,
        indices: Buffer<u32>,
        values: Buffer<T>,
    ) -> Self {
        Self { rows, columns, entries: indices.len() as u32, offsets, indices, values }
    }

    /// Copies the matrix to the host.
    pub fn download(&self, gpu: &Gpu) -> Result<Matrix<T>> {
        let offsets = gpu.download(&self.offsets)?.into_iter().map(u64::from).collect();
        let csr = Csr::new(self.columns, offsets, gpu.download(&self.indices)?)?;
        Ok(Matrix::from_csr(csr, gpu.download(&self.values)?)?)
    }

    /// The number of rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// The number of entries.
    pub fn entries(&self) -> u32 {
        self.entries
    }

    /// The start of each row, and the end of the last.
    pub fn offsets(&self) -> &Buffer<u32> {
        &self.offsets
    }

    /// The column of each entry.
    pub fn indices(&self) -> &Buffer<u32> {
        &self.indices
    }

    /// The value of each entry.
    pub fn values(&self) -> &Buffer<T> {
        &self.values
    }

    /// The rows as tiles, their entries as atoms.
    pub fn tiles(&self) -> Tiles<'_, CsrRows> {
        Tiles::new(self.rows, self.entries, || CsrRowsLaunch::new(self.offsets.arg(), self.rows))
    }
}
