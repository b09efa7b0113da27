//! Shortest paths against petgraph's Dijkstra, by name and on random graphs.

use equipoise::{
    graph::{Graph, Weights},
    sssp::{Sssp, SsspOptions, sssp},
    traversal::Strategy,
};
use petgraph::{algo::Measure, graph::DiGraph, graph::NodeIndex};

use crate::{graphs::graph, in_pool};

mod named;
mod random;
mod verifier;

const STRATEGIES: [Strategy; 2] = [Strategy::Delta, Strategy::Dijkstra];

fn path5() -> Graph {
    graph(5, vec![(0, 1, 2u32), (1, 2, 3), (2, 3, 5), (3, 4, 7)], true)
}

/// Distances by petgraph, as `weight` makes them from an edge's number.
fn oracle<D: Measure + Copy>(
    graph: &Graph,
    source: u32,
    weight: impl Fn(usize) -> D,
) -> Vec<Option<D>> {
    let mut other = DiGraph::<(), D>::new();
    (0..graph.vertices()).for_each(|_| _ = other.add_node(()));
    for vertex in 0..graph.vertices() {
        for edge in graph.csr().range(vertex) {
            let ends = [vertex, graph.csr().indices()[edge]].map(NodeIndex::from);
            other.add_edge(ends[0], ends[1], weight(edge));
        }
    }
    let all = petgraph::algo::dijkstra(&other, source.into(), None, |edge| *edge.weight());
    (0..graph.vertices()).map(|vertex| all.get(&NodeIndex::from(vertex)).copied()).collect()
}

/// The same for the graph's own weights, every distance exact.
fn expected(graph: &Graph, source: u32) -> Vec<Option<f64>> {
    match graph.weights() {
        Some(Weights::F32(weights)) => {
            let all = oracle(graph, source, |edge| weights[edge]);
            all.into_iter().map(|distance| distance.map(f64::from)).collect()
        }
        Some(weights) => oracle(graph, source, |edge| weights.get(edge)),
        None => oracle(graph, source, |_| 1.0),
    }
}

fn distances(paths: &Sssp) -> Vec<Option<f64>> {
    (0..paths.distances.len()).map(|vertex| paths.distances.get(vertex)).collect()
}

/// Paths that their verifier accepts.
fn verified(graph: &Graph, source: u32, options: &SsspOptions) -> Sssp {
    let paths = sssp(graph, source, options).unwrap();
    paths.verify(graph, options).unwrap();
    paths
}

/// Both strategies, and delta-stepping with unsuitable widths.
fn all_options(target: Option<u32>) -> Vec<SsspOptions> {
    let mut all = STRATEGIES
        .map(|strategy| SsspOptions { strategy, target, ..SsspOptions::default() })
        .to_vec();
    for delta in [1e-3, 7.0, 1e9] {
        all.push(SsspOptions {
            strategy: Strategy::Delta,
            delta: Some(delta),
            target,
            ..SsspOptions::default()
        });
    }
    all
}

fn check(graph: &Graph, source: u32) {
    let expected = expected(graph, source);
    for options in all_options(None) {
        let paths = verified(graph, source, &options);
        assert_eq!(distances(&paths), expected, "{options:?}");
        assert_eq!(paths.delta.is_some(), options.strategy == Strategy::Delta);
    }
}
