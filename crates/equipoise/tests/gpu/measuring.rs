//! Measuring every candidate at every level, and following a model.

use equipoise::{
    BfsOptions, Candidate, GraphOn, MeasureOptions, Strategy, TraversalSettings,
    device::{Device, Gpu, OpenDevice},
    level_steps,
    select::Model,
};

use crate::{
    models::two_leaves,
    search::{device, made},
};

/// A device with accounts of its own, so that the limit is not that of other tests.
pub fn with_memory(bytes: u64) -> OpenDevice {
    let OpenDevice::Gpu(gpu) = device() else { panic!("wgpu opened something else") };
    let gpu = Gpu::new(gpu.client().clone());
    gpu.set_memory_limit(bytes);
    OpenDevice::Gpu(gpu)
}

fn once() -> MeasureOptions {
    MeasureOptions { repeat: 1, ..MeasureOptions::default() }
}

#[test]
fn measuring_leaves_the_search_right() {
    for spec in ["rmat:scale=7", "grid:width=9,height=4", "er:n=200,m=700,directed=true"] {
        let graph = made(spec);
        let there = GraphOn::upload(&device(), &graph).unwrap();
        let options = once();
        let measured = there.measure_bfs(3, &options).unwrap();
        measured.search.verify(&graph, &BfsOptions::default()).unwrap();
        let steps: Vec<_> = measured.levels.iter().map(|level| level.step).collect();
        assert_eq!(steps, level_steps(&graph, &measured.search.levels), "{spec}");
        for (number, level) in measured.levels.iter().enumerate() {
            assert_eq!(level.level as usize, number);
            assert_eq!(level.times.len(), options.candidates.len());
            assert!(level.times.iter().all(|time| time.as_ref().unwrap().as_nanos() > 0));
        }
    }
}

#[test]
fn each_candidate_can_follow_itself_and_any_other() {
    let graph = made("rmat:scale=6,directed=true");
    let there = GraphOn::upload(&device(), &graph).unwrap();
    let lists = ["node", "edge", "split", "fused-push", "fused-pull"]
        .map(|name| name.parse::<Candidate>().unwrap());
    for first in lists {
        // The only one that can be the fastest leaves its kind of list.
        let options = MeasureOptions { candidates: vec![first], ..once() };
        let measured = there.measure_bfs(0, &options).unwrap();
        measured.search.verify(&graph, &BfsOptions::default()).unwrap();
        let ways = measured.search.trace.steps.iter().map(|step| step.strategy.as_ref());
        assert!(ways.eq(measured.levels.iter().map(|_| first.strategy.name())));
    }
}

#[test]
fn of_many_levels_some_are_measured() {
    let graph = made("path:n=40");
    let there = GraphOn::upload(&device(), &graph).unwrap();
    let candidates = vec!["node".parse().unwrap(), "pull+cube".parse().unwrap()];
    let options = MeasureOptions { most_levels: Some(5), candidates, ..once() };
    let measured = there.measure_bfs(0, &options).unwrap();
    measured.search.verify(&graph, &BfsOptions::default()).unwrap();
    let levels: Vec<u32> = measured.levels.iter().map(|level| level.level).collect();
    assert_eq!(levels, [0, 8, 16, 24, 32]);
    assert!(measured.levels.iter().all(|it| it.step.discovered == u64::from(it.level) + 1));
}

#[test]
fn what_does_not_fit_has_the_reason() {
    let graph = made("rmat:scale=9,directed=true");
    let lists = Strategy::Node.bfs_bytes(&graph, &TraversalSettings::default()).unwrap();
    let open = with_memory(lists + 4 * u64::from(graph.vertices()) * 8);
    let there = GraphOn::upload(&open, &graph).unwrap();
    let measured = there.measure_bfs(0, &once()).unwrap();
    measured.search.verify(&graph, &BfsOptions::default()).unwrap();
    let place = |strategy| once().candidates.iter().position(|it| it.strategy == strategy).unwrap();
    let (edge, node) = (place(Strategy::Edge), place(Strategy::Node));
    for level in &measured.levels {
        let reason = level.times[edge].as_ref().unwrap_err();
        assert!(reason.contains("the strategy `edge` needs"), "{reason}");
        assert!(level.times[node].is_ok(), "{:?}", level.times[node]);
    }
}

#[test]
fn what_cannot_be_measured_is_told() {
    let graph = made("path:n=4");
    let on_cpu = GraphOn::upload(&Device::Cpu.open().unwrap(), &graph).unwrap();
    let levels = on_cpu.measure_bfs(0, &once()).unwrap().levels;
    assert!(levels.len() == 4 && levels.iter().all(|level| level.times.len() == 2), "{levels:?}");
    let there = GraphOn::upload(&device(), &graph).unwrap();
    let error = |options| there.measure_bfs(0, &options).unwrap_err().to_string();
    assert!(error(MeasureOptions { repeat: 0, ..once() }).contains("`repeat` is 0: 1 to 10000"));
    assert!(error(MeasureOptions { candidates: vec![], ..once() }).contains("no candidates"));
    assert!(there.measure_bfs(4, &once()).unwrap_err().to_string().contains("vertex 4"));
    let unknown = "pull+warp".parse::<Candidate>().unwrap_err().to_string();
    assert!(unknown.contains("`pull+warp`") && unknown.contains("`pull+plane`"), "{unknown}");
}

/// Up to 8 vertices of the frontier one candidate, and another above.
fn model(small: &str, large: &str) -> Model {
    two_leaves("bfs", "frontier", [small, large])
}

#[test]
fn a_search_follows_a_model() {
    let graph = made("rmat:scale=8");
    let there = GraphOn::upload(&device(), &graph).unwrap();
    let model = Some(model("split", "virtual-warp+atomic+8").into());
    let options = BfsOptions { model, ..BfsOptions::default() };
    let search = there.bfs(1, &options).unwrap();
    search.verify(&graph, &options).unwrap();
    assert!(search.trace.steps.len() > 2);
    for step in &search.trace.steps {
        let expected = if step.frontier > 8 { "virtual-warp" } else { "split" };
        assert_eq!(step.strategy, expected, "{step:?}");
    }
    let error = there.bfs_batch(&[1, 2], &options).unwrap_err().to_string();
    assert!(error.contains("no model"), "{error}");
    let on_cpu = equipoise::bfs(&graph, 1, &options).unwrap_err().to_string();
    assert!(on_cpu.contains("not for `cpu`"), "{on_cpu}");
    let plan = Some(Strategy::Node.into());
    let error = there.bfs(1, &BfsOptions { plan, ..options }).unwrap_err().to_string();
    assert!(error.contains("not both"), "{error}");
}

#[test]
fn a_model_of_what_the_device_can_choose_needs_no_look_at_each_level() {
    for spec in ["rmat:scale=13", "star:n=30000", "er:n=9000,m=90000,directed=true", "path:n=300"] {
        let graph = made(spec);
        let there = GraphOn::upload(&device(), &graph).unwrap();
        // Wide levels pull by the first model, and push by the second.
        for (small, large) in [("fused-push", "fused-pull"), ("fused-pull", "fused-push")] {
            let model = Some(model(small, large).into());
            let options = BfsOptions { model, ..BfsOptions::default() };
            let search = there.bfs(1, &options).unwrap();
            search.verify(&graph, &options).unwrap();
            assert!(search.trace.steps.iter().all(|step| step.strategy == "learned"), "{spec}");
            let levels: u32 = search.trace.steps.iter().map(|step| step.sub_steps).sum();
            assert_eq!(levels, search.depth + 1, "{spec}");
            assert!(levels < 8 || search.trace.steps.len() < levels as usize / 2, "{spec}");
        }
    }
}

#[test]
fn the_device_follows_the_model() {
    let graph = made("rmat:scale=13");
    let there = GraphOn::upload(&device(), &graph).unwrap();
    let looked = |options: BfsOptions| {
        let search = there.bfs(1, &options).unwrap();
        search.verify(&graph, &options).unwrap();
        search.trace.steps.iter().map(|step| step.edges).sum::<u64>()
    };
    let reached = there.bfs(1, &BfsOptions::default()).unwrap().edges;
    let plan = Some(Strategy::FusedPush.into());
    let pushed = looked(BfsOptions { plan, ..BfsOptions::default() });
    assert_eq!(pushed, reached, "each edge is gone along once");
    // Wide levels alone are asked about: these pull.
    let model = Some(model("fused-push", "fused-pull").into());
    let pulled = looked(BfsOptions { model, ..BfsOptions::default() });
    assert!(pulled < pushed / 2, "{pulled} of {pushed} edges");
}

#[test]
fn a_model_does_without_what_does_not_fit() {
    let graph = made("rmat:scale=9,directed=true");
    let lists = Strategy::Node.bfs_bytes(&graph, &TraversalSettings::default()).unwrap();
    let open = with_memory(lists + 4096);
    let there = GraphOn::upload(&open, &graph).unwrap();
    let options = BfsOptions { model: Some(model("node", "edge").into()), ..BfsOptions::default() };
    let search = there.bfs(0, &options).unwrap();
    search.verify(&graph, &options).unwrap();
    assert!(search.trace.steps.iter().any(|step| step.frontier > 8));
    assert!(search.trace.steps.iter().all(|step| step.strategy == "node"));
}

#[test]
fn models_for_something_else_are_refused() {
    let graph = made("path:n=4");
    let there = GraphOn::upload(&device(), &graph).unwrap();
    let options =
        BfsOptions { model: Some(model("node", "two-phase").into()), ..BfsOptions::default() };
    let error = there.bfs(0, &options).unwrap_err().to_string();
    assert!(error.contains("the candidate `two-phase`"), "{error}");
}
