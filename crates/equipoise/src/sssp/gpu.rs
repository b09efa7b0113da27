//! Shortest paths on a GPU.
//!
//! The operation offers the far end of an edge the distance of its source and the edge's weight. The
//! engine runs it in the order of distances, by near and far worklists; `delta` and the strategies of
//! the papers are chosen by the host, iteration by iteration.

use std::time::Duration;

use cubecl::prelude::*;
use equipoise_graph::{Graph, Weights};
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
};

use super::{
    BEYOND_ALL, SsspCandidate, SsspOptions, SsspSearch, automatic_delta, gpu_delta, gpu_wide,
    near_far_width, two_phase::TwoPhase, weight::*,
};
use crate::{
    Result, Trace,
    gpu_graph::{DeviceRows, GpuGraph},
    times::timed,
    traversal::{
        Bounds, Choice, Found, Implementation, OnGraph, Seen, Strategy, ordered_bytes, start_label,
        step_of,
    },
};

/// Lowers the distances of vertices.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Relax<W: Weight> {
    distances: AtomicArray,
    weights: W,
}

impl<W: Weight> EdgeOpKind for Relax<W> {}

#[cube]
impl<W: Weight> EdgeOp for Relax<W> {
    fn label(&self, source: u32) -> u32 {
        self.distances.get(source)
    }

    fn along(&self, distance: u32, edge: u32) -> u32 {
        self.weights.along(distance, edge)
    }

    fn improves(&self, target: u32, distance: u32) -> bool {
        distance < self.distances.get(target)
    }

    fn relax(&mut self, target: u32, distance: u32, _source: u32) -> bool {
        distance < self.distances.fetch_min(target, distance)
    }
}

#[cube]
impl<W: Weight> SearchOp for Relax<W> {
    fn reset(&mut self, vertex: u32, is_source: bool) {
        self.distances.set(vertex, start_label(is_source));
    }

    // Vertices join again and again: their labels do not say when.
    fn is_at(&self, _vertex: u32, _iteration: u32) -> bool {
        false.runtime()
    }
}

#[cube]
impl<W: Weight> DistanceOp for Relax<W> {
    fn beyond(&self, distance: u32, length: u32) -> u32 {
        W::beyond(distance, length)
    }
}

impl<W: WeightOn> OnGraph for Relax<W> {
    const ALGORITHM: &'static str = "sssp";

    fn own_strategies<'g>() -> Vec<Implementation<'g, Self>> {
        vec![Box::new(TwoPhase::default())]
    }

    fn arg(gpu: &Gpu, rows: &DeviceRows, labels: &Buffer<u32>) -> RelaxLaunch<W, GpuRuntime> {
        RelaxLaunch::new(AtomicArray::of(gpu, labels), W::arg(rows))
    }
}

/// Finds shortest paths from a vertex.
pub(crate) fn sssp<'g>(
    graph: &'g GpuGraph<'g>,
    source: u32,
    options: &SsspOptions,
) -> Result<SsspSearch<'g>> {
    options.check()?;
    let bounds = Bounds { source, target: options.target, most_iterations: u32::MAX };
    graph.check_bounds(bounds)?;
    let (options, choosing) = timed(|| {
        graph.check_weights()?;
        chosen(graph, source, options)
    });
    let options = &options?;
    let found = match graph.graph.weights() {
        Some(Weights::F64(_)) => {
            let mut search = gpu_wide::shortest(graph, bounds, options)?;
            search.times.prepare += choosing;
            return Ok(SsspSearch::on_host(graph.graph, search));
        }
        Some(Weights::F32(_)) => shortest::<Real>(graph, bounds, options)?,
        _ => shortest::<Whole>(graph, bounds, options)?,
    };
    SsspSearch::on_device(found.prepared_in(choosing), options)
}

/// The options, with what a model chooses where one does.
fn chosen(graph: &GpuGraph, source: u32, options: &SsspOptions) -> Result<SsspOptions> {
    let Some(model) = options.policy("gpu")? else { return Ok(options.clone()) };
    let fits = |candidate: &SsspCandidate| match candidate.strategy.is_step() {
        true => graph.check_step::<Relax<Whole>>(candidate.strategy, &options.gpu).is_ok(),
        false => check_order(graph, candidate.strategy).is_ok(),
    };
    let search = (graph.graph, graph.shape()?, source);
    options.chosen_by(model, search, &SsspCandidate::of_gpu(), fits)
}

fn shortest<'g, W: WeightOn>(
    graph: &'g GpuGraph<'g>,
    bounds: Bounds,
    options: &SsspOptions,
) -> Result<Found<'g>> {
    if let Some(found) = in_order::<W>(graph, bounds, options)? {
        return Ok(found);
    }
    let fits = |strategy| graph.check_step::<Relax<W>>(strategy, &options.gpu);
    let choice = match (&options.plan, options.strategy) {
        (Some(plan), _) => Choice::planned(plan, fits)?,
        (None, Strategy::Auto) => {
            Choice::by_rule(&[Strategy::Node, Strategy::Decompose], fits, Seen::size)?
        }
        (None, strategy) => Choice::planned(&strategy.into(), fits)?,
    };
    graph.search::<Relax<W>>(bounds, &options.gpu, choice)
}

/// A search in the order of distances, if that is asked for; `auto` takes it where there is memory.
fn in_order<'g, W: WeightOn>(
    graph: &'g GpuGraph<'g>,
    bounds: Bounds,
    options: &SsspOptions,
) -> Result<Option<Found<'g>>> {
    let width = match (&options.plan, options.strategy) {
        (None, Strategy::NearFar | Strategy::Auto) => near_far_width(graph.graph),
        (None, Strategy::Delta) => gpu_delta::WIDTH,
        _ => return Ok(None),
    };
    match check_order(graph, options.strategy) {
        Ok(()) => {}
        Err(_) if options.strategy == Strategy::Auto => return Ok(None),
        Err(error) => return Err(error),
    }
    let (delta, choosing) =
        timed(|| options.delta.unwrap_or_else(|| width * automatic_delta(graph.graph)));
    let mut found = graph.with_compile_time(|| {
        graph.upload_weights()?;
        match options.strategy {
            Strategy::Delta => gpu_delta::search::<W>(graph, bounds, delta, &options.gpu),
            _ => near_far::<W>(graph, bounds, delta, options.adaptive),
        }
    })?;
    found.delta = (delta < BEYOND_ALL).then_some(delta);
    Ok(Some(found.prepared_in(choosing)))
}

/// Distances by weights of 64 bits that are rounded to 32, and are there.
pub(super) fn rounded_distances<'g>(
    graph: &'g GpuGraph<'g>,
    source: u32,
    options: &SsspOptions,
) -> Result<Found<'g>> {
    check_order(graph, Strategy::NearFar)?;
    let bounds = Bounds { source, target: None, most_iterations: u32::MAX };
    let (delta, choosing) = timed(|| {
        let automatic = || near_far_width(graph.graph) * automatic_delta(graph.graph);
        options.delta.unwrap_or_else(automatic)
    });
    let mut found =
        graph.with_compile_time(|| near_far::<Real>(graph, bounds, delta, options.adaptive))?;
    found.delta = (delta < BEYOND_ALL).then_some(delta);
    Ok(found.prepared_in(choosing))
}

/// Refuses a strategy in the order of distances where there is no memory for it.
fn check_order(graph: &GpuGraph, strategy: Strategy) -> Result<()> {
    let needed = ordered_bytes::<Relax<Whole>>(graph.graph) - graph.bytes_there(true);
    Ok(graph.gpu.require(&format!("the strategy `{strategy}`"), needed)?)
}

/// A search by near and far worklists, in steps of `delta` or, if they adapt, of powers of two of it.
fn near_far<'g, W: WeightOn>(
    graph: &'g GpuGraph<'g>,
    bounds: Bounds,
    delta: f64,
    is_adaptive: bool,
) -> Result<Found<'g>> {
    let (made, prepare) = graph.prepared(|| {
        let distances = graph.gpu.empty(graph.vertices() as usize)?;
        Ok((near_far_search::<W>(graph, delta, is_adaptive)?, distances))
    });
    let (search, distances) = made?;
    let ran = run::<W>(graph, &search, &distances, bounds.source)?;
    Ok(Found::new::<Relax<W>>(graph, bounds, &distances, ran)?.prepared_in(prepare))
}

fn near_far_search<'g, W: WeightOn>(
    graph: &'g GpuGraph<'g>,
    delta: f64,
    is_adaptive: bool,
) -> Result<NearFarSearch<'g>> {
    let powers = if is_adaptive { -3i32..=4 } else { 0..=0 };
    let first = powers.start().unsigned_abs() as usize;
    let steps: Vec<u32> = powers.map(|power| W::farther(0, delta * 2f64.powi(power))).collect();
    Ok(NearFarSearch::new::<Relax<W>>(&graph.there, &steps, first)?)
}

/// Distances by whole weights from one vertex after the other, which stay on the GPU.
pub(crate) struct WholeDistances<'g> {
    graph: &'g GpuGraph<'g>,
    search: NearFarSearch<'g>,
    distances: Buffer<u32>,
}

impl<'g> WholeDistances<'g> {
    /// The bytes that are needed beside the graph and its weights.
    pub fn bytes(graph: &Graph) -> u64 {
        let rows = u64::from(graph.vertices()) + 1 + 2 * graph.edges();
        ordered_bytes::<Relax<Whole>>(graph).saturating_sub(4 * rows)
    }

    /// The weights are whole numbers.
    pub fn new(graph: &'g GpuGraph<'g>) -> Result<Self> {
        check_order(graph, Strategy::NearFar)?;
        graph.upload_weights()?;
        let delta = near_far_width(graph.graph) * automatic_delta(graph.graph);
        let search = near_far_search::<Whole>(graph, delta, false)?;
        Ok(Self { graph, search, distances: graph.gpu.empty(graph.vertices() as usize)? })
    }

    /// The distances from a vertex, until they are asked for from another: [`TOO_LARGE`] where they do not fit, and
    /// [`NONE`](crate::NONE) where there is no path.
    pub fn from(&self, source: u32) -> Result<&Buffer<u32>> {
        self.search.run(&Relax::<Whole>::on(self.graph, &self.distances), source)?;
        Ok(&self.distances)
    }
}

/// What happened in a search, and the time of all of it.
fn run<W: WeightOn>(
    graph: &GpuGraph,
    search: &NearFarSearch,
    distances: &Buffer<u32>,
    source: u32,
) -> Result<(Trace, Duration)> {
    let start = graph.gpu.stopwatch();
    let batches = search.run(&Relax::<W>::on(graph, distances), source)?;
    // A vertex that is worked on was found, once more or the first time.
    let near_far = Strategy::NearFar.name();
    let steps = batches.iter().map(|batch| step_of(batch, batch.vertices, near_far));
    Ok((Trace { steps: steps.collect() }, start.elapsed()))
}
