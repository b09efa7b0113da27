//! The check of weights for shortest paths, and the weights of some edges.

use equipoise_graph::{Graph, Weights, parallel::*};

use crate::{Error, Result};

/// Fails where a weight is negative, infinite or not a number.
pub(crate) fn check_weights(graph: &Graph) -> Result<()> {
    let Some(weights) = graph.weights() else { return Ok(()) };
    let bad = match weights {
        Weights::U32(_) => None,
        Weights::F32(all) => {
            all.par_iter().position_first(|weight| !(0.0..f32::INFINITY).contains(weight))
        }
        Weights::F64(all) => {
            all.par_iter().position_first(|weight| !(0.0..f64::INFINITY).contains(weight))
        }
    };
    let Some(edge) = bad else { return Ok(()) };
    let ends = &graph.csr().offsets()[1..];
    let source = ends.partition_point(|&end| end <= edge as u64) as u32;
    let (target, weight) = (graph.csr().indices()[edge], weights.get(edge));
    Err(Error::bad_weight(graph.ids(), source, target, weight))
}

/// The weights of the given edges, in their order.
pub(crate) fn selected_weights(
    weights: &Weights,
    edges: impl IntoIterator<Item = usize>,
) -> Weights {
    let edges = edges.into_iter();
    match weights {
        Weights::U32(all) => edges.map(|edge| all[edge]).collect::<Vec<_>>().into(),
        Weights::F32(all) => edges.map(|edge| all[edge]).collect::<Vec<_>>().into(),
        Weights::F64(all) => edges.map(|edge| all[edge]).collect::<Vec<_>>().into(),
    }
}
