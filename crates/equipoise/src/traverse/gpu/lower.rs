//! Every kernel of searches compiles for CUDA, as NVRTC on a machine without a GPU says.

use equipoise_graph::{Edges, GraphBuilder};
use equipoise_schedule::lower::{self, Nvrtc};

use super::{
    Uploaded, delta,
    metric::{Real, Whole},
    search::Search,
};
use crate::{
    BfsOptions, Count, MeasureOptions, SsspOptions, TraversalSettings, Way, traverse::on::OnGpu,
};

#[test]
fn every_kernel_compiles() {
    let gpu = lower::gpu();
    let weighted = |edges| GraphBuilder::new().vertices(4).build(edges).unwrap();
    let whole = weighted(Edges::from(vec![(0, 1, 3u32), (1, 2, 1)]));
    let real = weighted(Edges::from(vec![(0, 1, 0.5f32), (1, 2, 1.0)]));
    let (whole, real) = (Uploaded::new(&gpu, &whole).unwrap(), Uploaded::new(&gpu, &real).unwrap());
    for &way in Way::ALL {
        let plan = Some(way.into());
        // Not less, so that steps of its own are taken.
        let settings = TraversalSettings { threshold: 0, ..TraversalSettings::default() };
        if way != Way::TwoPhase {
            for &count in Count::ALL {
                let gpu = TraversalSettings { count, ..settings.clone() };
                whole
                    .bfs(0, &BfsOptions { plan: plan.clone(), gpu, ..BfsOptions::default() })
                    .unwrap();
            }
        }
        if way != Way::Pull && !way.is_fused() {
            let options = SsspOptions { plan, gpu: settings, ..SsspOptions::default() };
            whole.sssp(0, &options).unwrap();
            real.sssp(0, &options).unwrap();
        }
    }
    // Nothing runs, so that it does not get on.
    whole.bfs(0, &BfsOptions::default()).unwrap_err();
    whole.measure_bfs(0, &MeasureOptions::default()).unwrap();
    whole.bfs_batch(&[0, 1], &BfsOptions::default()).unwrap();
    let settings = TraversalSettings::default();
    delta::launch_all(&mut Search::<Whole>::new(&whole.graph, &settings).unwrap()).unwrap();
    delta::launch_all(&mut Search::<Real>::new(&real.graph, &settings).unwrap()).unwrap();
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
        "narrow_levels",
        "wide_level",
        "split_pile",
        "narrow_turns",
        "wide_turn",
    ] {
        assert!(kernels.iter().any(|kernel| kernel.name.contains(name)), "{name}");
    }
    let compiled = Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels));
    compiled.unwrap_or_else(|error| panic!("{error}"));
}
