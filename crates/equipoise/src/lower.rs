//! Every kernel of searches compiles for CUDA, as NVRTC on a machine without a GPU says.

use equipoise_graph::{Edges, GraphBuilder};
use equipoise_schedule::lower::{self, Nvrtc};

use crate::{
    LoadedGraph,
    bfs::{BfsOptions, BfsSearch, Candidate},
    device::OpenDevice,
    gpu_graph::GpuGraph,
    sssp::{SsspOptions, SsspSearch, launch_all_of_delta, launch_all_of_wide},
    traversal::{Count, Strategy, TraversalSettings, WorklistDuplicates},
};

#[test]
fn every_kernel_compiles() {
    let gpu = lower::gpu();
    let weighted = |edges| GraphBuilder::new().vertices(4).build(edges).unwrap();
    let whole = weighted(Edges::from(vec![(0, 1, 3u32), (1, 2, 1)]));
    let real = weighted(Edges::from(vec![(0, 1, 0.5f32), (1, 2, 1.0)]));
    let [of_whole, of_real] = [&whole, &real].map(|graph| {
        let there = GpuGraph::upload(&gpu, graph).unwrap();
        there.upload_weights().unwrap();
        there
    });
    launch_all_of_delta(&of_whole, &of_real).unwrap();
    let wide = weighted(Edges::from(vec![(0, 1, 0.1f64), (1, 2, 0.2)]));
    launch_all_of_wide(&GpuGraph::upload(&gpu, &wide).unwrap()).unwrap();
    let device = OpenDevice::Gpu(gpu.clone());
    let [whole, real] = [&whole, &real].map(|graph| LoadedGraph::new(&device, graph).unwrap());
    for &strategy in Strategy::STEPS {
        let plan = Some(strategy.into());
        // Not less, so that steps of its own are taken.
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
    // What verifies results. Nothing runs, so that it is not the right graph that was seen.
    let node = Some(Strategy::Node.into());
    let bfs = BfsOptions { plan: node.clone(), ..BfsOptions::default() };
    whole.bfs(0, &bfs).unwrap().verify(&bfs).unwrap_err();
    let sssp = SsspOptions { plan: node, ..SsspOptions::default() };
    whole.sssp(0, &sssp).unwrap().verify(&sssp).unwrap_err();
    real.sssp(0, &sssp).unwrap().verify(&sssp).unwrap_err();
    // Nothing runs, so that it does not get on.
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
    let kernels = lower::kernels(&gpu).unwrap();
    for name in [
        "push_some",
        "push_blocks",
        "pull_vertices",
        "take_over",
        "do_bins",
        "push_parts",
        "copy_some",
        "narrow_iterations",
        "wide_iteration",
        "split_pile",
        "list_level",
        "check_vertices",
        "find_missing",
    ] {
        assert!(kernels.iter().any(|kernel| kernel.name.contains(name)), "{name}");
    }
    let compiled = Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels));
    compiled.unwrap_or_else(|error| panic!("{error}"));
}
