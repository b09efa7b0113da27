//! Components on a GPU: the same labels as on the cpu, by every strategy.

use equipoise::{
    LoadedGraph,
    components::{ComponentsOptions, ComponentsStrategy, components},
    graph::{Edges, Graph, GraphBuilder},
};
use proptest::prelude::*;

use super::search::{device, made, with_memory};

fn check(graph: &Graph) {
    let expected = components(graph, &ComponentsOptions::default()).unwrap();
    let there = LoadedGraph::new(&device(), graph).unwrap();
    for strategy in
        [ComponentsStrategy::Auto, ComponentsStrategy::Afforest, ComponentsStrategy::Hooking]
    {
        let found = there.components(&ComponentsOptions { strategy, strong: false }).unwrap();
        found.verify(graph).unwrap_or_else(|error| panic!("{strategy}: {error}"));
        assert_eq!(found.labels, expected.labels, "{strategy}");
        assert_eq!(found.trace.steps[0].found, u64::from(graph.vertices() - found.count));
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
        "grid:width=40,height=50,drop=0.4",
        "components:n=500",
        "rmat:scale=10,edge-factor=4",
        "er:n=900,m=800,directed=true",
    ] {
        check(&made(spec));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_graph(
        (vertices, edges) in (1..60u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices), 0..90))
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
    let error = LoadedGraph::new(&with_memory(100_000), &graph)
        .and_then(|there| there.components(&ComponentsOptions::default()));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("the components of 9000 vertices needs"), "{error}");
}
