//! Strongly connected components against the closure of reachability, and the verifier against wrong labels.

use equipoise::{
    components::{Components, ComponentsOptions, ComponentsStrategy, components},
    graph::Graph,
};
use proptest::prelude::*;

use crate::{
    graphs::{generated, multigraph as graph},
    oracles::all_distances,
};

const STRONG: ComponentsOptions =
    ComponentsOptions { strategy: ComponentsStrategy::Auto, strong: true };

/// Verified strongly connected components.
fn verified(graph: &Graph, strategy: ComponentsStrategy) -> Components {
    let result = components(graph, &ComponentsOptions { strategy, ..STRONG }).unwrap();
    result.verify(graph).unwrap_or_else(|error| panic!("{strategy}: {error}"));
    assert!(result.strong);
    if result.strategy == ComponentsStrategy::ForwardBackward {
        let known: u64 = result.trace.steps.iter().map(|step| step.found).sum();
        assert_eq!(known, u64::from(graph.vertices()));
    }
    result
}

/// The smallest vertex of the component of each vertex.
fn expected(graph: &Graph) -> Vec<u32> {
    let distances = all_distances(graph, false);
    let reaches = |a: u32, b: u32| distances[a as usize][b as usize].is_finite();
    let smallest = |vertex| (0..=vertex).find(|&a| reaches(a, vertex) && reaches(vertex, a));
    (0..graph.vertices()).map(|vertex| smallest(vertex).unwrap()).collect()
}

proptest! {
    #[test]
    fn any_graph_has_the_components_of_brute_force(
        (vertices, edges) in (1..32u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices), 0..80))
        }),
        undirected in any::<bool>(),
    ) {
        let graph = graph(vertices, edges, undirected);
        let expected = expected(&graph);
        for strategy in [ComponentsStrategy::Auto, ComponentsStrategy::ForwardBackward] {
            let result = verified(&graph, strategy);
            prop_assert_eq!(&result.labels, &expected);
        }
    }
}

/// Cycles of these lengths, each with an edge to the next, in ascending or descending order of vertices.
fn chain_of_cycles(lengths: &[u32], reversed: bool) -> Graph {
    let (mut edges, mut first) = (Vec::new(), 0);
    for &length in lengths {
        edges.extend((0..length).map(|step| (first + step, first + (step + 1) % length)));
        first += length;
        edges.push((first - 1, first));
    }
    edges.pop();
    let reverse = |vertex| if reversed { first - 1 - vertex } else { vertex };
    let edges = edges.into_iter().map(|(a, b)| (reverse(a), reverse(b)));
    graph(first, edges.collect::<Vec<_>>(), false)
}

#[test]
fn each_step_does_its_part() {
    let steps = |graph: &Graph| {
        let steps = verified(graph, ComponentsStrategy::Auto).trace.steps;
        steps.iter().map(|step| (step.strategy.to_string(), step.found)).collect::<Vec<_>>()
    };
    let step = |name: &str, result| (name.to_string(), result);
    // Two vertices before a cycle, one of them with a loop, and two behind it.
    let edges = [(5, 4), (5, 5), (4, 0), (0, 1), (1, 2), (2, 0), (2, 6), (6, 7), (7, 7), (6, 7)];
    let trimmed = steps(&graph(8, edges.to_vec(), false));
    assert_eq!(trimmed[1..], [step("forward-backward", 3)]);
    assert_eq!(trimmed[0], step("trim", 5));
    let colored = steps(&chain_of_cycles(&[4, 2, 3], false));
    assert_eq!(colored, [step("trim", 0), step("forward-backward", 4), step("coloring", 5)]);
}

/// The order of vertices does not make a component wait for all before it.
#[test]
fn a_long_chain_of_cycles_takes_few_rounds() {
    for reversed in [false, true] {
        let result = verified(&chain_of_cycles(&[2; 5000], reversed), ComponentsStrategy::Auto);
        assert_eq!((result.count, result.largest), (5000, 2));
        let coloring = result.trace.steps.last().unwrap();
        assert_eq!(coloring.strategy, "coloring");
        assert!(coloring.sub_steps < 60, "{} rounds", coloring.sub_steps);
    }
}

/// Neither the search nor the verifier recurses per vertex, or synchronises all threads per vertex.
#[test]
fn a_path_of_a_million_vertices_is_trimmed() {
    let path = generated("path:n=1000000,directed=true");
    assert_eq!(verified(&path, ComponentsStrategy::Auto).count, 1_000_000);
    let cycle = generated("cycle:n=1000000,directed=true");
    assert_eq!(verified(&cycle, ComponentsStrategy::Auto).count, 1);
}

#[test]
fn strategies_of_the_other_kind_of_components_are_refused() {
    let directed = graph(3, vec![(0, 1)], false);
    let strong = |strategy| ComponentsOptions { strategy, strong: true };
    let weak = |strategy| ComponentsOptions { strategy, strong: false };
    for (options, problem) in [
        (strong(ComponentsStrategy::Afforest), "`afforest` does not find the strongly connected"),
        (strong(ComponentsStrategy::Hooking), "`hooking` does not find the strongly connected"),
        (weak(ComponentsStrategy::ForwardBackward), "add `strong`"),
    ] {
        let error = components(&directed, &options).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
    let undirected = graph(3, vec![(0, 1)], true);
    assert_eq!(verified(&undirected, ComponentsStrategy::Hooking).labels, [0, 0, 2]);
}

#[test]
fn wrong_components_are_refused() {
    let graph = graph(6, vec![(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3)], false);
    let right = verified(&graph, ComponentsStrategy::Auto);
    assert_eq!(right.labels, [0, 0, 0, 3, 3, 5]);
    let with = |labels: [u32; 6]| Components { labels: labels.to_vec(), ..right.clone() };
    for (wrong, problem) in [
        (Components { labels: vec![0; 5], ..right.clone() }, "5 labels for 6 vertices"),
        (with([1, 1, 1, 3, 3, 5]), "vertex 0 has the label 1"),
        (with([0, 0, 0, 3, 3, 9]), "vertex 5 has the label 9"),
        (with([0, 0, 2, 3, 3, 5]), "no path leads to the label from vertex 1, whose label is 0"),
        (with([0, 0, 0, 0, 0, 5]), "no path leads to the label from vertex 3, whose label is 0"),
        (with([0, 0, 0, 3, 3, 3]), "no path leads to the label from vertex 5, whose label is 3"),
        (with([0, 1, 2, 3, 3, 5]), "its component is part of another"),
        (Components { count: 2, ..right.clone() }, "the count is 2, but labels are those of 3"),
        (Components { largest: 2, ..right.clone() }, "the largest has 3 vertices, not 2"),
    ] {
        let error = wrong.verify(&graph).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}
