//! A graph in the memory of a GPU, shared by all algorithms.

use std::{
    ops::Deref,
    sync::{Arc, OnceLock},
    time::Duration,
};

use cubecl::prelude::CubeCount;
use equipoise_graph::{Csr, Graph, Weights, memory, parallel::*};
use equipoise_schedule::{
    device::{Buffer, Gpu},
    engine::{DeviceGraph, DeviceRows},
};
use equipoise_select::features::GraphShape;

use crate::{
    Error, Result, digest,
    neighbors::Neighbors,
    once::{TimedOnce, get_or_try_init},
    overflow,
    shape::graph_shape,
    weights::check_weights,
};

/// A graph in the memory of a GPU. Each part is copied or built on first use, and kept for all algorithms: the rows of
/// both directions, their weights, the simple undirected graph.
pub(crate) struct GpuGraph<'a> {
    pub gpu: Gpu,
    pub graph: &'a Graph,
    /// The neighbours on the host, shared with the [`LoadedGraph`](crate::LoadedGraph).
    pub neighbors: Arc<Neighbors>,
    engine_graph: TimedOnce<DeviceGraph>,
    leaving: OnceLock<WeightedRows>,
    entering: OnceLock<WeightedRows>,
    /// The neighbours on the GPU, where they are not the rows of the graph.
    simple: TimedOnce<DeviceGraph>,
    shape: OnceLock<GraphShape>,
    /// The digests of the host's edges, and of its weights.
    digests: [OnceLock<u32>; 2],
    /// Set once all weights were checked: they are zero or more, and finite.
    checked_weights: OnceLock<()>,
    sums_are_finite: OnceLock<bool>,
}

/// The edges that leave or enter each vertex, with their weights.
pub(crate) struct WeightedRows {
    rows: DeviceRows,
    weights: TimedOnce<DeviceWeights>,
    wide_weights: TimedOnce<WideWeights>,
    /// The vertex of each edge.
    origins: OnceLock<Buffer<u32>>,
}

pub(crate) enum DeviceWeights {
    /// Those of an unweighted graph are ones.
    U32(Buffer<u32>),
    F32(Buffer<f32>),
}

/// Weights of 64 bits. A separate type, so that no algorithm uses the rounded ones unknowingly.
pub(crate) struct WideWeights {
    pub exact: Buffer<f64>,
    pub rounded: Buffer<f32>,
}

impl<'a> GpuGraph<'a> {
    /// A sound graph, not copied yet.
    pub fn new(gpu: &Gpu, graph: &'a Graph) -> Self {
        let (neighbors, engine_graph, leaving, entering, simple) = Default::default();
        let (shape, digests, checked_weights, sums_are_finite) = Default::default();
        Self {
            gpu: gpu.clone(),
            graph,
            neighbors,
            engine_graph,
            leaving,
            entering,
            simple,
            shape,
            digests,
            checked_weights,
            sums_are_finite,
        }
    }

    pub fn vertices(&self) -> u32 {
        self.graph.vertices()
    }

    pub fn edges(&self) -> u32 {
        self.graph.edges() as u32
    }

    /// Cubes for one unit per vertex, but no more than run at the same time.
    pub fn vertex_cubes(&self, units: u32) -> CubeCount {
        let busy = self.gpu.properties().cubes_at_work();
        self.gpu.cubes(self.vertices().div_ceil(units).min(busy).into())
    }

    /// The graph without weights, for the operators of the engine.
    pub fn engine_graph(&self) -> Result<&DeviceGraph> {
        self.engine_graph.get_or_try_init(&self.gpu, || {
            self.graph.check_fits_device()?;
            let graph = DeviceGraph::upload(&self.gpu, self.graph)?;
            self.gpu.wait()?;
            Ok(graph)
        })
    }

    /// The edges that leave each vertex.
    pub fn leaving(&self) -> Result<&WeightedRows> {
        get_or_try_init(&self.leaving, || Ok(WeightedRows::new(self.engine_graph()?.leaving())))
    }

    /// The edges that enter each vertex.
    pub fn entering(&self) -> Result<&WeightedRows> {
        if self.graph.is_undirected() {
            return self.leaving();
        }
        get_or_try_init(&self.entering, || {
            let rows = self.engine_graph()?.upload_entering(self.graph.transpose()?)?;
            Ok(WeightedRows::new(rows))
        })
    }

    /// The edges that leave each vertex, with their weights.
    pub fn leaving_with_weights(&self) -> Result<&WeightedRows> {
        let rows = self.leaving()?;
        rows.upload_weights(&self.gpu, self.graph)?;
        Ok(rows)
    }

    /// The edges that enter each vertex, with their weights.
    pub fn entering_with_weights(&self) -> Result<&WeightedRows> {
        let rows = self.entering()?;
        rows.upload_weights(&self.gpu, self.graph.transpose()?)?;
        Ok(rows)
    }

    /// The weights of the edges that leave each vertex, which have 64 bits.
    pub fn wide_weights(&self) -> Result<&WideWeights> {
        self.leaving()?.upload_wide_weights(&self.gpu, self.graph)
    }

    /// The neighbours of each vertex on the host, and the time of finding them.
    pub fn neighbors(&self) -> Result<(&Csr, Duration)> {
        self.neighbors.csr(self.graph)
    }

    /// The simple undirected graph, and the time of copying it.
    pub fn simple(&self) -> Result<(&DeviceGraph, Duration)> {
        if self.neighbors.are_rows_of(self.graph)? {
            return Ok((self.engine_graph()?, self.upload_time(false)));
        }
        let (neighbors, _) = self.neighbors()?;
        let graph = self.simple.get_or_try_init(&self.gpu, || {
            // SAFETY: `Csr::new` built the rows.
            let graph = unsafe { DeviceGraph::from_neighbors(&self.gpu, neighbors) }?;
            self.gpu.finish()?;
            Ok(graph)
        })?;
        Ok((graph, self.simple.time()))
    }

    /// The bytes that the edges that leave each vertex take so far, with their weights if asked for.
    pub fn bytes_uploaded(&self, with_weights: bool) -> u64 {
        if self.engine_graph.get().is_none() {
            return 0;
        }
        let weights = u64::from(with_weights && has_weights(&self.leaving));
        4 * (u64::from(self.vertices()) + 1 + (1 + weights) * u64::from(self.edges()))
    }

    /// The bytes that copying the edges that leave each vertex will take, with their weights if asked for.
    pub fn bytes_missing(&self, with_weights: bool) -> u64 {
        let csr = self.graph.csr();
        let rows = match self.engine_graph.get() {
            Some(_) => 0,
            None => DeviceRows::bytes_of(&self.gpu, csr),
        };
        rows.saturating_add(self.weight_bytes_missing(&self.leaving, csr, with_weights))
    }

    /// The bytes that copying the edges of both directions will take, those that enter each vertex with their weights if
    /// asked for.
    pub fn bytes_missing_entering(&self, with_weights: bool) -> Result<u64> {
        if self.graph.is_undirected() {
            return Ok(self.bytes_missing(with_weights));
        }
        let csr = self.graph.transpose()?.csr();
        let rows = match self.entering.get() {
            Some(_) => 0,
            None => DeviceRows::bytes_of(&self.gpu, csr),
        };
        let weights = self.weight_bytes_missing(&self.entering, csr, with_weights);
        Ok(self.bytes_missing(false).saturating_add(rows).saturating_add(weights))
    }

    fn weight_bytes_missing(&self, rows: &OnceLock<WeightedRows>, csr: &Csr, read: bool) -> u64 {
        if read && !has_weights(rows) { self.gpu.held_by(4 * csr.entries().max(1)) } else { 0 }
    }

    /// The bytes that copying the simple undirected graph will take.
    pub fn bytes_missing_simple(&self) -> Result<u64> {
        if self.neighbors.are_rows_of(self.graph)? {
            return Ok(self.bytes_missing(false));
        }
        Ok(match self.simple.get() {
            Some(_) => 0,
            None => DeviceRows::bytes_of(&self.gpu, self.neighbors()?.0),
        })
    }

    /// The time of copying the edges that leave each vertex, with their weights if asked for.
    pub fn upload_time(&self, with_weights: bool) -> Duration {
        let rows = self.leaving.get().filter(|_| with_weights);
        let of_weights = rows.map_or(Duration::ZERO, |rows| match rows.weights.get() {
            Some(_) => rows.weights.time(),
            None => rows.wide_weights.time(),
        });
        self.engine_graph.time() + of_weights
    }

    /// The digest of the host's edges, and of their weights if asked for.
    pub fn digest(&self, with_weights: bool) -> u32 {
        let [edges, weights] = &self.digests;
        let edges = *edges.get_or_init(|| digest::of_edges(self.graph));
        if with_weights {
            edges.wrapping_add(*weights.get_or_init(|| digest::of_weights(self.graph)))
        } else {
            edges
        }
    }

    /// Fails where a weight is negative, infinite or not a number. Checks them once.
    pub fn check_weights(&self) -> Result<()> {
        get_or_try_init(&self.checked_weights, || check_weights(self.graph)).copied()
    }

    /// Whether no sum of weights along a path can be infinite.
    pub fn sums_are_finite(&self) -> bool {
        *self.sums_are_finite.get_or_init(|| overflow::is_impossible(self.graph))
    }

    /// The features of the graph.
    pub fn shape(&self) -> Result<&GraphShape> {
        get_or_try_init(&self.shape, || graph_shape(self.graph))
    }
}

fn has_weights(rows: &OnceLock<WeightedRows>) -> bool {
    rows.get().is_some_and(|rows| rows.weights().is_some())
}

impl Deref for WeightedRows {
    type Target = DeviceRows;

    fn deref(&self) -> &DeviceRows {
        &self.rows
    }
}

impl WeightedRows {
    fn new(rows: &DeviceRows) -> Self {
        let (weights, wide_weights, origins) = Default::default();
        Self { rows: rows.clone(), weights, wide_weights, origins }
    }

    /// Copies the weights of `graph`, whose rows these are.
    fn upload_weights(&self, gpu: &Gpu, graph: &Graph) -> Result<&DeviceWeights> {
        self.weights.get_or_try_init(gpu, || {
            let weights = match graph.weights() {
                None => DeviceWeights::U32(gpu.filled(self.targets.len(), 1)?),
                Some(Weights::U32(weights)) => DeviceWeights::U32(gpu.upload(weights)?),
                Some(Weights::F32(weights)) => DeviceWeights::F32(gpu.upload(weights)?),
                Some(Weights::F64(_)) => return Err(Error::WeightsTooWide { what: "paths" }),
            };
            gpu.wait()?;
            Ok(weights)
        })
    }

    /// Copies the weights of `graph`, whose rows these are and whose weights have 64 bits.
    fn upload_wide_weights(&self, gpu: &Gpu, graph: &Graph) -> Result<&WideWeights> {
        self.wide_weights.get_or_try_init(gpu, || {
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
        })
    }

    /// The weights, if they were copied.
    pub fn weights(&self) -> Option<&DeviceWeights> {
        self.weights.get()
    }

    /// The weights of 64 bits, if they were copied.
    pub fn wide_weights(&self) -> Option<&WideWeights> {
        self.wide_weights.get()
    }

    /// The vertex of each edge of `graph`, whose rows these are.
    pub fn origins(&self, gpu: &Gpu, graph: &Graph) -> Result<&Buffer<u32>> {
        get_or_try_init(&self.origins, || Ok(gpu.upload(&graph.csr().row_of_each_entry()?)?))
    }
}
