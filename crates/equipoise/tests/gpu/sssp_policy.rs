//! Shortest paths by what a model chooses.

use equipoise::{
    LoadedGraph,
    device::{Device, OpenDevice},
    graph::Graph,
    select::Model,
    sssp::{Sssp, SsspCandidate, SsspOptions, SsspSearch},
    traversal::{Strategy, TraversalSettings},
};

use crate::{
    models::{of_device, two_leaves},
    search::{device, made, with_memory},
};

#[test]
fn adaptive_steps_find_what_fixed_ones_do() {
    // A step of the least width finds one vertex of a path at a time, and gets wider.
    for (spec, delta) in [
        ("path:n=3000,weights=1..9", 1.0),
        ("grid:width=60,height=60,weights=1..1000", 40.0),
        ("path:n=300,weights=0.5..1.5", 0.25),
    ] {
        let graph = made(spec);
        let there = LoadedGraph::new(&device(), &graph).unwrap();
        let fixed = SsspOptions {
            strategy: Strategy::NearFar,
            delta: Some(delta),
            ..SsspOptions::default()
        };
        let adaptive = SsspOptions { adaptive: true, ..fixed.clone() };
        let iterations = |options: &SsspOptions| {
            let paths = there.sssp(0, options).and_then(SsspSearch::download).unwrap();
            paths.verify(&graph, options).unwrap();
            paths.trace.steps.iter().map(|step| step.sub_steps).sum::<u32>()
        };
        let (fixed, adaptive) = (iterations(&fixed), iterations(&adaptive));
        assert!(adaptive < fixed, "{spec}: {adaptive} iterations, {fixed} with fixed steps");
    }
}

/// Up to 8 edges of the source one candidate, and another above.
fn model(few: &str, many: &str) -> Model {
    two_leaves("sssp", "source_degree", [few, many])
}

fn following(few: &str, many: &str) -> SsspOptions {
    SsspOptions { model: Some(model(few, many).into()), ..SsspOptions::default() }
}

fn verified(open: &OpenDevice, graph: &Graph, source: u32, options: &SsspOptions) -> Sssp {
    let paths = LoadedGraph::new(open, graph)
        .unwrap()
        .sssp(source, options)
        .and_then(SsspSearch::download)
        .unwrap();
    paths.verify(graph, options).unwrap();
    paths
}

#[test]
fn a_search_follows_a_model() {
    // The middle of a star is vertex 0.
    let graph = made("star:n=100,weights=1..50");
    let options = following("near-far+all", "merge-path");
    let from_leaf = verified(&device(), &graph, 7, &options);
    assert!(from_leaf.trace.steps.iter().all(|step| step.strategy == "near-far"));
    assert_eq!(from_leaf.delta, None);
    let from_middle = verified(&device(), &graph, 0, &options);
    assert!(from_middle.trace.steps.iter().all(|step| step.strategy == "merge-path"));

    let widths = following("near-far+4", "near-far+64");
    let delta = |source| verified(&device(), &graph, source, &widths).delta.unwrap();
    assert_eq!(delta(0), 16.0 * delta(7));

    let cpu = Device::Cpu.open().unwrap();
    let on_cpu = of_device(&model("delta+16", "dijkstra"), "cpu");
    let on_cpu = SsspOptions { model: Some(on_cpu.into()), ..SsspOptions::default() };
    assert!(verified(&cpu, &graph, 7, &on_cpu).delta.is_some());
    assert!(verified(&cpu, &graph, 0, &on_cpu).delta.is_none());
}

#[test]
fn a_model_does_without_what_does_not_fit() {
    let graph = made("rmat:scale=9,weights=1..9");
    let settings = TraversalSettings::default();
    let node = Strategy::Node.sssp_bytes(&graph, &settings).unwrap();
    let open = with_memory(node + 256);
    let options = following("near-far+32", "node");
    let source = (0..graph.vertices()).find(|&vertex| (1..=8).contains(&graph.degree(vertex)));
    let paths = verified(&open, &graph, source.unwrap(), &options);
    assert!(paths.trace.steps.iter().all(|step| step.strategy == "node"));
}

#[test]
fn models_for_something_else_are_refused() {
    let graph = made("path:n=4,weights=1..4");
    let there = LoadedGraph::new(&device(), &graph).unwrap();
    let error = |options: &SsspOptions| there.sssp(0, options).unwrap_err().to_string();
    let unknown = error(&following("node", "near-far+5"));
    assert!(unknown.contains("the candidate `near-far+5`"), "{unknown}");
    // The cpu's are no candidates on a GPU.
    assert!(error(&following("node", "delta+4")).contains("the candidate `delta+4`"));
    let both = following("node", "merge-path");
    let with_plan = SsspOptions { plan: Some(Strategy::Node.into()), ..both.clone() };
    assert!(error(&with_plan).contains("no plan"), "{}", error(&with_plan));
    assert!(error(&SsspOptions { delta: Some(3.0), ..both.clone() }).contains("no `delta`"));
    let here = equipoise::sssp::sssp(&graph, 0, &both).unwrap_err().to_string();
    assert!(here.contains("LoadedGraph"), "{here}");
    assert!(there.sssp(9, &both).unwrap_err().to_string().contains("vertex 9"));

    let unknown = "near-far+3".parse::<SsspCandidate>().unwrap_err().to_string();
    assert!(unknown.contains("`near-far+4`"), "{unknown}");
}
