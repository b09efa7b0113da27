//! Breadth-first searches that follow a model, and searches that the caller steps through level by level.

use std::time::Instant;

use equipoise::{
    LoadedGraph,
    bfs::{BfsOptions, BfsSearch, Candidate},
    device::OpenDevice,
    select::Model,
    traversal::{Policy, Strategy, TraversalSettings, level_steps},
};

use crate::{
    common::{device, with_memory},
    graphs::generated,
    models::two_leaves,
};

/// One candidate for up to 8 vertices in the frontier, another above.
fn model(small: &str, large: &str) -> Model {
    two_leaves("bfs", "frontier", [small, large])
}

#[test]
fn a_search_follows_a_model() {
    let graph = generated("rmat:scale=8");
    let loaded = LoadedGraph::new(&device(), &graph).unwrap();
    let model = Some(model("split", "virtual-warp+atomic+8").into());
    let options = BfsOptions { model, ..BfsOptions::default() };
    let search = loaded.bfs(1, &options).and_then(BfsSearch::download).unwrap();
    search.verify(&graph, &options).unwrap();
    assert!(search.trace.steps.len() > 2);
    for step in &search.trace.steps {
        let expected = if step.frontier > 8 { "virtual-warp" } else { "split" };
        assert_eq!(step.strategy, expected, "{step:?}");
    }
    let error = loaded.bfs_batch(&[1, 2], &options).unwrap_err().to_string();
    assert!(error.contains("no model"), "{error}");
    let on_cpu = equipoise::bfs::bfs(&graph, 1, &options).unwrap_err().to_string();
    assert!(on_cpu.contains("not for `cpu`"), "{on_cpu}");
    let plan = Some(Strategy::Node.into());
    let error = loaded.bfs(1, &BfsOptions { plan, ..options }).unwrap_err().to_string();
    assert!(error.contains("not both"), "{error}");
}

#[test]
fn a_model_of_fused_strategies_runs_on_the_device() {
    for spec in ["rmat:scale=13", "star:n=30000", "er:n=9000,m=90000,directed=true", "path:n=300"] {
        let graph = generated(spec);
        let loaded = LoadedGraph::new(&device(), &graph).unwrap();
        // Wide levels pull by the first model, and push by the second.
        for (small, large) in [("fused-push", "fused-pull"), ("fused-pull", "fused-push")] {
            let model = Some(model(small, large).into());
            let options = BfsOptions { model, ..BfsOptions::default() };
            let search = loaded.bfs(1, &options).and_then(BfsSearch::download).unwrap();
            search.verify(&graph, &options).unwrap();
            assert!(search.trace.steps.iter().all(|step| step.strategy == "learned"), "{spec}");
            let levels: u32 = search.trace.steps.iter().map(|step| step.sub_steps).sum();
            assert_eq!(levels, search.depth + 1, "{spec}");
            assert!(levels < 8 || search.trace.steps.len() < levels as usize / 2, "{spec}");
        }
    }
}

#[test]
#[ignore = "minutes of compiling kernels for a GPU in software: `cargo xtask test --thorough` runs it"]
fn the_device_follows_the_model() {
    let graph = generated("rmat:scale=13");
    let loaded = LoadedGraph::new(&device(), &graph).unwrap();
    let examined = |options: BfsOptions| {
        let search = loaded.bfs(1, &options).and_then(BfsSearch::download).unwrap();
        search.verify(&graph, &options).unwrap();
        search.trace.steps.iter().map(|step| step.edges).sum::<u64>()
    };
    let reached =
        loaded.bfs(1, &BfsOptions::default()).and_then(BfsSearch::download).unwrap().edges;
    let plan = Some(Strategy::FusedPush.into());
    let pushed = examined(BfsOptions { plan, ..BfsOptions::default() });
    assert_eq!(pushed, reached, "a push examines each edge once");
    // Only wide levels pull.
    let model = Some(model("fused-push", "fused-pull").into());
    let pulled = examined(BfsOptions { model, ..BfsOptions::default() });
    assert!(pulled < pushed / 2, "{pulled} of {pushed} edges");
}

#[test]
fn auto_follows_a_rule_unless_a_model_is_asked_for() {
    let graph = generated("rmat:scale=9");
    let loaded = LoadedGraph::new(&device(), &graph).unwrap();
    for &policy in Policy::ALL {
        let options = BfsOptions { policy, ..BfsOptions::default() };
        let search = loaded.bfs(1, &options).and_then(BfsSearch::download).unwrap();
        search.verify(&graph, &options).unwrap();
        assert!(search.trace.steps.iter().all(|step| step.strategy == policy.name()), "{policy}");
    }
}

#[test]
fn a_model_skips_candidates_beyond_memory() {
    let graph = generated("rmat:scale=9,directed=true");
    let lists = Strategy::Node.bfs_bytes(&graph, &TraversalSettings::default()).unwrap();
    let device = with_memory(lists + 4096);
    let loaded = LoadedGraph::new(&device, &graph).unwrap();
    let options = BfsOptions { model: Some(model("node", "edge").into()), ..BfsOptions::default() };
    let search = loaded.bfs(0, &options).and_then(BfsSearch::download).unwrap();
    search.verify(&graph, &options).unwrap();
    assert!(search.trace.steps.iter().any(|step| step.frontier > 8));
    assert!(search.trace.steps.iter().all(|step| step.strategy == "node"));
}

#[test]
fn models_with_other_candidates_are_refused() {
    let graph = generated("path:n=4");
    let loaded = LoadedGraph::new(&device(), &graph).unwrap();
    let options =
        BfsOptions { model: Some(model("node", "two-phase").into()), ..BfsOptions::default() };
    let error = loaded.bfs(0, &options).unwrap_err().to_string();
    assert!(error.contains("the candidate `two-phase`"), "{error}");
}

#[test]
fn a_stepper_measures_without_advancing() {
    let graph = generated("rmat:scale=7,directed=true");
    let loaded = LoadedGraph::new(&device(), &graph).unwrap();
    let base = TraversalSettings::default();
    let settings: Vec<_> = Candidate::of_bfs().iter().map(|it| it.settings(&base)).collect();
    let mut stepper = loaded.bfs_stepper(3, &base).unwrap();
    for candidate in Candidate::of_bfs() {
        stepper.prepare(candidate.strategy).unwrap();
    }
    let mut steps = Vec::new();
    while !stepper.is_done() {
        let position = (stepper.level(), stepper.step());
        for (candidate, settings) in Candidate::of_bfs().iter().zip(&settings) {
            let start = Instant::now();
            let time = stepper.time(candidate.strategy, settings).unwrap();
            assert!(time <= start.elapsed(), "{candidate}: {time:?}");
            assert_eq!((stepper.level(), stepper.step()), position, "{candidate}");
        }
        let next = 5 * steps.len() % settings.len();
        stepper.advance(Candidate::of_bfs()[next].strategy, &settings[next]).unwrap();
        steps.push(position.1);
    }
    let search = stepper.finish().unwrap();
    search.verify(&graph, &BfsOptions::default()).unwrap();
    assert_eq!(steps, level_steps(&graph, &search.levels));
    assert!(search.complete && search.trace.steps.len() == steps.len());
}

#[test]
fn a_stepper_can_end_early() {
    let graph = generated("path:n=9");
    let loaded = LoadedGraph::new(&device(), &graph).unwrap();
    let settings = TraversalSettings::default();
    let mut stepper = loaded.bfs_stepper(0, &settings).unwrap();
    stepper.prepare(Strategy::Node).unwrap();
    (0..3).for_each(|_| stepper.advance(Strategy::Node, &settings).unwrap());
    let search = stepper.finish().unwrap();
    assert_eq!((search.depth, search.reached, search.complete), (3, 4, false));
    search.verify(&graph, &BfsOptions { max_depth: Some(3), ..BfsOptions::default() }).unwrap();
}

#[test]
fn a_stepper_refuses_impossible_steps() {
    let graph = generated("rmat:scale=9,directed=true");
    let settings = TraversalSettings::default();
    let on_cpu = LoadedGraph::new(&OpenDevice::Cpu, &graph).unwrap();
    let error = on_cpu.bfs_stepper(0, &settings).err().unwrap().to_string();
    assert!(error.contains("needs a GPU"), "{error}");
    let lists = Strategy::Node.bfs_bytes(&graph, &settings).unwrap();
    let device = with_memory(lists + 4 * u64::from(graph.vertices()) * 8);
    let loaded = LoadedGraph::new(&device, &graph).unwrap();
    assert!(loaded.bfs_stepper(graph.vertices(), &settings).is_err());
    let mut stepper = loaded.bfs_stepper(0, &settings).unwrap();
    let error = stepper.prepare(Strategy::Edge).unwrap_err();
    assert!(error.is_too_large() && error.to_string().contains("the strategy `edge` needs"));
    assert!(stepper.prepare(Strategy::TwoPhase).unwrap_err().to_string().contains("not for bfs"));
    let error = stepper.time(Strategy::Node, &settings).unwrap_err().to_string();
    assert!(error.contains("`node` is not prepared"), "{error}");
    stepper.prepare(Strategy::Node).unwrap();
    stepper.time(Strategy::Node, &settings).unwrap();
    while !stepper.is_done() {
        stepper.advance(Strategy::Node, &settings).unwrap();
    }
    assert!(stepper.time(Strategy::Node, &settings).unwrap_err().to_string().contains("is done"));
}
