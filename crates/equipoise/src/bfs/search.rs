//! The result of a breadth-first search on a device.

use std::fmt;

use equipoise_graph::Graph;
use equipoise_schedule::device::Buffer;

use super::{Bfs, BfsOptions};
use crate::{
    NONE, Result, Times, Trace,
    times::timed,
    traversal::{Claim, DeviceResult, check},
    tree,
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
pub struct BfsSearch<'g>(Location<'g>);

/// The location of a result.
enum Location<'g> {
    Host(&'g Graph, Box<Bfs>),
    Device(Box<OnDevice<'g>>),
}

struct OnDevice<'g> {
    result: DeviceResult<'g>,
    complete: bool,
}

impl<'g> BfsSearch<'g> {
    /// A result on the host.
    ///
    /// ```
    /// use equipoise::{bfs::{BfsOptions, BfsSearch, bfs}, graph::{Edges, GraphBuilder}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1)]))?;
    /// let search = BfsSearch::on_host(&graph, bfs(&graph, 0, &BfsOptions::default())?);
    /// assert_eq!(search.reached(), 2);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn on_host(graph: &'g Graph, search: Bfs) -> Self {
        Self(Location::Host(graph, Box::new(search)))
    }

    /// A result on a GPU.
    pub(super) fn on_device(mut result: DeviceResult<'g>, options: &BfsOptions) -> Result<Self> {
        let (complete, download) = timed(|| is_complete(&result, options));
        result.count_download(download);
        Ok(Self(Location::Device(Box::new(OnDevice { result, complete: complete? }))))
    }

    /// The source.
    pub fn source(&self) -> u32 {
        match &self.0 {
            Location::Host(_, search) => search.source,
            Location::Device(device) => device.result.source,
        }
    }

    /// The number of reached vertices, including the source.
    pub fn reached(&self) -> u32 {
        match &self.0 {
            Location::Host(_, search) => search.reached,
            Location::Device(device) => device.result.totals.reached,
        }
    }

    /// The largest level.
    pub fn depth(&self) -> u32 {
        match &self.0 {
            Location::Host(_, search) => search.depth,
            Location::Device(device) => device.result.totals.largest,
        }
    }

    /// The number of directed edges that leave the reached vertices.
    pub fn edges(&self) -> u64 {
        match &self.0 {
            Location::Host(_, search) => search.edges,
            Location::Device(device) => device.result.totals.edges.into(),
        }
    }

    /// Whether all reachable vertices were reached, as in [`Bfs::complete`].
    pub fn is_complete(&self) -> bool {
        match &self.0 {
            Location::Host(_, search) => search.complete,
            Location::Device(device) => device.complete,
        }
    }

    /// The trace, level by level.
    pub fn trace(&self) -> &Trace {
        match &self.0 {
            Location::Host(_, search) => &search.trace,
            Location::Device(device) => &device.result.trace,
        }
    }

    /// The times up to now: results that are copied later add to them.
    pub fn times(&self) -> Times {
        match &self.0 {
            Location::Host(_, search) => search.times,
            Location::Device(device) => device.result.times(),
        }
    }

    /// The level of each vertex; [`NONE`](crate::NONE) if it was not reached.
    ///
    /// Fails where they cannot be copied from the device.
    pub fn levels(&self) -> Result<&[u32]> {
        match &self.0 {
            Location::Host(_, search) => Ok(&search.levels),
            Location::Device(device) => device.result.labels_on_host(),
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
        match &self.0 {
            Location::Host(_, search) => Ok(&search.parents),
            Location::Device(device) => device.result.parents_on_host(),
        }
    }

    /// A shortest path from the source to a vertex, including both ends; `None` if it was not reached.
    ///
    /// Fails as [`parents`](Self::parents) does.
    pub fn path_to(&self, vertex: u32) -> Result<Option<Vec<u32>>> {
        Ok(tree::path(self.parents()?, self.source(), vertex))
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
        match &self.0 {
            Location::Host(..) => None,
            Location::Device(device) => Some(&device.result.labels),
        }
    }

    /// The parents in the memory of the GPU, found on first use; `None` on the cpu.
    ///
    /// Fails where the device has no memory for them.
    pub fn parents_on_device(&self) -> Result<Option<&Buffer<u32>>> {
        match &self.0 {
            Location::Host(..) => Ok(None),
            Location::Device(device) => device.result.parents().map(Some),
        }
    }

    /// Checks the result by the rules of [`Bfs::verify`] against the options of the search. A GPU does so in a few passes
    /// over the graph and the result, by code independent of the search; digests prove that graph and results on the host
    /// and on the device are equal.
    ///
    /// Fails where the result is wrong, or the device has no memory for parents.
    ///
    /// ```
    /// use equipoise::{LoadedGraph, bfs::BfsOptions, device::Device, graph::{Edges, GraphBuilder}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// let options = BfsOptions::default();
    /// loaded.bfs(0, &options)?.verify(&options)?;
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn verify(&self, options: &BfsOptions) -> Result<()> {
        match &self.0 {
            Location::Host(graph, search) => search.verify(graph, options),
            Location::Device(device) => device.verify(options),
        }
    }

    /// As [`verify`](Self::verify), always on the host, by [`Bfs::verify`] on copies of the result.
    ///
    /// Fails where the result is wrong or cannot be copied.
    pub fn verify_on_host(&self, options: &BfsOptions) -> Result<()> {
        match &self.0 {
            Location::Host(graph, search) => search.verify(graph, options),
            Location::Device(device) => device.verify_on_host(options),
        }
    }

    /// Copies the whole result to the host now. Other methods copy what they need on first use.
    ///
    /// Fails where it cannot be copied.
    pub fn copy(&self) -> Result<()> {
        self.levels()?;
        self.parents().map(drop)
    }

    /// The whole result, on the host.
    ///
    /// Fails where it cannot be copied from the device.
    ///
    /// ```
    /// use equipoise::{LoadedGraph, bfs::BfsOptions, device::Device, graph::{Edges, GraphBuilder}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// let (options, source) = (BfsOptions::default(), 0);
    /// let search = loaded.bfs(source, &options)?.download()?;
    /// assert_eq!(search.levels, [0, 1, 2]);
    /// search.verify(&graph, &options)?;
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn download(self) -> Result<Bfs> {
        match self.0 {
            Location::Host(_, search) => Ok(*search),
            Location::Device(device) => device.download(),
        }
    }
}

impl fmt::Debug for BfsSearch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BfsSearch")
            .field("source", &self.source())
            .field("reached", &self.reached())
            .field("depth", &self.depth())
            .finish_non_exhaustive()
    }
}

impl OnDevice<'_> {
    fn verify(&self, options: &BfsOptions) -> Result<()> {
        let result = &self.result;
        let at_target = options.target.map_or(NONE, |_| result.totals.at_target);
        let limit = at_target.min(options.max_depth.unwrap_or(NONE));
        check(result, Claim { weighted: false, limit, complete: self.complete })?
            .confirm(|digests| result.check_copies(digests), || self.verify_on_host(options))
    }

    fn verify_on_host(&self, options: &BfsOptions) -> Result<()> {
        let result = &self.result;
        let (levels, parents) =
            (result.labels_on_host()?.to_vec(), result.parents_on_host()?.to_vec());
        self.bfs(levels, parents, Trace::default()).verify(result.graph.graph, options)
    }

    fn bfs(&self, levels: Vec<u32>, parents: Vec<u32>, trace: Trace) -> Bfs {
        let Self { result, complete } = self;
        Bfs {
            source: result.source,
            levels,
            parents,
            reached: result.totals.reached,
            depth: result.totals.largest,
            edges: result.totals.edges.into(),
            complete: *complete,
            trace,
            times: result.times(),
        }
    }

    fn download(mut self) -> Result<Bfs> {
        self.result.labels_on_host()?;
        self.result.parents_on_host()?;
        let trace = std::mem::take(&mut self.result.trace);
        let bfs = self.bfs(Vec::new(), Vec::new(), trace);
        let (levels, parents) = self.result.into_copied();
        Ok(Bfs { levels, parents, ..bfs })
    }
}

/// Whether all reachable vertices were reached. Copies the levels only if the search may have stopped early.
fn is_complete(result: &DeviceResult, options: &BfsOptions) -> Result<bool> {
    let graph = result.graph.graph;
    let may_stop = options.max_depth.is_some() || options.target.is_some();
    Ok(!may_stop
        || result.totals.reached == graph.vertices()
        || options.is_complete(graph, result.labels_on_host()?))
}
