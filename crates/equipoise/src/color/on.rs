//! Coloring on whichever device: the caller names no runtime.

use equipoise_graph::Graph;
use equipoise_schedule::device::{AnyGpu, OpenDevice};

use super::{ColorOptions, Coloring, color};
use crate::Result;

/// Colors the vertices so that no edge joins two of one color on a device, as
/// [`color`](crate::color()) does on the cpu, and with the same colors.
///
/// A GPU has all strategies but `largest-degree-first` and `greedy`; `auto` is `speculative` there.
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
        OpenDevice::Gpu(any) => on_gpu(any, graph, options),
    }
}

#[cfg(any(feature = "cuda", feature = "wgpu"))]
fn on_gpu(any: &AnyGpu, graph: &Graph, options: &ColorOptions) -> Result<Coloring> {
    equipoise_schedule::with_gpu!(any, |gpu| super::gpu::color(gpu, graph, options))
}

#[cfg(not(any(feature = "cuda", feature = "wgpu")))]
fn on_gpu(any: &AnyGpu, _: &Graph, _: &ColorOptions) -> Result<Coloring> {
    any.never()
}
