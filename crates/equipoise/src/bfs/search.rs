//! The result of a breadth-first search on a device.

use equipoise_graph::{Graph, parallel::*};
use equipoise_schedule::device::{Buffer, Gpu};

use super::{Bfs, BfsOptions};
use crate::{
    NONE, Result,
    algorithm::{GpuArray, SearchTree, Verdict},
    digest,
    traversal::{DeviceResult, Location, SearchKind, SearchOnDevice, SearchParts},
};

/// The result of a breadth-first search of a [`LoadedGraph`](crate::LoadedGraph). On a GPU it stays there: levels are
/// copied, and parents are found, by the first method that needs them.
///
/// ```
/// use equipoise::{LoadedGraph, bfs::BfsOptions, device::Device, graph::{Edges, GraphBuilder}};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2), (3, 0)]))?;
/// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
/// let search = loaded.bfs(0, &BfsOptions::default())?;
/// assert_eq!((search.reached(), search.depth()), (3, 2));
/// assert_eq!(search.level(2)?, Some(2));
/// assert_eq!(search.level(3)?, None);
/// assert_eq!(search.path_to(2)?, Some(vec![0, 1, 2]));
/// # Ok::<(), equipoise::Error>(())
/// ```
pub type BfsSearch<'g> = SearchOnDevice<'g, Bfs>;

impl BfsSearch<'_> {
    /// The largest level.
    pub fn depth(&self) -> u32 {
        match &self.0 {
            Location::Host(_, search) => search.depth,
            Location::Device(device) => device.result.totals.largest,
        }
    }

    /// The level of each vertex; [`NONE`](crate::NONE) if it was not reached.
    ///
    /// Fails where they cannot be copied from the device.
    pub fn levels(&self) -> Result<&[u32]> {
        match &self.0 {
            Location::Host(_, search) => Ok(&search.levels),
            Location::Device(device) => device.labels().map(|levels| &levels[..]),
        }
    }

    /// The fewest edges from the source to a vertex; `None` if it was not reached, or is not a vertex.
    ///
    /// Fails as [`levels`](Self::levels) does.
    pub fn level(&self, vertex: u32) -> Result<Option<u32>> {
        let level = self.levels()?.get(vertex as usize).copied();
        Ok(level.filter(|&level| level != NONE))
    }

    /// The vertex before each one on a shortest path, as in [`Bfs::parents`].
    ///
    /// Fails where the device has no memory for them, or they cannot be copied from it.
    pub fn parents(&self) -> Result<&[u32]> {
        self.parents_on_host()
    }

    /// The levels in the memory of the GPU; `None` on the cpu.
    ///
    /// ```
    /// use equipoise::{LoadedGraph, bfs::BfsOptions, device::Device, graph::{Edges, GraphBuilder}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// let search = loaded.bfs(0, &BfsOptions::default())?;
    /// if let Some(levels) = search.levels_on_device() {
    ///     assert_eq!(levels.len(), 2);
    /// }
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn levels_on_device(&self) -> Option<&Buffer<u32>> {
        self.labels_in_place()
    }

    /// The parents in the memory of the GPU, found on first use; `None` on the cpu.
    ///
    /// Fails where the device has no memory for them.
    pub fn parents_on_device(&self) -> Result<Option<&Buffer<u32>>> {
        self.parents_in_place()
    }
}

impl SearchKind for Bfs {
    type Labels = Vec<u32>;
    const IS_WEIGHTED: bool = false;
    const ARRAYS: [&'static str; 2] = ["levels", "parents"];

    fn edges(&self) -> u64 {
        self.edges
    }

    fn paths(&self) -> SearchTree<'_> {
        SearchTree {
            source: self.source,
            parents: &self.parents,
            reached: self.reached,
            edges: self.edges,
            is_complete: self.complete,
            levels: Some(&self.levels),
        }
    }

    fn labels_of(_: &Graph, labels: Vec<u32>) -> Vec<u32> {
        labels
    }

    fn labels_on_gpu(_: &Gpu, _: &Graph, levels: &Buffer<u32>) -> Result<GpuArray> {
        Ok(GpuArray::U32(levels.clone()))
    }

    fn digest(levels: &Vec<u32>) -> u32 {
        digest::of_numbers(levels.par_iter().copied())
    }

    fn limit(options: &BfsOptions, at_target: u32) -> u32 {
        let at_target = options.target.map_or(NONE, |_| at_target);
        at_target.min(options.max_depth.unwrap_or(NONE))
    }

    fn from_parts(parts: SearchParts<Vec<u32>>) -> Self {
        let SearchParts { source, labels, parents, reached, edges, .. } = parts;
        let SearchParts { largest: depth, complete, trace, times, .. } = parts;
        Self { source, levels: labels, parents, reached, depth, edges, complete, trace, times }
    }

    fn verdict() -> Verdict {
        Verdict::proved("levels and parents keep every rule of a breadth-first search")
    }
}

/// The result of a search on a GPU. Copies the levels only if the search may have stopped early.
pub(super) fn on_device<'g>(
    result: DeviceResult<'g>,
    options: &BfsOptions,
) -> Result<BfsSearch<'g>> {
    BfsSearch::on_device(result, |device| {
        let (graph, reached) = (device.result.graph.graph, device.result.totals.reached);
        let may_stop = options.max_depth.is_some() || options.target.is_some();
        if !may_stop || reached == graph.vertices() {
            return Ok(true);
        }
        let levels: &Vec<u32> = device.labels()?;
        Ok(options.is_complete(graph, levels))
    })
}
