//! All pairs on a GPU.

mod blocked;
#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod lower;
mod matrix;
mod naive;
mod product;

use cubecl::prelude::Runtime;
use equipoise_graph::{Graph, Weights};
use equipoise_schedule::device::Gpu;

use super::{Apsp, ApspOptions, ApspStrategy, plan};
use crate::{Error, Result, Times, times::timed};
use matrix::{DeviceLength, DeviceLengths};

/// As [`apsp`](super::apsp()), on a GPU.
pub(crate) fn apsp<R: Runtime>(gpu: &Gpu<R>, graph: &Graph, options: &ApspOptions) -> Result<Apsp> {
    graph.check()?;
    graph.check_fits_device()?;
    plan::check_weights(graph)?;
    match graph.weights() {
        None => solve(gpu, graph, |_| 1u32, options),
        Some(Weights::U32(weights)) if plan::fits_u32(graph.vertices(), weights) => {
            solve(gpu, graph, |edge| weights[edge], options)
        }
        Some(Weights::U32(_)) => Err(Error::Option(
            "paths may be longer than the 32 bits that a GPU has for them: use `--device cpu`"
                .into(),
        )),
        // Adding 0 makes 0 of −0.
        Some(Weights::F32(weights)) => solve(gpu, graph, |edge| weights[edge] + 0.0, options),
    }
}

fn solve<T: DeviceLength, R: Runtime>(
    gpu: &Gpu<R>,
    graph: &Graph,
    weight: impl Fn(usize) -> T + Sync,
    options: &ApspOptions,
) -> Result<Apsp> {
    let strategy = match options.strategy {
        ApspStrategy::Auto => ApspStrategy::Blocked,
        ApspStrategy::Sssp => {
            return Err(Error::Option(
                "the strategy `sssp` for all pairs is for the cpu only".into(),
            ));
        }
        given => given,
    };
    if graph.vertices() == 0 {
        let (distances, times) = (T::into_distances(Vec::new()), Times::default());
        return Ok(Apsp { vertices: 0, strategy, distances, times });
    }
    let beside = |side| match strategy {
        ApspStrategy::Naive => 0,
        _ => blocked::panel_bytes(side),
    };
    let close = |matrix: &DeviceLengths<T, R>| match strategy {
        ApspStrategy::Naive => naive::naive(matrix),
        _ => blocked::blocked(matrix),
    };
    let (matrix, upload) = timed(|| DeviceLengths::upload(gpu, graph, &weight, beside));
    let matrix = matrix?;
    // A first time with next to nothing to do, so that compiling is not in the time.
    let (compiled, compile) = timed(|| close(&DeviceLengths::smallest(gpu)?));
    compiled?;
    let (closed, kernel) = timed(|| close(&matrix));
    closed?;
    let (lengths, download) = timed(|| matrix.download());
    let times = Times { upload, compile, kernel, download, ..Times::default() };
    let distances = T::into_distances(lengths?);
    Ok(Apsp { vertices: graph.vertices(), strategy, distances, times })
}
