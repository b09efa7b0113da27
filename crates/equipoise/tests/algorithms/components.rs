//! Components against relaxation of all edges, and the verifier against wrong labels.

use equipoise::{
    components::{Components, ComponentsOptions, ComponentsStrategy, components},
    graph::Graph,
};
use proptest::prelude::*;

use crate::{
    graphs::{generated, graph},
    in_pool,
};

/// The strategies for weakly connected components.
const WEAK: [ComponentsStrategy; 3] =
    [ComponentsStrategy::Auto, ComponentsStrategy::Afforest, ComponentsStrategy::Hooking];

/// Verified components by a strategy.
fn verified(graph: &Graph, strategy: ComponentsStrategy) -> Components {
    let result = components(graph, &ComponentsOptions { strategy, strong: false }).unwrap();
    result.verify(graph).unwrap_or_else(|error| panic!("{strategy}: {error}"));
    let joined: u64 = result.trace.steps.iter().map(|step| step.found).sum();
    assert_eq!(joined, u64::from(graph.vertices() - result.count), "{strategy}");
    result
}

/// The smallest vertex that edges of either direction connect to each vertex.
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
        let graph = graph(vertices, edges.clone(), undirected);
        let expected = expected(vertices, &edges);
        for strategy in WEAK {
            let result = verified(&graph, strategy);
            prop_assert_eq!(&result.labels, &expected);
            let sizes = result.sizes();
            prop_assert_eq!(sizes.iter().sum::<u32>(), vertices);
            prop_assert_eq!(sizes.iter().max(), Some(&result.largest));
        }
    }
}

/// The giant component does not contain the smallest vertex, and edges leave it in one direction only.
#[test]
fn edges_that_only_leave_the_giant_component_join() {
    let mut edges: Vec<(u32, u32)> = (10..2000).map(|vertex| (vertex, vertex + 1)).collect();
    edges.extend([(2000, 10), (2000, 11), (2000, 12), (2000, 5), (5, 4)]);
    let graph = graph(2001, edges, false);
    for strategy in WEAK {
        let result = verified(&graph, strategy);
        assert_eq!((result.labels[2000], result.labels[5], result.count), (4, 4, 9));
    }
}

#[test]
fn afforest_skips_edges_of_the_giant_component() {
    let graph = generated("rmat:scale=12");
    let examined = |strategy| verified(&graph, strategy).trace.edges();
    assert_eq!(examined(ComponentsStrategy::Hooking), graph.edges());
    assert!(examined(ComponentsStrategy::Afforest) * 4 < graph.edges());
}

/// Large enough for several threads, with long paths and many components.
#[test]
fn threads_that_race_for_roots_find_the_same_components() {
    for spec in ["grid:width=600,height=450,drop=0.4", "er:n=270000,m=300000"] {
        let graph = generated(spec);
        let alone = in_pool(1, || verified(&graph, ComponentsStrategy::Afforest));
        for strategy in [ComponentsStrategy::Afforest, ComponentsStrategy::Hooking] {
            let result = in_pool(8, || verified(&graph, strategy));
            assert_eq!(result.labels, alone.labels, "{spec}");
            assert_eq!((result.count, result.largest), (alone.count, alone.largest), "{spec}");
        }
    }
}

#[test]
fn wrong_components_are_refused() {
    let graph = graph(6, vec![(0, 1), (1, 2), (4, 5)], true);
    let right = verified(&graph, ComponentsStrategy::Auto);
    let with = |labels: [u32; 6]| Components { labels: labels.to_vec(), ..right.clone() };
    for (wrong, problem) in [
        (Components { labels: vec![0; 5], ..right.clone() }, "5 labels for 6 vertices"),
        (with([1, 1, 1, 3, 4, 4]), "vertex 0 has the label 1"),
        (with([0, 0, 1, 3, 4, 4]), "vertex 2 has the label 1"),
        (with([0, 0, 0, 3, 4, 9]), "vertex 5 has the label 9"),
        (with([0, 0, 2, 3, 4, 4]), "an edge joins the vertices 1 and 2"),
        (with([0, 0, 0, 0, 4, 4]), "no path joins vertex 3, whose label is 0"),
        (Components { count: 2, ..right.clone() }, "the count is 2, but labels are those of 3"),
        (Components { largest: 2, ..right.clone() }, "the largest has 3 vertices, not 2"),
    ] {
        let error = wrong.verify(&graph).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}
