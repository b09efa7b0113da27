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
/// as many additions, each of which may round it up by half of `f32::EPSILON`.
pub(crate) fn is_impossible(graph: &Graph) -> bool {
    let Some(Weights::F32(weights)) = graph.weights() else { return true };
    let largest = weights.par_iter().copied().reduce(|| 0.0, f32::max);
    let vertices = f64::from(graph.vertices());
    let rounded_up = (vertices * f64::from(f32::EPSILON)).exp();
    f64::from(largest) * vertices * rounded_up < f64::from(f32::MAX)
}
