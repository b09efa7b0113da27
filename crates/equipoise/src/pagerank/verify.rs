//! Whether ranks are those of a graph.

use equipoise_graph::{Graph, Weights, memory};
use rayon::prelude::*;

use super::{PageRank, PageRankOptions};
use crate::{Result, error::wrong};

/// Half the distance from 1 to the next `f32`: a rounding is off by no more than this part of a number.
const ROUNDING: f64 = f32::EPSILON as f64 / 2.0;
/// Roundings of a rank beside those of its sum: of scale, share, both products, two factors, the last sum, storing.
const OTHER_ROUNDINGS: f64 = 8.0;

impl PageRank {
    /// Checks the ranks against the graph that they were found in, by an iteration of their own: along the edges that
    /// leave vertices, in `f64`.
    ///
    /// With `d` the damping, `change` what the last iteration changed the ranks by, `u` half the epsilon of `f32`, and
    /// all sums over vertices:
    ///
    /// 1. There is a rank for each vertex, and none is negative or not a number.
    /// 2. One more iteration changes the ranks by no more than `d·change + r`, with `r = u·Σ (k + 8)·rank` over the `k`
    ///    edges that enter a vertex. An exact iteration brings any two ranks closer by `d`; whatever the order of
    ///    summation, a sum of `k` numbers is off by at most `k` roundings, and there are eight others.
    /// 3. They add up to one, within `r / (1 − d)`: what is lost by rounding in an iteration, `d` of it in the next.
    ///
    /// So they are within `(d·change + r) / (1 − d)` of the exact ranks, all of them together. Takes time proportional to
    /// vertices and edges, and 16 bytes a vertex.
    pub fn verify(&self, graph: &Graph, options: &PageRankOptions) -> Result<()> {
        graph.check()?;
        options.check(graph)?;
        let (ranks, vertices) = (&self.ranks, graph.vertices());
        if ranks.len() as u64 != u64::from(vertices) {
            return wrong(format!("{} ranks for {vertices} vertices", ranks.len()));
        }
        if let Some(vertex) = ranks.iter().position(|&rank| !rank.is_finite() || rank < 0.0) {
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
        let residual = residual(graph, ranks, options)?;
        let most = options.damping * self.change * (1.0 + 1e-3) + allowed;
        if residual > most {
            return wrong(format!(
                "one more iteration changes the ranks by {residual}, not by {most} at most"
            ));
        }
        match self.converged == (self.change <= options.tolerance) {
            true => Ok(()),
            false => wrong(format!("a change of {} is said to be what it is not", self.change)),
        }
    }

    /// How far rounding can put the ranks off in an iteration.
    fn rounding(&self, graph: &Graph) -> Result<f64> {
        let entering = graph.transpose()?.csr();
        let ranks = (0..graph.vertices()).into_par_iter().zip(&self.ranks);
        let roundings = |vertex: u32| entering.row_len(vertex) as f64 + OTHER_ROUNDINGS;
        Ok(ROUNDING * ranks.map(|(vertex, &rank)| roundings(vertex) * f64::from(rank)).sum::<f64>())
    }
}

/// How much one more iteration changes the ranks.
fn residual(graph: &Graph, ranks: &[f32], options: &PageRankOptions) -> Result<f64> {
    memory::check("verifying ranks", memory::bytes_of::<[f64; 2]>(ranks.len() as u64))?;
    let mut next = vec![0.0f64; ranks.len()];
    let mut dangling = 0.0;
    let weights = graph.weights().filter(|_| !options.unweighted);
    for (vertex, &rank) in (0..).zip(ranks) {
        let edges = graph.csr().range(vertex);
        let weight = |edge: usize| weights.map_or(1.0, |weights: &Weights| weights.get(edge));
        let all: f64 = edges.clone().map(weight).sum();
        if all == 0.0 {
            dangling += f64::from(rank);
            continue;
        }
        for (edge, &target) in edges.clone().zip(graph.neighbors(vertex)) {
            next[target as usize] += f64::from(rank) * weight(edge) / all;
        }
    }
    let anew = 1.0 - options.damping + options.damping * dangling;
    let shares = options.personalization.as_deref();
    let all: f64 = shares.map_or(ranks.len() as f64, |shares| shares.iter().sum());
    let start = |vertex: usize| shares.map_or(1.0, |shares| shares[vertex]) / all;
    let changes = next.iter().zip(ranks).enumerate().map(|(vertex, (flow, &rank))| {
        (start(vertex) * anew + options.damping * flow - f64::from(rank)).abs()
    });
    Ok(changes.sum())
}
