//! The distances of pairs by whole weights, before paths are counted.

use cubecl::prelude::*;
use equipoise_graph::Graph;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, GpuRuntime},
};

use super::{
    Batch,
    kernels::UNITS,
    paths::{WeighingLaunch, count_lacking, keep},
};
use crate::{
    Error, Result,
    error::distance,
    gpu_graph::{DeviceRows, DeviceWeights, GpuGraph},
    sssp::{TOO_LARGE, WholeDistances},
};

/// The distances of all pairs, and what is searched with.
pub(super) struct Weighed<'a> {
    graph: &'a GpuGraph<'a>,
    entering: &'a DeviceRows,
    search: WholeDistances<'a>,
    distances: Buffer<u32>,
    /// Not 0 where a distance does not fit.
    too_large: Buffer<u32>,
}

impl<'a> Weighed<'a> {
    /// The bytes that a search takes beside the graph and the distances.
    pub fn bytes(graph: &Graph) -> u64 {
        WholeDistances::bytes(graph)
    }

    pub fn new(graph: &'a GpuGraph<'a>, sources: u32) -> Result<Self> {
        let gpu = &graph.gpu;
        let search = WholeDistances::new(graph)?;
        let distances = gpu.empty(sources as usize * graph.vertices() as usize)?;
        let entering = graph.entering_with_weights()?;
        Ok(Self { graph, entering, search, distances, too_large: gpu.filled(1, 0)? })
    }

    /// Finds the distances from these sources, and how many edges on shortest paths lead to each pair.
    pub fn search(&self, batch: &Batch, sources: &[u32]) -> Result<()> {
        let (gpu, vertices) = (&self.graph.gpu, self.graph.vertices());
        let pairs = || AtomicArray::of(gpu, &batch.pairs);
        for (search, &source) in (0..).zip(sources) {
            let found = self.search.from(source)?;
            // SAFETY: there are a row of pairs and of distances for each source, and a distance for each vertex.
            unsafe {
                keep::launch_unchecked::<GpuRuntime>(
                    gpu.client(),
                    self.graph.vertex_cubes(UNITS),
                    CubeDim::new_1d(UNITS),
                    found.arg(),
                    self.distances.arg(),
                    pairs(),
                    self.too_large.arg(),
                    search,
                    vertices,
                );
            }
        }
        // SAFETY: as above, and edges come from vertices.
        unsafe {
            count_lacking::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                batch.cubes(),
                CubeDim::new_1d(UNITS),
                self.entering.arg(),
                self.arg(),
                pairs(),
                vertices,
                sources.len() as u32 * vertices,
                batch.lanes(),
            );
        }
        match gpu.download(&self.too_large)?[0] {
            0 => Ok(()),
            _ => Err(self.too_far(sources)?),
        }
    }

    /// What is told of a distance that does not fit.
    fn too_far(&self, sources: &[u32]) -> Result<Error> {
        let all = self.graph.gpu.download(&self.distances)?;
        let pair = all.iter().position(|&distance| distance == TOO_LARGE).unwrap_or_default();
        let vertices = self.graph.vertices() as usize;
        let (source, target) = (sources[pair / vertices], (pair % vertices) as u32);
        Ok(Error::too_far_for_gpu(distance(self.graph.graph.ids(), source, target)))
    }

    pub fn arg(&self) -> WeighingLaunch<GpuRuntime> {
        let weights = |rows: &DeviceRows| match rows.weights() {
            Some(DeviceWeights::U32(weights)) => weights.arg(),
            _ => unreachable!("whole weights are copied before paths are counted"),
        };
        WeighingLaunch::new(
            weights(&self.graph.leaving),
            weights(self.entering),
            self.distances.arg(),
        )
    }
}
