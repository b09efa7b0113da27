//! Triangles on a GPU: the same counts as on the cpu, by every strategy.

use equipoise::{
    LoadedGraph,
    graph::{Edges, Graph, GraphBuilder},
    triangles::{TrianglesOptions, TrianglesStrategy, triangles},
};
use proptest::prelude::*;

use super::search::{device, made, with_memory};

fn check(graph: &Graph) {
    let expected = triangles(graph, &TrianglesOptions::default()).unwrap();
    let there = LoadedGraph::new(&device(), graph).unwrap();
    let on_gpu = TrianglesStrategy::ALL.iter().filter(|&&it| it != TrianglesStrategy::Bitmap);
    for &strategy in on_gpu {
        let found = there.triangles(&TrianglesOptions { strategy }).unwrap();
        found.verify(graph).unwrap_or_else(|error| panic!("{strategy}: {error}"));
        assert_eq!(found.counts, expected.counts, "{strategy}");
        assert_eq!(found.trace.steps[0].found, expected.total);
    }
}

#[test]
fn shapes_by_every_strategy() {
    for spec in [
        "isolated:n=0",
        "isolated:n=1",
        "isolated:n=300",
        "path:n=3000",
        "star:n=5000",
        "complete:n=150",
        "grid:width=40,height=50,drop=0.4",
        "rmat:scale=10,edge-factor=8",
        "er:n=200,m=3000,directed=true",
    ] {
        check(&made(spec));
    }
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
fn a_bitmap_is_for_the_cpu() {
    let graph = made("path:n=3");
    let there = LoadedGraph::new(&device(), &graph).unwrap();
    let options = TrianglesOptions { strategy: TrianglesStrategy::Bitmap };
    let error = there.triangles(&options).unwrap_err().to_string();
    assert!(error.contains("`bitmap` is for the cpu only"), "{error}");
}

#[test]
fn what_does_not_fit_is_refused_with_numbers() {
    let graph = made("path:n=9000");
    let error = LoadedGraph::new(&with_memory(100_000), &graph)
        .and_then(|there| there.triangles(&TrianglesOptions::default()));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("the triangles of 9000 vertices needs"), "{error}");
}
