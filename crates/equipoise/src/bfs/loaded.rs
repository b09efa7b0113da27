//! Breadth-first search of a graph on a device.

use super::{BATCH, Bfs, BfsOptions, BfsSearch, LevelStepper, batch_on_gpu, bfs, bfs_many, on_gpu};
use crate::{Error, LoadedGraph, Result, traversal::TraversalSettings};

impl LoadedGraph<'_> {
    /// The searches per pass of [`bfs_batch`](Self::bfs_batch) on a GPU.
    pub const BATCH: usize = BATCH;

    /// Finds the fewest edges from `source` to every vertex, as [`bfs`](crate::bfs::bfs()) does.
    ///
    /// Fails as that does, and where the device does not have the strategy, or no memory for it or for the graph.
    pub fn bfs(&self, source: u32, options: &BfsOptions) -> Result<BfsSearch<'_>> {
        self.run(
            |graph| on_gpu(graph, source, options),
            || Ok(BfsSearch::on_host(self.graph, bfs(self.graph, source, options)?)),
        )
    }

    /// A breadth-first search from each of `sources`, with results on the host. A GPU does 32 of them in one pass, whatever
    /// the strategy, and each reports the time of its batch. The cpu does one after the other, as
    /// [`bfs_many`](crate::bfs::bfs_many()) does.
    ///
    /// Fails where the device has no memory for all levels, and where the options have a target, a plan or a model.
    ///
    /// ```
    /// use equipoise::{LoadedGraph, bfs::BfsOptions, device::Device, graph::{Edges, GraphBuilder}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// let searches = loaded.bfs_batch(&[0, 1], &BfsOptions::default())?;
    /// assert_eq!((searches[0].depth, searches[1].depth), (2, 1));
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn bfs_batch(&self, sources: &[u32], options: &BfsOptions) -> Result<Vec<Bfs>> {
        options.check_batch()?;
        self.run(
            |graph| batch_on_gpu(graph, sources, options),
            || bfs_many(self.graph, sources, options),
        )
    }

    /// A breadth-first search on a GPU that the caller advances level by level. Strategies are prepared with these settings.
    ///
    /// Fails on the cpu, where the device has no memory for it, and as [`bfs`](Self::bfs) does.
    pub fn bfs_stepper<'s>(
        &'s self,
        source: u32,
        settings: &'s TraversalSettings,
    ) -> Result<LevelStepper<'s>> {
        self.run(
            |graph| LevelStepper::new(graph, source, settings),
            || Err(Error::Option("a search led level by level needs a GPU".into())),
        )
    }
}
