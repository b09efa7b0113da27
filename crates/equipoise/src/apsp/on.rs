//! All pairs on whichever device: the caller names no runtime.

use equipoise_graph::Graph;
use equipoise_schedule::device::{AnyGpu, OpenDevice};

use super::{Apsp, ApspOptions, apsp};
use crate::Result;

/// Finds the length of the shortest path from every vertex to every other on a device, as
/// [`apsp`](crate::apsp()) does on the cpu.
///
/// On a GPU `blocked` is its `auto`. `blocked` and `naive` take 4 bytes of its memory a pair of
/// vertices, rounded up to a multiple of 128 vertices; `sssp` takes 16 bytes a vertex for each
/// search, and runs as many at once as there is memory for.
///
/// Fails as that does; on a GPU also where a path may be longer than 31 bits tell, or, but for
/// `sssp`, where there are more than 65,408 vertices or the matrix does not fit its memory.
///
/// ```
/// use equipoise::{ApspOptions, apsp_on, device::Device, graph::{Edges, GraphBuilder}};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 5u32), (1, 2, 2)]))?;
/// let result = apsp_on(&Device::Auto.open()?, &graph, &ApspOptions::default())?;
/// assert_eq!(result.distance(0, 2), Some(7.0));
/// result.verify(&graph)?;
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn apsp_on(device: &OpenDevice, graph: &Graph, options: &ApspOptions) -> Result<Apsp> {
    match device {
        OpenDevice::Cpu => apsp(graph, options),
        OpenDevice::Gpu(any) => on_gpu(any, graph, options),
    }
}

#[cfg(any(feature = "cuda", feature = "wgpu"))]
fn on_gpu(any: &AnyGpu, graph: &Graph, options: &ApspOptions) -> Result<Apsp> {
    equipoise_schedule::with_gpu!(any, |gpu| super::gpu::apsp(gpu, graph, options))
}

#[cfg(not(any(feature = "cuda", feature = "wgpu")))]
fn on_gpu(any: &AnyGpu, _: &Graph, _: &ApspOptions) -> Result<Apsp> {
    any.never()
}
