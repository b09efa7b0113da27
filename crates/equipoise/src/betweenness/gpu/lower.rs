//! The kernels lowered to CUDA source and compiled, with no GPU.

use equipoise_graph::{Edges, GraphBuilder};
use equipoise_schedule::lower::{self, Nvrtc};

use super::*;

#[test]
fn every_kernel_compiles_for_cuda() {
    let gpu = lower::gpu();
    for (undirected, weighs) in [(false, false), (true, false), (false, true), (true, true)] {
        let builder = GraphBuilder::new().undirected(undirected);
        let graph = builder.build(Edges::from(vec![(0, 1, 3), (1, 2, 4)])).unwrap();
        let there = GpuGraph::upload(&gpu, &graph).unwrap();
        let batch = Batch::new(&there, 2, weighs).unwrap();
        match batch.begin(&[0, 1]) {
            Ok(()) => {}
            // Nothing runs here, so that the searches for distances do not end.
            Err(error) => assert!(weighs, "{error}"),
        }
        batch.go_there(0);
        batch.come_back(0);
        batch.add_vertices(2, undirected, &gpu.empty(3).unwrap());
        batch.add_edges(2, &gpu.empty(4).unwrap());
    }
    let kernels = lower::kernels(&gpu).unwrap();
    for name in ["Begin", "GoThere", "ComeBack", "AddVertices", "AddEdges"] {
        assert!(kernels.iter().any(|kernel| kernel.name.contains(name)), "{name}");
    }
    Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels)).unwrap();
}
