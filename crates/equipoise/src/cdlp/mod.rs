//! CDLP: the community detection by label propagation of LDBC Graphalytics.
//!
//! Every vertex starts with its own label. In each iteration, all vertices at once take the label that is most frequent
//! among their neighbours, the smallest of several. Over a directed graph, the edges of either direction count: a
//! neighbour over edges in both directions counts twice. Unlike the label propagation of
//! [`communities`](mod@crate::communities), the result depends on no order and no seed, so that every implementation finds
//! the same one; labels may swap forever.

mod algorithm;
mod cpu;
mod gpu;
mod verify;

use equipoise_graph::{Graph, parallel::*};

use crate::{
    LoadedGraph, Result, Times, Trace,
    limits::within,
    neighbors::{EdgeCounts, Neighbors},
};

/// The iterations of most data sets of Graphalytics.
const MAX_ITERATIONS: u32 = 10;
/// Labels that have not settled by then swap forever.
const MOST_ITERATIONS: u32 = 100_000;

/// How often labels are propagated.
///
/// ```
/// use equipoise::cdlp::CdlpOptions;
///
/// assert_eq!(CdlpOptions::default().max_iterations, 10);
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct CdlpOptions {
    /// The most iterations, 1 to 100000: fewer, if no label changes any more.
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = MAX_ITERATIONS))]
    pub max_iterations: u32,
}

impl Default for CdlpOptions {
    fn default() -> Self {
        Self { max_iterations: MAX_ITERATIONS }
    }
}

impl CdlpOptions {
    fn check(&self) -> Result<()> {
        within("max-iterations", self.max_iterations, 1..=MOST_ITERATIONS)
    }
}

/// The label of each vertex.
///
/// ```
/// use equipoise::{cdlp::{CdlpOptions, cdlp}, prelude::*};
///
/// // A triangle, and a pair whose labels swap in every iteration.
/// let edges = Edges::from(vec![(0, 1), (1, 2), (2, 0), (3, 4)]);
/// let graph = GraphBuilder::new().undirected(true).build(edges)?;
/// let options = CdlpOptions { max_iterations: 3 };
/// let found = cdlp(&graph, &options)?;
/// assert_eq!(found.labels, [0, 0, 0, 4, 3]);
/// assert_eq!((found.count, found.largest, found.converged), (3, 3, false));
/// found.verify(&graph, &options)?;
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Cdlp {
    /// The label of each vertex: the vertex that had it at first.
    pub labels: Vec<u32>,
    /// The number of distinct labels.
    pub count: u32,
    /// The number of vertices with the most frequent label.
    pub largest: u32,
    /// Whether no label changed in the last iteration, so that none would change in further ones.
    pub converged: bool,
    /// A step per iteration: the vertices, their edges, and the number of changed labels.
    pub trace: Trace,
    /// Where the time went.
    pub times: Times,
}

impl Cdlp {
    fn new(labels: Vec<u32>, trace: Trace, times: Times) -> Self {
        let converged = trace.steps.last().is_none_or(|step| step.found == 0);
        let mut sizes = vec![0u32; labels.len()];
        labels.iter().for_each(|&label| sizes[label as usize] += 1);
        let count = sizes.par_iter().filter(|&&size| size > 0).count() as u32;
        let largest = sizes.par_iter().copied().max().unwrap_or(0);
        Self { labels, count, largest, converged, trace, times }
    }
}

/// Propagates labels on the cpu.
///
/// Weights and self-loops are ignored; parallel edges count each. The labels are the same for any number of threads and
/// on every device. Of vertices with names, the one with the first name in the order of the graph has the smallest label.
///
/// In addition to the graph, needs 12 bytes per vertex, 4 bytes per vertex and thread, and the neighbours of each vertex
/// with the number of edges to each if the graph is directed or not simple.
///
/// Fails if memory is insufficient, or an option is out of range.
///
/// ```
/// use equipoise::{cdlp::{CdlpOptions, cdlp}, prelude::*};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 2), (1, 2), (2, 1)]))?;
/// // Two edges join 2 and 1, and only one joins 2 and 0.
/// assert_eq!(cdlp(&graph, &CdlpOptions { max_iterations: 1 })?.labels, [2, 2, 1]);
/// # Ok::<(), Error>(())
/// ```
pub fn cdlp(graph: &Graph, options: &CdlpOptions) -> Result<Cdlp> {
    graph.check()?;
    options.check()?;
    cpu::cdlp(graph, &Neighbors::default(), &EdgeCounts::default(), options)
}

impl LoadedGraph<'_> {
    /// Propagates labels as [`cdlp`](cdlp()) does, with the same result. On a GPU, fails also if the graph and the tables of
    /// labels do not fit its memory; graphs with more than 2³¹ edges run on the cpu.
    ///
    /// ```
    /// use equipoise::{cdlp::CdlpOptions, prelude::*};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2), (2, 0), (2, 3)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// assert_eq!(loaded.cdlp(&CdlpOptions { max_iterations: 1 })?.labels, [1, 0, 0, 2]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn cdlp(&self, options: &CdlpOptions) -> Result<Cdlp> {
        options.check()?;
        let counts = self.cache.get::<EdgeCounts>();
        self.run(
            |gpu_graph| gpu::cdlp(gpu_graph, &counts, options),
            || cpu::cdlp(self.graph, &self.neighbors, &counts, options),
        )
    }
}
