//! Shortest paths by weights of 64 bits, on CUDA, which has a minimum of words of 64 bits.
//!
//! The engine's labels have 32 bits. They find the order: a search by near and far worklists with weights that are rounded.
//! Then distances of 64 bits are added up, from the source on, along the edges that may be part of a shortest path as far as
//! the rounded distances say; there are few others left to improve then. At last every edge is relaxed, until none improves a
//! distance: what the rounded search missed is found there, so that nothing hangs on how it was rounded.

use bytemuck::allocation::cast_vec;
use cubecl::prelude::*;
use equipoise_schedule::{device::Buffer, engine::*, input::Input};

use super::{Sssp, SsspOptions, cpu, gpu};
use crate::{
    Error, Result, Step, Times, Trace,
    gpu_graph::{GpuGraph, WideWeights},
    times::timed,
    traversal::{Bounds, Strategy},
};

/// The bits of an infinite distance: no path yet.
const INFINITE: u64 = 0x7ff0_0000_0000_0000;
/// How much longer than a rounded distance, as a share of it, a path may be that is followed before the others.
const SLACK: f64 = 1e-4;

/// Lowers distances of 64 bits: the bits of numbers that are zero or more have the order of the numbers.
#[derive(CubeType, CubeLaunch)]
struct Sum {
    distances: Array<Atomic<u64>>,
    /// The same memory. What is read may be out of date: the vertex that was lowered since is relaxed again.
    seen: Array<u64>,
    weights: Input<f64>,
    /// The bits of distances by rounded weights; those of no number where there is none.
    rounded: Input<u32>,
    /// The distance at the end of an edge may be so many times the rounded one.
    within: f64,
}

impl EdgeOpKind for Sum {
    const LABELS_ARE_KEPT: bool = false;
}

#[cube]
impl EdgeOp for Sum {
    // An offer is a number of 64 bits, which does not fit a label: the edge itself is handed on.
    fn label(&self, source: u32) -> u32 {
        source
    }

    fn along(&self, _source: u32, edge: u32) -> u32 {
        edge
    }

    fn improves(&self, _target: u32, _edge: u32) -> bool {
        true.runtime()
    }

    fn relax(&mut self, target: u32, edge: u32, source: u32) -> bool {
        let weight = self.weights[edge as usize];
        let start = f64::cast_from(f32::reinterpret(self.rounded[source as usize]));
        let end = f64::cast_from(f32::reinterpret(self.rounded[target as usize]));
        let mut joins = false.runtime();
        // What has no rounded distance is no number, and not longer.
        let is_longer = start + weight > end * self.within;
        if !is_longer {
            let sum = u64::reinterpret(f64::reinterpret(self.seen[source as usize]) + weight);
            if sum < self.seen[target as usize] {
                joins = sum < self.distances[target as usize].fetch_min(sum);
            }
        }
        joins
    }
}

/// Finds shortest paths by weights of 64 bits.
///
/// Fails where the device has no atomic operations on 64 bits, or the options ask for another strategy than near and far
/// worklists.
pub(super) fn shortest(graph: &GpuGraph, bounds: Bounds, options: &SsspOptions) -> Result<Sssp> {
    check(graph, options)?;
    let weights = graph.upload_wide_weights()?;
    let rounded = gpu::rounded_distances(graph, bounds.source, options)?;
    let stopwatch = graph.gpu.stopwatch();
    let (distances, added) = add_up(graph, bounds.source, &rounded.labels, weights)?;
    let (run, compile) = (stopwatch.elapsed(), stopwatch.compiled());
    let (all, download) = timed(|| graph.gpu.download(&distances));
    let may_overflow = !graph.sums_are_finite();
    let found =
        cpu::report_wide(graph.graph, options, bounds.source, cast_vec(all?), may_overflow)?;
    let mut steps = rounded.trace.steps.clone();
    for step in added {
        steps.push(Step { index: steps.len() as u32, ..step });
    }
    let so_far = rounded.times();
    let times = Times {
        kernel: so_far.kernel + run,
        compile: so_far.compile + compile,
        overhead: so_far.overhead + found.times.overhead,
        download: so_far.download + download,
        tree: found.times.tree,
        ..so_far
    };
    Ok(Sssp { delta: rounded.delta, trace: Trace { steps }, times, ..found })
}

fn check(graph: &GpuGraph, options: &SsspOptions) -> Result<()> {
    if !graph.gpu.allows_two_views() {
        return Err(Error::weights_of_64_bits());
    }
    match (&options.plan, options.strategy) {
        (None, Strategy::Auto | Strategy::NearFar) => {}
        _ => {
            return Err(Error::Option(
                "weights of 64 bits (f64) have the strategies `auto` and `near-far` on a GPU"
                    .into(),
            ));
        }
    }
    let (vertices, edges) = (u64::from(graph.vertices()), u64::from(graph.edges()));
    let missing = if graph.leaving.wide_weights().is_some() { 0 } else { 12 * edges };
    let needed = missing + 8 * vertices;
    Ok(graph.gpu.require("shortest paths by weights of 64 bits", needed)?)
}

/// The distances, and the steps that were taken.
fn add_up(
    graph: &GpuGraph,
    source: u32,
    rounded: &Buffer<u32>,
    weights: &WideWeights,
) -> Result<(Buffer<u64>, [Step; 2])> {
    let gpu = &graph.gpu;
    let mut start = vec![INFINITE; graph.vertices() as usize];
    start[source as usize] = 0;
    let distances = gpu.upload(&start)?;
    let relax = |frontier: &Frontier, within: f64| -> Result<Step> {
        let arg = || {
            let (distances, seen) = (distances.arg(), distances.arg());
            SumLaunch::new(distances, seen, weights.exact.arg(), rounded.arg(), within)
        };
        // SAFETY: there are as many distances and rounded ones as vertices, and as many weights as edges.
        let sum = unsafe { Operation::<Sum>::unchecked(arg) };
        let stopwatch = gpu.stopwatch();
        let sub_steps = until_empty_in_parts(frontier, &sum)?;
        let (frontier, edges) = (frontier.len().into(), frontier.edges().into());
        let time = stopwatch.elapsed();
        Ok(Step { frontier, edges, sub_steps, time, ..Step::new(0, "sums of 64 bits") })
    };
    let along = relax(&Frontier::of(&graph.there, &[source])?, 1.0 + SLACK)?;
    let again = relax(&Frontier::all(&graph.there)?, f64::INFINITY)?;
    Ok((distances, [along, again]))
}

/// Launches its kernels, for who wants to see whether they compile.
#[cfg(all(test, feature = "lower", target_os = "linux"))]
pub(crate) fn launch_all(graph: &GpuGraph) -> Result<()> {
    let weights = graph.upload_wide_weights()?;
    let rounded = graph.gpu.filled(graph.vertices() as usize, 0)?;
    // Nothing runs, so that it does not get on.
    match add_up(graph, 0, &rounded, weights) {
        Ok(_) => Err(Error::Option("nothing runs here".into())),
        Err(_) => Ok(()),
    }
}
