//! What shortest paths need to know of the weights before they start.

use equipoise_graph::{Graph, Weights};
use rayon::prelude::*;

use crate::{Error, Result};

/// Fails where a weight is negative, infinite or not a number.
pub(super) fn check_weights(graph: &Graph) -> Result<()> {
    let Some(Weights::F32(weights)) = graph.weights() else { return Ok(()) };
    let bad = weights.par_iter().position_first(|weight| !(0.0..f32::INFINITY).contains(weight));
    let Some(edge) = bad else { return Ok(()) };
    let ends = &graph.csr().offsets()[1..];
    let source = ends.partition_point(|&end| end <= edge as u64) as u32;
    let (target, weight) = (graph.csr().indices()[edge], weights[edge].into());
    Err(Error::bad_weight(graph.ids(), source, target, weight))
}

/// Weights looked at to know their mean.
const SAMPLE: usize = 1 << 12;

/// A width of buckets that suits the graph.
pub(super) fn automatic_delta(graph: &Graph) -> f64 {
    let edges = graph.edges() as usize;
    let mean = match graph.weights() {
        None => 1.0,
        Some(_) if edges == 0 => 1.0,
        Some(weights) => {
            let step = edges.div_ceil(SAMPLE);
            let sum: f64 = (0..edges).step_by(step).map(|edge| weights.get(edge)).sum();
            sum / edges.div_ceil(step) as f64
        }
    };
    let degree = edges as f64 / f64::from(graph.vertices());
    let delta = mean / degree.max(1.0);
    if delta > 0.0 { delta } else { 1.0 }
}
