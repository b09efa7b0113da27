//! The graph of a level on the GPU.

use std::ops::Deref;

use cubecl::prelude::*;
use equipoise_graph::Csr;
use equipoise_schedule::{
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
    ranges::grid_stride_range,
};

use super::super::{scaled::ScaledWeights, undirected::UndirectedGraph};
use crate::{
    Result,
    kernels::{UNITS, cubes_for},
};

/// A graph without loops and parallel edges, whose weights are whole.
pub(super) struct Level<'g> {
    pub graph: LevelGraph<'g>,
    /// The weight of each edge.
    pub weights: Buffer<u32>,
    /// The weight of the edges of each vertex, with those within it from both ends.
    pub strengths: Buffer<u32>,
    /// The sum of all strengths.
    pub total: f64,
}

/// The graph of the first level, which other algorithms use, too, or that of another one.
pub(super) enum LevelGraph<'g> {
    First(&'g DeviceGraph),
    Other(Box<DeviceGraph>),
}

impl Deref for LevelGraph<'_> {
    type Target = DeviceGraph;

    fn deref(&self) -> &DeviceGraph {
        match self {
            Self::First(graph) => graph,
            Self::Other(graph) => graph,
        }
    }
}

impl<'g> Level<'g> {
    /// The first level of a graph in which each edge counts 1.
    pub fn of_ones(graph: &'g DeviceGraph) -> Result<Self> {
        let (gpu, vertices) = (graph.gpu(), graph.vertices());
        let weights = gpu.filled(graph.edges() as usize, 1)?;
        let strengths = gpu.empty(vertices as usize)?;
        write_degrees(graph, &strengths);
        let total = f64::from(graph.edges());
        Ok(Self { graph: LevelGraph::First(graph), weights, strengths, total })
    }

    /// The first level of a weighted graph.
    pub fn of_weights(graph: &'g DeviceGraph, scaled: &ScaledWeights) -> Result<Self> {
        let gpu = graph.gpu();
        let total = scaled.strengths.iter().map(|&strength| f64::from(strength)).sum();
        let (weights, strengths) = (gpu.upload(&scaled.weights)?, gpu.upload(&scaled.strengths)?);
        Ok(Self { graph: LevelGraph::First(graph), weights, strengths, total })
    }

    pub fn gpu(&self) -> &Gpu {
        self.graph.gpu()
    }

    /// The graph on the host.
    pub fn download(&self) -> Result<UndirectedGraph> {
        let gpu = self.gpu();
        let offsets = gpu.download(self.graph.offsets())?;
        let edges = self.graph.edges() as usize;
        let targets = gpu.download_first(self.graph.targets(), edges)?;
        let weights = gpu.download_first(&self.weights, edges)?;
        // The slots of tables have no order.
        let mut rows: Vec<(u32, u32)> = targets.into_iter().zip(weights).collect();
        offsets.windows(2).for_each(|ends| {
            rows[ends[0] as usize..ends[1] as usize].sort_unstable();
        });
        let (targets, weights): (Vec<u32>, Vec<u32>) = rows.into_iter().unzip();
        let strengths = gpu.download(&self.strengths)?;
        let offsets = offsets.into_iter().map(u64::from).collect();
        let neighbors = Csr::new(self.graph.vertices(), offsets, targets)?;
        let wide = |numbers: Vec<u32>| numbers.into_iter().map(f64::from).collect();
        Ok(UndirectedGraph::from_sums(neighbors, wide(weights), wide(strengths)))
    }
}

/// Writes the number of edges of each vertex.
pub(super) fn write_degrees(graph: &DeviceGraph, to: &Buffer<u32>) {
    let (gpu, vertices) = (graph.gpu(), graph.vertices());
    // SAFETY: callers have a number per vertex; each has a row.
    unsafe {
        degrees::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            cubes_for(gpu, vertices),
            CubeDim::new_1d(UNITS),
            graph.offsets().arg(),
            to.arg(),
            vertices,
        );
    }
}

#[cube(launch_unchecked)]
fn degrees(offsets: &Array<u32>, degrees: &mut Array<u32>, vertices: u32) {
    for vertex in grid_stride_range(0, vertices) {
        degrees[vertex as usize] = offsets[vertex as usize + 1] - offsets[vertex as usize];
    }
}
