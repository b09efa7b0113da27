//! Connected components with a GPU per rank, which finds the components of the rank's own edges.

use std::time::Instant;

use equipoise::{LoadedGraph, components::ComponentsOptions as LocalOptions};
use equipoise_schedule::device::{Gpu, OpenDevice};

use crate::{
    Comm, ComponentsOptions, ComponentsResult, DistGraph, Result, agree,
    components::{check_memory, over_ranks},
};

/// Like [`components`](crate::components), with each rank's edges on its GPU. Hosts then exchange labels.
///
/// Fails on all ranks if memory is short or a GPU fails.
///
/// ```no_run
/// use equipoise_cluster::{Alone, ComponentsOptions, DistGraph, EdgeSlice, gpu};
/// use equipoise_cluster::gpu::{Device, OpenDevice};
///
/// let slice = EdgeSlice { sources: vec![3, 4], targets: vec![1, 3], ..EdgeSlice::new(5) };
/// let graph = DistGraph::build(&Alone, slice)?;
/// if let OpenDevice::Gpu(gpu) = gpu::open(Device::Auto, 0)?.device {
///     let found = gpu::components(&Alone, &graph, &gpu, &ComponentsOptions::default())?;
///     assert_eq!(found.labels, [0, 1, 2, 1, 1]);
/// }
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
pub fn components(
    comm: &dyn Comm,
    graph: &DistGraph,
    gpu: &Gpu,
    _: &ComponentsOptions,
) -> Result<ComponentsResult> {
    check_memory(comm, graph)?;
    let start = Instant::now();
    let roots = agree(comm, roots(graph, gpu))?;
    Ok(over_ranks(comm, graph, roots, start.elapsed()))
}

/// The smallest vertex that the rank's edges connect with each local vertex.
fn roots(graph: &DistGraph, gpu: &Gpu) -> Result<Vec<u32>> {
    let loaded = LoadedGraph::new(&OpenDevice::Gpu(gpu.clone()), &graph.local)?;
    Ok(loaded.components(&LocalOptions::default())?.labels)
}
