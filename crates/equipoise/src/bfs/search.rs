//! A breadth-first search that was done on a device, with what it found still there.

use std::fmt;

use equipoise_graph::Graph;
use equipoise_schedule::device::Buffer;

use super::{Bfs, BfsOptions};
use crate::{
    NONE, Result, Times, Trace,
    times::timed,
    traversal::{Asked, Found, check},
    tree,
};

/// A breadth-first search of a [`LoadedGraph`](crate::LoadedGraph). On a GPU, what it found stays
/// there until it is asked for: levels are copied by the first method that needs them, and parents
/// are not even looked for before.
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
pub struct BfsSearch<'g>(Place<'g>);

/// Where the result of a search is.
enum Place<'g> {
    Host(&'g Graph, Box<Bfs>),
    Device(Box<OnDevice<'g>>),
}

struct OnDevice<'g> {
    found: Found<'g>,
    complete: bool,
}

impl<'g> BfsSearch<'g> {
    /// A search of a graph whose result is on the host.
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
        Self(Place::Host(graph, Box::new(search)))
    }

    /// A search that was done by a GPU.
    pub(super) fn on_device(mut found: Found<'g>, options: &BfsOptions) -> Result<Self> {
        let (complete, download) = timed(|| is_complete(&found, options));
        found.count_download(download);
        Ok(Self(Place::Device(Box::new(OnDevice { found, complete: complete? }))))
    }

    /// Where the search started.
    pub fn source(&self) -> u32 {
        match &self.0 {
            Place::Host(_, search) => search.source,
            Place::Device(there) => there.found.source,
        }
    }

    /// How many vertices were reached, the source included.
    pub fn reached(&self) -> u32 {
        match &self.0 {
            Place::Host(_, search) => search.reached,
            Place::Device(there) => there.found.totals.reached,
        }
    }

    /// The largest level.
    pub fn depth(&self) -> u32 {
        match &self.0 {
            Place::Host(_, search) => search.depth,
            Place::Device(there) => there.found.totals.largest,
        }
    }

    /// How many directed edges leave the vertices that were reached.
    pub fn edges(&self) -> u64 {
        match &self.0 {
            Place::Host(_, search) => search.edges,
            Place::Device(there) => there.found.totals.edges.into(),
        }
    }

    /// Whether all vertices were reached that can be, as [`Bfs::complete`] says.
    pub fn is_complete(&self) -> bool {
        match &self.0 {
            Place::Host(_, search) => search.complete,
            Place::Device(there) => there.complete,
        }
    }

    /// What happened, level by level.
    pub fn trace(&self) -> &Trace {
        match &self.0 {
            Place::Host(_, search) => &search.trace,
            Place::Device(there) => &there.found.trace,
        }
    }

    /// Where the time went, up to now: what is asked for later counts from then on.
    pub fn times(&self) -> Times {
        match &self.0 {
            Place::Host(_, search) => search.times,
            Place::Device(there) => there.found.times(),
        }
    }

    /// The level of each vertex; [`NONE`](crate::NONE) where it was not reached.
    ///
    /// Fails where they cannot be copied from the device.
    pub fn levels(&self) -> Result<&[u32]> {
        match &self.0 {
            Place::Host(_, search) => Ok(&search.levels),
            Place::Device(there) => there.found.labels_here(),
        }
    }

    /// The fewest edges from the source to a vertex; nothing where it was not reached, or is none.
    ///
    /// Fails as [`levels`](Self::levels) does.
    pub fn level(&self, vertex: u32) -> Result<Option<u32>> {
        let level = self.levels()?.get(vertex as usize).copied();
        Ok(level.filter(|&level| level != NONE))
    }

    /// The vertex before each one on a shortest path, as [`Bfs::parents`] has it.
    ///
    /// Fails where the device has no memory for them, or they cannot be copied from it.
    pub fn parents(&self) -> Result<&[u32]> {
        match &self.0 {
            Place::Host(_, search) => Ok(&search.parents),
            Place::Device(there) => there.found.parents_here(),
        }
    }

    /// A shortest path from the source to a vertex, both ends included; nothing where it was not
    /// reached.
    ///
    /// Fails as [`parents`](Self::parents) does.
    pub fn path_to(&self, vertex: u32) -> Result<Option<Vec<u32>>> {
        Ok(tree::path(self.parents()?, self.source(), vertex))
    }

    /// The levels in the memory of the GPU that searched; nothing where it was the cpu.
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
            Place::Host(..) => None,
            Place::Device(there) => Some(&there.found.labels),
        }
    }

    /// The parents in the memory of the GPU that searched, which looks for them now if that was not
    /// done; nothing where it was the cpu.
    ///
    /// Fails where the device has no memory for them.
    pub fn parents_on_device(&self) -> Result<Option<&Buffer<u32>>> {
        match &self.0 {
            Place::Host(..) => Ok(None),
            Place::Device(there) => there.found.parents().map(Some),
        }
    }

    /// Checks the result against the rules of [`Bfs::verify`] and the options it was asked with. On a
    /// GPU this is done there, in a few passes over the graph and the result, by code that the search
    /// has no part in; the graph there and copies of the result on the host are compared with their
    /// other side by digests.
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
            Place::Host(graph, search) => search.verify(graph, options),
            Place::Device(there) => there.verify(options),
        }
    }

    /// As [`verify`](Self::verify), always on the host, by [`Bfs::verify`] on copies of the result.
    ///
    /// Fails where the result is wrong or cannot be copied.
    pub fn verify_on_host(&self, options: &BfsOptions) -> Result<()> {
        match &self.0 {
            Place::Host(graph, search) => search.verify(graph, options),
            Place::Device(there) => there.verify_on_host(options),
        }
    }

    /// Copies all that was found to the host now, which methods do otherwise when they need it.
    ///
    /// Fails where it cannot be copied.
    pub fn copy(&self) -> Result<()> {
        self.levels()?;
        self.parents().map(drop)
    }

    /// All that was found, on the host.
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
            Place::Host(_, search) => Ok(*search),
            Place::Device(there) => there.download(),
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
        let found = &self.found;
        let at_target = options.target.map_or(NONE, |_| found.totals.at_target);
        let limit = at_target.min(options.max_depth.unwrap_or(NONE));
        check(found, Asked { weighted: false, limit, complete: self.complete })?
            .confirm(|digests| found.check_copies(digests), || self.verify_on_host(options))
    }

    fn verify_on_host(&self, options: &BfsOptions) -> Result<()> {
        let found = &self.found;
        let (levels, parents) = (found.labels_here()?.to_vec(), found.parents_here()?.to_vec());
        self.result(levels, parents, Trace::default()).verify(found.graph.graph, options)
    }

    fn result(&self, levels: Vec<u32>, parents: Vec<u32>, trace: Trace) -> Bfs {
        let Self { found, complete } = self;
        Bfs {
            source: found.source,
            levels,
            parents,
            reached: found.totals.reached,
            depth: found.totals.largest,
            edges: found.totals.edges.into(),
            complete: *complete,
            trace,
            times: found.times(),
        }
    }

    fn download(mut self) -> Result<Bfs> {
        self.found.labels_here()?;
        self.found.parents_here()?;
        let trace = std::mem::take(&mut self.found.trace);
        let result = self.result(Vec::new(), Vec::new(), trace);
        let (levels, parents) = self.found.into_copied();
        Ok(Bfs { levels, parents, ..result })
    }
}

/// Whether all was reached that can be. Levels are asked only where the search may have stopped
/// before.
fn is_complete(found: &Found, options: &BfsOptions) -> Result<bool> {
    let graph: &Graph = found.graph.graph;
    let may_stop = options.max_depth.is_some() || options.target.is_some();
    match may_stop && found.totals.reached < graph.vertices() {
        true => Ok(options.is_complete(graph, found.labels_here()?)),
        false => Ok(true),
    }
}
