//! Core numbers on a GPU: the same as on the cpu.

use equipoise::{
    LoadedGraph,
    graph::{Edges, Graph, GraphBuilder},
    kcore::kcore,
};
use proptest::prelude::*;

use super::search::{device, made, with_memory};

fn check(graph: &Graph) {
    let there = LoadedGraph::new(&device(), graph).unwrap();
    // A second time, what the first left does not matter.
    for _ in 0..2 {
        let found = there.kcore().unwrap();
        found.verify(graph).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(found.cores, kcore(graph).unwrap().cores);
    }
}

#[test]
fn shapes() {
    for spec in [
        "isolated:n=0",
        "isolated:n=1",
        "isolated:n=300",
        "path:n=3000",
        "star:n=5000",
        "complete:n=150",
        "grid:width=40,height=50,drop=0.1",
        "components:n=500",
        "rmat:scale=11,edge-factor=8",
        // More than one cube looks through at a time.
        "er:n=20000,m=50000",
        "er:n=900,m=3000,directed=true",
    ] {
        check(&made(spec));
    }
}

/// Levels between those of a clique and of its tail have no vertices.
#[test]
fn empty_levels() {
    let clique = (0..100u32).flat_map(|a| (0..a).map(move |b| (a, b)));
    let edges: Vec<_> = clique.chain([(99, 100), (100, 101)]).collect();
    check(&GraphBuilder::new().undirected(true).build(Edges::from(edges)).unwrap());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_graph(
        (vertices, edges) in (1..40u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices), 0..300))
        }),
        undirected in any::<bool>(),
    ) {
        let builder = GraphBuilder::new().vertices(vertices.into()).undirected(undirected);
        check(&builder.build(Edges::from(edges)).unwrap());
    }
}

#[test]
fn what_does_not_fit_is_refused_with_numbers() {
    let graph = made("path:n=9000");
    let error = LoadedGraph::new(&with_memory(100_000), &graph).and_then(|there| there.kcore());
    let error = error.unwrap_err().to_string();
    assert!(error.contains("the cores of 9000 vertices needs"), "{error}");
}
