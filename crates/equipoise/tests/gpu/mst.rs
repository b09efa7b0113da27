//! Spanning forests on a GPU: the same as on the cpu, by every strategy.

use equipoise::{
    LoadedGraph,
    graph::{Duplicates, Edges, Graph, GraphBuilder, SelfLoops},
    mst::{MstOptions, MstStrategy, mst},
};
use proptest::prelude::*;

use super::search::{device, made, with_memory};

fn check(graph: &Graph) {
    let expected = mst(graph, &MstOptions::default()).unwrap();
    let there = LoadedGraph::new(&device(), graph).unwrap();
    for &strategy in MstStrategy::ALL {
        let found = there.mst(&MstOptions { strategy }).unwrap();
        found.verify(graph).unwrap_or_else(|error| panic!("{strategy}: {error}"));
        assert_eq!(found.edges, expected.edges, "{strategy}");
        assert_eq!(found.weights, expected.weights, "{strategy}");
        assert_eq!((found.total, found.trees), (expected.total, expected.trees), "{strategy}");
        assert_eq!(found.trace.steps[0].found, expected.edges.len() as u64, "{strategy}");
    }
}

/// An undirected graph that keeps loops and parallel edges.
fn undirected<W>(vertices: u32, edges: Vec<W>) -> Graph
where
    Edges: From<Vec<W>>,
{
    let builder = GraphBuilder::new().vertices(vertices.into()).undirected(true);
    let builder = builder.duplicates(Duplicates::Keep).self_loops(SelfLoops::Keep);
    builder.build(Edges::from(edges)).unwrap()
}

#[test]
fn shapes_by_every_strategy() {
    for spec in [
        "isolated:n=0",
        "isolated:n=1",
        "isolated:n=300",
        "path:n=3000",
        "star:n=5000,weights=1..9",
        "complete:n=90,weights=1..9",
        "grid:width=40,height=50,drop=0.4,weights=1..1000",
        "components:n=500,weights=1..9",
        "rmat:scale=10,edge-factor=24,weights=1..100000",
    ] {
        check(&made(spec));
    }
}

/// In the first round each vertex joins the one before: more steps to the root than a launch takes.
#[test]
fn trees_as_deep_as_can_be() {
    let edges: Vec<_> = (0..5000u32).map(|vertex| (vertex, vertex + 1, vertex)).collect();
    check(&undirected(5001, edges));
    let edges: Vec<_> = (0..5000u32).map(|vertex| (vertex, vertex + 1, 5000 - vertex)).collect();
    check(&undirected(5001, edges));
}

#[test]
fn the_largest_weights_are_told_from_none() {
    check(&undirected(4, vec![(0, 1, u32::MAX), (1, 2, u32::MAX), (2, 0, u32::MAX - 1)]));
    check(&undirected(3, vec![(0, 1, f32::INFINITY), (1, 2, -0.0), (1, 2, 0.0), (0, 2, -2.5)]));
    let close = 1.0 + f64::EPSILON;
    check(&undirected(
        4,
        vec![(0, 1, close), (1, 2, 1.0), (0, 2, -0.0), (2, 3, close), (1, 3, 7.0)],
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_graph(
        (vertices, edges) in (1..60u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices, -4..5i32), 0..500))
        }),
        is_real in any::<bool>(),
    ) {
        match is_real {
            true => {
                let edges = edges.into_iter().map(|(a, b, weight)| (a, b, weight as f32 / 3.0));
                check(&undirected(vertices, edges.collect::<Vec<_>>()));
            }
            false => {
                let edges = edges.into_iter().map(|(a, b, weight)| (a, b, (weight + 4) as u32));
                check(&undirected(vertices, edges.collect::<Vec<_>>()));
            }
        }
    }
}

#[test]
fn what_does_not_fit_or_is_directed_is_refused() {
    let graph = made("path:n=9000");
    let error = LoadedGraph::new(&with_memory(100_000), &graph)
        .and_then(|there| there.mst(&MstOptions::default()));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("a spanning forest of 9000 vertices needs"), "{error}");
    let graph = made("er:n=90,m=200,directed=true");
    let there = LoadedGraph::new(&device(), &graph).unwrap();
    let error = there.mst(&MstOptions::default()).unwrap_err().to_string();
    assert!(error.contains("needs an undirected graph"), "{error}");
}
