//! Whether ranks are those of a graph.

use equipoise_graph::{Graph, Weights, memory, parallel::*};

use super::{PageRank, PageRankOptions};
use crate::{Result, error::wrong};

/// Half the distance from 1 to the next `f32`: a rounding is off by no more than this part of a number.
const ROUNDING: f64 = f32::EPSILON as f64 / 2.0;
/// Roundings of a rank beside those of its sum: of scale, share, both products, two factors, the last sum, storing.
const OTHER_ROUNDINGS: f64 = 8.0;

impl PageRank {
    /// Checks the ranks against the graph they were found in by one more iteration, in `f64` on all cores.
    ///
    /// With `d` the damping, `change` what the last iteration changed the ranks by, `u` half the epsilon of `f32`, and
    /// all sums over vertices:
    ///
    /// 1. Each vertex has a rank, and none is negative or not a number.
    /// 2. One more iteration changes the ranks by no more than `d·change + r`, with `r = u·Σ (k + 8)·rank` over the `k`
    ///    edges that enter a vertex. An exact iteration brings any two ranks closer by `d`; whatever the order of
    ///    summation, a sum of `k` numbers is off by at most `k` roundings, and all else by eight. Ranks that have
    ///    converged keep to the tolerance in place of the change.
    /// 3. They add up to one, within `r / (1 − d)`: the rounding of an iteration, and `d` of it in each further one.
    /// 4. They have converged, unless the options ask for a number of iterations.
    ///
    /// So all ranks together are within `(d·change + r) / (1 − d)` of the exact ranks. Takes time linear in vertices and
    /// edges, and 16 bytes per vertex; of a directed graph, also its edges reversed.
    pub fn verify(&self, graph: &Graph, options: &PageRankOptions) -> Result<()> {
        self.verify_with(graph, options, || residual(graph, &self.ranks, options))
    }

    /// The same, with the change of the ranks by one more iteration from elsewhere.
    pub(super) fn verify_with(
        &self,
        graph: &Graph,
        options: &PageRankOptions,
        residual: impl FnOnce() -> Result<f64>,
    ) -> Result<()> {
        graph.check()?;
        options.check(graph)?;
        let (ranks, vertices) = (&self.ranks, graph.vertices());
        if ranks.len() as u64 != u64::from(vertices) {
            return wrong(format!("{} ranks for {vertices} vertices", ranks.len()));
        }
        if let Some(vertex) =
            ranks.par_iter().position_first(|&rank| !rank.is_finite() || rank < 0.0)
        {
            let id = graph.ids().id(vertex as u32);
            return wrong(format!("vertex {id} has the rank {}", ranks[vertex]));
        }
        if vertices == 0 {
            return Ok(());
        }
        let allowed = self.rounding(graph)?;
        let sum: f64 = ranks.par_iter().map(|&rank| f64::from(rank)).sum();
        let lost = (1.0 / (1.0 - options.damping)).min(f64::from(self.iterations) + 1.0);
        if (sum - 1.0).abs() > allowed * lost {
            return wrong(format!("the ranks add up to {sum}, not to 1"));
        }
        let residual = residual()?;
        let most = options.damping * self.change * (1.0 + 1e-3) + allowed;
        if residual > most {
            return wrong(format!(
                "one more iteration changes the ranks by {residual}, not by {most} at most"
            ));
        }
        if self.converged != (self.change <= options.tolerance) {
            let (change, tolerance) = (self.change, options.tolerance);
            return wrong(format!(
                "converged is {}, with a change of {change} and a tolerance of {tolerance}",
                self.converged
            ));
        }
        if !self.converged && !options.counts_iterations() {
            return wrong(format!("the last iteration changed the ranks by {}", self.change));
        }
        Ok(())
    }

    /// How far rounding can put the ranks off in an iteration.
    fn rounding(&self, graph: &Graph) -> Result<f64> {
        let entering = graph.transpose()?.csr();
        let ranks = (0..graph.vertices()).into_par_iter().zip(&self.ranks);
        let roundings = |vertex: u32| entering.row_len(vertex) as f64 + OTHER_ROUNDINGS;
        Ok(ROUNDING * ranks.map(|(vertex, &rank)| roundings(vertex) * f64::from(rank)).sum::<f64>())
    }
}

/// What an iteration changes the ranks by: each vertex pulls along the edges that enter it.
fn residual(graph: &Graph, ranks: &[f32], options: &PageRankOptions) -> Result<f64> {
    memory::check("verifying ranks", memory::bytes_of::<[f64; 2]>(ranks.len() as u64))?;
    let weights = graph.weights().filter(|_| !options.unweighted);
    let leaving: Vec<Leaving> = (0..graph.vertices())
        .into_par_iter()
        .map(|vertex| Leaving::new(graph, weights, vertex))
        .collect();
    let is_dangling = |vertex: u32| leaving[vertex as usize].largest == 0.0;
    let backward = graph.transpose()?;
    let weights = backward.weights().filter(|_| !options.unweighted);
    let flow = |vertex: u32| -> f64 {
        let edges = backward.csr().range(vertex).zip(backward.neighbors(vertex));
        let along = edges.map(|(edge, &source)| {
            let weight = weights.map_or(1.0, |weights| weights.get(edge));
            let Leaving { largest, sum } = leaving[source as usize];
            if weight == 0.0 {
                0.0
            } else {
                f64::from(ranks[source as usize]) * (weight / largest / sum)
            }
        });
        along.sum()
    };
    Ok(change_by(ranks, options, is_dangling, flow))
}

/// What an iteration changes the ranks by, summed over vertices, if `flow` arrives at a vertex along edges.
pub(super) fn change_by(
    ranks: &[f32],
    options: &PageRankOptions,
    is_dangling: impl Fn(u32) -> bool + Sync,
    flow: impl Fn(u32) -> f64 + Sync,
) -> f64 {
    let vertices = || (0..ranks.len() as u32).into_par_iter();
    let rank = |vertex: u32| f64::from(ranks[vertex as usize]);
    let dangling: f64 = vertices().filter(|&vertex| is_dangling(vertex)).map(rank).sum();
    let restart = 1.0 - options.damping + options.damping * dangling;
    let shares = options.personalization.as_deref();
    let all: f64 = shares.map_or(ranks.len() as f64, |shares| shares.iter().sum());
    let start = |vertex: u32| shares.map_or(1.0, |shares| shares[vertex as usize]) / all;
    let next = |vertex: u32| start(vertex) * restart + options.damping * flow(vertex);
    vertices().map(|vertex| (next(vertex) - rank(vertex)).abs()).sum()
}

/// The weights of the edges that leave a vertex: the largest, and their sum in units of it, so that the sum of finite
/// weights is finite.
#[derive(Clone, Copy)]
struct Leaving {
    largest: f64,
    sum: f64,
}

impl Leaving {
    fn new(graph: &Graph, weights: Option<&Weights>, vertex: u32) -> Self {
        let edges = graph.csr().range(vertex);
        let Some(weights) = weights else {
            return Self {
                largest: if edges.is_empty() { 0.0 } else { 1.0 },
                sum: edges.len() as f64,
            };
        };
        let largest = edges.clone().map(|edge| weights.get(edge)).fold(0.0, f64::max);
        Self { largest, sum: edges.map(|edge| weights.get(edge) / largest).sum() }
    }
}
