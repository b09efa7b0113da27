//! Coloring on a GPU.

mod all_vertices;
mod ends;
mod graph;
mod lanes;
#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod lower;
mod numbers;
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
    check_memory,
};
use crate::{
    Error, Result, Times,
    gpu_graph::GraphOnGpu,
    neighbors::Neighbors,
    times::{timed, timed_on},
};

/// As [`color`](super::color()), on a GPU. The degrees of the neighbours are found once.
pub(crate) fn color(
    there: &GraphOnGpu,
    kept: &Neighbors,
    degrees: &OnceLock<ColorDegrees>,
    options: &ColorOptions,
) -> Result<Coloring> {
    options.check()?;
    check_memory(there.graph.vertices(), options.strategy)?;
    let (neighbors, finding) = kept.of(there.graph)?;
    let (chosen, choosing) = timed(|| {
        let degrees = *degrees.get_or_init(|| ColorDegrees::of(neighbors));
        let missing = kept.bytes_missing(there)?;
        let fits = |options: &ColorOptions| {
            check_fits(&there.gpu, neighbors, degrees, missing, options).is_ok()
        };
        let options = options.chosen("gpu", there.graph, ColorCandidate::of_gpu(), fits)?;
        check_fits(&there.gpu, neighbors, degrees, missing, &options)?;
        Ok::<_, Error>((options, degrees))
    });
    let (options, degrees) = chosen?;
    let (graph, upload) = kept.on_gpu(there)?;
    let graph = DeviceNeighbors::of(graph, degrees);
    let coloring = color_rows(&graph, neighbors, &options)?;
    let times = Times { upload, prepare: finding + choosing, ..coloring.times };
    Ok(Coloring { times, ..coloring })
}

/// Colors vertices whose neighbours are on a GPU. Times are from then on.
fn color_rows(
    graph: &DeviceNeighbors,
    neighbors: &Csr,
    options: &ColorOptions,
) -> Result<Coloring> {
    let gpu = graph.gpu;
    let strategy = on_gpu(options, graph.degrees)?;
    gpu.wake();
    let stopwatch = gpu.stopwatch();
    let (result, run) = timed_on(gpu, || run(graph, options, strategy));
    let outcome = result?;
    let (result, download) = timed_on(gpu, || {
        let (mut colored, queues) = outcome.download(gpu)?;
        let count = colored.close_gaps();
        count_edges(neighbors, &mut colored);
        Ok::<_, Error>((colored, count, queues))
    });
    let (colored, count, queues) = result?;
    let compile = stopwatch.compiled();
    let kernel = colored.trace.steps.iter().map(|step| step.time).sum();
    let overhead = run.saturating_sub(kernel);
    let times = Times { compile, kernel, overhead, download, ..Times::default() };
    let Colored { colors, iterations, trace } = colored;
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

/// Where a vertex has more neighbours, `multi-hash` is slower than `speculative`.
const FEW: u32 = 256;

/// The strategy on a GPU, where it has that.
fn on_gpu(options: &ColorOptions, degrees: ColorDegrees) -> Result<ColorStrategy> {
    match options.strategy {
        ColorStrategy::Auto if options.prefer == ColorPreference::Time && degrees.max <= FEW => {
            Ok(ColorStrategy::MultiHash)
        }
        ColorStrategy::Auto => Ok(ColorStrategy::Speculative),
        ColorStrategy::LargestDegreeFirst | ColorStrategy::Greedy => Err(Error::Option(format!(
            "the strategy `{}` is for the cpu only: a GPU has `speculative`",
            options.strategy
        ))),
        given => Ok(given),
    }
}

/// Fails where there are more edges than 32 bits count, or not the memory beside `missing` bytes.
fn check_fits(
    gpu: &Gpu,
    neighbors: &Csr,
    degrees: ColorDegrees,
    missing: u64,
    options: &ColorOptions,
) -> Result<()> {
    check_count(neighbors)?;
    let strategy = on_gpu(options, degrees)?;
    let what = format!("coloring {} vertices by {strategy}", neighbors.rows());
    Ok(gpu.require(&what, missing.saturating_add(beside(neighbors, strategy, options)))?)
}

fn check_count(neighbors: &Csr) -> Result<()> {
    let (count, limit) = (neighbors.entries(), u64::from(u32::MAX));
    if count > limit {
        let what = "the graph, read as undirected,".into();
        return Err(equipoise_schedule::Error::TooMany { what, count, limit }.into());
    }
    Ok(())
}

/// Bytes of a GPU's memory beside the graph.
fn beside(neighbors: &Csr, strategy: ColorStrategy, options: &ColorOptions) -> u64 {
    match strategy {
        ColorStrategy::Speculative => speculative::bytes(neighbors.rows(), neighbors.entries()),
        _ => sets::bytes(neighbors.rows(), strategy, options),
    }
}

/// Notes in each step the edges of the vertices it looked at.
fn count_edges(neighbors: &Csr, colored: &mut Colored) {
    let steps = &mut colored.trace.steps;
    let mut edges = vec![0u64; steps.len()];
    for (vertex, &iteration) in (0..).zip(&colored.iterations) {
        edges[iteration as usize] += neighbors.row_len(vertex) as u64;
    }
    let mut left = 0;
    for (step, edges) in steps.iter_mut().zip(edges).rev() {
        left += edges;
        step.edges = if step.strategy == "again" { neighbors.entries() } else { left };
    }
}
