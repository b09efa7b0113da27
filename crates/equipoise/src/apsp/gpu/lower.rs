//! Tests that every kernel of all pairs compiles for CUDA, with NVRTC and without a GPU.

use equipoise_graph::{Edges, GraphBuilder};
use equipoise_schedule::lower::{self, Nvrtc};

use super::apsp;
use crate::{
    apsp::{ApspOptions, ApspOutput, ApspStrategy},
    gpu_graph::GpuGraph,
};

#[test]
fn every_kernel_compiles() {
    let gpu = lower::gpu();
    let whole = GraphBuilder::new().build(Edges::from(vec![(0, 1, 3u32)])).unwrap();
    let real = GraphBuilder::new().build(Edges::from(vec![(0, 1, 0.5f32)])).unwrap();
    let output = ApspOutput::default();
    for strategy in [ApspStrategy::Naive, ApspStrategy::Blocked, ApspStrategy::Sssp] {
        for next_hops in [false, true] {
            let options = ApspOptions { strategy, next_hops, ..ApspOptions::default() };
            for graph in [&whole, &real] {
                apsp(&GpuGraph::new(&gpu, graph), &options, &output).unwrap();
            }
        }
    }
    // The matrix exceeds the memory limit.
    let many = GraphBuilder::new().vertices(300).build(Edges::from(vec![(0, 1)])).unwrap();
    let strategy = ApspStrategy::Blocked;
    let options = ApspOptions { strategy, memory_limit: Some(700_000), ..ApspOptions::default() };
    let many = GpuGraph::new(&gpu, &many);
    assert_eq!(apsp(&many, &options, &output).unwrap().panels, 3);
    let kernels = lower::kernels(&gpu).unwrap();
    for name in NAMES {
        assert!(kernels.iter().any(|kernel| kernel.name.contains(name)), "{name}");
    }
    let compiled = Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels));
    compiled.unwrap_or_else(|error| panic!("{error}"));
}

const NAMES: [&str; 17] = [
    "put_edges",
    "put_hops",
    "put_rows",
    "take_rows",
    "go_through",
    "go_through_with_hops",
    "close_middle",
    "make_panels",
    "improve",
    "stage_middle",
    "stage_rows",
    "stage_columns",
    "improve_with_hops",
    "begin",
    "iterate",
    "descend",
    "equal_labels",
];
