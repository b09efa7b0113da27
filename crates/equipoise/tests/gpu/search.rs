//! BFS and SSSP on a GPU, by every strategy.

use equipoise::{
    Bfs, BfsOptions, BfsStrategy, Count, Distances, GraphOn, NONE, Sssp, SsspOptions, SsspStrategy,
    TraversalSettings, TurnPlan, Way,
    device::{AnyGpu, Device, OpenDevice},
    graph::{Duplicates, Edges, Graph, GraphBuilder, SelfLoops, io::ReadOptions, load},
};
use equipoise_schedule::device::Gpu;
use proptest::prelude::*;

/// The software GPU that every machine can have.
fn device() -> OpenDevice {
    Device::Wgpu(0).open().unwrap_or_else(|error| {
        panic!(
            "these tests need a Vulkan device ({error}): on Debian and Ubuntu, apt-get install \
             mesa-vulkan-drivers gives one in software"
        )
    })
}

fn made(spec: &str) -> Graph {
    load(spec, &ReadOptions::default()).unwrap()
}

/// A directed graph that keeps loops and parallel edges.
fn directed<W>(vertices: u32, edges: Vec<W>) -> Graph
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
fn bfs_strategies() -> impl Iterator<Item = BfsStrategy> {
    BfsStrategy::ALL.iter().copied()
}

/// The strategies that a GPU has for SSSP.
fn sssp_strategies() -> impl Iterator<Item = SsspStrategy> {
    SsspStrategy::ALL.iter().copied().filter(|&strategy| strategy != SsspStrategy::Dijkstra)
}

fn verified_bfs(graph: &Graph, source: u32, options: &BfsOptions) -> Bfs {
    let there = GraphOn::upload(&device(), graph).unwrap();
    let search = there.bfs(source, options);
    let search = search.unwrap_or_else(|error| panic!("{}: {error}", options.strategy));
    let verdict = search.verify(graph, options);
    verdict.unwrap_or_else(|error| panic!("{}: {error}", options.strategy));
    search
}

fn verified_sssp(graph: &Graph, source: u32, options: &SsspOptions) -> Sssp {
    let there = GraphOn::upload(&device(), graph).unwrap();
    let search = there.sssp(source, options);
    let search = search.unwrap_or_else(|error| panic!("{}: {error}", options.strategy));
    let verdict = search.verify(graph, options);
    verdict.unwrap_or_else(|error| panic!("{}: {error}", options.strategy));
    search
}

fn bfs_by(strategy: BfsStrategy) -> BfsOptions {
    BfsOptions { strategy, ..BfsOptions::default() }
}

fn sssp_by(strategy: SsspStrategy) -> SsspOptions {
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

#[test]
fn floating_point_weights_by_every_strategy() {
    let graph = made("rmat:scale=7,weights=1..99");
    let weights = (0..graph.edges()).map(|_| 0.0f32).collect::<Vec<_>>();
    // The same both ways, as an undirected graph has it.
    let rows = graph.coo();
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
        assert_eq!(levels, 5, "{strategy}: the last turn finds nothing");
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
fn narrow_and_wide_levels_in_both_directions() {
    // Wide enough to push and pull, with vertices of many edges, directed ones, and levels deeper
    // than one launch goes.
    let wide =
        ["rmat:scale=12", "er:n=9000,m=60000,directed=true", "star:n=9000", "complete:n=300"];
    let deep = ["path:n=2500", "grid:width=400,height=9,drop=0.1"];
    for spec in wide.into_iter().chain(deep) {
        let graph = made(spec);
        let options = bfs_by(BfsStrategy::DirectionOptimising);
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
fn narrow_and_wide_turns_near_and_far() {
    let specs = [
        "rmat:scale=11,weights=1..99",
        "er:n=6000,m=40000,directed=true,weights=0..9",
        "star:n=9000,weights=1..9",
        "path:n=1500,weights=1..5",
    ];
    for spec in specs {
        let graph = made(spec);
        for delta in [None, Some(3.0), Some(1e9)] {
            let options = SsspOptions { delta, ..sssp_by(SsspStrategy::NearFar) };
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
        let there = GraphOn::upload(&device(), &graph).unwrap();
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
    for strategy in [SsspStrategy::NearFar, SsspStrategy::Delta] {
        for delta in [1.0, 37.5, 1000.0, 1e9] {
            let options = SsspOptions { delta: Some(delta), ..sssp_by(strategy) };
            assert_eq!(verified_sssp(&graph, 0, &options).delta, Some(delta));
        }
        let there = GraphOn::upload(&device(), &graph).unwrap();
        let options = SsspOptions { delta: Some(0.0), ..sssp_by(strategy) };
        assert!(there.sssp(0, &options).is_err());
    }
}

#[test]
fn settings_change_how_not_what() {
    let graph = made("rmat:scale=7,weights=1..20");
    let default = TraversalSettings::default;
    let whole = [Way::Topology, Way::Pull, Way::VirtualWarp, Way::EdgeTopology, Way::EdgeReverse];
    for &count in Count::ALL {
        for way in whole {
            let gpu = TraversalSettings { count, ..default() };
            let plan = Some(way.into());
            verified_bfs(&graph, 0, &BfsOptions { gpu, plan, ..BfsOptions::default() });
        }
    }
    let settings = [
        (Way::VirtualWarp, TraversalSettings { group: 2, ..default() }),
        (Way::VirtualWarp, TraversalSettings { group: 16, ..default() }),
        (Way::Edge, TraversalSettings { no_chunking: true, ..default() }),
        (Way::Split, TraversalSettings { mdt: Some(1), ..default() }),
        (Way::Split, TraversalSettings { mdt: Some(100_000), ..default() }),
        (Way::Hierarchy, TraversalSettings { mdt: Some(2), threshold: 0, ..default() }),
        (Way::Hierarchy, TraversalSettings { mdt: Some(3), threshold: 5, steps: 2, ..default() }),
        (Way::TwoPhase, TraversalSettings { coarsening: 7, ..default() }),
    ];
    for (way, gpu) in settings {
        let plan = Some(TurnPlan::from(way));
        verified_sssp(&graph, 0, &SsspOptions { gpu, plan, ..SsspOptions::default() });
    }
    let there = GraphOn::upload(&device(), &graph).unwrap();
    for (gpu, problem) in [
        (TraversalSettings { group: 3, ..default() }, "a group of 3 units"),
        (TraversalSettings { mdt: Some(0), ..default() }, "at most 0 edges a unit"),
        (TraversalSettings { bins: 0, ..default() }, "0 bins"),
    ] {
        let error = there.bfs(0, &BfsOptions { gpu, ..BfsOptions::default() }).unwrap_err();
        assert!(error.to_string().contains(problem), "{error}");
    }
}

#[test]
fn a_plan_is_followed_and_told_by_the_trace() {
    let graph = made("rmat:scale=8,weights=1..9");
    let ways: Vec<Way> = Way::ALL.iter().copied().filter(|&way| way != Way::TwoPhase).collect();
    // Every strategy after every other one, with another's lists before it.
    for (first, second) in ways.iter().flat_map(|a| ways.iter().map(move |b| (a, b))) {
        let text = format!("0 {first}\n1 {second}\n2 {first}\n");
        let plan: TurnPlan = text.parse().unwrap();
        let options = BfsOptions { plan: Some(plan.clone()), ..BfsOptions::default() };
        let search = verified_bfs(&graph, 1, &options);
        for step in &search.trace.steps {
            assert_eq!(step.strategy, plan.way(step.index).name());
        }
        if search.trace.steps.len() > 2 {
            assert_eq!(TurnPlan::of_trace(&search.trace).unwrap(), plan);
        }
    }
    for error in ["1 node", "0 nod", "0 node\n0 pull", "", "zero node"] {
        assert!(error.parse::<TurnPlan>().is_err(), "{error}");
    }
}

#[test]
fn plans_of_weighted_searches_mix_too() {
    let graph = made("grid:width=9,height=8,weights=1..30");
    for &way in Way::ALL.iter().filter(|&&way| way != Way::Pull) {
        let plan: TurnPlan =
            format!("0 {way}\n2 two-phase\n4 {way}\n6 edge\n8 {way}\n").parse().unwrap();
        verified_sssp(&graph, 0, &SsspOptions { plan: Some(plan), ..SsspOptions::default() });
    }
}

#[test]
fn strategies_of_the_other_search_are_refused() {
    let graph = made("path:n=3");
    let there = GraphOn::upload(&device(), &graph).unwrap();
    let plan = Some(Way::TwoPhase.into());
    let error = there.bfs(0, &BfsOptions { plan, ..BfsOptions::default() }).unwrap_err();
    assert_eq!(error.to_string(), "the strategy `two-phase` is for sssp only");
    let plan = Some(Way::Pull.into());
    let error = there.sssp(0, &SsspOptions { plan, ..SsspOptions::default() }).unwrap_err();
    assert_eq!(error.to_string(), "the strategy `pull` is for bfs only");
    let error = there.sssp(0, &sssp_by(SsspStrategy::Dijkstra)).unwrap_err();
    assert!(error.to_string().contains("is for the cpu only"), "{error}");
    let on_cpu = GraphOn::upload(&OpenDevice::Cpu, &graph).unwrap();
    let error = on_cpu.bfs(0, &bfs_by(BfsStrategy::Split)).unwrap_err();
    assert!(error.to_string().contains("the strategy `split` needs a GPU"), "{error}");
    assert!(there.bfs(3, &BfsOptions::default()).is_err());
}

#[test]
fn searches_stop_where_they_are_told_to() {
    let graph = made("grid:width=10,height=10,weights=1..9");
    for strategy in bfs_strategies() {
        let options = BfsOptions { max_depth: Some(3), ..bfs_by(strategy) };
        assert_eq!(verified_bfs(&graph, 0, &options).depth, 3);
        let options = BfsOptions { target: Some(34), ..bfs_by(strategy) };
        assert_eq!(verified_bfs(&graph, 0, &options).depth, 7);
        let options = BfsOptions { target: Some(0), ..bfs_by(strategy) };
        verified_bfs(&graph, 0, &options);
    }
    for strategy in sssp_strategies() {
        let options = SsspOptions { target: Some(34), ..sssp_by(strategy) };
        assert!(verified_sssp(&graph, 0, &options).reached < 100);
    }
}

#[test]
fn distances_beyond_32_bits_are_told() {
    let graph = directed(3, vec![(0, 1, u32::MAX - 5), (1, 2, 9)]);
    let there = GraphOn::upload(&device(), &graph).unwrap();
    for strategy in sssp_strategies() {
        let error = there.sssp(0, &sssp_by(strategy)).unwrap_err().to_string();
        assert!(error.contains("32 bits"), "{strategy}: {error}");
    }
}

#[test]
fn a_strategy_without_memory_is_refused_with_the_numbers() {
    let graph = made("rmat:scale=10");
    let OpenDevice::Gpu(AnyGpu::Wgpu(gpu)) = device() else { panic!("wgpu opened something else") };
    // With accounts of its own, so that the limit is not that of other tests.
    let gpu = Gpu::new(gpu.client().clone());
    let there = GraphOn::upload(&OpenDevice::Gpu(AnyGpu::Wgpu(gpu.clone())), &graph).unwrap();
    let held = gpu.memory().held;
    gpu.set_memory_limit(held + 100_000);
    let error = there.bfs(0, &bfs_by(BfsStrategy::Edge)).unwrap_err().to_string();
    assert!(error.contains("the strategy `edge` needs") && error.contains("100000"), "{error}");
    let search = there.bfs(0, &bfs_by(BfsStrategy::Topology)).unwrap();
    search.verify(&graph, &BfsOptions::default()).unwrap();
    // Room for lists, but not for sums of degrees.
    let lists = BfsStrategy::Node.device_bytes(&graph, &TraversalSettings::default());
    gpu.set_memory_limit(lists + 1024);
    let search = there.bfs(0, &BfsOptions::default()).unwrap();
    search.verify(&graph, &BfsOptions::default()).unwrap();
    assert!(search.trace.steps.iter().all(|step| step.strategy != "decompose"));
    gpu.set_memory_limit(held + 100);
    let error = there.bfs(0, &BfsOptions::default()).unwrap_err().to_string();
    assert!(error.contains("the strategy `node` needs"), "{error}");
}

/// Small graphs of any shape.
fn graphs() -> impl Strategy<Value = (u32, Vec<(u32, u32, u32)>)> {
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
