//! A tensor's slices in the memory of a GPU.

use equipoise_graph::Slices;
use equipoise_schedule::{
    device::{Buffer, Gpu},
    engine::DeviceRows,
    plan::Tiles,
    tiles::CsrRows,
};

use crate::{Result, sparse::gpu::DeviceMatrix};

/// The nonzeros of a tensor by the slices of a mode, in the memory of a GPU. Clones share them.
///
/// ```no_run
/// use equipoise::{Result, graph::{Mode, SparseTensor}, tensor::gpu::DeviceSlices};
/// use equipoise_schedule::device::Gpu;
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     let tensor = SparseTensor::from_entries([2, 1, 3], &[(1, 0, 2, 4.0)])?;
///     let slices = DeviceSlices::upload(gpu, &tensor.slices(Mode::Third)?)?;
///     assert_eq!((slices.slices(), slices.nonzeros()), (3, 1));
///     Ok(())
/// }
/// ```
#[derive(Clone)]
pub struct DeviceSlices {
    /// A row per slice, with the first other coordinate of each nonzero as its column.
    pub(super) rows: DeviceMatrix<f32>,
    pub(super) seconds: Buffer<u32>,
    /// The largest coordinates in the two other modes, plus one.
    pub(super) reach: [u32; 2],
}

impl DeviceSlices {
    /// Copies slices to a GPU.
    ///
    /// Fails where the number of nonzeros exceeds 32 bits, or the GPU lacks the memory.
    pub fn upload(gpu: &Gpu, slices: &Slices) -> Result<Self> {
        let csr = slices.rows();
        let DeviceRows { offsets, targets } = DeviceRows::upload(gpu, csr)?;
        let values = gpu.upload(slices.values())?;
        let reach = |coordinates: &[u32]| coordinates.iter().max().map_or(0, |&last| last + 1);
        Ok(Self {
            rows: DeviceMatrix::from_parts(csr.rows(), csr.columns(), offsets, targets, values),
            seconds: gpu.upload(slices.seconds())?,
            reach: [reach(csr.indices()), reach(slices.seconds())],
        })
    }

    /// The number of slices.
    pub fn slices(&self) -> u32 {
        self.rows.rows()
    }

    /// The number of nonzeros.
    pub fn nonzeros(&self) -> u32 {
        self.rows.entries()
    }

    /// The slices as tiles, their nonzeros as atoms.
    pub fn tiles(&self) -> Tiles<'_, CsrRows> {
        self.rows.tiles()
    }
}
