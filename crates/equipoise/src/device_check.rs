//! Verifiers on the GPU that holds the graph. They share no code with the algorithms but the orders of weights and vertices.
//!
//! A verifier is a few passes of the engine's operators over the copy of the graph on the device. Another pass computes a
//! digest of that copy: it proves that the copy is the host's graph, so that no edge was left out.

use cubecl::prelude::*;
use equipoise_schedule::{
    ScheduleName,
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
    input::Input,
};

use crate::{
    Error, NONE, Result,
    digest::{edge_term, weight_term},
    gpu_graph::{DeviceWeights, GpuGraph},
    run::buffer_bytes,
};

/// The partial digests of edges, so that few units add to one at a time.
const DIGESTS: u32 = 1024;

pub(crate) struct DeviceCheck<'g> {
    pub graph: &'g DeviceGraph,
    source: &'g GpuGraph<'g>,
    weights: Option<&'g DeviceWeights>,
    /// The first vertex that breaks a rule; [`NONE`] if none does.
    wrong: Buffer<u32>,
}

/// A kernel's view of the first vertex that breaks a rule.
pub(crate) type Wrong = Array<Atomic<u32>>;

impl<'g> DeviceCheck<'g> {
    /// A check that takes `words` numbers of 32 bits per vertex, and sees the edges that leave each vertex. `None` where the
    /// host has to check instead: if memory is short.
    pub fn of_edges(graph: &'g GpuGraph<'g>, words: u64) -> Result<Option<Self>> {
        Self::new(graph, words, false)
    }

    /// The same for rules about weights of 32 bits.
    pub fn of_weights(graph: &'g GpuGraph<'g>, words: u64) -> Result<Option<Self>> {
        Self::new(graph, words, true)
    }

    fn new(graph: &'g GpuGraph<'g>, words: u64, with_weights: bool) -> Result<Option<Self>> {
        let bytes = buffer_bytes(&graph.gpu, u64::from(graph.vertices()), words);
        let bytes = bytes.saturating_add(graph.bytes_missing(with_weights));
        if graph.vertices() == 0 || graph.gpu.require("verifying", bytes).is_err() {
            return Ok(None);
        }
        let wrong = graph.gpu.filled(1, NONE)?;
        let weights = if with_weights { graph.leaving_with_weights()?.weights() } else { None };
        Ok(Some(Self { graph: graph.engine_graph()?, source: graph, weights, wrong }))
    }

    /// The same for rules about edges of either direction: also `None` if edges have directions.
    pub fn of_undirected(graph: &'g GpuGraph<'g>, words: u64) -> Result<Option<Self>> {
        if !graph.graph.is_undirected() {
            return Ok(None);
        }
        Self::of_edges(graph, words)
    }

    /// The same for rules about the neighbours of a vertex: also `None` for graphs with loops or parallel edges.
    pub fn of_simple(graph: &'g GpuGraph<'g>, words: u64) -> Result<Option<Self>> {
        if !graph.graph.is_simple() {
            return Ok(None);
        }
        Self::of_undirected(graph, words)
    }

    pub fn gpu(&self) -> &'g Gpu {
        &self.source.gpu
    }

    /// The first vertex that breaks a rule, for kernels.
    pub fn wrong(&self) -> ArrayArg<GpuRuntime> {
        self.wrong.arg()
    }

    /// The weights of edges by their bits, for kernels; without weights, any numbers.
    pub fn weights(&self) -> ArrayArg<GpuRuntime> {
        match self.weights {
            Some(DeviceWeights::U32(weights)) => weights.arg(),
            Some(DeviceWeights::F32(weights)) => weights.arg(),
            None => self.graph.targets().arg(),
        }
    }

    /// Runs a pass over all edges.
    pub fn gather<Op: GatherOp>(&self, op: &Operation<Op>) -> Result<()> {
        Ok(gather(self.graph, ScheduleName::MergePath.into(), op)?)
    }

    /// The outcome: whether no vertex broke a rule, and the graph is that of the host.
    pub fn passed(self) -> Result<bool> {
        let digests = self.gpu().filled(DIGESTS as usize, 0u32)?;
        let has_weights = self.weights.is_some();
        let digest = || DigestLaunch::new(digests.arg(), self.weights(), has_weights);
        // SAFETY: digests are indexed modulo their number, and weights by edge.
        self.gather(&unsafe { Operation::<Digest>::unchecked(digest) })?;
        let digest = self.gpu().download(&digests)?.into_iter().fold(0, u32::wrapping_add);
        if digest != self.source.digest(has_weights) {
            return Err(Error::Wrong("the graph on the device is not the one on the host".into()));
        }
        Ok(self.gpu().download(&self.wrong)?[0] == NONE)
    }
}

/// The digest of the rows of a graph, and of their weights.
#[derive(CubeType, CubeLaunch)]
struct Digest {
    digests: Array<Atomic<u32>>,
    weights: Input<u32>,
    #[cube(comptime)]
    has_weights: bool,
}

impl GatherOpKind for Digest {}

#[cube]
impl GatherOp for Digest {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, vertex: u32, neighbour: u32, edge: u32) -> u32 {
        let mut sum = edge_term(vertex, edge, neighbour);
        if comptime!(self.has_weights) {
            sum += weight_term(edge, self.weights[edge as usize]);
        }
        sum
    }

    fn combine(a: u32, b: u32) -> u32 {
        a + b
    }

    fn apply(&mut self, vertex: u32, total: u32) {
        if total != 0 {
            self.digests[(vertex % DIGESTS) as usize].fetch_add(total);
        }
    }
}
