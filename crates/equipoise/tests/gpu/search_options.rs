//! The options of searches on a GPU: settings, plans and limits of memory.

use equipoise::{
    LoadedGraph,
    bfs::{BfsOptions, BfsSearch},
    device::{Gpu, OpenDevice},
    sssp::SsspOptions,
    traversal::{Count, IterationPlan, Steps, Strategy, TraversalSettings, WorklistDuplicates},
};

use crate::{common::*, graphs::generated};

#[test]
fn settings_do_not_change_results() {
    let graph = generated("rmat:scale=7,weights=1..20");
    let default = TraversalSettings::default;
    let strategies = [
        Strategy::Topology,
        Strategy::Pull,
        Strategy::VirtualWarp,
        Strategy::EdgeTopology,
        Strategy::EdgeReverse,
    ];
    for &count in Count::ALL {
        for strategy in strategies {
            let gpu = TraversalSettings { count, ..default() };
            let plan = Some(strategy.into());
            verified_bfs(&graph, 0, &BfsOptions { gpu, plan, ..BfsOptions::default() });
        }
    }
    let settings = [
        (Strategy::VirtualWarp, TraversalSettings { warp_size: 2, ..default() }),
        (Strategy::VirtualWarp, TraversalSettings { warp_size: 16, ..default() }),
        (Strategy::Edge, TraversalSettings { no_chunking: true, ..default() }),
        (
            Strategy::Edge,
            TraversalSettings { worklist_duplicates: WorklistDuplicates::Keep, ..default() },
        ),
        (
            Strategy::Edge,
            TraversalSettings { worklist_duplicates: WorklistDuplicates::Condense, ..default() },
        ),
        (
            Strategy::Hierarchy,
            TraversalSettings { mdt: Some(1), steps: Steps::UNLIMITED, ..default() },
        ),
        (Strategy::Split, TraversalSettings { mdt: Some(1), ..default() }),
        (Strategy::Split, TraversalSettings { mdt: Some(100_000), ..default() }),
        (Strategy::Hierarchy, TraversalSettings { mdt: Some(2), threshold: 0, ..default() }),
        (
            Strategy::Hierarchy,
            TraversalSettings { mdt: Some(3), threshold: 5, steps: Steps::at_most(2), ..default() },
        ),
        (Strategy::TwoPhase, TraversalSettings { coarsening: 7, ..default() }),
    ];
    for (strategy, gpu) in settings {
        let plan = Some(IterationPlan::from(strategy));
        verified_sssp(&graph, 0, &SsspOptions { gpu, plan, ..SsspOptions::default() });
    }
    let loaded = LoadedGraph::new(&device(), &graph).unwrap();
    for (gpu, problem) in [
        (
            TraversalSettings { warp_size: 3, ..default() },
            "`warp-size` is 3: it must be a power of two from 2 to 32",
        ),
        (TraversalSettings { mdt: Some(0), ..default() }, "`mdt` is 0: 1 to 16777216 are possible"),
        (TraversalSettings { bins: 0, ..default() }, "`bins` is 0: 1 to 65536 are possible"),
        (
            TraversalSettings { steps: Steps::at_most(70_000), ..default() },
            "`steps` is 70000: 1 to 65536 are possible",
        ),
    ] {
        let error = loaded.bfs(0, &BfsOptions { gpu, ..BfsOptions::default() }).unwrap_err();
        assert!(error.to_string().contains(problem), "{error}");
    }
}

#[test]
fn the_trace_shows_the_plan() {
    let graph = generated("rmat:scale=8,weights=1..9");
    let strategies: Vec<Strategy> = Strategy::STEPS
        .iter()
        .copied()
        .filter(|&strategy| strategy != Strategy::TwoPhase)
        .collect();
    // Every strategy follows every other one, whose lists it converts.
    for (first, second) in strategies.iter().flat_map(|a| strategies.iter().map(move |b| (a, b))) {
        let text = format!("0 {first}\n1 {second}\n2 {first}\n");
        let plan: IterationPlan = text.parse().unwrap();
        let options = BfsOptions { plan: Some(plan.clone()), ..BfsOptions::default() };
        let search = verified_bfs(&graph, 1, &options);
        for step in &search.trace.steps {
            assert_eq!(step.strategy, plan.strategy(step.index).name());
        }
        if search.trace.steps.len() > 2 {
            assert_eq!(IterationPlan::of_trace(&search.trace).unwrap(), plan);
        }
    }
    for error in ["1 node", "0 nod", "0 node\n0 pull", "", "zero node"] {
        assert!(error.parse::<IterationPlan>().is_err(), "{error}");
    }
}

#[test]
fn plans_of_weighted_searches_mix_too() {
    let graph = generated("grid:width=9,height=8,weights=1..30");
    let of_bfs =
        [Strategy::Pull, Strategy::LevelSynchronous, Strategy::FusedPush, Strategy::FusedPull];
    for &strategy in Strategy::STEPS.iter().filter(|strategy| !of_bfs.contains(strategy)) {
        let plan: IterationPlan =
            format!("0 {strategy}\n2 two-phase\n4 {strategy}\n6 edge\n8 {strategy}\n")
                .parse()
                .unwrap();
        verified_sssp(&graph, 0, &SsspOptions { plan: Some(plan), ..SsspOptions::default() });
    }
}

#[test]
fn strategies_of_the_other_search_are_refused() {
    let graph = generated("path:n=3");
    let loaded = LoadedGraph::new(&device(), &graph).unwrap();
    let plan = Some(Strategy::TwoPhase.into());
    let error = loaded.bfs(0, &BfsOptions { plan, ..BfsOptions::default() }).unwrap_err();
    assert_eq!(error.to_string(), "the strategy `two-phase` is not for bfs");
    for strategy in [Strategy::Pull, Strategy::FusedPush, Strategy::FusedPull] {
        let plan = Some(strategy.into());
        let error = loaded.sssp(0, &SsspOptions { plan, ..SsspOptions::default() }).unwrap_err();
        assert_eq!(error.to_string(), format!("the strategy `{strategy}` is not for sssp"));
    }
    let error = loaded.sssp(0, &sssp_by(Strategy::Dijkstra)).unwrap_err();
    assert!(error.to_string().contains("is for the cpu only"), "{error}");
    let on_cpu = LoadedGraph::new(&OpenDevice::Cpu, &graph).unwrap();
    let error = on_cpu.bfs(0, &bfs_by(Strategy::Split)).unwrap_err();
    assert!(error.to_string().contains("the strategy `split` needs a GPU"), "{error}");
    assert!(loaded.bfs(3, &BfsOptions::default()).is_err());
}

#[test]
fn a_strategy_without_memory_is_refused_with_the_numbers() {
    let graph = generated("rmat:scale=10");
    // Other tests do not share the limit.
    let gpu = Gpu::new(gpu().client().clone());
    let loaded = LoadedGraph::new(&OpenDevice::Gpu(gpu.clone()), &graph).unwrap();
    // The first search copies the graph.
    drop(loaded.bfs(0, &bfs_by(Strategy::Topology)).unwrap());
    let held = gpu.memory().held;
    gpu.set_memory_limit(held + 100_000);
    let error = loaded.bfs(0, &bfs_by(Strategy::Edge)).unwrap_err().to_string();
    assert!(error.contains("the strategy `edge` needs") && error.contains("100000"), "{error}");
    let search = loaded.bfs(0, &bfs_by(Strategy::Topology)).and_then(BfsSearch::download).unwrap();
    search.verify(&graph, &BfsOptions::default()).unwrap();
    // Lists fit, but not sums of degrees.
    let lists = Strategy::Node.bfs_bytes(&graph, &TraversalSettings::default()).unwrap();
    gpu.set_memory_limit(lists + 1024);
    let search = loaded.bfs(0, &BfsOptions::default()).and_then(BfsSearch::download).unwrap();
    search.verify(&graph, &BfsOptions::default()).unwrap();
    assert!(search.trace.steps.iter().all(|step| step.strategy != "decompose"));
    gpu.set_memory_limit(held + 100);
    let error = loaded.bfs(0, &BfsOptions::default()).unwrap_err().to_string();
    assert!(error.contains("the strategy `node` needs"), "{error}");
}
