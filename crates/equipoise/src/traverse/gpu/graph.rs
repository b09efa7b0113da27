//! A graph in the memory of a GPU.

use std::sync::OnceLock;

use equipoise_graph::{Graph, Weights};
use equipoise_schedule::device::{Buffer, Gpu, GpuRuntime};

use super::{field::RowsLaunch, strategies::whole::EndsLaunch};
use crate::Result;

/// A graph in the memory of a GPU: the edges that leave each vertex. What some strategies need
/// beside that is made when one first asks for it, and kept.
pub(crate) struct DeviceGraph<'a> {
    pub gpu: Gpu,
    pub graph: &'a Graph,
    pub leaving: DeviceRows,
    entering: OnceLock<DeviceRows>,
}

/// Edges by the vertices they leave, or enter.
pub(crate) struct DeviceRows {
    pub offsets: Buffer<u32>,
    pub targets: Buffer<u32>,
    pub weights: DeviceWeights,
    /// The vertex of each edge.
    origins: OnceLock<Buffer<u32>>,
}

/// The weights of edges.
pub(crate) enum DeviceWeights {
    /// None: each counts one, in an array that is made when a search first asks for it.
    Ones(OnceLock<Buffer<u32>>),
    U32(Buffer<u32>),
    F32(Buffer<f32>),
}

impl<'a> DeviceGraph<'a> {
    /// Copies a graph to a GPU.
    pub fn upload(gpu: &Gpu, graph: &'a Graph) -> Result<Self> {
        graph.check()?;
        graph.check_fits_device()?;
        let leaving = DeviceRows::upload(gpu, graph)?;
        Ok(Self { gpu: gpu.clone(), graph, leaving, entering: OnceLock::new() })
    }

    pub fn vertices(&self) -> u32 {
        self.graph.vertices()
    }

    pub fn edges(&self) -> u32 {
        self.leaving.edges()
    }

    /// The edges by the vertices they enter.
    pub fn entering(&self) -> Result<&DeviceRows> {
        if self.graph.is_undirected() {
            return Ok(&self.leaving);
        }
        made(&self.entering, || DeviceRows::upload(&self.gpu, self.graph.transpose()?))
    }
}

impl DeviceRows {
    fn upload(gpu: &Gpu, graph: &Graph) -> Result<Self> {
        let offsets: Vec<u32> = graph.csr().offsets().iter().map(|&offset| offset as u32).collect();
        let weights = match graph.weights() {
            None => DeviceWeights::Ones(OnceLock::new()),
            Some(Weights::U32(weights)) => DeviceWeights::U32(gpu.upload(weights)?),
            Some(Weights::F32(weights)) => DeviceWeights::F32(gpu.upload(weights)?),
        };
        Ok(Self {
            offsets: gpu.upload(&offsets)?,
            targets: gpu.upload(graph.csr().indices())?,
            weights,
            origins: OnceLock::new(),
        })
    }

    pub fn edges(&self) -> u32 {
        self.targets.len() as u32
    }

    /// Makes weights of one, where there are none.
    pub fn make_weights(&self, gpu: &Gpu) -> Result<()> {
        match &self.weights {
            DeviceWeights::Ones(ones) => {
                made(ones, || Ok(gpu.filled(self.targets.len(), 1)?)).map(drop)
            }
            _ => Ok(()),
        }
    }

    /// The vertex of each edge: where it starts, of edges that leave.
    pub fn origins(&self, gpu: &Gpu, graph: &Graph) -> Result<&Buffer<u32>> {
        made(&self.origins, || Ok(gpu.upload(&graph.csr().row_of_each_entry()?)?))
    }

    pub fn arg(&self) -> RowsLaunch<GpuRuntime> {
        RowsLaunch::new(self.offsets.arg(), self.targets.arg())
    }
}

/// The arrays of edges in coordinate form, for a kernel.
pub(crate) fn ends_arg(origins: &Buffer<u32>, targets: &Buffer<u32>) -> EndsLaunch<GpuRuntime> {
    EndsLaunch::new(origins.arg(), targets.arg(), targets.len() as u32)
}

/// What is there, or what is made now.
pub(crate) fn made<T>(place: &OnceLock<T>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    if let Some(there) = place.get() {
        return Ok(there);
    }
    let made = make()?;
    Ok(place.get_or_init(|| made))
}
