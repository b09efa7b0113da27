//! Coloring on a GPU.

mod all_vertices;
mod graph;
mod listed;
#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod lower;
mod numbers;
mod outcome;
mod passes;
mod sets;
mod speculative;
mod stealing;
mod works;

use std::time::Duration;

use equipoise_graph::{Csr, Graph};
use equipoise_schedule::device::Gpu;

use self::{graph::DeviceNeighbors, outcome::Outcome};
use super::{
    ColorCandidate, ColorDegrees, ColorOptions, ColorPreference, ColorStrategy, Colored, Coloring,
    check_memory, neighbors::neighbors, on::Color,
};
use crate::{
    Error, Result, Times,
    times::{timed, timed_on},
};

/// As [`color`](super::color()), on a GPU.
pub(crate) fn color(gpu: &Gpu, graph: &Graph, options: &ColorOptions) -> Result<Coloring> {
    options.check()?;
    graph.check()?;
    check_memory(graph.vertices(), options.strategy)?;
    let (chosen, prepare) = timed(|| {
        let simple = neighbors(graph)?;
        let degrees = ColorDegrees::of(&simple);
        let fits = |options: &ColorOptions| check_fits(gpu, &simple, degrees, options).is_ok();
        let options = options.chosen("gpu", graph, ColorCandidate::of_gpu(), fits)?;
        Ok::<_, Error>((simple, degrees, options))
    });
    let (simple, degrees, options) = chosen?;
    check_fits(gpu, &simple, degrees, &options)?;
    Uploaded::new(gpu, &simple, degrees, prepare)?.color(&options)
}

/// Copies neighbours to a GPU, and has vertices colored there as often as wanted.
pub(super) fn color_often<T>(
    gpu: &Gpu,
    (simple, degrees, prepare): (&Csr, ColorDegrees, Duration),
    work: impl FnOnce(&Color) -> Result<T>,
) -> Result<T> {
    check_count(simple)?;
    let there = Uploaded::new(gpu, simple, degrees, prepare)?;
    work(&|options| {
        let what = format!("coloring {} vertices by {}", simple.rows(), options.strategy);
        gpu.require(&what, beside(simple, on_gpu(options, degrees)?, options))?;
        there.color(options)
    })
}

/// The neighbours of each vertex, here and on a GPU.
struct Uploaded<'g> {
    simple: &'g Csr,
    there: DeviceNeighbors<'g>,
    prepare: Duration,
    upload: Duration,
}

impl<'g> Uploaded<'g> {
    fn new(
        gpu: &'g Gpu,
        simple: &'g Csr,
        degrees: ColorDegrees,
        prepare: Duration,
    ) -> Result<Self> {
        let (there, upload) = timed(|| {
            let there = DeviceNeighbors::upload(gpu, simple, degrees)?;
            gpu.finish()?;
            Ok::<_, Error>(there)
        });
        Ok(Self { simple, there: there?, prepare, upload })
    }

    fn color(&self, options: &ColorOptions) -> Result<Coloring> {
        options.check()?;
        let Self { simple, there, prepare, upload } = self;
        let gpu = there.gpu;
        let strategy = on_gpu(options, there.degrees)?;
        let stopwatch = gpu.stopwatch();
        let (result, run) = timed_on(gpu, || run(there, options, strategy));
        let outcome = result?;
        let (result, download) = timed_on(gpu, || outcome.download(gpu));
        let (mut colored, queues) = result?;
        let compile = stopwatch.compiled();
        let count = colored.close_gaps();
        let kernel = colored.trace.steps.iter().map(|step| step.time).sum();
        let overhead = run.saturating_sub(kernel);
        let (prepare, upload) = (*prepare, *upload);
        let times =
            Times { upload, prepare, compile, kernel, overhead, download, ..Times::default() };
        count_edges(simple, &mut colored);
        let Colored { colors, iterations, trace } = colored;
        Ok(Coloring { colors, count, iterations, strategy, trace, queues, times })
    }
}

fn run(
    graph: &DeviceNeighbors,
    options: &ColorOptions,
    strategy: ColorStrategy,
) -> Result<Outcome> {
    let outcome = match strategy {
        ColorStrategy::MultiHash => sets::multi_hash(graph, options),
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

/// Fails where there are more edges than 32 bits count, or not the memory.
fn check_fits(
    gpu: &Gpu,
    neighbors: &Csr,
    degrees: ColorDegrees,
    options: &ColorOptions,
) -> Result<()> {
    check_count(neighbors)?;
    let strategy = on_gpu(options, degrees)?;
    let what = format!("coloring {} vertices by {strategy}", neighbors.rows());
    let needed = DeviceNeighbors::bytes(neighbors) + beside(neighbors, strategy, options);
    Ok(gpu.require(&what, needed)?)
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
