//! All pairs on a GPU.

mod blocked;
mod edges;
#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod lower;
mod matrix;
mod naive;
mod product;
mod searches;

use cubecl::prelude::Runtime;
use equipoise_graph::{Graph, Weights};
use equipoise_schedule::device::Gpu;
use rayon::prelude::*;

use super::{Apsp, ApspOptions, ApspStrategy, plan};
use crate::{Error, Result, Times, times::timed};
use edges::DeviceEdges;
use matrix::{DeviceLength, DeviceLengths};
use searches::{Batch, batch_bytes, batch_size};

/// As [`apsp`](super::apsp()), on a GPU.
pub(crate) fn apsp<R: Runtime>(gpu: &Gpu<R>, graph: &Graph, options: &ApspOptions) -> Result<Apsp> {
    graph.check()?;
    graph.check_fits_device()?;
    plan::check_weights(graph)?;
    match graph.weights() {
        Some(Weights::F32(_)) => solve::<f32, R>(gpu, graph, options),
        Some(Weights::U32(weights)) if !plan::fits_u32(graph.vertices(), weights) => {
            Err(Error::Option(
                "paths may be longer than the 32 bits that a GPU has for them: use `--device cpu`"
                    .into(),
            ))
        }
        _ => solve::<u32, R>(gpu, graph, options),
    }
}

fn solve<T: DeviceLength, R: Runtime>(
    gpu: &Gpu<R>,
    graph: &Graph,
    options: &ApspOptions,
) -> Result<Apsp> {
    let strategy = match options.strategy {
        ApspStrategy::Auto => ApspStrategy::Blocked,
        given => given,
    };
    let vertices = graph.vertices();
    let (lengths, times) = match strategy {
        _ if vertices == 0 => (Vec::new(), Times::default()),
        ApspStrategy::Sssp => by_searches::<T, R>(gpu, graph)?,
        _ => by_matrix::<T, R>(gpu, graph, strategy)?,
    };
    Ok(Apsp { vertices, strategy, distances: T::into_distances(lengths), times })
}

/// Floyd-Warshall, with the whole matrix in the GPU's memory.
fn by_matrix<T: DeviceLength, R: Runtime>(
    gpu: &Gpu<R>,
    graph: &Graph,
    strategy: ApspStrategy,
) -> Result<(Vec<T>, Times)> {
    let beside = |side| match strategy {
        ApspStrategy::Naive => 0,
        _ => blocked::panel_bytes(side),
    };
    let close = |matrix: &DeviceLengths<T, R>| match strategy {
        ApspStrategy::Naive => naive::naive(matrix),
        _ => blocked::blocked(matrix),
    };
    let (matrix, upload) = timed(|| DeviceLengths::upload(gpu, graph, beside));
    let matrix = matrix?;
    // A first time with next to nothing to do, so that compiling is not in the time.
    let (compiled, compile) = timed(|| close(&DeviceLengths::smallest(gpu)?));
    compiled?;
    let (closed, kernel) = timed(|| close(&matrix));
    closed?;
    let (lengths, download) = timed(|| matrix.download());
    Ok((lengths?, Times { upload, compile, kernel, download, ..Times::default() }))
}

/// One search a vertex.
fn by_searches<T: DeviceLength, R: Runtime>(
    gpu: &Gpu<R>,
    graph: &Graph,
) -> Result<(Vec<T>, Times)> {
    let vertices = graph.vertices();
    let sources: Vec<u32> = (0..vertices).collect();
    let graph_bytes = DeviceEdges::<T>::bytes(graph);
    let available = gpu.memory().available().saturating_sub(graph_bytes);
    let searches = batch_size(gpu, vertices, sources.len(), available);
    let what = format!("{searches} searches of {vertices} vertices at once");
    gpu.require(&what, graph_bytes + batch_bytes(vertices, searches))?;
    let (edges, upload) = timed(|| -> Result<_> {
        let edges = DeviceEdges::<T>::upload(gpu, graph)?;
        gpu.finish()?;
        Ok(edges)
    });
    let edges = edges?;
    let mut times = Times { upload, ..Times::default() };
    // A first time with next to nothing to do, so that compiling is not in the time.
    let (compiled, compile) = timed(|| -> Result<()> {
        Batch::new(gpu, &DeviceEdges::<T>::smallest(gpu)?, 1)?.search(&[0])
    });
    compiled?;
    times.compile = compile;
    let (batch, prepare) = timed(|| Batch::new(gpu, &edges, searches));
    let mut batch = batch?;
    times.prepare = prepare;
    let mut lengths = Vec::with_capacity(sources.len() * vertices as usize);
    for sources in sources.chunks(searches as usize) {
        let (searched, kernel) = timed(|| batch.search(sources));
        searched?;
        let (rows, download) = timed(|| batch.lengths(sources.len()));
        lengths.par_extend(rows?.into_par_iter().map(|bits| T::of_bits(bits).told()));
        times.kernel += kernel;
        times.download += download;
    }
    Ok((lengths, times))
}
