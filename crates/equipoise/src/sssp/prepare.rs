//! What shortest paths need to know of the weights before they start.

use equipoise_graph::{Graph, Weights};
use rayon::prelude::*;

use crate::{Error, Result};

/// Fails where a weight is negative, infinite or not a number.
pub(crate) fn check_weights(graph: &Graph) -> Result<()> {
    let Some(weights) = graph.weights() else { return Ok(()) };
    let bad = match weights {
        Weights::U32(_) => None,
        Weights::F32(all) => {
            all.par_iter().position_first(|all| !(0.0..f32::INFINITY).contains(all))
        }
        Weights::F64(all) => {
            all.par_iter().position_first(|all| !(0.0..f64::INFINITY).contains(all))
        }
    };
    let Some(edge) = bad else { return Ok(()) };
    let ends = &graph.csr().offsets()[1..];
    let source = ends.partition_point(|&end| end <= edge as u64) as u32;
    let (target, weight) = (graph.csr().indices()[edge], weights.get(edge));
    Err(Error::bad_weight(graph.ids(), source, target, weight))
}

/// Weights looked at to know their mean.
const SAMPLE: usize = 1 << 12;

/// A width of buckets that suits the graph: the mean weight divided by the mean degree, and not
/// less than 1 where distances are whole numbers.
///
/// With weights spread evenly, one of a vertex's edges is expected to be lighter than that. So
/// working on a bucket improves about one vertex in the same bucket for each it works on: few
/// vertices are worked on twice, and yet a bucket holds as many as can be worked on at once. Meyer
/// and Sanders show that a width of that order takes linear work on graphs with random weights.
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

/// Some of the weights, evenly spread; none where there are none.
pub(super) fn sample(graph: &Graph) -> impl Iterator<Item = f64> {
    let weights = graph.weights();
    let edges = weights.map_or(0, Weights::len);
    let places = (0..edges).step_by(edges.div_ceil(SAMPLE).max(1));
    places.flat_map(move |edge| weights.map(|weights| weights.get(edge)))
}

/// How much wider steps are than on a cpu, since a GPU has to have more to do at once (Davidson et
/// al. have a plane's units); wider still where vertices have few edges.
pub(super) fn near_far_width(graph: &Graph) -> f64 {
    match graph.edges() as f64 / f64::from(graph.vertices().max(1)) < 8.0 {
        true => 64.0,
        false => 32.0,
    }
}
