//! Graphs of the tests.

use equipoise::graph::{Duplicates, Edges, Graph, GraphBuilder, SelfLoops, io::ReadOptions, load};
use proptest::{prelude::*, strategy::Strategy};

pub fn generated(spec: &str) -> Graph {
    load(spec, &ReadOptions::default()).unwrap()
}

pub fn graph(vertices: u32, edges: impl Into<Edges>, undirected: bool) -> Graph {
    let builder = GraphBuilder::new().vertices(vertices.into()).undirected(undirected);
    builder.build(edges.into()).unwrap()
}

/// A graph that keeps self-loops and parallel edges.
pub fn multigraph(vertices: u32, edges: impl Into<Edges>, undirected: bool) -> Graph {
    let builder = GraphBuilder::new().vertices(vertices.into()).undirected(undirected);
    let builder = builder.duplicates(Duplicates::Keep).self_loops(SelfLoops::Keep);
    builder.build(edges.into()).unwrap()
}

/// Multigraphs of fewer than `most_vertices`, with weights from 0.
pub fn multigraphs(most_vertices: u32, most_edges: usize) -> impl Strategy<Value = Graph> {
    let parts = (1..most_vertices).prop_flat_map(move |vertices| {
        let weight = prop_oneof![Just(0u32), 1u32..9, 1u32..1_000_000];
        let edge = (0..vertices, 0..vertices, weight);
        (Just(vertices), prop::collection::vec(edge, 0..most_edges), any::<bool>())
    });
    parts.prop_map(|(vertices, edges, undirected)| multigraph(vertices, edges, undirected))
}

/// Small graphs with self-loops, parallel edges of different weights, cycles of weight 0, and vertices without edges.
pub fn odd_graphs() -> Vec<Graph> {
    let loops =
        vec![(0, 0, 3u32), (0, 1, 9), (0, 1, 2), (0, 1, 5), (1, 2, 4), (1, 2, 4), (2, 2, 1)];
    let cycles =
        vec![(0, 1, 0u32), (1, 2, 0), (2, 1, 0), (2, 3, 0), (3, 0, 0), (3, 4, 2), (4, 3, 0)];
    let both = |vertices, edges: &[(u32, u32, u32)]| {
        [false, true].map(|undirected| multigraph(vertices, edges.to_vec(), undirected))
    };
    let graphs = [both(3, &loops), both(5, &cycles), both(3, &[(0, 1, 2)]), both(1, &[(0, 0, 5)])];
    graphs.into_iter().flatten().collect()
}
