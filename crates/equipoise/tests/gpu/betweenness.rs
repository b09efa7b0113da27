//! Betweenness on a GPU: near that of the cpu, and the same from run to run.

use equipoise::{
    LoadedGraph,
    betweenness::{Betweenness, BetweennessOptions, betweenness},
    graph::{Edges, Graph, GraphBuilder},
};
use proptest::prelude::*;

use super::search::{device, directed, made, with_memory};

fn values(found: &Betweenness) -> Vec<f64> {
    let edges = found.edges.iter().flat_map(|edges| edges.values.clone());
    found.vertices.iter().copied().chain(edges).collect()
}

fn of_edges(vertices: u32, edges: impl Into<Edges>, undirected: bool) -> Graph {
    let builder = GraphBuilder::new().vertices(vertices.into()).undirected(undirected);
    builder.build(edges.into()).unwrap()
}

fn check(graph: &Graph, options: &BetweennessOptions) {
    let here = betweenness(graph, options).unwrap();
    let there = LoadedGraph::new(&device(), graph).unwrap();
    let found = there.betweenness(options).unwrap();
    found.verify(graph, options).unwrap();
    assert!(found.single_precision);
    assert_eq!((found.sources, found.exact), (here.sources, here.exact));
    assert_eq!(found.trace.steps[0].found, here.trace.steps[0].found);
    let (found_values, expected) = (values(&found), values(&here));
    assert_eq!(found_values.len(), expected.len());
    for (place, (found, expected)) in found_values.iter().zip(&expected).enumerate() {
        assert!((found - expected).abs() <= 1e-5 * expected, "{place}: {found} {expected}");
    }
    assert_eq!(values(&there.betweenness(options).unwrap()), found_values);
}

#[test]
fn shapes_from_some_sources_and_from_all() {
    for spec in [
        "isolated:n=0",
        "isolated:n=1",
        "isolated:n=300",
        "path:n=70",
        "star:n=300",
        "grid:width=8,height=11,drop=0.2",
        "components:n=50",
        "rmat:scale=7,edge-factor=12",
        "er:n=100,m=250,directed=true",
        "complete:n=40",
    ] {
        let graph = made(spec);
        check(&graph, &BetweennessOptions { edges: true, ..BetweennessOptions::default() });
        let sources = Some((0..graph.vertices()).step_by(17).collect());
        let some = BetweennessOptions { sources, endpoints: true, ..BetweennessOptions::default() };
        check(&graph, &BetweennessOptions { unnormalized: true, ..some });
    }
}

/// Path counts of this grid are far beyond numbers of 32 bits, up to 2 to the power of 300.
#[test]
fn counts_beyond_32_bits_stay_finite() {
    let sources = Some(vec![0, 11_000]);
    let options = BetweennessOptions { sources, ..BetweennessOptions::default() };
    check(&made("grid:width=150,height=150"), &options);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_graph(
        (vertices, edges) in (1..60u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices), 0..150))
        }),
        [undirected, endpoints] in any::<[bool; 2]>(),
    ) {
        let graph = of_edges(vertices, edges, undirected);
        check(&graph, &BetweennessOptions { endpoints, edges: true, ..BetweennessOptions::default() });
    }
}

/// By weights, from a few vertices: a search for distances takes a tenth of a second on a GPU in software.
fn weighted(graph: &Graph) -> BetweennessOptions {
    let vertices = graph.vertices();
    let sources = Some((0..vertices).step_by(vertices.div_ceil(3).max(1) as usize).collect());
    BetweennessOptions { sources, weighted: true, edges: true, ..BetweennessOptions::default() }
}

#[test]
fn paths_by_weights() {
    for spec in [
        "path:n=90,weights=1..9",
        "star:n=300,weights=1..3",
        // Many paths are equally long.
        "grid:width=20,height=30,weights=1..2",
        "grid:width=12,height=15,weights=1..1000",
        "rmat:scale=8,edge-factor=12,weights=1..4",
        "er:n=200,m=900,directed=true,weights=1..9",
        // Without weights, edges count.
        "er:n=100,m=300",
    ] {
        let graph = made(spec);
        check(&graph, &weighted(&graph));
    }
    // Beyond 32 bits when added up, but along no shortest path.
    let graph = directed(4, vec![(0, 1, u32::MAX - 2), (0, 2, 1), (2, 1, 7), (1, 3, 5)]);
    check(&graph, &weighted(&graph));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn any_weights(
        (vertices, edges) in (1..60u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices, 1..6u32), 0..200))
        }),
        [undirected, endpoints] in any::<[bool; 2]>(),
    ) {
        let graph = of_edges(vertices, edges, undirected);
        check(&graph, &BetweennessOptions { endpoints, ..weighted(&graph) });
    }
}

#[test]
fn weights_that_32_bits_do_not_tell_apart_are_refused() {
    let refused = |graph: &Graph| {
        let there = LoadedGraph::new(&device(), graph).unwrap();
        there.betweenness(&weighted(graph)).unwrap_err().to_string()
    };
    let error = refused(&made("path:n=9,weights=0.5..9"));
    assert!(error.contains("by whole weights only") && error.contains("the cpu"), "{error}");
    let error = refused(&directed(3, vec![(0, 1, 3_000_000_000u32), (1, 2, 3_000_000_000)]));
    assert!(error.contains("from vertex 0 to vertex 2") && error.contains("32 bits"), "{error}");
}

#[test]
fn what_does_not_fit_is_refused_with_numbers_and_little_memory_means_fewer_at_a_time() {
    let graph = made("star:n=2000");
    let options = BetweennessOptions {
        sources: Some((0..40).map(|place| 50 * place).collect()),
        ..BetweennessOptions::default()
    };
    let groups = |bytes: u64| {
        let there = LoadedGraph::new(&with_memory(bytes), &graph)?;
        there.betweenness(&options).map(|found| found.trace.steps[0].sub_steps)
    };
    let error = groups(80_000).unwrap_err().to_string();
    assert!(error.contains("the betweenness of 2000 vertices needs"), "{error}");
    assert_eq!(groups(1 << 30).unwrap(), 1);
    assert!(groups(400_000).unwrap() > 2);
}
