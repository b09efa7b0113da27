//! A graph in the memory of a GPU, with weights.

use std::{sync::OnceLock, time::Duration};

use equipoise_graph::{Graph, Weights};
use equipoise_schedule::{
    device::{Buffer, Gpu, GpuRuntime},
    engine::{self, Operation, RowsLaunch, SearchOp},
};
use equipoise_select::features::GraphShape;

use super::strategies::{Implementation, whole::EndsLaunch};
use crate::{Result, graph_shape, times::timed};

/// A graph in the memory of a GPU. What some strategies need beside the edges that leave vertices
/// is made when one first asks for it, and kept.
pub(crate) struct GpuGraph<'a> {
    pub gpu: Gpu,
    pub graph: &'a Graph,
    /// The graph without weights.
    pub there: engine::DeviceGraph,
    pub leaving: DeviceRows,
    entering: OnceLock<DeviceRows>,
    /// How long it took to copy the graph.
    pub upload: Duration,
    shape: OnceLock<GraphShape>,
}

/// Edges by the vertices they leave, or enter, with their weights.
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

/// An operation whose weights, if it has some, are those of a graph.
pub(crate) trait OnGraph: SearchOp + Sized {
    /// The algorithm that it is the operation of.
    const ALGORITHM: &'static str;

    /// The strategies that only this algorithm has.
    fn own_strategies<'g>() -> Vec<Implementation<'g, Self>>;

    /// The operation along edges in the order of these rows, for a kernel.
    fn arg(gpu: &Gpu, rows: &DeviceRows, labels: &Buffer<u32>) -> Self::RuntimeArg<GpuRuntime>;

    /// The operation along the edges that leave vertices.
    fn on<'o>(graph: &'o GpuGraph, labels: &'o Buffer<u32>) -> Operation<'o, Self> {
        // SAFETY: there is a label for each vertex, and a weight for each edge.
        unsafe { Operation::unchecked(|| Self::arg(&graph.gpu, &graph.leaving, labels)) }
    }
}

impl<'a> GpuGraph<'a> {
    /// Copies a graph to a GPU.
    pub fn upload(gpu: &Gpu, graph: &'a Graph) -> Result<Self> {
        let (copied, upload) = timed(|| -> Result<_> {
            graph.check()?;
            graph.check_fits_device()?;
            let there = engine::DeviceGraph::upload(gpu, graph)?;
            let leaving = DeviceRows::of(gpu, there.leaving(), graph)?;
            gpu.finish()?;
            Ok((there, leaving))
        });
        let (there, leaving) = copied?;
        let (entering, shape) = (OnceLock::new(), OnceLock::new());
        Ok(Self { gpu: gpu.clone(), graph, there, leaving, entering, upload, shape })
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
        made(&self.entering, || {
            let transpose = self.graph.transpose()?;
            DeviceRows::of(&self.gpu, self.there.upload_entering(transpose)?, transpose)
        })
    }

    /// The features of the graph.
    pub fn shape(&self) -> Result<&GraphShape> {
        made(&self.shape, || graph_shape(self.graph))
    }
}

impl DeviceRows {
    /// Rows that are there, with the weights of a graph.
    fn of(gpu: &Gpu, rows: &engine::DeviceRows, graph: &Graph) -> Result<Self> {
        let weights = match graph.weights() {
            None => DeviceWeights::Ones(OnceLock::new()),
            Some(Weights::U32(weights)) => DeviceWeights::U32(gpu.upload(weights)?),
            Some(Weights::F32(weights)) => DeviceWeights::F32(gpu.upload(weights)?),
        };
        let (offsets, targets) = (rows.offsets.clone(), rows.targets.clone());
        Ok(Self { offsets, targets, weights, origins: OnceLock::new() })
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
