//! Shortest paths by weights of 64 bits, on CUDA, which has a minimum of words of 64 bits.
//!
//! The engine's labels have 32 bits, so that a search by near and far worklists uses rounded weights first. Then distances
//! of 64 bits are computed from the source along the edges that may be part of a shortest path by the rounded distances,
//! which leaves few distances to improve. Finally all edges are relaxed until no distance improves, so that the result does
//! not depend on the rounding.

use bytemuck::allocation::cast_vec;
use cubecl::prelude::*;
use equipoise_schedule::{device::Buffer, engine::*, input::Input};

use super::{Sssp, SsspOptions, cpu, gpu_near_far};
use crate::{
    Error, Result, Step, Times, Trace,
    gpu_graph::{GpuGraph, WideWeights},
    times::timed,
    traversal::{Bounds, Strategy},
};

/// The bits of an infinite distance, which means no path yet.
const INFINITE: u64 = 0x7ff0_0000_0000_0000;
/// The first pass follows paths that are longer than the rounded distance by at most this share of it.
const SLACK: f64 = 1e-4;

/// Lowers distances of 64 bits. The bits of non-negative numbers have the order of the numbers.
#[derive(CubeType, CubeLaunch)]
struct Sum {
    distances: Array<Atomic<u64>>,
    /// The same memory, for plain loads. They may be stale: a vertex that was lowered since is relaxed again.
    seen: Array<u64>,
    weights: Input<f64>,
    /// The bits of distances by rounded weights; those of NaN without a path.
    rounded: Input<u32>,
    /// The limit on the new distance of a target, as a multiple of its rounded distance.
    within: f64,
}

impl EdgeOpKind for Sum {
    const LABELS_ARE_KEPT: bool = false;
}

#[cube]
impl EdgeOp for Sum {
    // A distance of 64 bits does not fit a label: labels are edges.
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
        // False where the rounded distance is NaN.
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
/// Fails where the device has no atomic operations on 64 bits, or the options ask for another strategy than near-far.
pub(super) fn shortest(graph: &GpuGraph, bounds: Bounds, options: &SsspOptions) -> Result<Sssp> {
    check(graph, options)?;
    let weights = graph.wide_weights()?;
    let rounded = gpu_near_far::rounded_distances(graph, bounds.source, options)?;
    let stopwatch = graph.gpu.stopwatch();
    let (distances, added) = add_up(graph, bounds.source, &rounded.labels, weights)?;
    let (run, compile) = (stopwatch.elapsed(), stopwatch.compiled());
    let (all, download) = timed(|| graph.gpu.download(&distances));
    let may_overflow = !graph.sums_are_finite();
    let search =
        cpu::report_wide(graph.graph, options, bounds.source, cast_vec(all?), may_overflow)?;
    let mut steps = rounded.trace.steps.clone();
    for step in added {
        steps.push(Step { index: steps.len() as u32, ..step });
    }
    let earlier = rounded.times();
    let times = Times {
        kernel: earlier.kernel + run,
        compile: earlier.compile + compile,
        overhead: earlier.overhead + search.times.overhead,
        download: earlier.download + download,
        tree: search.times.tree,
        ..earlier
    };
    Ok(Sssp { delta: rounded.delta, trace: Trace { steps }, times, ..search })
}

fn check(graph: &GpuGraph, options: &SsspOptions) -> Result<()> {
    if !graph.gpu.has_wide_sums() {
        return Err(Error::WeightsTooWide { what: "shortest paths" });
    }
    match (&options.plan, options.strategy) {
        (None, Strategy::Auto | Strategy::NearFar) => {}
        _ => {
            return Err(Error::Option(
                "on a GPU, weights of 64 bits (f64) have the strategies `auto` and `near-far`, and those of 32 (f32) have all"
                    .into(),
            ));
        }
    }
    let (vertices, edges) = (u64::from(graph.vertices()), u64::from(graph.edges()));
    let missing = if graph.leaving()?.wide_weights().is_some() { 0 } else { 12 * edges };
    let needed = missing + 8 * vertices;
    Ok(graph.gpu.require("shortest paths by weights of 64 bits", needed)?)
}

/// The distances, and the steps of the trace.
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
        // SAFETY: each vertex has a distance and a rounded one, and each edge a weight.
        let sum = unsafe { Operation::<Sum>::unchecked(arg) };
        let stopwatch = gpu.stopwatch();
        let sub_steps = until_empty(frontier, Spread::Parts, &sum)?;
        let (frontier, edges) = (frontier.len().into(), frontier.edges().into());
        let time = stopwatch.elapsed();
        Ok(Step { frontier, edges, sub_steps, time, ..Step::new(0, "sums of 64 bits") })
    };
    let engine_graph = graph.engine_graph()?;
    let likely = relax(&Frontier::from_vertices(engine_graph, &[source])?, 1.0 + SLACK)?;
    let all = relax(&Frontier::all(engine_graph)?, f64::INFINITY)?;
    Ok((distances, [likely, all]))
}

/// Launches its kernels, to test that they compile.
#[cfg(all(test, feature = "lower", target_os = "linux"))]
pub(crate) fn launch_all(graph: &GpuGraph) -> Result<()> {
    let weights = graph.wide_weights()?;
    let rounded = graph.gpu.filled(graph.vertices() as usize, 0)?;
    // This backend only compiles; the loop never converges.
    match add_up(graph, 0, &rounded, weights) {
        Ok(_) => Err(Error::Option("this backend only compiles".into())),
        Err(_) => Ok(()),
    }
}
