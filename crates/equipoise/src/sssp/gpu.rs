//! Shortest paths on a GPU.
//!
//! The engine runs the operation in the order of distances, by near and far worklists; the host runs `delta` and the
//! strategies of the papers, iteration by iteration.

use equipoise_graph::Weights;

use super::{
    BEYOND_ALL, SsspCandidate, SsspOptions, SsspSearch, automatic_delta, gpu_delta,
    gpu_near_far::{check_order, near_far},
    gpu_relax::Relax,
    gpu_wide, near_far_width,
    search::on_device,
    weight::*,
};
use crate::{
    Result,
    gpu_graph::GpuGraph,
    times::timed,
    traversal::{Bounds, DeviceResult, IterationPolicy, SearchProgress, Strategy},
};

pub(crate) fn sssp<'g>(
    graph: &'g GpuGraph<'g>,
    source: u32,
    options: &SsspOptions,
) -> Result<SsspSearch<'g>> {
    graph.engine_graph()?;
    options.check()?;
    let bounds = Bounds { source, target: options.target, most_iterations: u32::MAX };
    graph.check_bounds(bounds)?;
    let (options, choosing) = timed(|| {
        graph.check_weights()?;
        chosen(graph, source, options)
    });
    let options = &options?;
    let result = match graph.graph.weights() {
        Some(Weights::F64(_)) => {
            let mut search = gpu_wide::shortest(graph, bounds, options)?;
            search.times.prepare += choosing;
            return Ok(SsspSearch::on_host(graph.graph, search));
        }
        Some(Weights::F32(_)) => shortest::<Real>(graph, bounds, options)?,
        _ => shortest::<Whole>(graph, bounds, options)?,
    };
    on_device(result.prepared_in(choosing), options)
}

/// The options with the choice of the model, if any.
fn chosen(graph: &GpuGraph, source: u32, options: &SsspOptions) -> Result<SsspOptions> {
    let Some(model) = options.chooser("gpu")? else { return Ok(options.clone()) };
    let fits = |candidate: &SsspCandidate| {
        if candidate.strategy.is_step() {
            graph.check_step::<Relax<Whole>>(candidate.strategy, &options.gpu).is_ok()
        } else {
            check_order(graph, candidate.strategy).is_ok()
        }
    };
    let search = (graph.graph, graph.shape()?, source);
    options.chosen_by(model, search, &SsspCandidate::of_gpu(), fits)
}

fn shortest<'g, W: WeightOn>(
    graph: &'g GpuGraph<'g>,
    bounds: Bounds,
    options: &SsspOptions,
) -> Result<DeviceResult<'g>> {
    if let Some(result) = in_order::<W>(graph, bounds, options)? {
        return Ok(result);
    }
    let fits = |strategy| graph.check_step::<Relax<W>>(strategy, &options.gpu);
    let policy = match (&options.plan, options.strategy) {
        (Some(plan), _) => IterationPolicy::planned(plan, fits)?,
        (None, Strategy::Auto) => {
            let strategies = [Strategy::Node, Strategy::Decompose];
            IterationPolicy::by_rule(&strategies, fits, SearchProgress::push_strategy)?
        }
        (None, strategy) => IterationPolicy::planned(&strategy.into(), fits)?,
    };
    graph.search::<Relax<W>>(bounds, &options.gpu, policy)
}

/// A search in the order of distances; `None` where the options ask for another strategy, or memory does not suffice for
/// `auto`.
fn in_order<'g, W: WeightOn>(
    graph: &'g GpuGraph<'g>,
    bounds: Bounds,
    options: &SsspOptions,
) -> Result<Option<DeviceResult<'g>>> {
    let width = match (&options.plan, options.strategy) {
        (None, Strategy::NearFar | Strategy::Auto) => near_far_width(options.adaptive),
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
    let mut result = graph.with_compile_time(|| {
        graph.leaving_with_weights()?;
        match options.strategy {
            Strategy::Delta => gpu_delta::search::<W>(graph, bounds, delta, &options.gpu),
            _ => near_far::<W>(graph, bounds, delta, options.adaptive),
        }
    })?;
    result.delta = (delta < BEYOND_ALL).then_some(delta);
    Ok(Some(result.prepared_in(choosing)))
}
