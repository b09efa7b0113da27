//! A graph in the memory of a GPU, shared by all algorithms.

use std::{sync::OnceLock, time::Duration};

use cubecl::prelude::CubeCount;
use equipoise_graph::{Graph, Weights, memory};
use equipoise_schedule::{
    device::{Buffer, Gpu, GpuRuntime},
    engine::{self, RowsLaunch},
};
use equipoise_select::features::GraphShape;
use rayon::prelude::*;

use crate::{
    Error, Result, digest, overflow,
    sssp::check_weights,
    times::{timed, timed_on},
    traversal::graph_shape,
};

/// A graph that is copied to a GPU when an algorithm first needs it there, once for all of them.
pub(crate) struct GraphOnGpu<'a> {
    pub gpu: Gpu,
    pub graph: &'a Graph,
    copied: OnceLock<GpuGraph<'a>>,
}

impl<'a> GraphOnGpu<'a> {
    pub fn new(gpu: &Gpu, graph: &'a Graph) -> Self {
        Self { gpu: gpu.clone(), graph, copied: OnceLock::new() }
    }

    /// The graph there, copied now if it was not.
    pub fn get(&self) -> Result<&GpuGraph<'a>> {
        made(&self.copied, || GpuGraph::upload(&self.gpu, self.graph))
    }

    /// The bytes that are there of the rows of edges that leave, and of their weights.
    pub fn bytes(&self) -> u64 {
        self.copied.get().map_or(0, |copied| copied.bytes_there(true))
    }

    /// The bytes that are yet to be copied of the rows of edges that leave, and of their weights.
    pub fn bytes_missing(&self, with_weights: bool) -> u64 {
        let (csr, copied) = (self.graph.csr(), self.copied.get());
        let rows = if copied.is_some() { 0 } else { engine::DeviceRows::bytes_of(&self.gpu, csr) };
        let is_weighted = copied.is_some_and(|copied| copied.leaving.weights().is_some());
        match with_weights && !is_weighted {
            true => rows.saturating_add(self.gpu.held_by(4 * csr.entries().max(1))),
            false => rows,
        }
    }

    /// The bytes that are yet to be copied of the edges, by the vertices that they leave and by those that they enter;
    /// the latter with their weights, if an algorithm reads them.
    pub fn bytes_missing_entering(&self, with_weights: bool) -> Result<u64> {
        if self.graph.is_undirected() {
            return Ok(self.bytes_missing(with_weights));
        }
        let transpose = self.graph.transpose()?.csr();
        let entering = self.copied.get().and_then(|copied| copied.entering.get());
        let rows = match entering {
            Some(_) => 0,
            None => engine::DeviceRows::bytes_of(&self.gpu, transpose),
        };
        let is_weighted = entering.is_some_and(|rows| rows.weights().is_some());
        let weights = match with_weights && !is_weighted {
            true => self.gpu.held_by(4 * transpose.entries().max(1)),
            false => 0,
        };
        Ok(self.bytes_missing(false).saturating_add(rows).saturating_add(weights))
    }
}

/// A graph in the memory of a GPU. What some algorithms need beside the edges that leave vertices,
/// weights too, is copied or made when one first asks for it, and kept.
pub(crate) struct GpuGraph<'a> {
    pub gpu: Gpu,
    pub graph: &'a Graph,
    /// The graph without weights.
    pub there: engine::DeviceGraph,
    pub leaving: DeviceRows,
    entering: OnceLock<DeviceRows>,
    /// How long it took to copy the rows of edges that leave.
    upload: Duration,
    shape: OnceLock<GraphShape>,
    /// The digests of the host's edges, and of its weights.
    digests: [OnceLock<u32>; 2],
    /// Weights that were found to be zero or more, and finite.
    checked_weights: OnceLock<()>,
    sums_are_finite: OnceLock<bool>,
}

/// Edges by the vertices they leave, or enter, with their weights.
pub(crate) struct DeviceRows {
    pub offsets: Buffer<u32>,
    pub targets: Buffer<u32>,
    weights: OnceLock<Copied<DeviceWeights>>,
    /// Weights of 64 bits.
    wide: OnceLock<Copied<WideWeights>>,
    /// The vertex of each edge.
    origins: OnceLock<Buffer<u32>>,
}

/// The weights of edges.
pub(crate) enum DeviceWeights {
    /// Those of an unweighted graph are ones.
    U32(Buffer<u32>),
    F32(Buffer<f32>),
}

/// Weights of 64 bits, which no algorithm takes for those of 32: who rounds them has to ask for it.
pub(crate) struct WideWeights {
    pub exact: Buffer<f64>,
    pub rounded: Buffer<f32>,
}

/// What was copied, and how long that took.
struct Copied<T> {
    what: T,
    time: Duration,
}

impl<'a> GpuGraph<'a> {
    /// Copies the edges that leave each vertex of a sound graph to a GPU.
    pub fn upload(gpu: &Gpu, graph: &'a Graph) -> Result<Self> {
        let (there, upload) = timed(|| -> Result<_> {
            graph.check_fits_device()?;
            let there = engine::DeviceGraph::upload(gpu, graph)?;
            gpu.wait()?;
            Ok(there)
        });
        let there = there?;
        let leaving = DeviceRows::of(there.leaving());
        let (entering, shape, digests, checked_weights, sums_are_finite) = Default::default();
        Ok(Self {
            gpu: gpu.clone(),
            graph,
            there,
            leaving,
            entering,
            upload,
            shape,
            digests,
            checked_weights,
            sums_are_finite,
        })
    }

    pub fn vertices(&self) -> u32 {
        self.graph.vertices()
    }

    pub fn edges(&self) -> u32 {
        self.leaving.edges()
    }

    /// Cubes of so many units for a unit a vertex, but not more than are at work at the same time.
    pub fn vertex_cubes(&self, units: u32) -> CubeCount {
        let busy = self.gpu.properties().cubes_at_work();
        self.gpu.cubes(self.vertices().div_ceil(units).min(busy).into())
    }

    /// The edges by the vertices they enter.
    pub fn entering(&self) -> Result<&DeviceRows> {
        if self.graph.is_undirected() {
            return Ok(&self.leaving);
        }
        made(&self.entering, || {
            Ok(DeviceRows::of(self.there.upload_entering(self.graph.transpose()?)?))
        })
    }

    /// Copies the weights of the edges that leave vertices, unless they are there.
    pub fn upload_weights(&self) -> Result<()> {
        self.leaving.upload_weights(&self.gpu, self.graph)
    }

    /// The weights of 64 bits of the edges that leave vertices, copied now if they were not.
    pub fn upload_wide_weights(&self) -> Result<&WideWeights> {
        self.leaving.upload_wide_weights(&self.gpu, self.graph)
    }

    /// The edges by the vertices they enter, with their weights.
    pub fn entering_with_weights(&self) -> Result<&DeviceRows> {
        let rows = self.entering()?;
        rows.upload_weights(&self.gpu, self.graph.transpose()?)?;
        Ok(rows)
    }

    /// The bytes that are on the GPU: the rows of edges that leave, and their weights if they were
    /// copied and an algorithm reads them.
    pub fn bytes_there(&self, with_weights: bool) -> u64 {
        let weights = u64::from(with_weights && self.leaving.weights.get().is_some());
        4 * (u64::from(self.vertices()) + 1 + (1 + weights) * u64::from(self.edges()))
    }

    /// How long it took to copy the rows of edges that leave, and their weights if an algorithm reads
    /// them.
    pub fn upload_time(&self, with_weights: bool) -> Duration {
        let narrow = self.leaving.weights.get().map(|copied| copied.time);
        let weights = narrow.or_else(|| self.leaving.wide.get().map(|copied| copied.time));
        self.upload + weights.filter(|_| with_weights).unwrap_or_default()
    }

    /// The digest of the edges that leave vertices as the host has them, and of their weights if these
    /// are asked for.
    pub fn digest(&self, with_weights: bool) -> u32 {
        let [edges, weights] = &self.digests;
        let edges = *edges.get_or_init(|| digest::of_edges(self.graph));
        match with_weights {
            true => edges.wrapping_add(*weights.get_or_init(|| digest::of_weights(self.graph))),
            false => edges,
        }
    }

    /// Fails where a weight is negative, infinite or not a number; looks at them once.
    pub fn check_weights(&self) -> Result<()> {
        made(&self.checked_weights, || check_weights(self.graph)).copied()
    }

    /// Whether no sum of weights along a path can be infinite.
    pub fn sums_are_finite(&self) -> bool {
        *self.sums_are_finite.get_or_init(|| overflow::is_impossible(self.graph))
    }

    /// The features of the graph.
    pub fn shape(&self) -> Result<&GraphShape> {
        made(&self.shape, || graph_shape(self.graph))
    }
}

impl DeviceRows {
    /// Rows that are there.
    fn of(rows: &engine::DeviceRows) -> Self {
        let (offsets, targets) = (rows.offsets.clone(), rows.targets.clone());
        let (weights, wide, origins) = Default::default();
        Self { offsets, targets, weights, wide, origins }
    }

    pub fn edges(&self) -> u32 {
        self.targets.len() as u32
    }

    /// Copies the weights of a graph whose rows these are, unless they are there.
    fn upload_weights(&self, gpu: &Gpu, graph: &Graph) -> Result<()> {
        let copy = || -> Result<_> {
            let weights = match graph.weights() {
                None => DeviceWeights::U32(gpu.filled(self.targets.len(), 1)?),
                Some(Weights::U32(weights)) => DeviceWeights::U32(gpu.upload(weights)?),
                Some(Weights::F32(weights)) => DeviceWeights::F32(gpu.upload(weights)?),
                Some(Weights::F64(_)) => return Err(Error::weights_of_64_bits()),
            };
            gpu.wait()?;
            Ok(weights)
        };
        made(&self.weights, || {
            let (weights, time) = timed_on(gpu, copy);
            Ok(Copied { what: weights?, time })
        })
        .map(drop)
    }

    /// Copies the weights of 64 bits of a graph whose rows these are, unless they are there.
    fn upload_wide_weights(&self, gpu: &Gpu, graph: &Graph) -> Result<&WideWeights> {
        let copy = || -> Result<_> {
            let Some(Weights::F64(exact)) = graph.weights() else {
                unreachable!("the weights choose the search");
            };
            memory::check(
                format_args!("a rounded copy of {} weights", exact.len()),
                memory::bytes_of::<f32>(exact.len() as u64),
            )?;
            let rounded: Vec<f32> = exact.par_iter().map(|&weight| weight as f32).collect();
            let weights = WideWeights { exact: gpu.upload(exact)?, rounded: gpu.upload(&rounded)? };
            gpu.wait()?;
            Ok(weights)
        };
        let copied = made(&self.wide, || {
            let (weights, time) = timed_on(gpu, copy);
            Ok(Copied { what: weights?, time })
        })?;
        Ok(&copied.what)
    }

    /// The weights of 64 bits, if they were copied.
    pub fn wide_weights(&self) -> Option<&WideWeights> {
        self.wide.get().map(|copied| &copied.what)
    }

    /// The weights, if they were copied.
    pub fn weights(&self) -> Option<&DeviceWeights> {
        self.weights.get().map(|copied| &copied.what)
    }

    /// The vertex of each edge: where it starts, of edges that leave.
    pub fn origins(&self, gpu: &Gpu, graph: &Graph) -> Result<&Buffer<u32>> {
        made(&self.origins, || Ok(gpu.upload(&graph.csr().row_of_each_entry()?)?))
    }

    pub fn arg(&self) -> RowsLaunch<GpuRuntime> {
        RowsLaunch::new(self.offsets.arg(), self.targets.arg())
    }
}

/// What is there, or what is made now.
pub(crate) fn made<T>(place: &OnceLock<T>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    if let Some(there) = place.get() {
        return Ok(there);
    }
    let made = make()?;
    Ok(place.get_or_init(|| made))
}
