//! Overflow of sums of finite floating-point weights to infinity.
//!
//! A vertex at an infinite distance is reachable, yet its distance has no value: the search is refused. Such a vertex
//! is found without a second search, because at least one of them has an edge from a vertex at a finite distance.

use equipoise_graph::{Graph, Weights, parallel::*};

/// Whether no path can overflow, by the largest weight alone.
///
/// A path has fewer edges than the graph has vertices, and a weight on it goes through at most twice that number of
/// additions, each of which may round it up by half an `EPSILON`.
pub(crate) fn is_impossible(graph: &Graph) -> bool {
    let (largest, epsilon, most): (f64, f64, f64) = match graph.weights() {
        None | Some(Weights::U32(_)) => return true,
        Some(Weights::F32(weights)) => {
            let largest = weights.par_iter().copied().reduce(|| 0.0, f32::max);
            (largest.into(), f32::EPSILON.into(), f32::MAX.into())
        }
        Some(Weights::F64(weights)) => {
            (weights.par_iter().copied().reduce(|| 0.0, f64::max), f64::EPSILON, f64::MAX)
        }
    };
    let vertices = f64::from(graph.vertices());
    let rounded_up = (vertices * epsilon).exp();
    largest * vertices * rounded_up < most
}
