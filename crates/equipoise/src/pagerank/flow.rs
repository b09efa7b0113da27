//! How much of its rank each vertex passes along each of its edges.

use std::{ops::Deref, sync::OnceLock, time::Duration};

use equipoise_graph::{Csr, Graph};
use equipoise_schedule::device::{Buffer, Gpu};
use rayon::prelude::*;

use super::PageRankOptions;
use crate::{Error, Result, gpu_graph::made, times::timed};

/// What ranks flow along, and where walks start anew.
pub(super) struct Flow<'g> {
    /// The edges by the vertices that they enter.
    pub entering: &'g Csr,
    /// How much flows along them.
    pub edges: &'g KeptFlow,
    /// How often walks start anew at each vertex, all together one; at all equally often without it.
    pub personal: Option<Vec<f32>>,
    /// How often walks start anew where no edge leaves.
    pub dangling_share: f64,
}

/// How much of its rank each vertex passes along each of its edges.
pub(crate) struct EdgeFlow {
    /// Of each edge, by the vertices that they enter, the share of a rank that flows along it; without weights, `scale`
    /// has it.
    pub shares: Option<Vec<f32>>,
    /// Of each vertex, what its rank is multiplied by before it flows: one over its edges, or one where edges have
    /// shares. Zero where no edge leaves.
    pub scale: Vec<f32>,
    /// How many vertices no edge leaves.
    pub dangling: u64,
    /// Whether an edge enters one of them.
    pub dangling_is_entered: bool,
}

/// What flows along the edges of a graph, without weights and with them, found when it is first asked for and kept.
#[derive(Default)]
pub(crate) struct KeptFlows([OnceLock<KeptFlow>; 2]);

/// What flows along the edges of a graph, also on a GPU once it was there.
pub(crate) struct KeptFlow {
    flow: EdgeFlow,
    time: Duration,
    copied: OnceLock<FlowOnGpu>,
}

/// The same on a GPU.
pub(crate) struct FlowOnGpu {
    pub scale: Buffer<f32>,
    pub shares: Option<Buffer<f32>>,
}

impl KeptFlows {
    fn of(&self, graph: &Graph, weighted: bool) -> Result<&KeptFlow> {
        made(&self.0[usize::from(weighted)], || {
            let (flow, time) = timed(|| EdgeFlow::new(graph, weighted));
            Ok(KeptFlow { flow: flow?, time, copied: OnceLock::new() })
        })
    }
}

impl KeptFlow {
    /// The bytes of a GPU's memory that copying it still takes.
    pub fn bytes_missing(&self, gpu: &Gpu) -> u64 {
        let words = |count: usize| gpu.held_by(4 * count.max(1) as u64);
        match self.copied.get() {
            Some(_) => 0,
            None => words(self.flow.scale.len())
                .saturating_add(self.flow.shares.as_ref().map_or(0, |shares| words(shares.len()))),
        }
    }

    /// It on a GPU, copied now if it was not.
    pub fn on_gpu(&self, gpu: &Gpu) -> Result<&FlowOnGpu> {
        made(&self.copied, || {
            let shares =
                self.flow.shares.as_deref().map(|shares| gpu.upload(shares)).transpose()?;
            Ok(FlowOnGpu { scale: gpu.upload(&self.flow.scale)?, shares })
        })
    }
}

impl EdgeFlow {
    fn new(graph: &Graph, weighted: bool) -> Result<Self> {
        let entering = graph.transpose()?.csr();
        let weight_of_each = if weighted { Some(leaving_weights(graph)?) } else { None };
        let shares = match &weight_of_each {
            Some(sums) => Some(shares(graph, sums)?),
            None => None,
        };
        let scale: Vec<f32> = match &weight_of_each {
            Some(sums) => sums.par_iter().map(|&sum| f32::from(sum > 0.0)).collect(),
            None => {
                (0..graph.vertices()).into_par_iter().map(|v| one_over(graph.degree(v))).collect()
            }
        };
        let dangling = scale.par_iter().filter(|&&scale| scale == 0.0).count() as u64;
        let is_entered =
            |vertex: u32| scale[vertex as usize] == 0.0 && entering.row_len(vertex) > 0;
        let dangling_is_entered = (0..graph.vertices()).into_par_iter().any(is_entered);
        Ok(Self { shares, scale, dangling, dangling_is_entered })
    }
}

impl Deref for Flow<'_> {
    type Target = EdgeFlow;

    fn deref(&self) -> &EdgeFlow {
        &self.edges.flow
    }
}

impl<'g> Flow<'g> {
    /// What flows with these options, and how long it took to find.
    pub fn new(
        graph: &'g Graph,
        kept: &'g KeptFlows,
        options: &PageRankOptions,
    ) -> Result<(Self, Duration)> {
        let entering = graph.transpose()?.csr();
        let edges = kept.of(graph, graph.weights().is_some() && !options.unweighted)?;
        let EdgeFlow { scale, dangling, .. } = &edges.flow;
        let ((personal, dangling_share), time) = timed(|| {
            let personal = options.personalization.as_deref().map(normalized);
            let uniform = 1.0 / f64::from(graph.vertices().max(1));
            let dangling_share = match &personal {
                None => *dangling as f64 * uniform,
                Some(personal) => {
                    let of_dangling =
                        scale.iter().zip(personal).filter(|(scale, _)| **scale == 0.0);
                    of_dangling.map(|(_, &share)| f64::from(share)).sum()
                }
            };
            (personal, dangling_share)
        });
        Ok((Self { entering, edges, personal, dangling_share }, edges.time + time))
    }

    pub fn vertices(&self) -> u32 {
        self.entering.rows()
    }

    /// The rank that every vertex starts with.
    pub fn first_rank(&self) -> f32 {
        1.0 / self.vertices().max(1) as f32
    }

    /// The rank of dangling vertices before the first iteration.
    pub fn first_dangling(&self) -> f64 {
        self.dangling as f64 / f64::from(self.vertices().max(1))
    }
}

fn one_over(edges: usize) -> f32 {
    if edges == 0 { 0.0 } else { 1.0 / edges as f32 }
}

fn normalized(shares: &[f64]) -> Vec<f32> {
    let sum: f64 = shares.iter().sum();
    shares.iter().map(|share| (share / sum) as f32).collect()
}

/// The weight of all edges that leave each vertex.
fn leaving_weights(graph: &Graph) -> Result<Vec<f64>> {
    let Some(weights) = graph.weights() else { return Ok(Vec::new()) };
    let of_vertex = |vertex: u32| {
        let mut sum = 0.0;
        for edge in graph.csr().range(vertex) {
            let weight = weights.get(edge);
            if !weight.is_finite() || weight < 0.0 {
                let target = graph.csr().indices()[edge];
                let [from, to] = [vertex, target].map(|end| graph.ids().id(end));
                return Err(Error::Option(format!(
                    "the edge from {from} to {to} has weight {weight}: ranks flow along weights that are zero or more \
                     and finite; `unweighted` leaves them out"
                )));
            }
            sum += weight;
        }
        Ok(sum)
    };
    (0..graph.vertices()).into_par_iter().map(of_vertex).collect()
}

/// The share of each edge in the weight of all that leave the same vertex, by the vertices that they enter.
fn shares(graph: &Graph, sums: &[f64]) -> Result<Vec<f32>> {
    let transpose = graph.transpose()?;
    let Some(weights) = transpose.weights() else { return Ok(Vec::new()) };
    let origins = transpose.csr().indices().par_iter().enumerate();
    let share = |(edge, &origin): (usize, &u32)| match sums[origin as usize] {
        0.0 => 0.0,
        sum => (weights.get(edge) / sum) as f32,
    };
    Ok(origins.map(share).collect())
}
