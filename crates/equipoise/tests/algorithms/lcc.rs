//! Local clustering coefficients against the definition of the benchmark, and the verifier against wrong numbers.

use std::collections::BTreeSet;

use equipoise::{
    graph::Graph,
    lcc::{Lcc, lcc},
    triangles::{TrianglesOptions, triangles},
};
use proptest::prelude::*;

use crate::{
    graphs::{generated, graph, multigraph, multigraphs},
    in_pool,
};

fn verified(graph: &Graph) -> Lcc {
    let found = lcc(graph).unwrap();
    found.verify(graph).unwrap_or_else(|error| panic!("{error}"));
    found
}

/// The coefficients by the definition: all ordered pairs of neighbours, and the edges among them.
fn expected(graph: &Graph) -> Vec<f64> {
    let edges: BTreeSet<(u32, u32)> = (0..graph.vertices())
        .flat_map(|from| graph.neighbors(from).iter().map(move |&to| (from, to)))
        .collect();
    let coefficient = |vertex: u32| {
        let around = edges.iter().filter(|(a, b)| (*a == vertex) != (*b == vertex));
        let around: BTreeSet<u32> = around.map(|&(a, b)| if a == vertex { b } else { a }).collect();
        let pairs = around.iter().flat_map(|&a| around.iter().map(move |&b| (a, b)));
        let pairs: Vec<_> = pairs.filter(|(a, b)| a != b).collect();
        let closed = pairs.iter().filter(|pair| edges.contains(pair)).count();
        if pairs.is_empty() { 0.0 } else { closed as f64 / pairs.len() as f64 }
    };
    (0..graph.vertices()).map(coefficient).collect()
}

proptest! {
    #[test]
    fn any_graph_has_the_coefficients_of_the_definition(graph in multigraphs(16, 90)) {
        prop_assert_eq!(verified(&graph).coefficients(), expected(&graph));
    }
}

#[test]
fn a_triangle_credits_each_corner_with_the_directions_of_the_opposite_side() {
    let edges = vec![(0, 1), (1, 0), (1, 2), (2, 0), (0, 2), (2, 3)];
    let found = verified(&graph(4, edges, false));
    assert_eq!((&found.closed[..], &found.degrees[..]), (&[1, 2, 2, 0][..], &[2, 2, 3, 1][..]));
    assert_eq!(found.coefficients(), [0.5, 1.0, 2.0 / 6.0, 0.0]);
    assert_eq!(found.average(), (0.5 + 1.0 + 2.0 / 6.0) / 4.0);
}

#[test]
fn undirected_graphs_have_the_clustering_of_triangles() {
    for spec in ["rmat:scale=11", "cliques:count=4,size=9", "grid:width=9,height=9", "path:n=1"] {
        let graph = generated(spec);
        let triangles = triangles(&graph, &TrianglesOptions::default()).unwrap();
        assert_eq!(verified(&graph).coefficients(), triangles.clustering(), "{spec}");
    }
    assert_eq!(verified(&graph(0, Vec::<(u32, u32)>::new(), false)).average(), 0.0);
}

#[test]
fn both_directions_of_every_edge_are_as_an_undirected_graph() {
    let undirected = generated("rmat:scale=11");
    let edges = |vertex: u32| undirected.neighbors(vertex).iter().map(move |&to| (vertex, to));
    let edges: Vec<_> = (0..undirected.vertices()).flat_map(edges).collect();
    let directed = graph(undirected.vertices(), edges, false);
    let [one, many] = [1, 5].map(|threads| in_pool(threads, || verified(&directed)));
    assert_eq!(one.closed, verified(&undirected).closed);
    assert_eq!(one.closed, many.closed);
}

#[test]
fn wrong_results_are_refused() {
    let edges = vec![(0, 1), (1, 0), (1, 2), (2, 0), (2, 3), (3, 0), (4, 4), (0, 1)];
    for undirected in [false, true] {
        let graph = multigraph(5, edges.clone(), undirected);
        let right = verified(&graph);
        for vertex in 0..5 {
            for closed in (0..8).chain([u64::MAX]).filter(|&all| all != right.closed[vertex]) {
                let mut wrong = right.clone();
                wrong.closed[vertex] = closed;
                assert!(wrong.verify(&graph).is_err(), "{undirected}: {vertex}, {closed}");
            }
            let mut wrong = right.clone();
            wrong.degrees[vertex] += 1;
            assert!(wrong.verify(&graph).is_err(), "{undirected}: {vertex}");
        }
        let mut fewer = right.clone();
        fewer.closed.pop();
        assert!(fewer.verify(&graph).is_err());
        let mut fewer = right.clone();
        fewer.degrees.pop();
        assert!(fewer.verify(&graph).is_err());
    }
    // The other direction of one edge.
    let [one, other] = [vec![(0, 1), (1, 2), (2, 0), (0, 3)], vec![(0, 1), (1, 2), (2, 0), (2, 1)]]
        .map(|edges| graph(4, edges, false));
    assert!(lcc(&one).unwrap().verify(&other).is_err());
}
