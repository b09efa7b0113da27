//! BFS and SSSP on a GPU, by every strategy.

use equipoise::{
    Distances, LoadedGraph, NONE,
    bfs::{Bfs, BfsOptions, BfsSearch},
    device::{Device, Gpu, OpenDevice},
    graph::{Duplicates, Edges, Graph, GraphBuilder, SelfLoops, io::ReadOptions, load},
    sssp::{Sssp, SsspOptions, SsspSearch},
    traversal::Strategy,
};
use proptest::{prelude::*, strategy::Strategy as _};

/// The software GPU that every machine can have.
pub(crate) fn device() -> OpenDevice {
    Device::Wgpu(0).open().unwrap_or_else(|error| {
        panic!(
            "these tests need a Vulkan device ({error}): on Debian and Ubuntu, apt-get install \
             mesa-vulkan-drivers gives one in software"
        )
    })
}

/// A device with accounts of its own, so that the limit is not that of other tests.
pub(crate) fn with_memory(bytes: u64) -> OpenDevice {
    let OpenDevice::Gpu(gpu) = device() else { panic!("wgpu opened something else") };
    let gpu = Gpu::new(gpu.client().clone());
    gpu.set_memory_limit(bytes);
    OpenDevice::Gpu(gpu)
}

pub(crate) fn made(spec: &str) -> Graph {
    load(spec, &ReadOptions::default()).unwrap()
}

/// A directed graph that keeps loops and parallel edges.
pub(crate) fn directed<W>(vertices: u32, edges: Vec<W>) -> Graph
where
    Edges: From<Vec<W>>,
{
    let builder = GraphBuilder::new().vertices(vertices.into());
    builder
        .duplicates(Duplicates::Keep)
        .self_loops(SelfLoops::Keep)
        .build(Edges::from(edges))
        .unwrap()
}

/// The strategies that a GPU has for BFS.
pub(crate) fn bfs_strategies() -> impl Iterator<Item = Strategy> {
    Strategy::BFS.iter().copied()
}

/// The strategies that a GPU has for SSSP.
pub(crate) fn sssp_strategies() -> impl Iterator<Item = Strategy> {
    Strategy::SSSP.iter().copied().filter(|&strategy| strategy != Strategy::Dijkstra)
}

pub(crate) fn verified_bfs(graph: &Graph, source: u32, options: &BfsOptions) -> Bfs {
    let there = LoadedGraph::new(&device(), graph).unwrap();
    let search = there.bfs(source, options).and_then(BfsSearch::download);
    let search = search.unwrap_or_else(|error| panic!("{}: {error}", options.strategy));
    let verdict = search.verify(graph, options);
    verdict.unwrap_or_else(|error| panic!("{}: {error}", options.strategy));
    search
}

pub(crate) fn verified_sssp(graph: &Graph, source: u32, options: &SsspOptions) -> Sssp {
    let there = LoadedGraph::new(&device(), graph).unwrap();
    let search = there.sssp(source, options).and_then(SsspSearch::download);
    let search = search.unwrap_or_else(|error| panic!("{}: {error}", options.strategy));
    let verdict = search.verify(graph, options);
    verdict.unwrap_or_else(|error| panic!("{}: {error}", options.strategy));
    search
}

pub(crate) fn bfs_by(strategy: Strategy) -> BfsOptions {
    BfsOptions { strategy, ..BfsOptions::default() }
}

pub(crate) fn sssp_by(strategy: Strategy) -> SsspOptions {
    SsspOptions { strategy, ..SsspOptions::default() }
}

fn every_strategy(graph: &Graph, source: u32) {
    for strategy in bfs_strategies() {
        verified_bfs(graph, source, &bfs_by(strategy));
    }
    for strategy in sssp_strategies() {
        verified_sssp(graph, source, &sssp_by(strategy));
    }
}

#[test]
fn a_power_law_by_every_strategy() {
    every_strategy(&made("rmat:scale=8,weights=1..99"), 0);
}

#[test]
fn a_grid_by_every_strategy() {
    every_strategy(&made("grid:width=12,height=9,drop=0.1,weights=1..50"), 5);
}

#[test]
fn directed_edges_by_every_strategy() {
    every_strategy(&made("er:n=300,m=900,directed=true,weights=1..9"), 7);
}

/// Sums have 32 bits on a GPU without atomic operations on 64: weights of 64 are refused, not rounded, and searches by edges
/// take no weights.
#[test]
fn weights_of_64_bits_are_refused() {
    let edges = Edges::from(vec![(0, 1, 0.1f64), (1, 2, 0.2)]);
    let graph = GraphBuilder::new().undirected(true).build(edges).unwrap();
    let there = LoadedGraph::new(&device(), &graph).unwrap();
    let refusals = [
        there.sssp(0, &SsspOptions::default()).unwrap_err(),
        there.apsp(&equipoise::apsp::ApspOptions::default()).unwrap_err(),
    ];
    for error in refusals {
        assert!(error.to_string().contains("64 bits (f64)"), "{error}");
    }
    assert_eq!(there.bfs(0, &BfsOptions::default()).unwrap().level(2).unwrap(), Some(2));
}

#[test]
fn floating_point_weights_by_every_strategy() {
    let graph = made("rmat:scale=7,weights=1..99");
    let weights = (0..graph.edges()).map(|_| 0.0f32).collect::<Vec<_>>();
    // The same both ways, as an undirected graph has it.
    let rows = graph.coo().unwrap();
    let weights: Vec<f32> = weights
        .iter()
        .zip(rows.sources.iter().zip(rows.targets))
        .map(|(_, (&a, &b))| ((a * 7 + b * 7) % 23) as f32 / 4.0)
        .collect();
    let graph = graph.with_weights(Some(weights.into())).unwrap();
    for strategy in sssp_strategies() {
        let search = verified_sssp(&graph, 3, &sssp_by(strategy));
        assert!(matches!(search.distances, Distances::F32(_)));
    }
}

#[test]
fn a_path_of_5_vertices() {
    let graph = directed(5, vec![(0, 1, 4u32), (1, 2, 1), (2, 3, 1), (3, 4, 7)]);
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
fn two_components() {
    let graph = directed(5, vec![(0, 1, 2u32), (3, 4, 1)]);
    every_strategy(&graph, 0);
    assert_eq!(verified_bfs(&graph, 3, &BfsOptions::default()).levels, [NONE, NONE, NONE, 0, 1]);
}

#[test]
fn a_star_of_20_000_leaves() {
    let graph = made("star:n=20001,weights=1..9");
    every_strategy(&graph, 0);
    every_strategy(&graph, 17);
}

#[test]
fn self_loops_and_parallel_edges_of_different_weights() {
    let edges =
        vec![(0, 0, 3u32), (0, 1, 9), (0, 1, 2), (0, 1, 5), (1, 2, 4), (1, 2, 4), (2, 2, 1)];
    let graph = directed(3, edges);
    every_strategy(&graph, 0);
    let search = verified_sssp(&graph, 0, &SsspOptions::default());
    assert_eq!(search.distances, Distances::U32(vec![0, 2, 6]));
}

#[test]
fn weights_of_zero_and_circles_of_them() {
    let edges =
        vec![(0, 1, 0u32), (1, 2, 0), (2, 1, 0), (2, 3, 0), (3, 0, 0), (3, 4, 2), (4, 3, 0)];
    every_strategy(&directed(5, edges), 0);
    let edges = vec![(0, 1, 1e20f32), (1, 2, 1e-9), (2, 1, 1e-9), (2, 3, 0.0), (3, 2, 0.0)];
    for strategy in sssp_strategies() {
        verified_sssp(&directed(4, edges.clone()), 0, &sssp_by(strategy));
    }
}

#[test]
fn a_source_without_edges_and_a_graph_of_one_vertex() {
    every_strategy(&directed(3, vec![(0, 1, 2u32)]), 2);
    every_strategy(&directed(1, Vec::<(u32, u32, u32)>::new()), 0);
    every_strategy(&directed(1, vec![(0, 0, 5u32)]), 0);
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
    let both = GraphBuilder::new().undirected(true).vertices(vertices.into());
    let both = both.build(Edges::from(edges.clone())).unwrap();
    for graph in [directed(vertices, edges), both] {
        for source in [0, 12, 20] {
            verified_bfs(&graph, source, &bfs_by(Strategy::DirectionOptimising));
            verified_sssp(&graph, source, &sssp_by(Strategy::NearFar));
        }
    }
}

#[test]
fn pulled_vertices_that_many_edges_enter_and_few_from_the_frontier() {
    // Those never reached come first among the edges that enter, so that all of them are looked at.
    let (never, path) = (2000, 6);
    let degrees = [1, 63, 64, 65, 66, 95, 96, 97, 128, 191, 192, 193, 700, 2000];
    let hubs: Vec<u32> = (0..40).flat_map(|_| degrees).collect();
    let first = never + hubs.len() as u32;
    let mut edges: Vec<(u32, u32)> = (1..path).map(|i| (first + i - 1, first + i)).collect();
    for (index, &degree) in (0u32..).zip(&hubs) {
        edges.extend((0..degree).map(|from| (from, never + index)));
        // Every third is not reached, the others by one edge, at any level.
        if index % 3 > 0 {
            edges.push((first + index % path, never + index));
        }
    }
    let graph = directed(first + path, edges);
    let reached = hubs.len() as u32 * 2 / 3 + path;
    for strategy in [Strategy::FusedPull, Strategy::Pull, Strategy::FusedPush] {
        let options = BfsOptions { plan: Some(strategy.into()), ..BfsOptions::default() };
        assert_eq!(verified_bfs(&graph, first, &options).reached, reached, "{strategy}");
    }
}

#[test]
fn narrow_and_wide_levels_in_both_directions() {
    // Wide enough to push and pull, with vertices of many edges, directed ones, and levels deeper
    // than one launch goes.
    let wide =
        ["rmat:scale=12", "er:n=9000,m=60000,directed=true", "star:n=9000", "complete:n=300"];
    let deep = ["path:n=700", "grid:width=300,height=9,drop=0.1"];
    for spec in wide.into_iter().chain(deep) {
        let graph = made(spec);
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
        let graph = made(spec);
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
        let graph = made(spec);
        let there = LoadedGraph::new(&device(), &graph).unwrap();
        // More than fit one pass, some twice.
        let sources: Vec<u32> = (0..37).map(|i| i * 5 % 40).collect();
        for max_depth in [None, Some(0), Some(2)] {
            let options = BfsOptions { max_depth, ..BfsOptions::default() };
            let searches = there.bfs_batch(&sources, &options).unwrap();
            assert_eq!(searches.len(), sources.len());
            for (search, &source) in searches.iter().zip(&sources) {
                assert_eq!(search.source, source);
                search.verify(&graph, &options).unwrap_or_else(|error| panic!("{spec}: {error}"));
            }
        }
        assert!(there.bfs_batch(&[0, graph.vertices()], &BfsOptions::default()).is_err());
        assert!(there.bfs_batch(&[], &BfsOptions::default()).unwrap().is_empty());
    }
}

#[test]
fn searches_in_the_order_of_distances_of_any_step() {
    let graph = made("grid:width=20,height=20,weights=1..100");
    for strategy in [Strategy::NearFar, Strategy::Delta] {
        for delta in [1.0, 37.5, 1000.0, 1e9] {
            let options = SsspOptions { delta: Some(delta), ..sssp_by(strategy) };
            assert_eq!(verified_sssp(&graph, 0, &options).delta, Some(delta));
        }
        let there = LoadedGraph::new(&device(), &graph).unwrap();
        let options = SsspOptions { delta: Some(0.0), ..sssp_by(strategy) };
        assert!(there.sssp(0, &options).is_err());
    }
}

/// Small graphs of any shape.
fn graphs() -> impl proptest::strategy::Strategy<Value = (u32, Vec<(u32, u32, u32)>)> {
    (1u32..40).prop_flat_map(|vertices| {
        let ends = 0..vertices;
        let edge = (ends.clone(), ends, prop_oneof![Just(0u32), 1u32..9, 1u32..1_000_000]);
        (Just(vertices), prop::collection::vec(edge, 0..150))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn graphs_of_any_shape((vertices, edges) in graphs(), source in 0u32..40) {
        let graph = directed(vertices, edges);
        every_strategy(&graph, source % vertices);
    }
}
