//! Speculative first fit with conflict repair, as [on the cpu](super::super::speculative) and with the same colors.

mod front;
mod look;

use cubecl::prelude::*;
use equipoise_schedule::{
    device::GpuRuntime,
    engine::{DegreeClasses, Operation, settle},
    ranges::*,
};

use self::{front::Front, look::*};
use super::{
    super::{ColorOptions, order::Random},
    graph::DeviceNeighbors,
    outcome::{Iterations, Outcome},
};
use crate::{NONE, Result, Step, kernels::UNITS};

/// The bytes of the strategy, without the graph.
pub(super) fn bytes(vertices: u32, edges: u64) -> u64 {
    4 * (10 * u64::from(vertices) + edges)
}

/// Colors all vertices.
pub(super) fn speculative(graph: &DeviceNeighbors, options: &ColorOptions) -> Result<Outcome> {
    let (gpu, vertices) = (graph.gpu, graph.vertices as usize);
    let classes = DegreeClasses::new(graph.graph)?;
    let front = Front::new(graph, &classes)?;
    let picks = [gpu.filled(vertices, NONE)?, gpu.filled(vertices, NONE)?];
    let settled_by = gpu.empty(vertices)?;
    let multiplier = Random::new(options.seed, 0).multiplier;
    let first_fit = |from: usize, to: usize| {
        let (front, picks, settled_by) = (&front, &picks, &settled_by);
        let arg = move || {
            FirstFitLaunch::new(
                graph.graph.offsets().arg(),
                front.ends.arg(),
                front.targets.arg(),
                picks[from].arg(),
                picks[to].arg(),
                settled_by.arg(),
                multiplier,
            )
        };
        // SAFETY: each vertex has offsets, an end, two picks and an iteration, and each edge a target.
        unsafe { Operation::<FirstFit>::unchecked(arg) }
    };
    let iterations = settle(graph.graph, &classes, [&first_fit(0, 1), &first_fit(1, 0)])?;
    let steps: Vec<Step> = (0..)
        .zip(&iterations)
        .map(|(index, iteration)| Step {
            frontier: iteration.vertices.into(),
            time: iteration.time,
            ..Step::new(index, "first-fit")
        })
        .collect();
    let colors = gpu.empty(vertices)?;
    // SAFETY: each vertex has a pick and a color.
    unsafe {
        read_colors::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            graph.cubes(),
            CubeDim::new_1d(UNITS),
            picks[steps.len() % 2].arg(),
            colors.arg(),
            graph.vertices,
        );
    }
    Ok(Outcome { colors, iterations: Iterations::Recorded(settled_by), steps, queues: None })
}

#[cube(launch_unchecked)]
fn read_colors(picks: &Array<u32>, colors: &mut Array<u32>, vertices: u32) {
    for vertex in grid_stride_range(0, vertices) {
        colors[vertex as usize] = picks[vertex as usize] / 2;
    }
}
