//! Shortest paths against petgraph's Dijkstra, by name and on random graphs.

use equipoise::{
    graph::{Edges, Graph, GraphBuilder, Weights},
    sssp::{Sssp, SsspOptions, sssp},
    traversal::Strategy,
};
use petgraph::{algo::Measure, graph::DiGraph, graph::NodeIndex};

mod named;
mod random;
mod verifier;

const STRATEGIES: [Strategy; 2] = [Strategy::Delta, Strategy::Dijkstra];

fn graph<W>(vertices: u64, undirected: bool, edges: Vec<(u32, u32, W)>) -> Graph
where
    Weights: From<Vec<W>>,
{
    let builder = GraphBuilder::new().vertices(vertices).undirected(undirected);
    builder.build(Edges::from(edges)).unwrap()
}

fn path5() -> Graph {
    graph(5, true, vec![(0, 1, 2u32), (1, 2, 3), (2, 3, 5), (3, 4, 7)])
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
    let found = petgraph::algo::dijkstra(&other, source.into(), None, |edge| *edge.weight());
    (0..graph.vertices()).map(|vertex| found.get(&NodeIndex::from(vertex)).copied()).collect()
}

/// The same for the graph's own weights, every distance exact.
fn expected(graph: &Graph, source: u32) -> Vec<Option<f64>> {
    match graph.weights() {
        Some(Weights::F32(weights)) => {
            let found = oracle(graph, source, |edge| weights[edge]);
            found.into_iter().map(|distance| distance.map(f64::from)).collect()
        }
        Some(weights) => oracle(graph, source, |edge| weights.get(edge)),
        None => oracle(graph, source, |_| 1.0),
    }
}

fn found(paths: &Sssp) -> Vec<Option<f64>> {
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
        assert_eq!(found(&paths), expected, "{options:?}");
        assert_eq!(paths.delta.is_some(), options.strategy == Strategy::Delta);
    }
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}
