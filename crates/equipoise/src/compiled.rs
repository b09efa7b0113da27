//! Tests that kernels compile for CUDA, with NVRTC and without a GPU: those of searches, and of algorithms whose first
//! launches include every kernel.

use equipoise_graph::{Edges, GraphBuilder};
use equipoise_schedule::lower;

use crate::{
    LoadedGraph,
    bfs::{BfsOptions, BfsSearch, Candidate},
    device::OpenDevice,
    gpu_graph::GpuGraph,
    lower::assert_compiles,
    mis::MisOptions,
    mst::MstOptions,
    sssp::{SsspOptions, SsspSearch, launch_all_of_delta, launch_all_of_wide},
    traversal::{Count, Strategy, TraversalSettings, WorklistDuplicates},
    triangles::TrianglesOptions,
};

#[test]
fn every_kernel_compiles() {
    let gpu = lower::gpu();
    let weighted = |edges| GraphBuilder::new().vertices(4).build(edges).unwrap();
    let whole = weighted(Edges::from(vec![(0, 1, 3u32), (1, 2, 1)]));
    let real = weighted(Edges::from(vec![(0, 1, 0.5f32), (1, 2, 1.0)]));
    let [of_whole, of_real] = [&whole, &real].map(|graph| {
        let device_graph = GpuGraph::new(&gpu, graph);
        device_graph.leaving_with_weights().unwrap();
        device_graph
    });
    launch_all_of_delta(&of_whole, &of_real).unwrap();
    let wide = weighted(Edges::from(vec![(0, 1, 0.1f64), (1, 2, 0.2)]));
    launch_all_of_wide(&GpuGraph::new(&gpu, &wide)).unwrap();
    let device = OpenDevice::Gpu(gpu.clone());
    let [whole, real] = [&whole, &real].map(|graph| LoadedGraph::new(&device, graph).unwrap());
    for &strategy in Strategy::STEPS {
        let plan = Some(strategy.into());
        // A threshold of 0 makes every strategy launch its own kernels.
        let settings = TraversalSettings { threshold: 0, ..TraversalSettings::default() };
        if strategy != Strategy::TwoPhase {
            for &count in Count::ALL {
                let gpu = TraversalSettings { count, ..settings.clone() };
                whole
                    .bfs(0, &BfsOptions { plan: plan.clone(), gpu, ..BfsOptions::default() })
                    .and_then(BfsSearch::download)
                    .unwrap();
            }
        }
        if Strategy::SSSP.contains(&strategy) {
            let options = SsspOptions { plan, gpu: settings, ..SsspOptions::default() };
            whole.sssp(0, &options).and_then(SsspSearch::download).unwrap();
            real.sssp(0, &options).and_then(SsspSearch::download).unwrap();
        }
    }
    let condense = WorklistDuplicates::Condense;
    for (strategy, gpu) in [
        (
            Strategy::Edge,
            TraversalSettings { worklist_duplicates: condense, ..TraversalSettings::default() },
        ),
        (
            Strategy::EdgeReverse,
            TraversalSettings { no_early_exit: true, ..TraversalSettings::default() },
        ),
    ] {
        let options = BfsOptions { plan: Some(strategy.into()), gpu, ..BfsOptions::default() };
        whole.bfs(0, &options).and_then(BfsSearch::download).unwrap();
    }
    // The verifiers' kernels. This backend only compiles, so each verifier reads the wrong labels and fails.
    let node = Some(Strategy::Node.into());
    let bfs = BfsOptions { plan: node.clone(), ..BfsOptions::default() };
    whole.bfs(0, &bfs).unwrap().verify(&bfs).unwrap_err();
    let sssp = SsspOptions { plan: node, ..SsspOptions::default() };
    whole.sssp(0, &sssp).unwrap().verify(&sssp).unwrap_err();
    real.sssp(0, &sssp).unwrap().verify(&sssp).unwrap_err();
    // This backend only compiles; the loop never converges.
    whole.bfs(0, &BfsOptions::default()).unwrap_err();
    let usual = TraversalSettings::default();
    let settings: Vec<_> = Candidate::of_bfs().iter().map(|it| it.settings(&usual)).collect();
    let mut stepper = whole.bfs_stepper(0, &usual).unwrap();
    for (candidate, settings) in Candidate::of_bfs().iter().zip(&settings) {
        stepper.prepare(candidate.strategy).unwrap();
        stepper.time(candidate.strategy, settings).unwrap();
    }
    drop(stepper);
    whole.bfs_batch(&[0, 1], &BfsOptions::default()).unwrap();
    whole.sssp(0, &SsspOptions::default()).unwrap_err();
    real.sssp(0, &SsspOptions::default()).unwrap_err();
    let names = "push_some push_blocks pull_vertices take_over do_bins push_parts copy_some \
                 narrow_iterations wide_iteration split_far list_level check_vertices find_missing";
    assert_compiles(&gpu, names);
}

#[test]
fn every_kernel_of_first_launches_compiles() {
    let gpu = lower::gpu();
    let builder = GraphBuilder::new().undirected(true);
    let whole = builder.clone().build(Edges::from(vec![(0, 1, 2u32), (1, 2, 3), (2, 0, 1)]));
    let real = builder.build(Edges::from(vec![(0, 1, 0.5f32), (1, 2, 1.0)]));
    for graph in [whole.unwrap(), real.unwrap()] {
        let graph = LoadedGraph::new(&OpenDevice::Gpu(gpu.clone()), &graph).unwrap();
        // This backend only compiles, so most runs fail after their first launches.
        let _ = graph.kcore();
        let _ = graph.mis(&MisOptions::default());
        let _ = graph.mst(&MstOptions::default());
        let _ = graph.triangles(&TrianglesOptions::default());
    }
    let names = "Count StartPeeling Cores find_keys decide \
                 Plant shrink elect Join Compress Intersect CreditCorners";
    assert_compiles(&gpu, names);
}
