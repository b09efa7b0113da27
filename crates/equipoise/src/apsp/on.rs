//! All pairs on whichever device: the caller names no runtime.

use equipoise_graph::Graph;
use equipoise_schedule::device::{Gpu, OpenDevice};

use super::{Apsp, ApspOptions, ApspOutput, on_cpu};
use crate::Result;

/// Finds the length of the shortest path from every vertex to every other on a device, as
/// [`apsp`](crate::apsp()) does on the cpu.
///
/// On a GPU, `blocked` and `naive` take 4 bytes of its memory a pair of vertices, rounded up to a
/// multiple of 128 vertices, and as many for next hops. Where the matrix does not fit, or is not to
/// take so much ([`ApspOptions::memory_limit`]), `blocked` leaves it with the host, and strips of
/// its rows take turns on the device. `sssp` takes 32 bytes a vertex for each search, or 36 with next
/// hops, and 24 for every 256 edges, and runs as many at once as there is memory for.
///
/// Fails as that does; on a GPU also where a path may be longer than 31 bits tell, where not even a
/// strip of 128 rows or one search fits its memory, or, by `naive`, where the matrix does not.
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
    apsp_to(device, graph, options, &ApspOutput::default())
}

/// As [`apsp_on`], with files for the results or somebody who hears how far a long run has come.
///
/// Fails as that does, and where a file cannot be made.
///
/// ```
/// use equipoise::{ApspOptions, ApspOutput, apsp_to, device::Device};
/// use equipoise::graph::{Edges, GraphBuilder};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1)]))?;
/// let (device, output) = (Device::Auto.open()?, ApspOutput::default());
/// let result = apsp_to(&device, &graph, &ApspOptions::default(), &output)?;
/// assert_eq!(result.distance(0, 1), Some(1.0));
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn apsp_to(
    device: &OpenDevice,
    graph: &Graph,
    options: &ApspOptions,
    output: &ApspOutput,
) -> Result<Apsp> {
    match device {
        OpenDevice::Cpu => on_cpu(graph, options, output),
        OpenDevice::Gpu(gpu) => on_gpu(gpu, graph, options, output),
    }
}

fn on_gpu(gpu: &Gpu, graph: &Graph, options: &ApspOptions, output: &ApspOutput) -> Result<Apsp> {
    super::gpu::apsp(gpu, graph, options, output)
}
