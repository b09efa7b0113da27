//! The features that a model for shortest paths reads: of a graph, its weights, and the source.

use equipoise_graph::Graph;
use equipoise_select::features::GraphShape;

use super::prepare::{automatic_delta, sample};
use crate::learned::{graph_features, graph_values};

/// In addition to the features of the graph: the degree of the source, the mean of a sample of weights, their standard
/// deviation and maximum divided by the mean, and the mean weight divided by the mean degree, of which widths are multiples.
const OWN: [&str; 5] =
    ["source_degree", "weight_mean", "weight_deviation_relative", "weight_max_relative", "delta"];

pub(super) fn names() -> Vec<&'static str> {
    graph_features().chain(OWN).collect()
}

/// The features of a search. The source is one of the graph's vertices.
pub(super) fn values(graph: &Graph, shape: &GraphShape, source: u32) -> Vec<f32> {
    let (count, sum, squares, most) =
        sample(graph).fold((0.0, 0.0, 0.0, 0f64), |(count, sum, squares, most), weight| {
            (count + 1.0, sum + weight, squares + weight * weight, most.max(weight))
        });
    let (mean, deviation, most) = if sum > 0.0 {
        let mean: f64 = sum / count;
        let variance = (squares / count - mean * mean).max(0.0);
        (mean, variance.sqrt() / mean, most / mean)
    } else {
        // Without weights, or with zeros only.
        (if count > 0.0 { 0.0 } else { 1.0 }, 0.0, 1.0)
    };
    let own = [graph.degree(source) as f64, mean, deviation, most, automatic_delta(graph)];
    graph_values(shape).chain(own.map(|value| value as f32)).collect()
}

#[cfg(test)]
mod tests {
    use equipoise_graph::{Edges, GraphBuilder};

    use super::*;
    use crate::traversal::graph_shape;

    fn own(edges: Edges) -> Vec<f32> {
        let graph = GraphBuilder::new().build(edges).unwrap();
        let values = values(&graph, &graph_shape(&graph).unwrap(), 0);
        assert_eq!(values.len(), names().len());
        values[values.len() - OWN.len()..].to_vec()
    }

    #[test]
    fn the_spread_of_weights_distinguishes_them() {
        let spread = own(vec![(0, 1, 2u32), (0, 2, 6)].into());
        assert_eq!(spread, [2.0, 4.0, 0.5, 1.5, 4.0]);
        assert_eq!(own(vec![(0, 1, 3u32), (0, 2, 3)].into()), [2.0, 3.0, 0.0, 1.0, 3.0]);
        assert_eq!(own(vec![(0, 1), (0, 2)].into()), [2.0, 1.0, 0.0, 1.0, 1.0]);
        assert_eq!(own(vec![(0, 1, 0u32)].into()), [1.0, 0.0, 0.0, 1.0, 1.0]);
    }
}
