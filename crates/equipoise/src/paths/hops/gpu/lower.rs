//! Tests that every kernel compiles for CUDA, without a GPU.

use equipoise_graph::{Edges, GraphBuilder};
use equipoise_schedule::lower;

use super::*;
use crate::lower::assert_compiles;

#[test]
fn every_kernel_compiles_for_cuda() {
    let gpu = lower::gpu();
    let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)])).unwrap();
    let graph = GpuGraph::new(&gpu, &graph);
    let mut searches = GpuSearches::new(&graph).unwrap();
    searches.start(&[0, 1]).unwrap();
    searches.advance(false, 1, 1, &[0, 1]).unwrap();
    searches.advance(true, 2, 2, &[0, 1]).unwrap();
    searches.list();
    searches.counters.restart(2);
    // This backend only compiles, and reading from it may fail.
    let _ = searches.count_reached(&[0, 1]);
    assert_compiles(
        &gpu,
        "Begin Push Arrive ListReached Classify PullAlone PullByPlane PullByCubes Restart CountBits",
    );
}
