//! Components against a search from every vertex, and labels that are not right against the verifier.

use equipoise::{
    components::{Components, ComponentsOptions, ComponentsStrategy, components},
    graph::{Edges, Graph, GraphBuilder, io::ReadOptions, load},
};
use proptest::prelude::*;

fn graph(vertices: u32, edges: &[(u32, u32)], undirected: bool) -> Graph {
    let builder = GraphBuilder::new().vertices(vertices.into()).undirected(undirected);
    builder.build(Edges::from(edges.to_vec())).unwrap()
}

/// The strategies for weakly connected components.
const WEAK: [ComponentsStrategy; 3] =
    [ComponentsStrategy::Auto, ComponentsStrategy::Afforest, ComponentsStrategy::Hooking];

/// Verified components by a strategy.
fn found(graph: &Graph, strategy: ComponentsStrategy) -> Components {
    let found = components(graph, &ComponentsOptions { strategy, strong: false }).unwrap();
    found.verify(graph).unwrap_or_else(|error| panic!("{strategy}: {error}"));
    let joined: u64 = found.trace.steps.iter().map(|step| step.found).sum();
    assert_eq!(joined, u64::from(graph.vertices() - found.count), "{strategy}");
    found
}

/// The smallest vertex that each can be reached from over these edges, either way.
fn expected(vertices: u32, edges: &[(u32, u32)]) -> Vec<u32> {
    let mut labels: Vec<u32> = (0..vertices).collect();
    for _ in 0..vertices {
        for &(a, b) in edges {
            let least = labels[a as usize].min(labels[b as usize]);
            labels[a as usize] = least;
            labels[b as usize] = least;
        }
    }
    labels
}

proptest! {
    #[test]
    fn any_graph_has_the_components_of_brute_force(
        (vertices, edges) in (1..40u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices), 0..60))
        }),
        undirected in any::<bool>(),
    ) {
        let graph = graph(vertices, &edges, undirected);
        let expected = expected(vertices, &edges);
        for strategy in WEAK {
            let found = found(&graph, strategy);
            prop_assert_eq!(&found.labels, &expected);
            let sizes = found.sizes();
            prop_assert_eq!(sizes.iter().sum::<u32>(), vertices);
            prop_assert_eq!(sizes.iter().max(), Some(&found.largest));
        }
    }
}

#[test]
fn known_shapes_by_every_strategy() {
    for (spec, count, largest) in [
        ("isolated:n=0", 0, 0),
        ("isolated:n=1", 1, 1),
        ("isolated:n=9", 9, 1),
        ("path:n=5000", 1, 5000),
        ("star:n=3000", 1, 3000),
        ("cycle:n=777", 1, 777),
        ("complete:n=60", 1, 60),
    ] {
        let graph = load(spec, &ReadOptions::default()).unwrap();
        for strategy in WEAK {
            let found = found(&graph, strategy);
            assert_eq!((found.count, found.largest), (count, largest), "{spec} by {strategy}");
            assert_ne!(found.strategy, ComponentsStrategy::Auto);
        }
    }
}

/// The giant component is not the one with the smallest vertex, and edges lead from it that do not lead back.
#[test]
fn what_only_the_giant_component_of_a_directed_graph_leads_to_is_joined() {
    let mut edges: Vec<(u32, u32)> = (10..2000).map(|vertex| (vertex, vertex + 1)).collect();
    edges.extend([(2000, 10), (2000, 11), (2000, 12), (2000, 5), (5, 4)]);
    let graph = graph(2001, &edges, false);
    for strategy in WEAK {
        let found = found(&graph, strategy);
        assert_eq!((found.labels[2000], found.labels[5], found.count), (4, 4, 9));
    }
}

#[test]
fn afforest_leaves_out_edges_of_the_giant_component() {
    let graph = load("rmat:scale=12", &ReadOptions::default()).unwrap();
    let looked = |strategy| found(&graph, strategy).trace.edges();
    assert_eq!(looked(ComponentsStrategy::Hooking), graph.edges());
    assert!(looked(ComponentsStrategy::Afforest) * 4 < graph.edges());
}

#[test]
fn wrong_components_are_told() {
    let graph = graph(6, &[(0, 1), (1, 2), (4, 5)], true);
    let right = found(&graph, ComponentsStrategy::Auto);
    let with = |labels: [u32; 6]| Components { labels: labels.to_vec(), ..right.clone() };
    for (wrong, problem) in [
        (Components { labels: vec![0; 5], ..right.clone() }, "5 labels for 6 vertices"),
        (with([1, 1, 1, 3, 4, 4]), "vertex 0 has the label 1"),
        (with([0, 0, 1, 3, 4, 4]), "vertex 2 has the label 1"),
        (with([0, 0, 0, 3, 4, 9]), "vertex 5 has the label 9"),
        (with([0, 0, 2, 3, 4, 4]), "an edge joins the vertices 1 and 2"),
        (with([0, 0, 0, 0, 4, 4]), "2 components, of 3"),
        (Components { count: 2, ..right.clone() }, "2 are said to be there, of 3"),
        (Components { largest: 2, ..right.clone() }, "the largest has 3 vertices, not 2"),
    ] {
        let error = wrong.verify(&graph).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}
