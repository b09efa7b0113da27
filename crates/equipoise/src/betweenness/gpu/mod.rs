//! Betweenness on a GPU: several concurrent sources, level by level of all of them.
//!
//! A pair is a source and a vertex. Pairs are listed as they are reached, so that the cost of a level is that of its pairs,
//! whatever the number of levels. In the forward pass, the pairs of a level sum the paths of the previous level and list the
//! next one, in one pass over their edges; in the backward pass, they sum the contributions of the next level. On CUDA a pass
//! is one launch, whose cubes wait for each other after each level; elsewhere a level is.
//!
//! A few units share the edges of a pair, a plane if there are more, and a cube those of a hub. They add in an order that
//! does not depend on the lists, so that results are the same from run to run.

mod backward;
mod batch;
mod count;
mod distances;
mod forward;
mod list_buffers;
mod lists;
mod look;
#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod lower;
mod pairs;
mod paths;
mod span;
mod sums;
#[cfg(all(test, feature = "wgpu"))]
mod tests;

use equipoise_graph::{memory, parallel::*};
use equipoise_schedule::{Error, engine::LoopMode};

use self::{batch::Batch, distances::PairDistances, list_buffers::Shape, pairs::WORDS};
use super::{Betweenness, BetweennessOptions, Plan, Sums};
use crate::{
    Result, Step, Times, Trace,
    gpu_graph::GpuGraph,
    run::{buffer_bytes, run_on},
};

/// The most concurrent sources, whose dependencies are summed in 32 bits.
const MOST_SOURCES: u64 = 64;
/// The most pairs of several concurrent sources; more are not faster.
const MOST_PAIRS: u64 = 1 << 27;
/// The most vertices: up to three words per pair and per level have indices of 32 bits.
const MOST_VERTICES: u64 = 1 << 30;
/// The most units that share the edges of a pair.
const MOST_LANES: u32 = 32;

/// Finds betweenness by the number of edges or by whole weights, in a graph without parallel edges.
pub(super) fn betweenness(
    graph: &GpuGraph,
    plan: &Plan,
    options: &BetweennessOptions,
) -> Result<Betweenness> {
    let what = format_args!("the betweenness of {} vertices", graph.vertices());
    memory::check(what, Sums::bytes(graph.graph, options))?;
    let sources_at_once = sources_at_once(graph, plan, options)?;
    graph.engine_graph()?;
    let run = run_on(&graph.gpu, || run(graph, plan, options, sources_at_once), Ok)?;
    let (sums, step) = run.result;
    let upload = graph.upload_time(options.weighs(graph.graph));
    let times = Times { upload, ..run.times };
    let trace = Trace { steps: vec![Step { time: run.time, ..step }] };
    let result = Betweenness::new(graph.graph, sums, plan, trace, times);
    Ok(Betweenness { single_precision: true, ..result })
}

/// The number of concurrent sources. Fails without memory for a single one.
fn sources_at_once(graph: &GpuGraph, plan: &Plan, options: &BetweennessOptions) -> Result<u32> {
    let gpu = &graph.gpu;
    let vertices = u64::from(graph.vertices()).max(1);
    if vertices > MOST_VERTICES {
        let what = "the vertices of betweenness".into();
        return Err(Error::TooMany { what, count: vertices, limit: MOST_VERTICES }.into());
    }
    let largest = gpu.properties().largest_buffer / (4 * WORDS) / vertices;
    let wanted = (plan.sources.len() as u64).clamp(1, MOST_SOURCES);
    let most = wanted.min(MOST_PAIRS / vertices).min(largest).max(1);
    let (weighs, shape) = (options.weighs(graph.graph), Shape::new(gpu, graph.graph));
    let edge_sums = if options.edges { buffer_bytes(gpu, graph.graph.edges(), 1) } else { 0 };
    let distances = if weighs { PairDistances::bytes(graph.graph) } else { 0 };
    let fixed_bytes = graph
        .bytes_missing_entering(weighs)?
        .saturating_add(buffer_bytes(gpu, vertices + shape.start_words(), 1))
        .saturating_add(edge_sums)
        .saturating_add(distances);
    let needed = |sources: u64| {
        let pairs = sources * vertices;
        fixed_bytes
            .saturating_add(buffer_bytes(gpu, pairs, 2 + u64::from(weighs)))
            .saturating_add(buffer_bytes(gpu, 2 * pairs, 1))
            .saturating_add(buffer_bytes(gpu, shape.words(sources), 1))
            .saturating_add(buffer_bytes(gpu, sources, 2))
    };
    let available = gpu.memory().available();
    let Some(fits) = (1..=most).rev().find(|&sources| needed(sources) <= available) else {
        let what = format!("the betweenness of {} vertices", graph.vertices());
        return Err(Error::OutOfMemory { what, needed: needed(1), available }.into());
    };
    Ok(fits as u32)
}

/// Sums the dependencies of all sources, in groups of `at_once`.
fn run(
    graph: &GpuGraph,
    plan: &Plan,
    options: &BetweennessOptions,
    at_once: u32,
) -> Result<(Sums, Step)> {
    let gpu = &graph.gpu;
    let (vertices, edges) = (graph.vertices() as usize, graph.edges() as usize);
    let edge_sums = options.edges.then(|| gpu.empty::<f32>(edges)).transpose()?;
    let mut sums =
        Sums { vertices: vec![0.0; vertices], edges: edge_sums.as_ref().map(|_| vec![0.0; edges]) };
    let weighs = options.weighs(graph.graph);
    let mut step = Step::new(0, if weighs { "weights" } else { "hops" });
    step.sub_steps = plan.sources.len().div_ceil(at_once as usize).max(1) as u32;
    if plan.sources.is_empty() {
        return Ok((sums, step));
    }
    let vertex_sums = gpu.empty::<f32>(vertices)?;
    let mut batch = Batch::new(graph, at_once, weighs, LoopMode::best_for(gpu))?;
    for sources in plan.sources.chunks(at_once as usize) {
        let reached = batch.search(sources)?;
        let count = sources.len() as u32;
        batch.add_vertices(count, options.endpoints, &vertex_sums);
        add(&mut sums.vertices, &gpu.download(&vertex_sums)?);
        if let (Some(edge_sums), Some(sums)) = (&edge_sums, &mut sums.edges) {
            batch.add_edges(count, edge_sums);
            add(sums, &gpu.download(edge_sums)?);
        }
        step.frontier += u64::from(count);
        step.edges += 2 * u64::from(count) * u64::from(graph.edges());
        step.found += u64::from(reached);
    }
    Ok((sums, step))
}

fn add(sums: &mut [f64], more: &[f32]) {
    sums.par_iter_mut().zip(more).for_each(|(sum, &more)| *sum += f64::from(more));
}

/// The number of units that share the edges of a vertex.
fn lanes(graph: &GpuGraph) -> u32 {
    let mean = graph.edges() / graph.vertices().max(1);
    mean.max(1).next_power_of_two().min(MOST_LANES)
}
