//! Compressed rows on a GPU.

use std::sync::atomic::{AtomicBool, Ordering};

use cubecl::prelude::*;
use equipoise_graph::{Csr, Error as GraphError, memory};

use crate::{
    Error, Result,
    device::{Buffer, Gpu, GpuRuntime},
    input::Input,
};

/// Outgoing or incoming edges by vertex, in a kernel.
#[derive(CubeType, CubeLaunch)]
pub struct Rows {
    /// Where the edges of each vertex start, and where the last one's end.
    pub offsets: Input<u32>,
    /// The vertex at the other end of each edge.
    pub targets: Input<u32>,
}

/// Outgoing or incoming edges by vertex, on a GPU.
#[derive(Clone, Debug)]
pub struct DeviceRows {
    /// Where the edges of each vertex start, and where the last one's end.
    pub offsets: Buffer<u32>,
    /// The vertex at the other end of each edge.
    pub targets: Buffer<u32>,
}

impl DeviceRows {
    /// Copies the rows of a graph or a matrix to a GPU.
    ///
    /// Fails if 32 bits do not count the entries, or memory does not suffice. Rows in memory that others may
    /// [change](Csr::may_change) are checked while they are copied, since kernels do not check them.
    ///
    /// ```
    /// use equipoise_graph::Csr;
    /// use equipoise_schedule::{device::{Device, OpenDevice}, engine::DeviceRows};
    ///
    /// let csr = Csr::new(3, vec![0, 2, 3], vec![0, 2, 1])?;
    /// if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
    ///     let rows = DeviceRows::upload(&gpu, &csr)?;
    ///     assert_eq!(gpu.download(&rows.offsets)?, [0, 2, 3]);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn upload(gpu: &Gpu, csr: &Csr) -> Result<Self> {
        let (count, limit) = (csr.entries(), u64::from(u32::MAX));
        if count > limit {
            return Err(Error::TooMany { what: "entries of rows".into(), count, limit });
        }
        Ok(Self { offsets: upload_offsets(gpu, csr)?, targets: upload_columns(gpu, csr)? })
    }

    /// The bytes that the rows take.
    pub fn bytes_of(gpu: &Gpu, csr: &Csr) -> u64 {
        let words = |count: u64| gpu.held_by(4 * count.max(1));
        words(u64::from(csr.rows()) + 1).saturating_add(words(csr.entries()))
    }

    /// The number of edges.
    pub fn edges(&self) -> u32 {
        self.targets.len() as u32
    }

    /// The argument that binds them.
    pub fn arg(&self) -> RowsLaunch<GpuRuntime> {
        RowsLaunch::new(self.offsets.arg(), self.targets.arg())
    }
}

/// Copies where each row starts, and where the last one ends.
fn upload_offsets(gpu: &Gpu, csr: &Csr) -> Result<Buffer<u32>> {
    let narrowed = |start: usize, narrow: &mut [u32]| {
        let from = csr.offsets()[start..].iter();
        narrow.iter_mut().zip(from).for_each(|(to, &from)| *to = from as u32);
    };
    if !csr.may_change() {
        return gpu.upload_with(csr.offsets().len(), narrowed);
    }
    // Pieces are copied in any order, and each starts where the previous one ends, so that only the whole can be
    // checked.
    let count = csr.offsets().len();
    let copied = memory::check("a copy of the offsets of rows", 4 * count as u64);
    copied.map_err(|error| Error::Schedule(error.to_string()))?;
    let mut offsets = vec![0; count];
    narrowed(0, &mut offsets);
    let ends_are_right =
        offsets.first() == Some(&0) && offsets.last() == Some(&(csr.entries() as u32));
    if ends_are_right && offsets.is_sorted() { gpu.upload(&offsets) } else { Err(changed()) }
}

/// Copies the column of each entry of rows to a GPU.
///
/// Fails if memory does not suffice. Columns in memory that others may [change](Csr::may_change) are checked while they
/// are copied, since kernels do not check them.
///
/// ```
/// use equipoise_graph::Csr;
/// use equipoise_schedule::{device::{Device, OpenDevice}, engine::upload_columns};
///
/// let csr = Csr::new(3, vec![0, 2, 3], vec![0, 2, 1])?;
/// if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
///     assert_eq!(gpu.download(&upload_columns(&gpu, &csr)?)?, [0, 2, 1]);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn upload_columns(gpu: &Gpu, csr: &Csr) -> Result<Buffer<u32>> {
    let (indices, columns) = (csr.indices(), csr.columns());
    if !csr.may_change() {
        return gpu.upload(indices);
    }
    let are_inside = AtomicBool::new(true);
    let buffer = gpu.upload_with(indices.len(), |start, piece: &mut [u32]| {
        piece.copy_from_slice(&indices[start..start + piece.len()]);
        if piece.iter().any(|&column| column >= columns) {
            are_inside.store(false, Ordering::Relaxed);
        }
    })?;
    if are_inside.into_inner() { Ok(buffer) } else { Err(changed()) }
}

fn changed() -> Error {
    let what = "a graph or a matrix".into();
    Error::Schedule(GraphError::Changed { what }.to_string())
}
