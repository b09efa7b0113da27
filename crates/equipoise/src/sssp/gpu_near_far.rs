//! Shortest paths on a GPU in the order of distances, by near and far worklists.

use std::time::Duration;

use equipoise_graph::Graph;
use equipoise_schedule::{device::Buffer, engine::*};

use super::{
    BEYOND_ALL, SsspOptions, automatic_delta, gpu_relax::Relax, near_far_width, weight::*,
};
use crate::{
    Result, Trace,
    gpu_graph::GpuGraph,
    times::timed,
    traversal::{Bounds, DeviceResult, GraphOp, Strategy, ordered_bytes, step_of},
};

/// Distances by weights of 64 bits rounded to 32, which are on the GPU already.
pub(super) fn rounded_distances<'g>(
    graph: &'g GpuGraph<'g>,
    source: u32,
    options: &SsspOptions,
) -> Result<DeviceResult<'g>> {
    check_order(graph, Strategy::NearFar)?;
    let bounds = Bounds { source, target: None, most_iterations: u32::MAX };
    let (delta, choosing) = timed(|| {
        let automatic = || near_far_width(options.adaptive) * automatic_delta(graph.graph);
        options.delta.unwrap_or_else(automatic)
    });
    let mut result =
        graph.with_compile_time(|| near_far::<Real>(graph, bounds, delta, options.adaptive))?;
    result.delta = (delta < BEYOND_ALL).then_some(delta);
    Ok(result.prepared_in(choosing))
}

/// Fails where the GPU has no memory for a strategy in the order of distances.
pub(super) fn check_order(graph: &GpuGraph, strategy: Strategy) -> Result<()> {
    let needed = ordered_bytes::<Relax<Whole>>(graph.graph) - graph.bytes_uploaded(true);
    Ok(graph.gpu.require(&format!("the strategy `{strategy}`"), needed)?)
}

/// A search by near and far worklists, in steps of `delta`; adaptive steps are `delta` times a power of two.
pub(super) fn near_far<'g, W: WeightOn>(
    graph: &'g GpuGraph<'g>,
    bounds: Bounds,
    delta: f64,
    is_adaptive: bool,
) -> Result<DeviceResult<'g>> {
    let (prepared, prepare) = graph.prepared(|| {
        let distances = graph.gpu.empty(graph.vertices() as usize)?;
        Ok((near_far_search::<W>(graph, delta, is_adaptive)?, distances))
    });
    let (search, distances) = prepared?;
    let ran = run::<W>(graph, &search, &distances, bounds.source)?;
    Ok(DeviceResult::new::<Relax<W>>(graph, bounds, &distances, ran)?.prepared_in(prepare))
}

fn near_far_search<'g, W: WeightOn>(
    graph: &'g GpuGraph<'g>,
    delta: f64,
    is_adaptive: bool,
) -> Result<NearFarSearch<'g>> {
    let powers = if is_adaptive { -3i32..=4 } else { 0..=0 };
    let first = powers.start().unsigned_abs() as usize;
    let steps: Vec<u32> = powers.map(|power| W::farther(0, delta * 2f64.powi(power))).collect();
    Ok(NearFarSearch::new::<Relax<W>>(graph.engine_graph()?, &steps, first)?)
}

/// Searches by whole weights whose distances stay on the GPU, from one vertex at a time.
pub(crate) struct WholeDistances<'g> {
    graph: &'g GpuGraph<'g>,
    search: NearFarSearch<'g>,
    distances: Buffer<u32>,
}

impl<'g> WholeDistances<'g> {
    /// The bytes of a search in addition to the graph and its weights.
    pub fn bytes(graph: &Graph) -> u64 {
        let rows = u64::from(graph.vertices()) + 1 + 2 * graph.edges();
        ordered_bytes::<Relax<Whole>>(graph).saturating_sub(4 * rows)
    }

    /// Prepares the searches. The weights are whole numbers.
    pub fn new(graph: &'g GpuGraph<'g>) -> Result<Self> {
        check_order(graph, Strategy::NearFar)?;
        graph.leaving_with_weights()?;
        let delta = near_far_width(false) * automatic_delta(graph.graph);
        let search = near_far_search::<Whole>(graph, delta, false)?;
        Ok(Self { graph, search, distances: graph.gpu.empty(graph.vertices() as usize)? })
    }

    /// The distances from a vertex, valid until the next search: [`TOO_LARGE`] where they overflow, and
    /// [`NONE`](crate::NONE) without a path.
    pub fn from(&self, source: u32) -> Result<&Buffer<u32>> {
        let relax = Relax::<Whole>::operation(self.graph, &self.distances)?;
        self.search.run(&relax, source)?;
        Ok(&self.distances)
    }
}

fn run<W: WeightOn>(
    graph: &GpuGraph,
    search: &NearFarSearch,
    distances: &Buffer<u32>,
    source: u32,
) -> Result<(Trace, Duration)> {
    let start = graph.gpu.stopwatch();
    let batches = search.run(&Relax::<W>::operation(graph, distances)?, source)?;
    // Every vertex worked on was found, possibly several times.
    let near_far = Strategy::NearFar.name();
    let steps = batches.iter().map(|batch| step_of(batch, batch.vertices, near_far));
    Ok((Trace { steps: steps.collect() }, start.elapsed()))
}
