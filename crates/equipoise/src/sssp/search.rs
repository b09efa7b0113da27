//! A search for shortest paths that was done on a device, with what it found still there.

use std::fmt;

use equipoise_graph::{Graph, Weights};
use equipoise_schedule::device::Buffer;
use rayon::prelude::*;

use super::{Sssp, SsspOptions, weight::TOO_LARGE};
use crate::{
    Distances, Error, NONE, Result, Times, Trace, digest,
    error::distance,
    rows::Rows,
    times::timed,
    traversal::{Asked, Digests, Found, Late, check, real_distance, real_label},
    tree,
};

/// A search for shortest paths in a [`LoadedGraph`](crate::LoadedGraph). On a GPU, what it found
/// stays there until it is asked for: distances are copied by the first method that needs them, and
/// predecessors are not even looked for before.
///
/// ```
/// use equipoise::{LoadedGraph, device::Device, graph::{Edges, GraphBuilder}, sssp::SsspOptions};
///
/// let edges = Edges::from(vec![(0, 1, 1u32), (1, 2, 1), (0, 2, 5), (3, 0, 1)]);
/// let graph = GraphBuilder::new().build(edges)?;
/// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
/// let paths = loaded.sssp(0, &SsspOptions::default())?;
/// assert_eq!(paths.reached(), 3);
/// assert_eq!(paths.distance(2)?, Some(2.0));
/// assert_eq!(paths.distance(3)?, None);
/// assert_eq!(paths.path_to(2)?, Some(vec![0, 1, 2]));
/// # Ok::<(), equipoise::Error>(())
/// ```
pub struct SsspSearch<'g>(Place<'g>);

/// Where the result of a search is.
enum Place<'g> {
    Host(&'g Graph, Box<Sssp>),
    Device(Box<OnDevice<'g>>),
}

struct OnDevice<'g> {
    found: Found<'g>,
    complete: bool,
    is_real: bool,
    distances: Late<Distances>,
}

impl<'g> SsspSearch<'g> {
    /// A search that was done by the cpu.
    pub(crate) fn on_host(graph: &'g Graph, search: Sssp) -> Self {
        Self(Place::Host(graph, Box::new(search)))
    }

    /// A search that was done by a GPU.
    ///
    /// Fails where a distance that is asked for does not fit a label.
    pub(super) fn on_device(mut found: Found<'g>, options: &SsspOptions) -> Result<Self> {
        let is_real = matches!(found.graph.graph.weights(), Some(Weights::F32(_)));
        let (complete, download) = timed(|| {
            check_sums(&found, options.target, is_real)?;
            is_complete(&found, options)
        });
        found.count_download(download);
        let (complete, distances) = (complete?, Late::new());
        let there = OnDevice { found, complete, is_real, distances };
        Ok(Self(Place::Device(Box::new(there))))
    }

    /// Where the paths start.
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

    /// How many directed edges leave the vertices that were reached.
    pub fn edges(&self) -> u64 {
        match &self.0 {
            Place::Host(_, search) => search.edges,
            Place::Device(there) => there.found.totals.edges.into(),
        }
    }

    /// Whether all vertices were reached that can be, as [`Sssp::complete`] says.
    pub fn is_complete(&self) -> bool {
        match &self.0 {
            Place::Host(_, search) => search.complete,
            Place::Device(there) => there.complete,
        }
    }

    /// The width of the buckets or steps, if there were any.
    pub fn delta(&self) -> Option<f64> {
        match &self.0 {
            Place::Host(_, search) => search.delta,
            Place::Device(there) => there.found.delta,
        }
    }

    /// What happened, iteration by iteration.
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
            Place::Device(there) => there.times(),
        }
    }

    /// The length of a shortest path to each vertex.
    ///
    /// Fails where they cannot be copied from the device.
    pub fn distances(&self) -> Result<&Distances> {
        match &self.0 {
            Place::Host(_, search) => Ok(&search.distances),
            Place::Device(there) => there.distances(),
        }
    }

    /// The length of a shortest path to a vertex; nothing where it was not reached, or is none.
    ///
    /// Fails as [`distances`](Self::distances) does.
    pub fn distance(&self, vertex: u32) -> Result<Option<f64>> {
        Ok(self.distances()?.get(vertex as usize))
    }

    /// The vertex before each one on a shortest path, as [`Sssp::predecessors`] has it.
    ///
    /// Fails where the device has no memory for them, or they cannot be copied from it.
    pub fn predecessors(&self) -> Result<&[u32]> {
        match &self.0 {
            Place::Host(_, search) => Ok(&search.predecessors),
            Place::Device(there) => there.found.parents_here(),
        }
    }

    /// A shortest path from the source to a vertex, both ends included; nothing where it was not
    /// reached.
    ///
    /// Fails as [`predecessors`](Self::predecessors) does.
    pub fn path_to(&self, vertex: u32) -> Result<Option<Vec<u32>>> {
        Ok(tree::path(self.predecessors()?, self.source(), vertex))
    }

    /// The distances in the memory of the GPU that searched, nothing where it was the cpu: whole
    /// numbers, or the bits of floating-point ones; [`NONE`](crate::NONE) where there is no path.
    ///
    /// ```
    /// use equipoise::LoadedGraph;
    /// use equipoise::device::Device;
    /// use equipoise::graph::{Edges, GraphBuilder};
    /// use equipoise::sssp::SsspOptions;
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 7u32)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// let paths = loaded.sssp(0, &SsspOptions::default())?;
    /// if let Some(distances) = paths.distances_on_device() {
    ///     assert_eq!(distances.len(), 2);
    /// }
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn distances_on_device(&self) -> Option<&Buffer<u32>> {
        match &self.0 {
            Place::Host(..) => None,
            Place::Device(there) => Some(&there.found.labels),
        }
    }

    /// The predecessors in the memory of the GPU that searched, which looks for them now if that was
    /// not done; nothing where it was the cpu.
    ///
    /// Fails where the device has no memory for them.
    pub fn predecessors_on_device(&self) -> Result<Option<&Buffer<u32>>> {
        match &self.0 {
            Place::Host(..) => Ok(None),
            Place::Device(there) => there.found.parents().map(Some),
        }
    }

    /// Checks the result against the rules of [`Sssp::verify`] and the options it was asked with. On a
    /// GPU this is done there, in a few passes over the graph and the result, by code that the search
    /// has no part in; the graph there and copies of the result on the host are compared with their
    /// other side by digests. Where edges add nothing to a path, the host goes over the result again.
    ///
    /// Fails where the result is wrong, or the device has no memory for predecessors.
    ///
    /// ```
    /// use equipoise::{LoadedGraph, device::Device, graph::{Edges, GraphBuilder}, sssp::SsspOptions};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 3u32), (1, 2, 4)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// let options = SsspOptions::default();
    /// loaded.sssp(0, &options)?.verify(&options)?;
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn verify(&self, options: &SsspOptions) -> Result<()> {
        match &self.0 {
            Place::Host(graph, search) => search.verify(graph, options),
            Place::Device(there) => there.verify(options),
        }
    }

    /// As [`verify`](Self::verify), always on the host, by [`Sssp::verify`] on copies of the result.
    ///
    /// Fails where the result is wrong or cannot be copied.
    pub fn verify_on_host(&self, options: &SsspOptions) -> Result<()> {
        match &self.0 {
            Place::Host(graph, search) => search.verify(graph, options),
            Place::Device(there) => there.verify_on_host(options),
        }
    }

    /// Copies all that was found to the host now, which methods do otherwise when they need it.
    ///
    /// Fails where it cannot be copied.
    pub fn copy(&self) -> Result<()> {
        self.distances()?;
        self.predecessors().map(drop)
    }

    /// All that was found, on the host.
    ///
    /// Fails where it cannot be copied from the device.
    ///
    /// ```
    /// use equipoise::LoadedGraph;
    /// use equipoise::device::Device;
    /// use equipoise::graph::{Edges, GraphBuilder};
    /// use equipoise::sssp::SsspOptions;
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 2.5f32), (1, 2, 0.5)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// let options = SsspOptions::default();
    /// let paths = loaded.sssp(0, &options)?.download()?;
    /// assert_eq!(paths.predecessors, [0, 0, 1]);
    /// paths.verify(&graph, &options)?;
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn download(self) -> Result<Sssp> {
        match self.0 {
            Place::Host(_, search) => Ok(*search),
            Place::Device(there) => there.download(),
        }
    }
}

impl fmt::Debug for SsspSearch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SsspSearch")
            .field("source", &self.source())
            .field("reached", &self.reached())
            .finish_non_exhaustive()
    }
}

impl OnDevice<'_> {
    fn distances(&self) -> Result<&Distances> {
        self.distances.get(&self.found.graph.gpu, || {
            let labels = self.found.copy_labels()?;
            Ok(match self.is_real {
                true => Distances::F32(labels.into_par_iter().map(real_distance).collect()),
                false => Distances::U32(labels),
            })
        })
    }

    fn times(&self) -> Times {
        let mut times = self.found.times();
        times.download += self.distances.time();
        times
    }

    fn verify(&self, options: &SsspOptions) -> Result<()> {
        let limit = options.target.map_or(NONE, |_| self.found.totals.at_target);
        check(&self.found, Asked { weighted: true, limit, complete: self.complete })?
            .confirm(|digests| self.check_copies(digests), || self.verify_on_host(options))
    }

    fn check_copies(&self, digests: Digests) -> Result<()> {
        self.found.check_copies(digests)?;
        let here = self.distances.peek().map(|distances| match distances {
            Distances::U32(all) => digest::of_numbers(all.par_iter().copied()),
            Distances::U64(all) => digest::of_numbers(all.par_iter().map(|&all| all as u32)),
            Distances::F32(all) => digest::of_numbers(all.par_iter().copied().map(real_label)),
            // Not of a GPU.
            Distances::F64(all) => {
                digest::of_numbers(all.par_iter().map(|&all| real_label(all as f32)))
            }
        });
        digest::check_copy(here, digests.labels)
    }

    fn verify_on_host(&self, options: &SsspOptions) -> Result<()> {
        let predecessors = self.found.parents_here()?.to_vec();
        let result = self.result(self.distances()?.clone(), predecessors, Trace::default());
        result.verify(self.found.graph.graph, options)
    }

    fn result(&self, distances: Distances, predecessors: Vec<u32>, trace: Trace) -> Sssp {
        let Self { found, complete, .. } = self;
        Sssp {
            source: found.source,
            distances,
            predecessors,
            reached: found.totals.reached,
            edges: found.totals.edges.into(),
            complete: *complete,
            delta: found.delta,
            trace,
            times: self.times(),
        }
    }

    fn download(mut self) -> Result<Sssp> {
        self.distances()?;
        self.found.parents_here()?;
        let trace = std::mem::take(&mut self.found.trace);
        let none = Distances::U32(Vec::new());
        let result = self.result(none, Vec::new(), trace);
        let (_, predecessors) = self.found.into_copied();
        let distances = self.distances.into_inner().unwrap_or_else(|| Distances::U32(Vec::new()));
        Ok(Sssp { distances, predecessors, ..result })
    }
}

/// Whether all was reached that can be. Distances are asked only where the search may have stopped
/// before.
fn is_complete(found: &Found, options: &SsspOptions) -> Result<bool> {
    let graph = found.graph.graph;
    if options.target.is_none() || found.totals.reached == graph.vertices() {
        return Ok(true);
    }
    let labels = found.labels_here()?;
    Ok(!Rows::of(graph).leads_out(|vertex| labels[vertex as usize] != NONE))
}

/// Fails where a distance that is asked for does not fit a label.
fn check_sums(found: &Found, target: Option<u32>, is_real: bool) -> Result<()> {
    let (graph, source) = (found.graph.graph, found.source);
    // What is farther away than a target was taken back.
    let has_target = target.is_some() && found.totals.at_target != NONE;
    match is_real {
        true if has_target || found.graph.sums_are_finite() => Ok(()),
        true => {
            let labels = found.labels_here()?;
            let is_reached = |vertex: u32| labels[vertex as usize] != NONE;
            match Rows::of(graph).first_missed(is_reached) {
                None => Ok(()),
                Some(target) => Err(Error::too_far(graph, source, target)),
            }
        }
        false if found.totals.largest < TOO_LARGE => Ok(()),
        false => {
            let labels = found.labels_here()?;
            let too_far = labels.par_iter().position_first(|&label| label == TOO_LARGE);
            let target = too_far.unwrap_or_default() as u32;
            Err(Error::too_far_for_gpu(distance(graph.ids(), source, target)))
        }
    }
}
