//! Every kernel of all pairs compiles for CUDA, as NVRTC on a machine without a GPU says.

use equipoise_graph::{Edges, Graph, GraphBuilder};
use equipoise_schedule::{
    device::Gpu,
    lower::{self, Nvrtc},
};

use super::{
    ApspOptions, ApspOutput, ApspStrategy, apsp, edges::DeviceEdges, matrix::DeviceLength,
    searches::Batch,
};

/// Searches one at a time and two, which differ in how they see the graph, and finds next hops.
fn launch_searches<T: DeviceLength>(gpu: &Gpu, graph: &Graph) {
    let edges = DeviceEdges::<T>::upload(gpu, graph).unwrap();
    for sources in [&[0][..], &[0, 1]] {
        let copies = edges.graph.copies(sources.len() as u32).unwrap();
        let batch = Batch::new(&copies, &edges.weights, true).unwrap();
        // Nothing runs, so that it does not get on.
        batch.search(sources).unwrap_err();
        batch.find_hops(sources).unwrap();
    }
}

#[test]
fn every_kernel_compiles() {
    let gpu = lower::gpu();
    let whole = GraphBuilder::new().build(Edges::from(vec![(0, 1, 3u32)])).unwrap();
    let real = GraphBuilder::new().build(Edges::from(vec![(0, 1, 0.5f32)])).unwrap();
    let output = ApspOutput::default();
    launch_searches::<u32>(&gpu, &whole);
    launch_searches::<f32>(&gpu, &real);
    for strategy in [ApspStrategy::Naive, ApspStrategy::Blocked] {
        for next_hops in [false, true] {
            let options = ApspOptions { strategy, next_hops, ..ApspOptions::default() };
            apsp(&gpu, &whole, &options, &output).unwrap();
            apsp(&gpu, &real, &options, &output).unwrap();
        }
    }
    // Larger than what it is given of the memory.
    let many = GraphBuilder::new().vertices(300).build(Edges::from(vec![(0, 1)])).unwrap();
    let strategy = ApspStrategy::Blocked;
    let options = ApspOptions { strategy, memory_limit: Some(700_000), ..ApspOptions::default() };
    assert_eq!(apsp(&gpu, &many, &options, &output).unwrap().panels, 3);
    let kernels = lower::kernels(&gpu).unwrap();
    for name in NAMES {
        assert!(kernels.iter().any(|kernel| kernel.name.contains(name)), "{name}");
    }
    let compiled = Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels));
    compiled.unwrap_or_else(|error| panic!("{error}"));
}

const NAMES: [&str; 18] = [
    "put_edges",
    "put_hops",
    "put_rows",
    "take_rows",
    "go_through",
    "go_through_noting",
    "close_middle",
    "make_panels",
    "improve",
    "stage_middle",
    "stage_rows",
    "stage_columns",
    "improve_noting",
    "list_vertices",
    "narrow_iterations",
    "wide_iteration",
    "descend",
    "equal_labels",
];
