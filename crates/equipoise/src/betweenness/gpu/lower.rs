//! Tests that every kernel compiles for CUDA, without a GPU.

use equipoise_graph::{Edges, GraphBuilder};
use equipoise_schedule::lower;

use super::*;
use crate::lower::assert_compiles;

#[test]
fn every_kernel_compiles_for_cuda() {
    let gpu = lower::gpu();
    for (undirected, weighs) in [(false, false), (true, false), (false, true), (true, true)] {
        let builder = GraphBuilder::new().undirected(undirected);
        let graph = builder.build(Edges::from(vec![(0, 1, 3), (1, 2, 4)])).unwrap();
        let graph = GpuGraph::new(&gpu, &graph);
        let waits = LoopMode::OneLaunch { cubes: 2 };
        let batch = Batch::new(&graph, 2, weighs, waits).unwrap();
        // This backend only compiles; the searches for distances never converge.
        if let Err(error) = batch.begin(&[0, 1]) {
            assert!(weighs, "{error}");
        }
        for waiting in [None, batch.waiting.as_ref()] {
            batch.forward(waiting, 0, 1);
            batch.backward(waiting, 0, 1);
        }
        batch.list_level(1);
        batch.add_vertices(2, undirected, &gpu.empty(3).unwrap());
        batch.add_edges(2, &gpu.empty(4).unwrap());
    }
    assert_compiles(&gpu, "Begin ForwardLevels ListLevel BackwardLevels AddVertices AddEdges");
}
