//! Shortest paths by every candidate.

use equipoise::{
    LoadedGraph,
    device::Device,
    graph::WeightType,
    sssp::SsspCandidate,
    traversal::{Strategy, TraversalSettings},
};
use equipoise_lab::experiments::{SsspMeasureOptions, measure_sssp};

use super::common::{device, generated, with_memory};

fn once(candidates: Vec<SsspCandidate>) -> SsspMeasureOptions {
    SsspMeasureOptions { candidates, repeat: 1 }
}

#[test]
fn every_candidate_finds_the_same() {
    for spec in [
        "rmat:scale=8,weights=1..1000",
        "grid:width=40,height=30,weights=1..10",
        "er:n=300,m=900,directed=true,weights=0.5..2.5",
        "small-world:n=500,k=4,rewire=0.1",
    ] {
        let mut graph = generated(spec);
        if spec.contains("0.5") {
            // Weights of 64 bits have one strategy, not on every GPU.
            graph = graph.with_weight_type(WeightType::F32).unwrap();
        }
        for (open, candidates) in [
            (device(), SsspCandidate::of_gpu()),
            (Device::Cpu.open().unwrap(), SsspCandidate::of_cpu()),
        ] {
            let device_graph = LoadedGraph::new(&open, &graph).unwrap();
            let measured = measure_sssp(&device_graph, 5, &once(candidates.clone())).unwrap();
            assert_eq!(measured.times.len(), candidates.len());
            assert!(measured.times.iter().all(|time| time.is_ok()));
            assert_eq!(measured.features.len(), SsspCandidate::feature_names().len());
        }
    }
}

#[test]
fn candidates_beyond_memory_have_the_reason() {
    let graph = generated("rmat:scale=9,weights=1..9");
    let node = Strategy::Node.sssp_bytes(&graph, &TraversalSettings::default()).unwrap();
    let open = with_memory(node + 256);
    let device_graph = LoadedGraph::new(&open, &graph).unwrap();
    let candidates = ["node", "near-far+32"].map(|name| name.parse().unwrap()).to_vec();
    let times = measure_sssp(&device_graph, 0, &once(candidates)).unwrap().times;
    assert!(times[0].is_ok());
    let reason = times[1].as_ref().unwrap_err();
    assert!(reason.contains("the strategy `near-far` needs"), "{reason}");
}

#[test]
fn impossible_measurements_are_refused() {
    let graph = generated("path:n=4,weights=1..4");
    let device_graph = LoadedGraph::new(&device(), &graph).unwrap();
    let error = |source, options: SsspMeasureOptions| {
        measure_sssp(&device_graph, source, &options).unwrap_err().to_string()
    };
    assert!(error(0, once(vec![])).contains("no candidates"));
    let all = once(SsspCandidate::of_gpu());
    assert!(
        error(0, SsspMeasureOptions { repeat: 0, ..all.clone() })
            .contains("`repeat` is 0: 1 to 10000")
    );
    assert!(error(9, all).contains("vertex 9"));
}
