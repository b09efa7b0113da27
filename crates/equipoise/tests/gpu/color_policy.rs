//! Coloring that follows a model, and hybrid coloring that switches by a model.

use equipoise::{
    color::{ColorOptions, ColorStrategy, ColorSwitch, Coloring, color},
    device::{Device, OpenDevice},
    graph::Graph,
    select::{Description, Leaf, Model, Node, Split},
};

use crate::{
    common::{color_on, device, with_memory},
    graphs::generated,
    models::of_device,
};

fn verified(device: &OpenDevice, graph: &Graph, options: &ColorOptions) -> Coloring {
    let coloring = color_on(device, graph, options).unwrap();
    coloring.verify(graph).unwrap();
    coloring
}

/// One candidate up to a threshold of a feature, another above.
fn model(algorithm: &str, feature: &str, threshold: f32, candidates: [&str; 2]) -> Model {
    let description = Description {
        algorithm: algorithm.into(),
        device: "gpu".into(),
        features: vec![feature.into()],
        candidates: candidates.map(str::to_owned).to_vec(),
        first: candidates[0].into(),
        ..Description::default()
    };
    let leaf = |candidate, ranking: [u32; 2]| {
        let ranking = ranking.to_vec();
        Node::Leaf(Leaf { candidate, share: 1.0, ambiguous: false, samples: 9, ranking })
    };
    let split = Node::Split(Split { feature: 0, threshold, left: 1, right: 2 });
    Model::new(description, vec![split, leaf(0, [0, 1]), leaf(1, [1, 0])]).unwrap()
}

fn following(few: &str, many: &str) -> ColorOptions {
    let model = model("color", "out_degree_max", 8.0, [few, many]);
    ColorOptions { model: Some(model.into()), ..ColorOptions::default() }
}

#[test]
fn a_coloring_follows_a_model() {
    let (even, skewed) = (generated("grid:width=9,height=9"), generated("rmat:scale=8"));
    let options = following("multi-hash+binned", "jones-plassmann+merge-path");
    let strategy = |device: &OpenDevice, graph, options| verified(device, graph, options).strategy;
    assert_eq!(strategy(&device(), &even, &options), ColorStrategy::MultiHash);
    assert_eq!(strategy(&device(), &skewed, &options), ColorStrategy::JonesPlassmann);
    let cpu = Device::Cpu.open().unwrap();
    let on_cpu = model("color", "out_degree_max", 8.0, ["greedy", "largest-degree-first"]);
    let on_cpu = of_device(&on_cpu, "cpu");
    let options = ColorOptions { model: Some(on_cpu.into()), ..ColorOptions::default() };
    assert_eq!(strategy(&cpu, &even, &options), ColorStrategy::Greedy);
    assert_eq!(strategy(&cpu, &skewed, &options), ColorStrategy::LargestDegreeFirst);
    // Without a custom model, the goal is few colors.
    let plain = ColorOptions::default();
    assert_eq!(strategy(&device(), &even, &plain), ColorStrategy::Speculative);
}

#[test]
fn a_model_skips_candidates_beyond_memory() {
    let graph = generated("rmat:scale=9,edge-factor=32");
    let (vertices, edges) = (u64::from(graph.vertices()), graph.edges());
    // The graph and sets fit, but not the additional memory of speculative.
    let device = with_memory(4 * (vertices + 1 + edges + 6 * vertices) + 4096);
    let coloring = verified(&device, &graph, &following("multi-hash", "speculative"));
    assert_eq!(coloring.strategy, ColorStrategy::MultiHash);
}

#[test]
fn hybrid_switches_when_a_model_says_so() {
    let graph = generated("rmat:scale=9");
    let hybrid = |switch| ColorOptions {
        strategy: ColorStrategy::Hybrid,
        switch,
        ..ColorOptions::default()
    };
    let degree_steps = |coloring: &Coloring| {
        coloring.trace.steps.iter().filter(|step| step.strategy == "degree").count()
    };
    let stalled = verified(&device(), &graph, &hybrid(ColorSwitch::Stall));
    let longest = degree_steps(&stalled);
    assert!(longest > 3);
    for (threshold, expected) in [(2.0, 2), (0.0, 0), (1e9, longest)] {
        // It stays up to the threshold of iterations.
        let model = model("color-switch", "iterations", threshold - 0.5, ["stay", "switch"]);
        let options = hybrid(ColorSwitch::learned(&model).unwrap());
        let on_gpu = verified(&device(), &graph, &options);
        assert_eq!(degree_steps(&on_gpu), expected, "{threshold}");
        let on_cpu = hybrid(ColorSwitch::learned(&of_device(&model, "cpu")).unwrap());
        assert_eq!(on_gpu.colors, color(&graph, &on_cpu).unwrap().colors);
    }
    // It switches once as many vertices are left as at the start of the third iteration.
    let left = stalled.trace.steps[2].frontier as f64 / f64::from(graph.vertices());
    assert!(stalled.trace.steps[1].found > 0);
    let left = model("color-switch", "active_relative", left as f32, ["switch", "stay"]);
    let on_gpu = verified(&device(), &graph, &hybrid(ColorSwitch::learned(&left).unwrap()));
    assert_eq!(degree_steps(&on_gpu), 2);
}

#[test]
fn models_with_other_candidates_are_refused() {
    let graph = generated("path:n=4");
    let error =
        |options: &ColorOptions| color_on(&device(), &graph, options).unwrap_err().to_string();
    // Candidates of the CPU are none of a GPU.
    let unknown = error(&following("greedy", "speculative"));
    assert!(unknown.contains("the candidate `greedy`"), "{unknown}");
    let of_switch = model("color-switch", "iterations", 1.0, ["stay", "switch"]);
    let options = ColorOptions { model: Some(of_switch.into()), ..ColorOptions::default() };
    assert!(error(&options).contains("for `color-switch`, not for `color`"));
    let unknown = model("color-switch", "frontier", 1.0, ["stay", "switch"]);
    let error = ColorSwitch::learned(&unknown).unwrap_err().to_string();
    assert!(error.contains("the feature `frontier`"), "{error}");
}
