//! BFS and SSSP on a GPU, beyond what holds of every algorithm.

use equipoise::{
    Distances, Error, LoadedGraph, apsp::ApspOptions, bfs::BfsOptions, graph::Edges,
    sssp::SsspOptions, traversal::Strategy,
};

use crate::{
    common::*,
    graphs::{generated, graph, multigraph},
};

/// Without 64-bit atomic operations, a GPU refuses weights of 64 bits instead of rounding them; searches by edges ignore
/// weights.
#[test]
fn weights_of_64_bits_are_refused() {
    let edges = Edges::from(vec![(0, 1, 0.1f64), (1, 2, 0.2)]);
    let graph = graph(3, edges, true);
    let loaded = LoadedGraph::new(&device(), &graph).unwrap();
    let refusals = [
        loaded.sssp(0, &SsspOptions::default()).unwrap_err(),
        loaded.apsp(&ApspOptions::default()).unwrap_err(),
    ];
    for error in refusals {
        assert!(matches!(error, Error::WeightsTooWide { .. }), "{error}");
        let message = error.to_string();
        assert!(message.contains("64 (f64)") && message.contains("use the cpu"), "{message}");
        assert!(message.contains("type f32") && !message.contains("--"), "{message}");
    }
    assert_eq!(loaded.bfs(0, &BfsOptions::default()).unwrap().level(2).unwrap(), Some(2));
}

/// The self-test runs most strategies with whole weights only.
#[test]
fn decimal_weights_by_every_strategy() {
    let power_law = generated_in_32_bits("rmat:scale=7,weights=0.25..5.5");
    let cycles = vec![(0, 1, 1e20f32), (1, 2, 1e-9), (2, 1, 1e-9), (2, 3, 0.0), (3, 2, 0.0)];
    for graph in [power_law, multigraph(4, cycles, false)] {
        for strategy in sssp_strategies() {
            let search = verified_sssp(&graph, 0, &sssp_by(strategy));
            assert!(matches!(search.distances, Distances::F32(_)));
        }
    }
}

#[test]
fn a_path_of_5_vertices() {
    let graph = multigraph(5, vec![(0, 1, 4u32), (1, 2, 1), (2, 3, 1), (3, 4, 7)], false);
    for strategy in bfs_strategies() {
        let search = verified_bfs(&graph, 0, &bfs_by(strategy));
        assert_eq!(search.levels, [0, 1, 2, 3, 4]);
        let levels: u32 = search.trace.steps.iter().map(|step| step.sub_steps).sum();
        assert_eq!(levels, 5, "{strategy}: the last iteration finds nothing");
    }
    for strategy in sssp_strategies() {
        let search = verified_sssp(&graph, 0, &sssp_by(strategy));
        assert_eq!(search.distances, Distances::U32(vec![0, 4, 5, 6, 13]));
        assert_eq!(search.predecessors, [0, 0, 1, 2, 3]);
    }
}

#[test]
fn narrow_vertices_of_one_part_and_of_several() {
    let degrees = [1, 2, 16, 17, 255, 256, 257, 512, 513, 4096, 4097, 9000];
    let mut edges: Vec<(u32, u32, u32)> = Vec::new();
    let mut vertices = degrees.len() as u32 + 1;
    for (hub, &degree) in (1u32..).zip(&degrees) {
        edges.push((0, hub, hub));
        edges.extend((0..degree).map(|leaf| (hub, vertices + leaf, 1 + leaf % 7)));
        vertices += degree;
    }
    for graph in [false, true].map(|undirected| graph(vertices, edges.clone(), undirected)) {
        for source in [0, 12, 20] {
            verified_bfs(&graph, source, &bfs_by(Strategy::DirectionOptimising));
            verified_sssp(&graph, source, &sssp_by(Strategy::NearFar));
        }
    }
}

#[test]
fn pulled_vertices_with_many_entering_edges_and_few_from_the_frontier() {
    // Unreached sources come first among the entering edges, so that a pull examines all of them.
    let (never, path) = (2000, 6);
    let degrees = [1, 63, 64, 65, 66, 95, 96, 97, 128, 191, 192, 193, 700, 2000];
    let hubs: Vec<u32> = (0..40).flat_map(|_| degrees).collect();
    let first = never + hubs.len() as u32;
    let mut edges: Vec<(u32, u32)> = (1..path).map(|i| (first + i - 1, first + i)).collect();
    for (index, &degree) in (0u32..).zip(&hubs) {
        edges.extend((0..degree).map(|from| (from, never + index)));
        // Every third is unreached; one edge reaches each of the others, at any level.
        if index % 3 > 0 {
            edges.push((first + index % path, never + index));
        }
    }
    let graph = multigraph(first + path, edges, false);
    let reached = hubs.len() as u32 * 2 / 3 + path;
    for strategy in [Strategy::FusedPull, Strategy::Pull, Strategy::FusedPush] {
        let options = BfsOptions { plan: Some(strategy.into()), ..BfsOptions::default() };
        assert_eq!(verified_bfs(&graph, first, &options).reached, reached, "{strategy}");
    }
}

#[test]
fn narrow_and_wide_levels_in_both_directions() {
    // Wide enough to push and pull, with hubs, directed edges, and more levels than one launch.
    let wide =
        ["rmat:scale=12", "er:n=9000,m=60000,directed=true", "star:n=9000", "complete:n=300"];
    let deep = ["path:n=700", "grid:width=300,height=9,drop=0.1"];
    for spec in wide.into_iter().chain(deep) {
        let graph = generated(spec);
        let options = bfs_by(Strategy::DirectionOptimising);
        for source in [0, graph.vertices() / 2, graph.vertices() - 1] {
            let search = verified_bfs(&graph, source, &options);
            let steps = &search.trace.steps;
            let found: u64 = steps.iter().map(|step| step.found).sum();
            assert_eq!(found + 1, u64::from(search.reached), "{spec}");
            let frontiers: u64 = steps.iter().map(|step| step.frontier).sum();
            assert_eq!(frontiers, u64::from(search.reached), "{spec}");
            let stopped = BfsOptions { max_depth: Some(2), ..options.clone() };
            verified_bfs(&graph, source, &stopped);
        }
    }
}

#[test]
fn narrow_and_wide_iterations_near_and_far() {
    let specs = [
        "rmat:scale=11,weights=1..99",
        "er:n=6000,m=40000,directed=true,weights=0..9",
        "star:n=9000,weights=1..9",
        "path:n=600,weights=1..5",
    ];
    for spec in specs {
        let graph = generated(spec);
        for delta in [None, Some(3.0), Some(1e9)] {
            let options = SsspOptions { delta, ..sssp_by(Strategy::NearFar) };
            let search = verified_sssp(&graph, graph.vertices() / 3, &options);
            let worked_on: u64 = search.trace.steps.iter().map(|step| step.frontier).sum();
            assert!(worked_on >= search.reached.into(), "{spec}: {worked_on}");
        }
    }
}

#[test]
fn many_searches_in_one_pass() {
    for spec in
        ["rmat:scale=8", "er:n=300,m=500,directed=true", "grid:width=12,height=9", "isolated:n=40"]
    {
        let graph = generated(spec);
        let loaded = LoadedGraph::new(&device(), &graph).unwrap();
        // More than one pass holds, some of them twice.
        let sources: Vec<u32> = (0..37).map(|i| i * 5 % 40).collect();
        for max_depth in [None, Some(0), Some(2)] {
            let options = BfsOptions { max_depth, ..BfsOptions::default() };
            let searches = loaded.bfs_batch(&sources, &options).unwrap();
            assert_eq!(searches.len(), sources.len());
            for (search, &source) in searches.iter().zip(&sources) {
                assert_eq!(search.source, source);
                search.verify(&graph, &options).unwrap_or_else(|error| panic!("{spec}: {error}"));
            }
        }
        assert!(loaded.bfs_batch(&[0, graph.vertices()], &BfsOptions::default()).is_err());
        assert!(loaded.bfs_batch(&[], &BfsOptions::default()).unwrap().is_empty());
    }
}

#[test]
fn searches_in_the_order_of_distances_of_any_step() {
    let graph = generated("grid:width=20,height=20,weights=1..100");
    for strategy in [Strategy::NearFar, Strategy::Delta] {
        for delta in [1.0, 37.5, 1000.0, 1e9] {
            let options = SsspOptions { delta: Some(delta), ..sssp_by(strategy) };
            assert_eq!(verified_sssp(&graph, 0, &options).delta, Some(delta));
        }
        let loaded = LoadedGraph::new(&device(), &graph).unwrap();
        let options = SsspOptions { delta: Some(0.0), ..sssp_by(strategy) };
        assert!(loaded.sssp(0, &options).is_err());
    }
}
