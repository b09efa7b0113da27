//! Independent sets on a GPU: the same as on the cpu, by every priority.

use equipoise::{
    LoadedGraph,
    graph::Graph,
    mis::{MisOptions, MisPriority, mis},
};
use proptest::prelude::*;

use super::search::{device, directed, made, with_memory};

fn check(graph: &Graph, seed: u64) {
    let there = LoadedGraph::new(&device(), graph).unwrap();
    for &priority in MisPriority::ALL {
        let options = MisOptions { priority, seed };
        let expected = mis(graph, &options).unwrap();
        let found = there.mis(&options).unwrap();
        found.verify(graph, &options).unwrap_or_else(|error| panic!("{priority}: {error}"));
        assert_eq!(found.in_set, expected.in_set, "{priority}");
        let steps = &found.trace.steps;
        let decided: u64 = steps.iter().map(|step| step.found).sum();
        assert_eq!(decided, u64::from(graph.vertices()), "{priority}");
        assert!(steps.iter().all(|step| step.frontier > 0), "{priority}: a round too many");
    }
}

#[test]
fn shapes_by_every_priority() {
    for spec in [
        "isolated:n=0",
        "isolated:n=1",
        "isolated:n=300",
        "path:n=3000",
        "star:n=5000",
        "complete:n=300",
        "grid:width=40,height=50,drop=0.1",
        "rmat:scale=10,edge-factor=8",
        "er:n=900,m=1800,directed=true",
    ] {
        check(&made(spec), 1);
    }
}

/// By random numbers the hub of a star joins for some seeds: a plane leaves out all of its neighbours.
#[test]
fn a_vertex_with_many_neighbours_joins() {
    let star = made("star:n=40");
    let there = LoadedGraph::new(&device(), &star).unwrap();
    let joins = |seed| {
        let options = MisOptions { priority: MisPriority::Random, seed };
        let found = there.mis(&options).unwrap();
        found.verify(&star, &options).unwrap();
        found.in_set[0]
    };
    assert!((0..400).any(joins));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_graph(
        (vertices, edges) in (1..80u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices), 0..300))
        }),
        seed in any::<u64>(),
    ) {
        check(&directed(vertices, edges), seed);
    }
}

#[test]
fn what_does_not_fit_is_refused_with_numbers() {
    let graph = made("path:n=9000");
    let error = LoadedGraph::new(&with_memory(100_000), &graph)
        .and_then(|there| there.mis(&MisOptions::default()));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("an independent set of 9000 vertices needs"), "{error}");
}
