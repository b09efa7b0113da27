//! Sums of floating-point weights that are infinite though every weight is finite.
//!
//! Such a vertex can be reached, so that "not reached" would be wrong, and there is no number to
//! tell its distance in: the search is refused. It is found without a second search, as one of them
//! has an edge from a vertex that has a distance.

use equipoise_graph::{Graph, Weights};
use rayon::prelude::*;

/// Whether no path of a graph can be so long, judged by its largest weight alone.
///
/// No path has more edges than there are vertices, and no weight of it goes through more than twice
/// as many additions, each of which may round it up by half of an `EPSILON`.
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
