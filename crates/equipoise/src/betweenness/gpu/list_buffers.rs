//! The memory of the lists of pairs.

use equipoise_graph::Graph;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    engine::DeviceRows,
};

use super::{lists::*, look::LOOKS};
use crate::Result;

/// The most rounds in which the units of the first class look at the edges of a vertex.
const ROUNDS_OF_FEW: u32 = 4;

/// The lists of concurrent searches.
pub(super) struct ListBuffers {
    gpu: Gpu,
    list: Buffer<u32>,
    starts: Buffer<u32>,
    words: Buffer<u32>,
    shape: Shape,
}

/// The sizes of lists.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    vertices: u64,
    /// The edges of both directions.
    edges: u64,
    /// The number of units that share the edges of a vertex of the first class.
    pub lanes: u32,
}

/// What the host reads of a forward pass.
pub(super) struct Progress {
    /// The first level that was not visited.
    pub level: u32,
    /// The pairs of that level; after a launch of one level, those of the level before.
    pub left: u32,
    /// The pairs reached so far.
    pub reached: u32,
}

impl Shape {
    pub fn new(gpu: &Gpu, graph: &Graph) -> Self {
        let (vertices, edges) = (u64::from(graph.vertices()), graph.edges());
        let mean = edges / vertices.max(1) / LOOKS as u64;
        let most = gpu.properties().plane_size.min.max(1);
        let lanes = (mean.max(1) as u32).next_power_of_two().min(most);
        let directions = if graph.is_undirected() { 1 } else { 2 };
        Self { vertices, edges: edges.saturating_mul(directions), lanes }
    }

    /// The most edges of a vertex of the first class.
    fn most_of_few(&self) -> u32 {
        ROUNDS_OF_FEW * LOOKS as u32 * self.lanes
    }

    /// The words of the lists for a number of concurrent sources.
    pub fn words(&self, sources: u64) -> u64 {
        sources.saturating_mul(self.vertices + self.many() + self.hubs())
    }

    /// The words of the starts of levels.
    pub fn start_words(&self) -> u64 {
        CLASSES as u64 * (self.vertices + 2)
    }

    fn many(&self) -> u64 {
        self.vertices.min(self.edges / u64::from(self.most_of_few()))
    }

    fn hubs(&self) -> u64 {
        self.vertices.min(self.edges / u64::from(MOST_OF_PLANE))
    }
}

impl ListBuffers {
    pub fn new(gpu: &Gpu, shape: Shape, sources: u32) -> Result<Self> {
        Ok(Self {
            gpu: gpu.clone(),
            list: gpu.empty(shape.words(sources.into()) as usize)?,
            starts: gpu.empty(shape.start_words() as usize)?,
            words: gpu.empty(ALL_WORDS as usize)?,
            shape,
        })
    }

    /// The argument for a graph with these rows.
    pub fn arg(
        &self,
        leaving: &DeviceRows,
        entering: Option<&DeviceRows>,
        sources: u32,
    ) -> ListsLaunch<GpuRuntime> {
        let first_of_many = u64::from(sources) * self.shape.vertices;
        let first_hub = first_of_many + u64::from(sources) * self.shape.many();
        ListsLaunch::new(
            leaving.offsets.arg(),
            entering.map(|rows| rows.offsets.arg()).into(),
            self.list.arg(),
            self.starts.arg(),
            AtomicArray::bind(&self.gpu, &self.words),
            first_of_many as u32,
            first_hub as u32,
            self.shape.most_of_few(),
        )
    }

    /// Forgets all levels.
    pub fn clear(&self) -> Result<()> {
        Ok(self.gpu.fill(&self.words, 0)?)
    }

    pub fn progress(&self) -> Result<Progress> {
        let words = self.gpu.download(&self.words)?;
        let [level, left, reached] = [0, 1, 2].map(|word| words[STATE as usize + word]);
        Ok(Progress { level, left, reached })
    }
}
