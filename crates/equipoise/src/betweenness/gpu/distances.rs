//! The distances of pairs by whole weights.

use cubecl::prelude::*;
use equipoise_graph::Graph;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, GpuRuntime},
};

use super::{
    lanes,
    paths::{WeighingLaunch, copy_distances, count_lacking},
};
use crate::{
    Error, Result,
    error::distance,
    gpu_graph::{DeviceWeights, GpuGraph, WeightedRows},
    kernels::{UNITS, concurrent_cubes, cubes_for},
    sssp::{TOO_LARGE, WholeDistances},
};

/// The distances of all pairs, and the search that finds them.
pub(super) struct PairDistances<'a> {
    graph: &'a GpuGraph<'a>,
    leaving: &'a WeightedRows,
    entering: &'a WeightedRows,
    search: WholeDistances<'a>,
    distances: Buffer<u32>,
    /// Not 0 if a distance exceeds 32 bits.
    too_large: Buffer<u32>,
}

impl<'a> PairDistances<'a> {
    /// The bytes of the search, without the graph and the distances.
    pub fn bytes(graph: &Graph) -> u64 {
        WholeDistances::bytes(graph)
    }

    pub fn new(graph: &'a GpuGraph<'a>, sources: u32) -> Result<Self> {
        let gpu = &graph.gpu;
        let search = WholeDistances::new(graph)?;
        let distances = gpu.empty(sources as usize * graph.vertices() as usize)?;
        let leaving = graph.leaving_with_weights()?;
        let entering = graph.entering_with_weights()?;
        Ok(Self { graph, leaving, entering, search, distances, too_large: gpu.filled(1, 0)? })
    }

    /// Finds the distances from the sources, and the number of edges on shortest paths to each pair.
    pub fn search(&self, lacking: &Buffer<u32>, sources: &[u32]) -> Result<()> {
        let (gpu, vertices) = (&self.graph.gpu, self.graph.vertices());
        for (search, &source) in (0..).zip(sources) {
            let distances = self.search.from(source)?;
            // SAFETY: each source has a row of pairs and of distances, and each vertex a distance.
            unsafe {
                copy_distances::launch_unchecked::<GpuRuntime>(
                    gpu.client(),
                    cubes_for(gpu, vertices),
                    CubeDim::new_1d(UNITS),
                    distances.arg(),
                    self.distances.arg(),
                    lacking.arg(),
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
                concurrent_cubes(gpu),
                CubeDim::new_1d(UNITS),
                self.entering.arg(),
                self.arg(),
                AtomicArray::bind(gpu, lacking),
                vertices,
                sources.len() as u32 * vertices,
                lanes(self.graph),
            );
        }
        match gpu.download(&self.too_large)?[0] {
            0 => Ok(()),
            _ => Err(self.too_far(sources)?),
        }
    }

    /// The error for the first distance that exceeds 32 bits.
    fn too_far(&self, sources: &[u32]) -> Result<Error> {
        let all = self.graph.gpu.download(&self.distances)?;
        let pair = all.iter().position(|&distance| distance == TOO_LARGE).unwrap_or_default();
        let vertices = self.graph.vertices() as usize;
        let (source, target) = (sources[pair / vertices], (pair % vertices) as u32);
        Ok(Error::too_far_for_gpu(distance(self.graph.graph.ids(), source, target)))
    }

    pub fn arg(&self) -> WeighingLaunch<GpuRuntime> {
        let weights = |rows: &WeightedRows| match rows.weights() {
            Some(DeviceWeights::U32(weights)) => weights.arg(),
            _ => unreachable!("whole weights are uploaded before paths are counted"),
        };
        WeighingLaunch::new(weights(self.leaving), weights(self.entering), self.distances.arg())
    }
}
