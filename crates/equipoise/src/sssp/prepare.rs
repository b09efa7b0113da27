//! Widths of steps by the weights and degrees of a graph.

use equipoise_graph::{Graph, Weights};

/// The number of weights sampled for their mean.
const SAMPLE: usize = 1 << 12;

/// The default width of buckets: the mean weight divided by the mean degree, and at least 1 where distances are whole
/// numbers.
///
/// With evenly distributed weights, one edge per vertex is expected to be lighter than that. So each vertex of a bucket
/// improves about one vertex of the same bucket: few vertices are relaxed twice, and a bucket still holds much parallel
/// work. Meyer and Sanders show that a width of that order takes linear work on graphs with random weights.
pub(crate) fn automatic_delta(graph: &Graph) -> f64 {
    let (sum, count) =
        sample(graph).fold((0.0, 0.0), |(sum, count), weight| (sum + weight, count + 1.0));
    let Some(weights) = graph.weights().filter(|_| count > 0.0) else { return 1.0 };
    let degree = graph.edges() as f64 / f64::from(graph.vertices());
    let least = match weights {
        Weights::U32(_) => 1.0,
        Weights::F32(_) | Weights::F64(_) => f64::MIN_POSITIVE,
    };
    (sum / count / degree.max(1.0)).max(least)
}

/// A sample of the weights at regular intervals; empty for an unweighted graph.
pub(super) fn sample(graph: &Graph) -> impl Iterator<Item = f64> {
    let weights = graph.weights();
    let edges = weights.map_or(0, Weights::len);
    let sampled = (0..edges).step_by(edges.div_ceil(SAMPLE).max(1));
    sampled.flat_map(move |edge| weights.map(|weights| weights.get(edge)))
}

/// The width of a step of near-far on a GPU, in multiples of [`automatic_delta`]: a GPU needs more parallel work than a
/// cpu. In measurements/sssp-h200.csv 512 is the best single width, 1.14 times the time of the best width of each graph.
/// Adaptive steps start at a smaller width, since they can become 16 times as wide.
pub(super) fn near_far_width(is_adaptive: bool) -> f64 {
    if is_adaptive { 64.0 } else { 512.0 }
}
