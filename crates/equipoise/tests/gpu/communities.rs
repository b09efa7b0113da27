//! Communities on a GPU: the same as on the cpu.

use equipoise::{
    LoadedGraph,
    communities::{CommunitiesOptions, CommunitiesStrategy, communities},
    graph::{Duplicates, Edges, Graph, GraphBuilder, SelfLoops},
};
use proptest::prelude::*;

use super::search::{device, directed, made, with_memory};

fn labels(seed: u64) -> CommunitiesOptions {
    let strategy = CommunitiesStrategy::LabelPropagation;
    CommunitiesOptions { strategy, seed, ..CommunitiesOptions::default() }
}

/// The same communities as on the cpu, after as many sweeps with as many changes, found on the GPU or not.
fn check(graph: &Graph, options: &CommunitiesOptions, on_gpu: bool) {
    let expected = communities(graph, options).unwrap();
    let there = LoadedGraph::new(&device(), graph).unwrap();
    let found = there.communities(options).unwrap();
    found.verify(graph, options).unwrap();
    assert_eq!(found.communities, expected.communities);
    let changes =
        |found: &equipoise::Trace| found.steps.iter().map(|step| step.found).collect::<Vec<_>>();
    assert_eq!(changes(&found.trace), changes(&expected.trace));
    assert_eq!((found.on_gpu, found.converged), (on_gpu, expected.converged));
}

#[test]
fn labels_of_shapes() {
    for spec in [
        "isolated:n=0",
        "isolated:n=1",
        "isolated:n=300",
        "path:n=700",
        "star:n=3000",
        "grid:width=20,height=30",
        "cliques:count=20,size=12",
        "rmat:scale=9,edge-factor=4",
        "rmat:scale=8,edge-factor=4,weights=1..9",
        "er:n=500,m=900,directed=true",
    ] {
        check(&made(spec), &labels(3), true);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn labels_of_any_graph(
        (vertices, edges) in (1..50u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices, 0..5u32), 0..120))
        }),
        undirected in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let builder = GraphBuilder::new().vertices(vertices.into()).undirected(undirected);
        let builder = builder.duplicates(Duplicates::Keep).self_loops(SelfLoops::Keep);
        check(&builder.build(Edges::from(edges)).unwrap(), &labels(seed), true);
    }
}

#[test]
fn what_a_gpu_does_not_do_runs_on_the_cpu() {
    check(&made("rmat:scale=8"), &CommunitiesOptions::default(), false);
    check(&directed(3, vec![(0, 1, 0.5f32), (1, 2, 2.0)]), &labels(1), false);
    check(&directed(3, vec![(0, 1, u32::MAX), (1, 2, 7)]), &labels(1), false);
}

#[test]
fn what_does_not_fit_is_refused_with_numbers() {
    let graph = made("path:n=9000");
    let error = LoadedGraph::new(&with_memory(300_000), &graph)
        .and_then(|there| there.communities(&labels(1)));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("label propagation among 9000 vertices needs"), "{error}");
}
