//! The rank that flows along each edge.

use std::{ops::Deref, sync::OnceLock, time::Duration};

use equipoise_graph::{Csr, Graph, numbers::short, parallel::*};
use equipoise_schedule::device::{Buffer, Gpu};

use super::PageRankOptions;
use crate::{Error, Result, once::get_or_try_init, run::buffer_bytes, times::timed};

/// The edges along which ranks flow, and the distribution of restarts.
pub(super) struct Flow<'g> {
    /// The transpose.
    pub entering: &'g Csr,
    pub edges: &'g CachedFlow,
    /// The share of restarts at each vertex, with the sum 1; uniform if `None`.
    pub personal: Option<Vec<f32>>,
    /// The share of restarts at dangling vertices.
    pub dangling_share: f64,
}

/// The share of its rank that each vertex passes along each edge.
pub(super) struct EdgeFlow {
    /// Per edge of the transpose, the share of a rank that flows along it; `None` if `scale` is that share.
    pub shares: Option<Vec<f32>>,
    /// Per vertex, a factor of its rank: 1 / degree, or 1 if edges have shares. 0 for dangling vertices.
    pub scale: Vec<f32>,
    /// The number of dangling vertices, which have no outgoing edges.
    pub dangling: u64,
    /// Whether an edge enters a dangling vertex.
    pub dangling_is_entered: bool,
}

/// The flows of a graph without weights and with them, created on first use.
#[derive(Default)]
pub(super) struct FlowCache([OnceLock<CachedFlow>; 2]);

/// The flow of a graph on the host, and after its first use also on a GPU.
pub(super) struct CachedFlow {
    flow: EdgeFlow,
    time: Duration,
    device_flow: OnceLock<DeviceFlow>,
}

/// [`EdgeFlow`] in the memory of a GPU.
pub(super) struct DeviceFlow {
    pub scale: Buffer<f32>,
    pub shares: Option<Buffer<f32>>,
}

impl FlowCache {
    fn get(&self, graph: &Graph, weighted: bool) -> Result<&CachedFlow> {
        get_or_try_init(&self.0[usize::from(weighted)], || {
            let (flow, time) = timed(|| EdgeFlow::new(graph, weighted));
            Ok(CachedFlow { flow: flow?, time, device_flow: OnceLock::new() })
        })
    }
}

impl CachedFlow {
    /// The bytes that [`on_gpu`](Self::on_gpu) would upload.
    pub fn bytes_missing(&self, gpu: &Gpu) -> u64 {
        if self.device_flow.get().is_some() {
            return 0;
        }
        let bytes = |values: &Vec<f32>| buffer_bytes(gpu, values.len() as u64, 1);
        bytes(&self.flow.scale).saturating_add(self.flow.shares.as_ref().map_or(0, bytes))
    }

    /// The flow on a GPU, uploaded on first use.
    pub fn on_gpu(&self, gpu: &Gpu) -> Result<&DeviceFlow> {
        get_or_try_init(&self.device_flow, || {
            let shares = self.flow.shares.as_deref();
            let shares = shares.map(|shares| gpu.upload(shares)).transpose()?;
            Ok(DeviceFlow { scale: gpu.upload(&self.flow.scale)?, shares })
        })
    }
}

impl EdgeFlow {
    fn new(graph: &Graph, weighted: bool) -> Result<Self> {
        let entering = graph.transpose()?.csr();
        let vertices = || (0..graph.vertices()).into_par_iter();
        let (shares, scale): (_, Vec<f32>) = if weighted {
            let leaving = leaving_weights(graph)?;
            let scale = leaving.par_iter().map(|all| f32::from(all.sum > 0.0)).collect();
            (Some(shares(graph, &leaving)?), scale)
        } else {
            (None, vertices().map(|vertex| reciprocal(graph.degree(vertex))).collect())
        };
        let dangling = scale.par_iter().filter(|&&scale| scale == 0.0).count() as u64;
        let is_entered =
            |vertex: u32| scale[vertex as usize] == 0.0 && entering.row_len(vertex) > 0;
        let dangling_is_entered = vertices().any(is_entered);
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
    /// The flow with these options, and the time of finding it.
    pub fn new(
        graph: &'g Graph,
        cache: &'g FlowCache,
        options: &PageRankOptions,
    ) -> Result<(Self, Duration)> {
        let entering = graph.transpose()?.csr();
        let edges = cache.get(graph, graph.weights().is_some() && !options.unweighted)?;
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

    /// The initial rank of every vertex.
    pub fn first_rank(&self) -> f32 {
        1.0 / self.vertices().max(1) as f32
    }

    /// The total rank of dangling vertices before the first iteration.
    pub fn first_dangling(&self) -> f64 {
        self.dangling as f64 / f64::from(self.vertices().max(1))
    }
}

fn reciprocal(degree: usize) -> f32 {
    if degree == 0 { 0.0 } else { 1.0 / degree as f32 }
}

fn normalized(shares: &[f64]) -> Vec<f32> {
    let sum: f64 = shares.iter().sum();
    shares.iter().map(|share| (share / sum) as f32).collect()
}

/// The factor of weights whose sum would be infinite: a power of two, so that nothing is rounded, and small enough for 2³²
/// weights.
const SCALE_OF_HUGE: f64 = 1.0 / (1u64 << 40) as f64;

/// The total weight of the edges that leave a vertex, times `scale`.
#[derive(Clone, Copy)]
struct Leaving {
    sum: f64,
    scale: f64,
}

impl Leaving {
    /// The share of an edge with this weight.
    fn share(self, weight: f64) -> f32 {
        if self.sum == 0.0 { 0.0 } else { (weight * self.scale / self.sum) as f32 }
    }
}

/// The total weight of the edges that leave each vertex. Fails if a weight is negative or not finite.
fn leaving_weights(graph: &Graph) -> Result<Vec<Leaving>> {
    let Some(weights) = graph.weights() else { return Ok(Vec::new()) };
    let of_vertex = |vertex: u32| {
        let mut sum = 0.0;
        for edge in graph.csr().range(vertex) {
            let weight = weights.get(edge);
            if !weight.is_finite() || weight < 0.0 {
                let target = graph.csr().indices()[edge];
                let [from, to] = [vertex, target].map(|end| graph.ids().id(end));
                let weight = short(&weight);
                return Err(Error::Option(format!(
                    "the edge from {from} to {to} has weight {weight}: ranks flow along weights that are zero or more \
                     and finite; `unweighted` leaves them out"
                )));
            }
            sum += weight;
        }
        if sum.is_finite() {
            return Ok(Leaving { sum, scale: 1.0 });
        }
        let scale = SCALE_OF_HUGE;
        let sum = graph.csr().range(vertex).map(|edge| weights.get(edge) * scale).sum();
        Ok(Leaving { sum, scale })
    };
    (0..graph.vertices()).into_par_iter().map(of_vertex).collect()
}

/// The share of each edge of the transpose in the total weight that leaves its source.
fn shares(graph: &Graph, leaving: &[Leaving]) -> Result<Vec<f32>> {
    let transpose = graph.transpose()?;
    let Some(weights) = transpose.weights() else { return Ok(Vec::new()) };
    let origins = transpose.csr().indices().par_iter().enumerate();
    let share = |(edge, &origin): (usize, &u32)| leaving[origin as usize].share(weights.get(edge));
    Ok(origins.map(share).collect())
}
