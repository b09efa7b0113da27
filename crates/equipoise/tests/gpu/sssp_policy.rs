//! Shortest paths that follow a model.

use equipoise::{
    LoadedGraph,
    device::{Device, OpenDevice},
    graph::Graph,
    select::Model,
    sssp::{Sssp, SsspCandidate, SsspOptions, SsspSearch},
    traversal::{Strategy, TraversalSettings},
};

use crate::{
    common::{device, generated_in_32_bits, with_memory},
    graphs::generated,
    models::{of_device, two_leaves},
};

#[test]
fn adaptive_steps_need_fewer_iterations() {
    // A step of the least width settles one vertex of a path, and widens.
    for (graph, delta) in [
        (generated("path:n=3000,weights=1..9"), 1.0),
        (generated("grid:width=60,height=60,weights=1..1000"), 40.0),
        (generated_in_32_bits("path:n=300,weights=0.5..1.5"), 0.25),
    ] {
        let loaded = LoadedGraph::new(&device(), &graph).unwrap();
        let fixed = SsspOptions {
            strategy: Strategy::NearFar,
            delta: Some(delta),
            ..SsspOptions::default()
        };
        let adaptive = SsspOptions { adaptive: true, ..fixed.clone() };
        let iterations = |options: &SsspOptions| {
            let paths = loaded.sssp(0, options).and_then(SsspSearch::download).unwrap();
            paths.verify(&graph, options).unwrap();
            paths.trace.steps.iter().map(|step| step.sub_steps).sum::<u32>()
        };
        let (fixed, adaptive) = (iterations(&fixed), iterations(&adaptive));
        assert!(adaptive < fixed, "{adaptive} iterations, {fixed} with fixed steps of {delta}");
    }
}

/// One candidate for a source of up to 8 edges, another above.
fn model(few: &str, many: &str) -> Model {
    two_leaves("sssp", "source_degree", [few, many])
}

fn following(few: &str, many: &str) -> SsspOptions {
    SsspOptions { model: Some(model(few, many).into()), ..SsspOptions::default() }
}

fn verified(device: &OpenDevice, graph: &Graph, source: u32, options: &SsspOptions) -> Sssp {
    let paths = LoadedGraph::new(device, graph)
        .unwrap()
        .sssp(source, options)
        .and_then(SsspSearch::download)
        .unwrap();
    paths.verify(graph, options).unwrap();
    paths
}

#[test]
fn a_search_follows_a_model() {
    // Vertex 0 is the center of the star.
    let graph = generated("star:n=100,weights=1..50");
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
fn a_model_skips_candidates_beyond_memory() {
    let graph = generated("rmat:scale=9,weights=1..9");
    let settings = TraversalSettings::default();
    let node = Strategy::Node.sssp_bytes(&graph, &settings).unwrap();
    let device = with_memory(node + 256);
    let options = following("near-far+32", "node");
    let source = (0..graph.vertices()).find(|&vertex| (1..=8).contains(&graph.degree(vertex)));
    let paths = verified(&device, &graph, source.unwrap(), &options);
    assert!(paths.trace.steps.iter().all(|step| step.strategy == "node"));
}

#[test]
fn models_with_other_candidates_are_refused() {
    let graph = generated("path:n=4,weights=1..4");
    let loaded = LoadedGraph::new(&device(), &graph).unwrap();
    let error = |options: &SsspOptions| loaded.sssp(0, options).unwrap_err().to_string();
    let unknown = error(&following("node", "near-far+5"));
    assert!(unknown.contains("the candidate `near-far+5`"), "{unknown}");
    // Candidates of the CPU are none of a GPU.
    assert!(error(&following("node", "delta+4")).contains("the candidate `delta+4`"));
    let both = following("node", "merge-path");
    let with_plan = SsspOptions { plan: Some(Strategy::Node.into()), ..both.clone() };
    assert!(error(&with_plan).contains("no plan"), "{}", error(&with_plan));
    assert!(error(&SsspOptions { delta: Some(3.0), ..both.clone() }).contains("no `delta`"));
    let cpu = equipoise::sssp::sssp(&graph, 0, &both).unwrap_err().to_string();
    assert!(cpu.contains("LoadedGraph"), "{cpu}");
    assert!(loaded.sssp(9, &both).unwrap_err().to_string().contains("vertex 9"));

    let unknown = "near-far+3".parse::<SsspCandidate>().unwrap_err().to_string();
    assert!(unknown.contains("`near-far+4`"), "{unknown}");
}
