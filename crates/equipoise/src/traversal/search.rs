//! The result of a search, on the host or in the memory of a GPU.

use std::{fmt, mem};

use equipoise_graph::Graph;
use equipoise_schedule::device::{Buffer, Gpu};

use super::{Claim, DeviceResult, check};
use crate::{
    Result, Times, Trace,
    algorithm::{Algorithm, GpuArray, OnGpu, SearchResult, SearchTree, Verdict},
    digest,
    once::TimedOnce,
    times::timed,
    tree,
};

/// A kind of search: how its result on the host is built from labels and parents on a GPU, and what proves it.
pub trait SearchKind: Algorithm {
    /// The levels or distances of all vertices.
    type Labels: Clone;
    /// Whether edges have lengths other than 1.
    const IS_WEIGHTED: bool;
    /// The names of the arrays of labels and of parents.
    const ARRAYS: [&'static str; 2];

    /// The number of directed edges that leave the reached vertices.
    fn edges(&self) -> u64;

    /// The paths of the search.
    fn paths(&self) -> SearchTree<'_>;

    /// The labels of a GPU, in the type of the result.
    fn labels_of(graph: &Graph, labels: Vec<u32>) -> Self::Labels;

    /// The labels of a GPU, on the GPU, in the type of the arrays for Python.
    ///
    /// Fails where the GPU has no memory for them.
    fn labels_on_gpu(gpu: &Gpu, graph: &Graph, labels: &Buffer<u32>) -> Result<GpuArray>;

    /// The digest of the labels as a GPU has them.
    fn digest(labels: &Self::Labels) -> u32;

    /// The largest label that was asked for, where the target has the label `at_target`; [`NONE`](crate::NONE) for no limit.
    fn limit(options: &Self::Options, at_target: u32) -> u32;

    /// The result with these parts.
    fn from_parts(parts: SearchParts<Self::Labels>) -> Self;

    /// The verdict on a result that passed the verifier.
    fn verdict() -> Verdict;
}

/// The parts of the result of a search.
#[derive(Debug)]
pub struct SearchParts<L> {
    pub source: u32,
    pub labels: L,
    pub parents: Vec<u32>,
    pub reached: u32,
    pub largest: u32,
    pub edges: u64,
    pub complete: bool,
    pub delta: Option<f64>,
    pub trace: Trace,
    pub times: Times,
}

/// The result of a search of a [`LoadedGraph`](crate::LoadedGraph). On a GPU it stays there: labels are copied, and parents
/// are found, by the first method that needs them.
///
/// ```
/// use equipoise::{LoadedGraph, bfs::BfsOptions, device::Device, graph::{Edges, GraphBuilder}};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
/// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
/// let options = BfsOptions::default();
/// let search = loaded.bfs(0, &options)?;
/// assert_eq!((search.source(), search.reached(), search.edges()), (0, 3, 2));
/// search.verify(&options)?;
/// # Ok::<(), equipoise::Error>(())
/// ```
pub struct SearchOnDevice<'g, A: SearchKind>(pub(crate) Location<'g, A>);

/// The location of a result.
pub(crate) enum Location<'g, A: SearchKind> {
    Host(&'g Graph, Box<A>),
    Device(Box<OnDevice<'g, A>>),
}

/// A result on a GPU.
pub(crate) struct OnDevice<'g, A: SearchKind> {
    pub result: DeviceResult<'g>,
    complete: bool,
    labels: TimedOnce<A::Labels>,
}

impl<'g, A: SearchKind> SearchOnDevice<'g, A> {
    pub(crate) fn on_host(graph: &'g Graph, search: A) -> Self {
        Self(Location::Host(graph, Box::new(search)))
    }

    /// A result on a GPU; `is_complete` decides whether all reachable vertices were reached.
    pub(crate) fn on_device(
        result: DeviceResult<'g>,
        is_complete: impl FnOnce(&OnDevice<'g, A>) -> Result<bool>,
    ) -> Result<Self> {
        let mut device = OnDevice { result, complete: false, labels: TimedOnce::default() };
        let (complete, time) = timed(|| is_complete(&device));
        device.complete = complete?;
        // The time of copying labels is counted with them.
        device.result.times.download += time.saturating_sub(device.labels.time());
        Ok(Self(Location::Device(Box::new(device))))
    }

    /// The source.
    pub fn source(&self) -> u32 {
        match &self.0 {
            Location::Host(_, search) => search.paths().source,
            Location::Device(device) => device.result.source,
        }
    }

    /// The number of reached vertices, including the source.
    pub fn reached(&self) -> u32 {
        match &self.0 {
            Location::Host(_, search) => search.paths().reached,
            Location::Device(device) => device.result.totals.reached,
        }
    }

    /// The number of directed edges that leave the reached vertices.
    pub fn edges(&self) -> u64 {
        match &self.0 {
            Location::Host(_, search) => search.edges(),
            Location::Device(device) => device.result.totals.edges.into(),
        }
    }

    /// Whether all reachable vertices were reached: the search did not stop early.
    pub fn is_complete(&self) -> bool {
        match &self.0 {
            Location::Host(_, search) => search.paths().is_complete,
            Location::Device(device) => device.complete,
        }
    }

    /// The trace, iteration by iteration.
    pub fn trace(&self) -> &Trace {
        match &self.0 {
            Location::Host(_, search) => search.trace(),
            Location::Device(device) => &device.result.trace,
        }
    }

    /// The times up to now: results that are copied later add to them.
    pub fn times(&self) -> Times {
        match &self.0 {
            Location::Host(_, search) => search.times(),
            Location::Device(device) => device.times(),
        }
    }

    /// The parents on the host, found and copied on first use.
    pub(crate) fn parents_on_host(&self) -> Result<&[u32]> {
        match &self.0 {
            Location::Host(_, search) => Ok(search.paths().parents),
            Location::Device(device) => device.result.parents_on_host(),
        }
    }

    /// A shortest path from the source to a vertex, including both ends; `None` if it was not reached.
    ///
    /// Fails where the device has no memory for parents, or they cannot be copied from it.
    pub fn path_to(&self, vertex: u32) -> Result<Option<Vec<u32>>> {
        Ok(tree::path(self.parents_on_host()?, self.source(), vertex))
    }

    /// The labels in the memory of the GPU; `None` on the cpu.
    pub(crate) fn labels_in_place(&self) -> Option<&Buffer<u32>> {
        match &self.0 {
            Location::Host(..) => None,
            Location::Device(device) => Some(&device.result.labels),
        }
    }

    /// The parents in the memory of the GPU, found on first use; `None` on the cpu.
    pub(crate) fn parents_in_place(&self) -> Result<Option<&Buffer<u32>>> {
        match &self.0 {
            Location::Host(..) => Ok(None),
            Location::Device(device) => device.result.parents().map(Some),
        }
    }

    /// Checks the result by the rules of its verifier on the host, against the options of the search. A GPU does so in a few
    /// passes over the graph and the result, by code independent of the search; digests prove that graph and results on the
    /// host and on the device are equal. Where a parent has an equal distance, the host verifies the result again.
    ///
    /// Fails where the result is wrong, or the device has no memory for parents.
    pub fn verify(&self, options: &A::Options) -> Result<()> {
        match &self.0 {
            Location::Host(graph, search) => search.check(graph, options).map(drop),
            Location::Device(device) => device.verify(options),
        }
    }

    /// As [`verify`](Self::verify), always on the host, on copies of the result.
    ///
    /// Fails where the result is wrong or cannot be copied.
    pub fn verify_on_host(&self, options: &A::Options) -> Result<()> {
        match &self.0 {
            Location::Host(graph, search) => search.check(graph, options).map(drop),
            Location::Device(device) => device.verify_on_host(options),
        }
    }

    /// Copies the whole result to the host now. Other methods copy what they need on first use.
    ///
    /// Fails where it cannot be copied.
    pub fn copy(&self) -> Result<()> {
        if let Location::Device(device) = &self.0 {
            device.labels()?;
        }
        self.parents_on_host().map(drop)
    }

    /// The whole result, on the host.
    ///
    /// Fails where it cannot be copied from the device.
    ///
    /// ```
    /// use equipoise::{LoadedGraph, device::Device, graph::{Edges, GraphBuilder}, sssp::SsspOptions};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 2.5f32), (1, 2, 0.5)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// let options = SsspOptions::default();
    /// let paths = loaded.sssp(0, &options)?.download()?;
    /// assert_eq!(paths.predecessors, [0, 0, 1]);
    /// paths.verify(&graph, &options)?;
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn download(self) -> Result<A> {
        match self.0 {
            Location::Host(_, search) => Ok(*search),
            Location::Device(device) => device.download(),
        }
    }
}

impl<A: SearchKind> fmt::Debug for SearchOnDevice<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(A::NAME)
            .field("source", &self.source())
            .field("reached", &self.reached())
            .finish_non_exhaustive()
    }
}

impl<A: SearchKind> SearchResult<A> for SearchOnDevice<'_, A> {
    fn times(&self) -> Times {
        self.times()
    }

    fn trace(&self) -> &Trace {
        self.trace()
    }

    fn copy(&self) -> Result<()> {
        self.copy()
    }

    fn on_gpu(&self) -> Result<Option<OnGpu<A>>> {
        match &self.0 {
            Location::Host(..) => Ok(None),
            Location::Device(device) => device.on_gpu().map(Some),
        }
    }

    fn check_in_place(&self, options: &A::Options) -> Result<Verdict> {
        self.verify(options).map(|()| A::verdict())
    }

    fn check_on_host(&self, options: &A::Options) -> Result<Verdict> {
        self.verify_on_host(options).map(|()| A::verdict())
    }

    fn download(self: Box<Self>) -> Result<A> {
        (*self).download()
    }
}

impl<A: SearchKind> OnDevice<'_, A> {
    /// The labels on the host, copied on first use.
    pub fn labels(&self) -> Result<&A::Labels> {
        let graph = self.result.graph;
        self.labels.get_or_try_init(&graph.gpu, || {
            Ok(A::labels_of(graph.graph, graph.gpu.download(&self.result.labels)?))
        })
    }

    fn on_gpu(&self) -> Result<OnGpu<A>> {
        let (gpu, graph) = (&self.result.graph.gpu, self.result.graph.graph);
        let labels = A::labels_on_gpu(gpu, graph, &self.result.labels)?;
        let arrays = [labels, GpuArray::U32(self.result.parents()?.clone())];
        let steps = (self.result.trace.clone(), self.times());
        let summary = A::from_parts(self.parts(A::labels_of(graph, Vec::new()), Vec::new(), steps));
        let arrays = A::ARRAYS.into_iter().zip(arrays).collect();
        Ok(OnGpu { gpu: gpu.clone(), summary, arrays })
    }

    fn times(&self) -> Times {
        let mut times = self.result.times();
        times.download += self.labels.time();
        times
    }

    fn verify(&self, options: &A::Options) -> Result<()> {
        let limit = A::limit(options, self.result.totals.at_target);
        check(&self.result, Claim { weighted: A::IS_WEIGHTED, limit, complete: self.complete })?
            .confirm(
                |digests| {
                    digest::check_copy(self.labels.get().map(A::digest), digests.labels)?;
                    self.result.check_parents(digests.parents)
                },
                || self.verify_on_host(options),
            )
    }

    fn verify_on_host(&self, options: &A::Options) -> Result<()> {
        let (labels, parents) = (self.labels()?.clone(), self.result.parents_on_host()?.to_vec());
        let parts = self.parts(labels, parents, (Trace::default(), self.times()));
        A::from_parts(parts).check(self.result.graph.graph, options).map(drop)
    }

    fn parts(
        &self,
        labels: A::Labels,
        parents: Vec<u32>,
        (trace, times): (Trace, Times),
    ) -> SearchParts<A::Labels> {
        let Self { result: DeviceResult { source, totals, delta, .. }, complete, .. } = self;
        SearchParts {
            source: *source,
            labels,
            parents,
            reached: totals.reached,
            largest: totals.largest,
            edges: totals.edges.into(),
            complete: *complete,
            delta: *delta,
            trace,
            times,
        }
    }

    fn download(mut self) -> Result<A> {
        self.labels()?;
        self.result.parents_on_host()?;
        let steps = (mem::take(&mut self.result.trace), self.times());
        let Some(labels) = mem::take(&mut self.labels).into_inner() else {
            unreachable!("the labels were copied")
        };
        let parents = self.result.take_parents();
        Ok(A::from_parts(self.parts(labels, parents, steps)))
    }
}
