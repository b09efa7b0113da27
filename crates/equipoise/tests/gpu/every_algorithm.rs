//! What holds of every algorithm of the library's list on a GPU.

use equipoise::{
    Error, LoadedGraph,
    algorithm::{Algorithm, Gpus, Visitor, each},
    graph::Graph,
};
use equipoise_schedule::Error as DeviceError;
use proptest::prelude::*;

use crate::{
    common::{device, with_memory},
    every::{EqualToCpu, tests},
    graphs::{generated, multigraphs, odd_graphs},
};

/// A software GPU takes seconds per graph: these have what the odd and the random graphs lack.
const SHAPES: [&str; 4] = [
    "isolated:n=1",
    "star:n=1000,weights=1..9",
    "grid:width=15,height=20,drop=0.4,weights=1..50",
    "rmat:scale=8,edge-factor=8,directed=true,weights=1..99",
];

/// Louvain and Leiden find other communities on a GPU, which need not be as modular on a graph of a few vertices.
const ONLY_VERIFIED: [&str; 3] = ["communities auto", "communities louvain", "communities leiden"];

#[test]
fn results_on_shapes_equal_the_cpu() {
    for graph in SHAPES.map(generated).iter() {
        EqualToCpu { device: &device(), graph, only_verified: &[] }.check();
    }
}

#[test]
fn results_on_odd_graphs_equal_the_cpu() {
    for graph in &odd_graphs() {
        EqualToCpu { device: &device(), graph, only_verified: &ONLY_VERIFIED }.check();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2))]
    #[test]
    fn results_on_any_graph_equal_the_cpu(graph in multigraphs(60, 200)) {
        EqualToCpu { device: &device(), graph: &graph, only_verified: &ONLY_VERIFIED }.check();
    }
}

/// Runs every algorithm with limits of memory.
struct WithLimits<'a> {
    graph: &'a Graph,
    limits: &'a [u64],
    /// The limit from which on a run succeeds.
    enough: u64,
}

impl Visitor for WithLimits<'_> {
    fn visit<A: Algorithm>(&mut self) {
        for (name, options) in tests::<A>(&device(), self.graph) {
            let Some(graph) = A::test_graph(self.graph, &options).unwrap() else { continue };
            // Searches copy the graph before they compute what else they need.
            let runs_searches = ["bfs", "sssp", "paths", "betweenness"].contains(&A::NAME);
            let gpus = A::cost(&graph, &options).gpus;
            let runs_on_gpu = matches!(gpus, Gpus::All | Gpus::WithWideSums);
            for &limit in self.limits {
                let result = LoadedGraph::new(&with_memory(limit), &graph)
                    .and_then(|loaded| A::find(&loaded, &options)?.check(&graph, &options));
                match result {
                    Ok(_) => assert!(limit > 0 || !runs_on_gpu, "{name} without memory"),
                    Err(Error::Device(DeviceError::OutOfMemory { what, needed, available })) => {
                        assert!(needed > available, "{name}: {needed} of {available}");
                        assert!(limit < self.enough, "{name}: {what} needs {needed} of {limit}");
                        let is_early = what != "a buffer" || runs_searches || limit > 0;
                        assert!(is_early, "{name} began without memory");
                    }
                    Err(error) => panic!("{name} with {limit} bytes: {error}"),
                }
            }
        }
    }
}

#[test]
fn graphs_larger_than_memory_are_refused_with_numbers() {
    let graph = generated("path:n=9000");
    each(&mut WithLimits { graph: &graph, limits: &[0], enough: 1 });
}

#[test]
#[ignore = "minutes of compiling kernels for a GPU in software: `cargo xtask test --thorough` runs it"]
fn any_limit_of_memory_gives_a_verified_result_or_numbers() {
    let enough = 1_000_000;
    let powers = (0..7).map(|power| 1u64 << (3 * power));
    let limits: Vec<u64> = powers.chain((1..=16).map(|part| enough * part / 16)).collect();
    for spec in ["er:n=200,m=800,weights=1..9", "er:n=200,m=800,directed=true,weights=1..9"] {
        each(&mut WithLimits { graph: &generated(spec), limits: &limits, enough });
    }
}
