//! A tensor's slices in the memory of a GPU.

use equipoise_graph::Slices;
use equipoise_schedule::{
    device::{Buffer, Gpu},
    engine::DeviceRows,
    plan::Tiles,
    tiles::{CsrRows, CsrRowsLaunch},
};

use crate::Result;

/// The nonzeros of a tensor by the slices of a mode, in the memory of a GPU. Clones share them.
///
/// ```no_run
/// use equipoise::{Result, graph::{Mode, SparseTensor}, tensor::gpu::DeviceSlices};
/// use equipoise_schedule::device::Gpu;
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     let tensor = SparseTensor::from_entries([2, 1, 3], &[(1, 0, 2, 4.0)])?;
///     let there = DeviceSlices::upload(gpu, &tensor.slices(Mode::Third)?)?;
///     assert_eq!((there.slices(), there.nonzeros()), (3, 1));
///     Ok(())
/// }
/// ```
#[derive(Clone)]
pub struct DeviceSlices {
    slices: u32,
    nonzeros: u32,
    offsets: Buffer<u32>,
    pub(super) firsts: Buffer<u32>,
    pub(super) seconds: Buffer<u32>,
    pub(super) values: Buffer<f32>,
    /// The largest coordinates in the two other modes, plus one.
    pub(super) reach: [u32; 2],
}

impl DeviceSlices {
    /// Copies slices to a GPU.
    ///
    /// Fails where there are more nonzeros than 32 bits count, or the memory is not there.
    pub fn upload(gpu: &Gpu, slices: &Slices) -> Result<Self> {
        let rows = DeviceRows::upload(gpu, slices.rows())?;
        let reach = |coordinates: &[u32]| coordinates.iter().max().map_or(0, |&last| last + 1);
        Ok(Self {
            slices: slices.rows().rows(),
            nonzeros: rows.targets.len() as u32,
            offsets: rows.offsets,
            firsts: rows.targets,
            seconds: gpu.upload(slices.seconds())?,
            values: gpu.upload(slices.values())?,
            reach: [reach(slices.rows().indices()), reach(slices.seconds())],
        })
    }

    /// How many slices there are.
    pub fn slices(&self) -> u32 {
        self.slices
    }

    /// How many nonzeros there are.
    pub fn nonzeros(&self) -> u32 {
        self.nonzeros
    }

    /// The slices as tiles, their nonzeros as atoms.
    pub fn tiles(&self) -> Tiles<'_, CsrRows> {
        Tiles::new(self.slices, self.nonzeros, || {
            CsrRowsLaunch::new(self.offsets.arg(), self.slices)
        })
    }
}
