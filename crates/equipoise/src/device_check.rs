//! Verifiers on the GPU that holds the graph. They share no code with the algorithms.
//!
//! A verifier is a few passes of the engine's operators over the copy of the graph on the device. Another pass computes a
//! digest of that copy: it proves that the copy is the host's graph, so that no edge was left out.

use cubecl::prelude::*;
use equipoise_schedule::{
    ScheduleName,
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
};

use crate::{Error, NONE, Result, digest::edge_term, gpu_graph::GpuGraph, run::buffer_bytes};

/// The partial digests of edges, so that few units add to one at a time.
const DIGESTS: u32 = 1024;

/// A check of a result on a GPU.
pub(crate) struct DeviceCheck<'g> {
    pub graph: &'g DeviceGraph,
    source: &'g GpuGraph<'g>,
    /// The first vertex that breaks a rule; [`NONE`] if none does.
    wrong: Buffer<u32>,
}

/// A kernel's view of the first vertex that breaks a rule.
pub(crate) type Wrong = Array<Atomic<u32>>;

impl<'g> DeviceCheck<'g> {
    /// A check that takes `words` numbers of 32 bits per vertex, and sees the edges that leave each vertex. `None` where the
    /// host has to check instead: if memory is short.
    pub fn of_edges(graph: &'g GpuGraph<'g>, words: u64) -> Result<Option<Self>> {
        let bytes = buffer_bytes(&graph.gpu, u64::from(graph.vertices()), words);
        let bytes = bytes.saturating_add(graph.bytes_missing(false));
        if graph.vertices() == 0 || graph.gpu.require("verifying", bytes).is_err() {
            return Ok(None);
        }
        let wrong = graph.gpu.filled(1, NONE)?;
        Ok(Some(Self { graph: graph.engine_graph()?, source: graph, wrong }))
    }

    /// The same for rules about edges of either direction: also `None` if edges have directions.
    pub fn of_undirected(graph: &'g GpuGraph<'g>, words: u64) -> Result<Option<Self>> {
        if !graph.graph.is_undirected() {
            return Ok(None);
        }
        Self::of_edges(graph, words)
    }

    /// The same for rules about the neighbours of a vertex: also `None` if there are loops or parallel edges.
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

    /// Runs a pass over all edges.
    pub fn gather<Op: GatherOp>(&self, op: &Operation<Op>) -> Result<()> {
        Ok(gather(self.graph, ScheduleName::MergePath.into(), op)?)
    }

    /// The outcome: whether no vertex broke a rule, and the graph is that of the host.
    pub fn passed(self) -> Result<bool> {
        let digests = self.gpu().filled(DIGESTS as usize, 0u32)?;
        let digest = || DigestLaunch::new(digests.arg());
        // SAFETY: indices are taken modulo the length.
        self.gather(&unsafe { Operation::<Digest>::unchecked(digest) })?;
        let digest = self.gpu().download(&digests)?.into_iter().fold(0, u32::wrapping_add);
        if digest != self.source.digest(false) {
            return Err(Error::Wrong("the graph on the device is not the one on the host".into()));
        }
        Ok(self.gpu().download(&self.wrong)?[0] == NONE)
    }
}

/// The digest of the rows of a graph.
#[derive(CubeType, CubeLaunch)]
struct Digest {
    digests: Array<Atomic<u32>>,
}

impl GatherOpKind for Digest {}

#[cube]
impl GatherOp for Digest {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, vertex: u32, neighbour: u32, edge: u32) -> u32 {
        edge_term(vertex, edge, neighbour)
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
