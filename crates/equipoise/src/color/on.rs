//! Coloring on whichever device: the caller names no runtime.

use std::time::Duration;

use equipoise_graph::{Csr, Graph};
use equipoise_schedule::device::{Gpu, OpenDevice};

use super::{
    ColorDegrees, ColorOptions, Coloring, color, color_neighbors, measure::Color,
    neighbors::neighbors,
};
use crate::{Result, times::timed};

/// Colors the vertices so that no edge joins two of one color on a device, as
/// [`color`](crate::color()) does on the cpu, and with the same colors.
///
/// A GPU has all strategies but `largest-degree-first` and `greedy`; `auto` is `speculative` there,
/// unless time is preferred or a model chooses.
///
/// Fails as that does; on a GPU also where the graph does not fit its memory.
///
/// ```
/// use equipoise::{ColorOptions, color_on, device::Device, graph::{Edges, GraphBuilder}};
///
/// let triangle = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2), (2, 0)]))?;
/// let coloring = color_on(&Device::Auto.open()?, &triangle, &ColorOptions::default())?;
/// assert_eq!(coloring.count, 3);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn color_on(device: &OpenDevice, graph: &Graph, options: &ColorOptions) -> Result<Coloring> {
    match device {
        OpenDevice::Cpu => color(graph, options),
        OpenDevice::Gpu(gpu) => on_gpu(gpu, graph, options),
    }
}

fn on_gpu(gpu: &Gpu, graph: &Graph, options: &ColorOptions) -> Result<Coloring> {
    super::gpu::color(gpu, graph, options)
}

/// Copies a graph to a device once, and has it colored there as often as wanted, with strategies
/// that are named.
pub(super) fn with_graph_on(
    device: &OpenDevice,
    graph: &Graph,
    work: impl FnOnce(&Color, &ColorDegrees) -> Result<()>,
) -> Result<()> {
    graph.check()?;
    let (simple, prepare) = timed(|| neighbors(graph));
    let simple = simple?;
    let degrees = ColorDegrees::of(&simple);
    let work = |color: &Color| work(color, &degrees);
    match device {
        OpenDevice::Cpu => work(&|options| color_neighbors(&simple, options, prepare)),
        OpenDevice::Gpu(gpu) => often_on_gpu(gpu, (&simple, degrees, prepare), work),
    }
}

fn often_on_gpu(
    gpu: &Gpu,
    neighbors: (&Csr, ColorDegrees, Duration),
    work: impl FnOnce(&Color) -> Result<()>,
) -> Result<()> {
    super::gpu::color_often(gpu, neighbors, work)
}
