//! Communities on a GPU: labels as on the cpu, and communities by louvain as modular as there.

use equipoise::{
    LoadedGraph,
    communities::{CommunitiesOptions, CommunitiesStrategy, communities},
    graph::{Duplicates, Edges, Graph, GraphBuilder, SelfLoops},
};
use proptest::prelude::*;

use super::search::{device, directed, made, with_memory};

/// With its parallel edges and loops.
fn of_edges(vertices: u32, edges: Vec<(u32, u32, u32)>, undirected: bool) -> Graph {
    let builder = GraphBuilder::new().vertices(vertices.into()).undirected(undirected);
    let builder = builder.duplicates(Duplicates::Keep).self_loops(SelfLoops::Keep);
    builder.build(Edges::from(edges)).unwrap()
}

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
        check(&of_edges(vertices, edges, undirected), &labels(seed), true);
    }
}

/// Louvain finds communities that are about as modular as those of the cpu, and the same again.
fn check_louvain(graph: &Graph, options: &CommunitiesOptions) {
    let expected = communities(graph, options).unwrap();
    let there = LoadedGraph::new(&device(), graph).unwrap();
    let found = there.communities(options).unwrap();
    found.verify(graph, options).unwrap();
    assert!(found.on_gpu);
    let modularities = (found.modularity, expected.modularity);
    assert!(found.modularity > expected.modularity - 0.05, "{modularities:?}");
    let again = there.communities(options).unwrap();
    assert_eq!((again.communities, again.levels), (found.communities, found.levels));
}

#[test]
fn louvain_of_shapes() {
    for spec in [
        "isolated:n=0",
        "isolated:n=1",
        "isolated:n=300",
        "path:n=700",
        "star:n=3000",
        "grid:width=20,height=30",
        "rmat:scale=9,edge-factor=4",
        "rmat:scale=8,edge-factor=4,weights=1..9",
        "rmat:scale=8,edge-factor=4,weights=0.1..0.9",
        "er:n=500,m=900,directed=true",
    ] {
        check_louvain(&made(spec), &CommunitiesOptions::default());
    }
    let cliques = made("cliques:count=20,size=12");
    let there = LoadedGraph::new(&device(), &cliques).unwrap();
    assert_eq!(there.communities(&CommunitiesOptions::default()).unwrap().sizes(), [12; 20]);
}

/// Strengths of communities exceed 32 bits, in which two of them would seem small.
#[test]
fn louvain_adds_up_beyond_32_bits() {
    let mut edges = Vec::new();
    for group in 0..6 {
        for (a, b) in [(0, 1), (1, 2), (2, 0), (2, 3), (3, 0), (1, 3)] {
            edges.push((4 * group + a, 4 * group + b, 1_400_000_000u32));
        }
        edges.push((4 * group, 4 * ((group + 1) % 6) + 1, 3));
    }
    let graph = GraphBuilder::new().undirected(true).build(Edges::from(edges)).unwrap();
    let there = LoadedGraph::new(&device(), &graph).unwrap();
    let found = there.communities(&CommunitiesOptions::default()).unwrap();
    found.verify(&graph, &CommunitiesOptions::default()).unwrap();
    assert_eq!(found.sizes(), [4; 6]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn louvain_of_any_graph(
        (vertices, edges) in (1..50u32).prop_flat_map(|vertices| {
            (Just(vertices), prop::collection::vec((0..vertices, 0..vertices, 0..5u32), 0..120))
        }),
        undirected in any::<bool>(),
        seed in any::<u64>(),
        resolution in 0.3..3.0f64,
    ) {
        let graph = of_edges(vertices, edges, undirected);
        let options = CommunitiesOptions { seed, resolution, ..CommunitiesOptions::default() };
        let found = LoadedGraph::new(&device(), &graph).unwrap().communities(&options).unwrap();
        found.verify(&graph, &options).unwrap();
    }
}

#[test]
fn what_a_gpu_does_not_do_runs_on_the_cpu() {
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
    let error = LoadedGraph::new(&with_memory(300_000), &graph)
        .and_then(|there| there.communities(&CommunitiesOptions::default()));
    let error = error.unwrap_err().to_string();
    assert!(error.contains("louvain among 9000 vertices needs"), "{error}");
}
