//! Every kernel of coloring compiles for CUDA, as NVRTC on a machine without a GPU says.

use std::sync::OnceLock;

use equipoise_graph::{Edges, GraphBuilder};
use equipoise_schedule::{
    ScheduleName,
    lower::{self, Nvrtc},
};

use super::{super::ColorSwitch, ColorOptions, ColorStrategy, color};
use crate::{gpu_graph::GraphOnGpu, neighbors::Neighbors};

#[test]
fn every_kernel_compiles() {
    let gpu = lower::gpu();
    let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)])).unwrap();
    let plain = ColorOptions::default();
    let hybrid = ColorOptions { strategy: ColorStrategy::Hybrid, ..plain.clone() };
    let schedule = Some(ScheduleName::MergePath);
    let all = [
        ColorOptions { strategy: ColorStrategy::JonesPlassmann, ..plain.clone() },
        ColorOptions { strategy: ColorStrategy::WorkStealing, ..plain.clone() },
        ColorOptions {
            strategy: ColorStrategy::WorkStealing,
            steal_within: true,
            cube_size: 64,
            ..plain.clone()
        },
        ColorOptions { strategy: ColorStrategy::MinMax, ..plain.clone() },
        ColorOptions { no_steal: true, steal: true, ..hybrid.clone() },
        ColorOptions { schedule, switch: ColorSwitch::After(1), ..hybrid },
        ColorOptions { strategy: ColorStrategy::MultiHash, ..plain.clone() },
        ColorOptions { strategy: ColorStrategy::Speculative, passes: Some(1), ..plain },
    ];
    // Nothing runs here, so that colorings do not end: what is launched until then counts.
    for options in all {
        let there = GraphOnGpu::new(&gpu, &graph);
        let _ = color(&there, &Neighbors::default(), &OnceLock::new(), &options);
    }
    let kernels = lower::kernels(&gpu).unwrap();
    for name in [
        "gather_all",
        "from_queues",
        "fill_queues",
        "color_winners",
        "settle_iteration",
        "put_in_front",
    ] {
        assert!(kernels.iter().any(|kernel| kernel.name.contains(name)), "{name}");
    }
    let compiled = Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels));
    compiled.unwrap_or_else(|error| panic!("{error}"));
}
