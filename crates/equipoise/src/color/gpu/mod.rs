//! Coloring on a GPU.

mod everybody;
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

use cubecl::prelude::Runtime;
use equipoise_graph::{Csr, Graph};
use equipoise_schedule::device::Gpu;

use self::{graph::DeviceNeighbors, outcome::Outcome};
use super::{
    ColorOptions, ColorStrategy, Colored, Coloring,
    neighbors::{max_degree, neighbors},
};
use crate::{Error, Result, Times, times::timed};

/// As [`color`](super::color()), on a GPU.
pub(crate) fn color<R: Runtime>(
    gpu: &Gpu<R>,
    graph: &Graph,
    options: &ColorOptions,
) -> Result<Coloring> {
    graph.check()?;
    options.check()?;
    let strategy = on_gpu(options)?;
    let (simple, prepare) = timed(|| neighbors(graph));
    let simple = simple?;
    check_fits(gpu, &simple, strategy, options)?;
    let most = max_degree(&simple) as u32;
    let (there, upload) = timed(|| {
        let there = DeviceNeighbors::upload(gpu, &simple, most)?;
        gpu.finish()?;
        Ok::<_, Error>(there)
    });
    let there = there?;
    let (compiled, compile) = timed(|| run(&smallest(gpu, most)?, options, strategy));
    compiled?;
    let (result, run) = timed(|| run(&there, options, strategy));
    let outcome = result?;
    let (result, download) = timed(|| outcome.download(gpu));
    let (mut colored, queues) = result?;
    let count = colored.close_gaps();
    let kernel = colored.trace.steps.iter().map(|step| step.time).sum();
    let overhead = run.saturating_sub(kernel);
    let times = Times { upload, prepare, compile, kernel, overhead, download, ..Times::default() };
    count_edges(&simple, &mut colored);
    let Colored { colors, iterations, trace } = colored;
    Ok(Coloring { colors, count, iterations, strategy, trace, queues, times })
}

/// Two neighbours, to compile kernels with.
fn smallest<R: Runtime>(gpu: &Gpu<R>, most_neighbors: u32) -> Result<DeviceNeighbors<'_, R>> {
    DeviceNeighbors::upload(gpu, &Csr::new(2, vec![0, 1, 2], vec![1, 0])?, most_neighbors)
}

fn run<R: Runtime>(
    graph: &DeviceNeighbors<R>,
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

/// The strategy on a GPU, where it has that.
fn on_gpu(options: &ColorOptions) -> Result<ColorStrategy> {
    match options.strategy {
        ColorStrategy::Auto => Ok(ColorStrategy::Speculative),
        ColorStrategy::LargestDegreeFirst | ColorStrategy::Greedy => Err(Error::Option(format!(
            "the strategy `{}` is for the cpu only: use `speculative`, or `--device cpu`",
            options.strategy
        ))),
        given => Ok(given),
    }
}

/// Fails where there are more edges than 32 bits count, or not the memory.
fn check_fits<R: Runtime>(
    gpu: &Gpu<R>,
    neighbors: &Csr,
    strategy: ColorStrategy,
    options: &ColorOptions,
) -> Result<()> {
    let (vertices, count) = (neighbors.rows(), neighbors.entries());
    let limit = u64::from(u32::MAX);
    if count > limit {
        let what = "the graph, read as undirected,".into();
        return Err(equipoise_schedule::Error::TooMany { what, count, limit }.into());
    }
    let beside = match strategy {
        ColorStrategy::Speculative => speculative::bytes(vertices, count),
        _ => sets::bytes(vertices, strategy, options),
    };
    let what = format!("coloring {vertices} vertices by {strategy}");
    Ok(gpu.require(&what, DeviceNeighbors::<R>::bytes(neighbors) + beside)?)
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
