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
use rayon::prelude::*;

use super::{
    BEYOND_ALL, Sssp, SsspCandidate, SsspOptions, automatic_delta, check_weights, gpu_delta,
    near_far_width, two_phase::TwoPhase, weight::*,
};
use crate::{
    Distances, Error, NONE, Result, Strategy, Trace,
    error::distance,
    overflow,
    rows::Rows as HostRows,
    search::{
        Bounds, Choice, DeviceRows, Found, GpuGraph, Implementation, OnGraph, Seen,
        device_bytes_of_graph, forget_beyond, ordered_bytes, real_distance, start_label, step_of,
        totals,
    },
    times::timed,
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

    fn relax(&mut self, target: u32, distance: u32) -> bool {
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
    fn beyond(distance: u32, length: u32) -> u32 {
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
pub(crate) fn sssp(graph: &GpuGraph, source: u32, options: &SsspOptions) -> Result<Sssp> {
    options.check()?;
    let bounds = Bounds { source, target: options.target, most_iterations: u32::MAX };
    graph.check_bounds(bounds)?;
    check_weights(graph.graph)?;
    let (options, choosing) = timed(|| chosen(graph, source, options));
    let options = &options?;
    let is_real = matches!(graph.graph.weights(), Some(Weights::F32(_)));
    let mut found = match is_real {
        true => shortest::<Real>(graph, bounds, options)?,
        false => shortest::<Whole>(graph, bounds, options)?,
    };
    found.times.prepare += choosing;
    result(graph.graph, bounds, found, options, is_real)
}

fn result(
    graph: &Graph,
    bounds: Bounds,
    found: Found,
    options: &SsspOptions,
    is_real: bool,
) -> Result<Sssp> {
    let Found { mut labels, mut parents, trace, times, delta } = found;
    if let Some(target) = options.target {
        forget_beyond(labels[target as usize], &mut labels, &mut parents);
    }
    check_sums(graph, bounds, &labels, is_real)?;
    let (reached, edges, _) = totals(graph, &labels);
    let is_reached = |vertex: u32| labels[vertex as usize] != NONE;
    let complete = options.target.is_none() || !HostRows::of(graph).leads_out(is_reached);
    let distances = match is_real {
        true => Distances::F32(labels.into_par_iter().map(real_distance).collect()),
        false => Distances::U32(labels),
    };
    let (source, predecessors) = (bounds.source, parents);
    Ok(Sssp { source, distances, predecessors, reached, edges, complete, delta, trace, times })
}

/// Fails where a distance that is asked for does not fit a label.
fn check_sums(graph: &Graph, bounds: Bounds, labels: &[u32], is_real: bool) -> Result<()> {
    let is_reached = |vertex: u32| labels[vertex as usize] != NONE;
    let at_target = bounds.target.map_or(NONE, |target| labels[target as usize]);
    let too_far = match is_real {
        // What is farther away than a target was taken back.
        true if at_target != NONE || overflow::is_impossible(graph) => None,
        true => HostRows::of(graph).first_missed(is_reached),
        false => labels.par_iter().position_first(|&label| label == TOO_LARGE).map(|v| v as u32),
    };
    let (ids, source) = (graph.ids(), bounds.source);
    match too_far {
        None => Ok(()),
        Some(target) if is_real => Err(Error::too_far_for_f32(ids, source, target)),
        Some(target) => Err(Error::too_far_for_gpu(distance(ids, source, target))),
    }
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

fn shortest<W: WeightOn>(graph: &GpuGraph, bounds: Bounds, options: &SsspOptions) -> Result<Found> {
    if let Some(found) = in_order::<W>(graph, bounds.source, options)? {
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
fn in_order<W: WeightOn>(
    graph: &GpuGraph,
    source: u32,
    options: &SsspOptions,
) -> Result<Option<Found>> {
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
    let delta = options.delta.unwrap_or_else(|| width * automatic_delta(graph.graph));
    let found = graph.with_compile_time(|| match options.strategy {
        Strategy::Delta => gpu_delta::search::<W>(graph, source, delta, &options.gpu),
        _ => near_far::<W>(graph, source, delta, options.adaptive),
    })?;
    Ok(Some(Found { delta: (delta < BEYOND_ALL).then_some(delta), ..found }))
}

/// Refuses a strategy in the order of distances where there is no memory for it.
fn check_order(graph: &GpuGraph, strategy: Strategy) -> Result<()> {
    let needed = ordered_bytes::<Relax<Whole>>(graph.graph) - device_bytes_of_graph(graph.graph);
    Ok(graph.gpu.require(&format!("the strategy `{strategy}`"), needed)?)
}

/// A search by near and far worklists, in steps of `delta` or, if they adapt, of powers of two of it.
fn near_far<W: WeightOn>(
    graph: &GpuGraph,
    source: u32,
    delta: f64,
    is_adaptive: bool,
) -> Result<Found> {
    let powers = if is_adaptive { -3i32..=4 } else { 0..=0 };
    let first = powers.start().unsigned_abs() as usize;
    let steps: Vec<u32> = powers.map(|power| W::farther(0, delta * 2f64.powi(power))).collect();
    let (made, prepare) = graph.prepared(|| {
        graph.leaving.make_weights(&graph.gpu)?;
        let distances = graph.gpu.empty(graph.vertices() as usize)?;
        Ok((NearFarSearch::new::<Relax<W>>(&graph.there, &steps, first)?, distances))
    });
    let (search, distances) = made?;
    let ran = run::<W>(graph, &search, &distances, source)?;
    graph.collect::<Relax<W>>(&distances, source, prepare, ran)
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
