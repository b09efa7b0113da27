//! Coloring on a GPU.

mod all_vertices;
mod ends;
mod graph;
mod lanes;
#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod lower;
mod ops;
mod outcome;
mod passes;
mod sets;
mod speculative;
mod stealing;

use std::sync::OnceLock;

use equipoise_graph::Csr;
use equipoise_schedule::device::Gpu;

use self::{graph::DeviceNeighbors, outcome::Outcome};
use super::{
    ColorCandidate, ColorDegrees, ColorOptions, ColorPreference, ColorStrategy, Colored, Coloring,
    check_memory, counting::sums_by_number,
};
use crate::{
    Error, Result, Times,
    gpu_graph::GpuGraph,
    times::{timed, timed_on, times_of_steps},
};

/// Runs [`color`](super::color()) on a GPU. `degrees` caches the distribution of degrees.
pub(crate) fn color(
    graph: &GpuGraph,
    degrees: &OnceLock<ColorDegrees>,
    options: &ColorOptions,
) -> Result<Coloring> {
    options.check()?;
    check_memory(graph.vertices(), options.strategy)?;
    let gpu = &graph.gpu;
    let (neighbors, merge_time) = graph.neighbors()?;
    let (choice, choose_time) = timed(|| {
        let degrees = *degrees.get_or_init(|| ColorDegrees::new(neighbors));
        let missing = graph.bytes_missing_simple()?;
        let check_fits =
            |options: &ColorOptions| check_fits(gpu, neighbors, degrees, missing, options);
        let fits = |options: &ColorOptions| check_fits(options).is_ok();
        let options = options.resolved("gpu", graph.graph, ColorCandidate::of_gpu(), fits)?;
        check_fits(&options)?;
        Ok::<_, Error>((options, degrees))
    });
    let (options, degrees) = choice?;
    let (simple, upload) = graph.simple()?;
    let graph = &DeviceNeighbors::new(simple, degrees);
    let strategy = resolved_strategy(&options, degrees)?;
    gpu.wake();
    let stopwatch = gpu.stopwatch();
    let (result, run) = timed_on(gpu, || run(graph, &options, strategy));
    let outcome = result?;
    let (result, download) = timed_on(gpu, || {
        let (mut colored, queues) = outcome.download(gpu)?;
        let count = colored.close_gaps();
        count_edges(neighbors, &mut colored);
        Ok::<_, Error>((colored, count, queues))
    });
    let (colored, count, queues) = result?;
    let compile = stopwatch.compiled();
    let Colored { colors, iterations, trace } = colored;
    let times = times_of_steps(&trace.steps, run);
    let times = Times { upload, prepare: merge_time + choose_time, compile, download, ..times };
    Ok(Coloring { colors, count, iterations, strategy, trace, queues, times })
}

fn run(
    graph: &DeviceNeighbors,
    options: &ColorOptions,
    strategy: ColorStrategy,
) -> Result<Outcome> {
    let outcome = match strategy {
        ColorStrategy::MultiHash => sets::multi_hash(graph, options),
        ColorStrategy::MinMax => sets::min_max(graph, options),
        ColorStrategy::Speculative => {
            let mut outcome = speculative::speculative(graph, options)?;
            passes::improve(graph, options, &mut outcome)?;
            Ok(outcome)
        }
        _ => sets::by_largest(graph, options, strategy),
    };
    graph.gpu.finish()?;
    outcome
}

/// The largest maximum degree at which `multi-hash` is faster than `speculative`.
const FEW: u32 = 256;

/// The strategy, with `auto` resolved. Fails if it is for the cpu only.
fn resolved_strategy(options: &ColorOptions, degrees: ColorDegrees) -> Result<ColorStrategy> {
    match options.strategy {
        ColorStrategy::Auto if options.prefer == ColorPreference::Time && degrees.max <= FEW => {
            Ok(ColorStrategy::MultiHash)
        }
        ColorStrategy::Auto => Ok(ColorStrategy::Speculative),
        ColorStrategy::LargestDegreeFirst | ColorStrategy::Greedy => Err(Error::Option(format!(
            "the strategy `{}` is for the cpu only: a GPU has `speculative`",
            options.strategy
        ))),
        strategy => Ok(strategy),
    }
}

/// Fails if 32 bits cannot number the edges, or the buffers and the `missing` bytes of the graph do not fit in memory.
fn check_fits(
    gpu: &Gpu,
    neighbors: &Csr,
    degrees: ColorDegrees,
    missing: u64,
    options: &ColorOptions,
) -> Result<()> {
    let (vertices, count, limit) = (neighbors.rows(), neighbors.entries(), u64::from(u32::MAX));
    if count > limit {
        let what = "the graph, read as undirected,".into();
        return Err(equipoise_schedule::Error::TooMany { what, count, limit }.into());
    }
    let strategy = resolved_strategy(options, degrees)?;
    let buffers = match strategy {
        ColorStrategy::Speculative => speculative::bytes(vertices, count),
        _ => sets::bytes(vertices, strategy, options),
    };
    let what = format!("coloring {vertices} vertices by {strategy}");
    Ok(gpu.require(&what, missing.saturating_add(buffers))?)
}

/// Sets the edges visited in each step.
fn count_edges(neighbors: &Csr, colored: &mut Colored) {
    let steps = &mut colored.trace.steps;
    let degree = |vertex| neighbors.row_len(vertex) as u64;
    let edges = sums_by_number(&colored.iterations, steps.len(), degree);
    let mut left = 0;
    for (step, edges) in steps.iter_mut().zip(edges).rev() {
        left += edges;
        step.edges = if step.strategy == "again" { neighbors.entries() } else { left };
    }
}
