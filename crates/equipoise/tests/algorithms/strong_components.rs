//! Strongly connected components against the closure of reachability, and labels that are not right against the
//! verifier.

use equipoise::{
    components::{Components, ComponentsOptions, ComponentsStrategy, components},
    graph::{Duplicates, Edges, Graph, GraphBuilder, SelfLoops, io::ReadOptions, load},
};
use proptest::prelude::*;

const STRONG: ComponentsOptions =
    ComponentsOptions { strategy: ComponentsStrategy::Auto, strong: true };

/// A graph that keeps loops and parallel edges.
fn graph(vertices: u32, edges: &[(u32, u32)], undirected: bool) -> Graph {
    let builder = GraphBuilder::new().vertices(vertices.into()).undirected(undirected);
    let builder = builder.duplicates(Duplicates::Keep).self_loops(SelfLoops::Keep);
    builder.build(Edges::from(edges.to_vec())).unwrap()
}

/// Verified strongly connected components.
fn found(graph: &Graph, strategy: ComponentsStrategy) -> Components {
    let found = components(graph, &ComponentsOptions { strategy, ..STRONG }).unwrap();
    found.verify(graph).unwrap_or_else(|error| panic!("{strategy}: {error}"));
    assert!(found.strong);
    if found.strategy == ComponentsStrategy::ForwardBackward {
        let known: u64 = found.trace.steps.iter().map(|step| step.found).sum();
        assert_eq!(known, u64::from(graph.vertices()));
    }
    found
}

/// The smallest vertex that each reaches and is reached from.
fn expected(vertices: u32, edges: &[(u32, u32)], undirected: bool) -> Vec<u32> {
    let size = vertices as usize;
    let mut reaches = vec![vec![false; size]; size];
    (0..size).for_each(|vertex| reaches[vertex][vertex] = true);
    for &(a, b) in edges {
        reaches[a as usize][b as usize] = true;
        reaches[b as usize][a as usize] |= undirected;
    }
    for between in 0..size {
        for from in 0..size {
            for to in 0..size {
                reaches[from][to] |= reaches[from][between] && reaches[between][to];
            }
        }
    }
    let smallest = |vertex: usize| (0..size).find(|&a| reaches[a][vertex] && reaches[vertex][a]);
    (0..size).map(|vertex| smallest(vertex).unwrap() as u32).collect()
}

proptest! {
    #[test]
    fn any_graph_has_the_components_of_brute_force(
        (vertices, edges) in (1..32u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices), 0..80))
        }),
        undirected in any::<bool>(),
    ) {
        let graph = graph(vertices, &edges, undirected);
        let expected = expected(vertices, &edges, undirected);
        for strategy in [ComponentsStrategy::Auto, ComponentsStrategy::ForwardBackward] {
            let found = found(&graph, strategy);
            prop_assert_eq!(&found.labels, &expected);
        }
    }
}

/// Cycles of these lengths, each joined to the next by an edge, in this order of vertices.
fn chain_of_cycles(lengths: &[u32], reversed: bool) -> Graph {
    let (mut edges, mut first) = (Vec::new(), 0);
    for &length in lengths {
        edges.extend((0..length).map(|step| (first + step, first + (step + 1) % length)));
        first += length;
        edges.push((first - 1, first));
    }
    edges.pop();
    let edges = edges.into_iter().map(|(a, b)| match reversed {
        true => (first - 1 - a, first - 1 - b),
        false => (a, b),
    });
    graph(first, &edges.collect::<Vec<_>>(), false)
}

#[test]
fn known_shapes() {
    for (spec, count, largest) in [
        ("isolated:n=0", 0, 0),
        ("isolated:n=1", 1, 1),
        ("isolated:n=9", 9, 1),
        ("path:n=5000", 1, 5000),
        ("path:n=5000,directed=true", 5000, 1),
        ("cycle:n=777,directed=true", 1, 777),
        ("complete:n=60", 1, 60),
    ] {
        let graph = load(spec, &ReadOptions::default()).unwrap();
        let found = found(&graph, ComponentsStrategy::ForwardBackward);
        assert_eq!((found.count, found.largest), (count, largest), "{spec}");
    }
}

#[test]
fn each_step_does_its_part() {
    let steps = |graph: &Graph| {
        let steps = found(graph, ComponentsStrategy::Auto).trace.steps;
        steps.iter().map(|step| (step.strategy.to_string(), step.found)).collect::<Vec<_>>()
    };
    let step = |name: &str, found| (name.to_string(), found);
    // Two vertices before a cycle, one of them with a loop, and two behind it.
    let edges = [(5, 4), (5, 5), (4, 0), (0, 1), (1, 2), (2, 0), (2, 6), (6, 7), (7, 7), (6, 7)];
    let trimmed = steps(&graph(8, &edges, false));
    assert_eq!(trimmed[1..], [step("forward-backward", 3)]);
    assert_eq!(trimmed[0], step("trim", 5));
    let colored = steps(&chain_of_cycles(&[4, 2, 3], false));
    assert_eq!(colored, [step("trim", 0), step("forward-backward", 4), step("coloring", 5)]);
}

/// Rounds of coloring are few whatever the order of vertices: none has to wait for all before it.
#[test]
fn a_long_chain_of_cycles_takes_few_rounds() {
    for reversed in [false, true] {
        let found = found(&chain_of_cycles(&[2; 5000], reversed), ComponentsStrategy::Auto);
        assert_eq!((found.count, found.largest), (5000, 2));
        let coloring = found.trace.steps.last().unwrap();
        assert_eq!(coloring.strategy, "coloring");
        assert!(coloring.sub_steps < 60, "{} rounds", coloring.sub_steps);
    }
}

/// Neither the search nor the verifier goes down the call stack for each vertex, or takes an iteration of all threads.
#[test]
fn a_path_of_a_million_vertices_is_trimmed() {
    let path = load("path:n=1000000,directed=true", &ReadOptions::default()).unwrap();
    assert_eq!(found(&path, ComponentsStrategy::Auto).count, 1_000_000);
    let cycle = load("cycle:n=1000000,directed=true", &ReadOptions::default()).unwrap();
    assert_eq!(found(&cycle, ComponentsStrategy::Auto).count, 1);
}

#[test]
fn strategies_of_the_other_kind_of_components_are_refused() {
    let directed = graph(3, &[(0, 1)], false);
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
    let undirected = graph(3, &[(0, 1)], true);
    assert_eq!(found(&undirected, ComponentsStrategy::Hooking).labels, [0, 0, 2]);
}

#[test]
fn wrong_components_are_told() {
    let graph = graph(6, &[(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3)], false);
    let right = found(&graph, ComponentsStrategy::Auto);
    assert_eq!(right.labels, [0, 0, 0, 3, 3, 5]);
    let with = |labels: [u32; 6]| Components { labels: labels.to_vec(), ..right.clone() };
    for (wrong, problem) in [
        (Components { labels: vec![0; 5], ..right.clone() }, "5 labels for 6 vertices"),
        (with([1, 1, 1, 3, 3, 5]), "vertex 0 has the label 1"),
        (with([0, 0, 0, 3, 3, 9]), "vertex 5 has the label 9"),
        (with([0, 0, 2, 3, 3, 5]), "vertex 2 has the label 2; the smallest vertex"),
        (with([0, 0, 0, 0, 0, 5]), "has the label 0; the smallest vertex of its component is 3"),
        (with([0, 0, 0, 3, 3, 3]), "vertex 5 has the label 3; the smallest vertex"),
        (Components { count: 2, ..right.clone() }, "2 are said to be there, of 3"),
        (Components { largest: 2, ..right.clone() }, "the largest has 3 vertices, not 2"),
    ] {
        let error = wrong.verify(&graph).unwrap_err().to_string();
        assert!(error.contains(problem), "{error}");
    }
}
