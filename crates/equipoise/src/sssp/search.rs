//! The result of a search for shortest paths on a device.

use std::fmt;

use equipoise_graph::{Graph, Weights, parallel::*};
use equipoise_schedule::device::Buffer;

use super::{Sssp, SsspOptions, weight::TOO_LARGE};
use crate::{
    Distances, Error, NONE, Result, Times, Trace, digest,
    error::distance,
    once::TimedOnce,
    rows::Rows,
    times::timed,
    traversal::{Claim, DeviceResult, Digests, check, real_distance, real_label},
    tree,
};

/// The result of a search for shortest paths in a [`LoadedGraph`](crate::LoadedGraph). On a GPU it stays there: distances are
/// copied, and predecessors are found, by the first method that needs them.
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
pub struct SsspSearch<'g>(Location<'g>);

/// The location of a result.
enum Location<'g> {
    Host(&'g Graph, Box<Sssp>),
    Device(Box<OnDevice<'g>>),
}

struct OnDevice<'g> {
    result: DeviceResult<'g>,
    complete: bool,
    is_real: bool,
    distances: TimedOnce<Distances>,
}

impl<'g> SsspSearch<'g> {
    /// A result on the host.
    pub(crate) fn on_host(graph: &'g Graph, search: Sssp) -> Self {
        Self(Location::Host(graph, Box::new(search)))
    }

    /// A result on a GPU.
    ///
    /// Fails where a distance up to the target overflows its label.
    pub(super) fn on_device(mut result: DeviceResult<'g>, options: &SsspOptions) -> Result<Self> {
        let is_real = matches!(result.graph.graph.weights(), Some(Weights::F32(_)));
        let (complete, download) = timed(|| {
            check_sums(&result, options.target, is_real)?;
            is_complete(&result, options)
        });
        result.count_download(download);
        let (complete, distances) = (complete?, TimedOnce::default());
        let on_device = OnDevice { result, complete, is_real, distances };
        Ok(Self(Location::Device(Box::new(on_device))))
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

    /// The number of directed edges that leave the reached vertices.
    pub fn edges(&self) -> u64 {
        match &self.0 {
            Location::Host(_, search) => search.edges,
            Location::Device(device) => device.result.totals.edges.into(),
        }
    }

    /// Whether all reachable vertices were reached, as in [`Sssp::complete`].
    pub fn is_complete(&self) -> bool {
        match &self.0 {
            Location::Host(_, search) => search.complete,
            Location::Device(device) => device.complete,
        }
    }

    /// The width of the buckets or steps, if there were any.
    pub fn delta(&self) -> Option<f64> {
        match &self.0 {
            Location::Host(_, search) => search.delta,
            Location::Device(device) => device.result.delta,
        }
    }

    /// The trace, iteration by iteration.
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
            Location::Device(device) => device.times(),
        }
    }

    /// The length of a shortest path to each vertex.
    ///
    /// Fails where they cannot be copied from the device.
    pub fn distances(&self) -> Result<&Distances> {
        match &self.0 {
            Location::Host(_, search) => Ok(&search.distances),
            Location::Device(device) => device.distances(),
        }
    }

    /// The length of a shortest path to a vertex; `None` if it was not reached, or is not a vertex.
    ///
    /// Fails as [`distances`](Self::distances) does.
    pub fn distance(&self, vertex: u32) -> Result<Option<f64>> {
        Ok(self.distances()?.get(vertex as usize))
    }

    /// The vertex before each one on a shortest path, as in [`Sssp::predecessors`].
    ///
    /// Fails where the device has no memory for them, or they cannot be copied from it.
    pub fn predecessors(&self) -> Result<&[u32]> {
        match &self.0 {
            Location::Host(_, search) => Ok(&search.predecessors),
            Location::Device(device) => device.result.parents_on_host(),
        }
    }

    /// A shortest path from the source to a vertex, including both ends; `None` if it was not reached.
    ///
    /// Fails as [`predecessors`](Self::predecessors) does.
    pub fn path_to(&self, vertex: u32) -> Result<Option<Vec<u32>>> {
        Ok(tree::path(self.predecessors()?, self.source(), vertex))
    }

    /// The distances in the memory of the GPU, `None` on the cpu: whole numbers, or the bits of floating-point ones;
    /// [`NONE`](crate::NONE) where there is no path.
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
            Location::Host(..) => None,
            Location::Device(device) => Some(&device.result.labels),
        }
    }

    /// The predecessors in the memory of the GPU, found on first use; `None` on the cpu.
    ///
    /// Fails where the device has no memory for them.
    pub fn predecessors_on_device(&self) -> Result<Option<&Buffer<u32>>> {
        match &self.0 {
            Location::Host(..) => Ok(None),
            Location::Device(device) => device.result.parents().map(Some),
        }
    }

    /// Checks the result by the rules of [`Sssp::verify`] against the options of the search. A GPU does so in a few passes
    /// over the graph and the result, by code independent of the search; digests prove that graph and results on the host
    /// and on the device are equal. Where a predecessor has an equal distance, the host verifies the result again.
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
            Location::Host(graph, search) => search.verify(graph, options),
            Location::Device(device) => device.verify(options),
        }
    }

    /// As [`verify`](Self::verify), always on the host, by [`Sssp::verify`] on copies of the result.
    ///
    /// Fails where the result is wrong or cannot be copied.
    pub fn verify_on_host(&self, options: &SsspOptions) -> Result<()> {
        match &self.0 {
            Location::Host(graph, search) => search.verify(graph, options),
            Location::Device(device) => device.verify_on_host(options),
        }
    }

    /// Copies the whole result to the host now. Other methods copy what they need on first use.
    ///
    /// Fails where it cannot be copied.
    pub fn copy(&self) -> Result<()> {
        self.distances()?;
        self.predecessors().map(drop)
    }

    /// The whole result, on the host.
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
            Location::Host(_, search) => Ok(*search),
            Location::Device(device) => device.download(),
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
        self.distances.get_or_try_init(&self.result.graph.gpu, || {
            let labels = self.result.copy_labels()?;
            Ok(if self.is_real {
                Distances::F32(labels.into_par_iter().map(real_distance).collect())
            } else {
                Distances::U32(labels)
            })
        })
    }

    fn times(&self) -> Times {
        let mut times = self.result.times();
        times.download += self.distances.time();
        times
    }

    fn verify(&self, options: &SsspOptions) -> Result<()> {
        let limit = options.target.map_or(NONE, |_| self.result.totals.at_target);
        check(&self.result, Claim { weighted: true, limit, complete: self.complete })?
            .confirm(|digests| self.check_copies(digests), || self.verify_on_host(options))
    }

    fn check_copies(&self, digests: Digests) -> Result<()> {
        self.result.check_copies(digests)?;
        let digest = self.distances.get().map(|distances| match distances {
            Distances::U32(all) => digest::of_numbers(all.par_iter().copied()),
            Distances::U64(all) => digest::of_numbers(all.par_iter().map(|&all| all as u32)),
            Distances::F32(all) => digest::of_numbers(all.par_iter().copied().map(real_label)),
            // Not the result of a GPU.
            Distances::F64(all) => {
                digest::of_numbers(all.par_iter().map(|&all| real_label(all as f32)))
            }
        });
        digest::check_copy(digest, digests.labels)
    }

    fn verify_on_host(&self, options: &SsspOptions) -> Result<()> {
        let predecessors = self.result.parents_on_host()?.to_vec();
        let sssp = self.sssp(self.distances()?.clone(), predecessors, Trace::default());
        sssp.verify(self.result.graph.graph, options)
    }

    fn sssp(&self, distances: Distances, predecessors: Vec<u32>, trace: Trace) -> Sssp {
        let Self { result, complete, .. } = self;
        Sssp {
            source: result.source,
            distances,
            predecessors,
            reached: result.totals.reached,
            edges: result.totals.edges.into(),
            complete: *complete,
            delta: result.delta,
            trace,
            times: self.times(),
        }
    }

    fn download(mut self) -> Result<Sssp> {
        self.distances()?;
        self.result.parents_on_host()?;
        let trace = std::mem::take(&mut self.result.trace);
        let none = || Distances::U32(Vec::new());
        let sssp = self.sssp(none(), Vec::new(), trace);
        let (_, predecessors) = self.result.into_copied();
        let distances = self.distances.into_inner().unwrap_or_else(none);
        Ok(Sssp { distances, predecessors, ..sssp })
    }
}

/// Whether all reachable vertices were reached. Copies the labels only if the search may have stopped early.
fn is_complete(result: &DeviceResult, options: &SsspOptions) -> Result<bool> {
    let graph = result.graph.graph;
    if options.target.is_none() || result.totals.reached == graph.vertices() {
        return Ok(true);
    }
    let labels = result.labels_on_host()?;
    Ok(!Rows::new(graph).leads_out(|vertex| labels[vertex as usize] != NONE))
}

/// Fails where a distance up to the target overflows its label.
fn check_sums(result: &DeviceResult, target: Option<u32>, is_real: bool) -> Result<()> {
    let (graph, source) = (result.graph.graph, result.source);
    if !is_real {
        if result.totals.largest < TOO_LARGE {
            return Ok(());
        }
        let labels = result.labels_on_host()?;
        let too_far = labels.par_iter().position_first(|&label| label == TOO_LARGE);
        let target = too_far.unwrap_or_default() as u32;
        return Err(Error::too_far_for_gpu(distance(graph.ids(), source, target)));
    }
    // Labels beyond a reached target were reset.
    let has_target = target.is_some() && result.totals.at_target != NONE;
    if has_target || result.graph.sums_are_finite() {
        return Ok(());
    }
    let labels = result.labels_on_host()?;
    match Rows::new(graph).first_missed(|vertex| labels[vertex as usize] != NONE) {
        None => Ok(()),
        Some(target) => Err(Error::too_far(graph, source, target)),
    }
}
