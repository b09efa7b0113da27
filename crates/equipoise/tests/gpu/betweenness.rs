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
        "path:n=150",
        "star:n=300",
        "grid:width=12,height=15,drop=0.2",
        "components:n=50",
        "rmat:scale=8,edge-factor=12",
        "er:n=200,m=500,directed=true",
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
        let graph = match undirected {
            true => {
                let builder = GraphBuilder::new().vertices(vertices.into()).undirected(true);
                builder.build(Edges::from(edges)).unwrap()
            }
            false => directed(vertices, edges),
        };
        check(&graph, &BetweennessOptions { endpoints, edges: true, ..BetweennessOptions::default() });
    }
}

#[test]
fn weights_are_for_the_cpu() {
    let graph = made("path:n=9,weights=1..9");
    let there = LoadedGraph::new(&device(), &graph).unwrap();
    let weighted = BetweennessOptions { weighted: true, ..BetweennessOptions::default() };
    let error = there.betweenness(&weighted).unwrap_err().to_string();
    assert!(error.contains("on the cpu only"), "{error}");
}

#[test]
fn what_does_not_fit_is_refused_with_numbers_and_little_memory_means_fewer_at_a_time() {
    let graph = made("path:n=2000");
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
