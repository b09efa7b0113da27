//! Coloring by what a model chooses, and when a model has hybrid go over.

use crate::on::color_on;
use equipoise::{
    color::{ColorOptions, ColorStrategy, ColorSwitch, Coloring, color},
    device::{Device, OpenDevice},
    graph::Graph,
    select::{Description, Leaf, Model, Node, Split},
};

use crate::{
    models::of_device,
    search::{device, made, with_memory},
};

fn verified(open: &OpenDevice, graph: &Graph, options: &ColorOptions) -> Coloring {
    let coloring = color_on(open, graph, options).unwrap();
    coloring.verify(graph).unwrap();
    coloring
}

/// Up to a threshold of a feature one candidate, and another above.
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
    let (even, skewed) = (made("grid:width=9,height=9"), made("rmat:scale=8"));
    let options = following("multi-hash+binned", "jones-plassmann+merge-path");
    let strategy = |open: &OpenDevice, graph, options| verified(open, graph, options).strategy;
    assert_eq!(strategy(&device(), &even, &options), ColorStrategy::MultiHash);
    assert_eq!(strategy(&device(), &skewed, &options), ColorStrategy::JonesPlassmann);
    let cpu = Device::Cpu.open().unwrap();
    let here = model("color", "out_degree_max", 8.0, ["greedy", "largest-degree-first"]);
    let here = of_device(&here, "cpu");
    let options = ColorOptions { model: Some(here.into()), ..ColorOptions::default() };
    assert_eq!(strategy(&cpu, &even, &options), ColorStrategy::Greedy);
    assert_eq!(strategy(&cpu, &skewed, &options), ColorStrategy::LargestDegreeFirst);
    // Without a model of one's own, few colors matter.
    let plain = ColorOptions::default();
    assert_eq!(strategy(&device(), &even, &plain), ColorStrategy::Speculative);
}

#[test]
fn a_model_does_without_what_does_not_fit() {
    let graph = made("rmat:scale=9,edge-factor=32");
    let (vertices, edges) = (u64::from(graph.vertices()), graph.edges());
    // The graph, and sets, but not all that speculative needs beside it.
    let open = with_memory(4 * (vertices + 1 + edges + 6 * vertices) + 4096);
    let coloring = verified(&open, &graph, &following("multi-hash", "speculative"));
    assert_eq!(coloring.strategy, ColorStrategy::MultiHash);
}

#[test]
fn hybrid_goes_over_when_a_model_says_so() {
    let graph = made("rmat:scale=9");
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
        // Up to so many iterations it stays.
        let model = model("color-switch", "iterations", threshold - 0.5, ["stay", "switch"]);
        let options = hybrid(ColorSwitch::learned(&model).unwrap());
        let there = verified(&device(), &graph, &options);
        assert_eq!(degree_steps(&there), expected, "{threshold}");
        let on_cpu = hybrid(ColorSwitch::learned(&of_device(&model, "cpu")).unwrap());
        assert_eq!(there.colors, color(&graph, &on_cpu).unwrap().colors);
    }
    // Once no more are left than the third iteration by degree starts with.
    let left = stalled.trace.steps[2].frontier as f64 / f64::from(graph.vertices());
    assert!(stalled.trace.steps[1].found > 0);
    let left = model("color-switch", "active_relative", left as f32, ["switch", "stay"]);
    let there = verified(&device(), &graph, &hybrid(ColorSwitch::learned(&left).unwrap()));
    assert_eq!(degree_steps(&there), 2);
}

#[test]
fn models_for_something_else_are_refused() {
    let graph = made("path:n=4");
    let error =
        |options: &ColorOptions| color_on(&device(), &graph, options).unwrap_err().to_string();
    // The cpu's are no candidates on a GPU.
    let unknown = error(&following("greedy", "speculative"));
    assert!(unknown.contains("the candidate `greedy`"), "{unknown}");
    let of_switch = model("color-switch", "iterations", 1.0, ["stay", "switch"]);
    let options = ColorOptions { model: Some(of_switch.into()), ..ColorOptions::default() };
    assert!(error(&options).contains("for `color-switch`, not for `color`"));
    let unknown = model("color-switch", "frontier", 1.0, ["stay", "switch"]);
    let error = ColorSwitch::learned(&unknown).unwrap_err().to_string();
    assert!(error.contains("the feature `frontier`"), "{error}");
}
