//! Tests that every kernel of coloring compiles for CUDA, without a GPU.

use std::sync::OnceLock;

use equipoise_graph::{Edges, GraphBuilder};
use equipoise_schedule::{ScheduleName, lower};

use super::{super::ColorSwitch, ColorOptions, ColorStrategy, color};
use crate::{gpu_graph::GpuGraph, lower::assert_compiles};

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
    // This backend only compiles; the colorings never converge.
    for options in all {
        let _ = color(&GpuGraph::new(&gpu, &graph), &OnceLock::new(), &options);
    }
    let names = "gather_all from_queues fill_queues color_winners settle_iteration put_in_front";
    assert_compiles(&gpu, names);
}
