//! The additional interface of searches: sources, targets, plans, and results that stay on a device.

use std::sync::Arc;

use equipoise_graph::{Graph, parallel::*};
use equipoise_schedule::device::{Buffer, Gpu};
use equipoise_select::Model;

use super::{Algorithm, Verdict};
use crate::{
    NONE, Result, Times, Trace,
    traversal::{IterationPlan, Strategy, TraversalSettings},
    tree,
};

/// The text for a search that stopped early.
pub(crate) const STOPPED: &str = "early, as asked: some vertices are farther away";

/// The result of a search on its device: on the host, or in the memory of a GPU.
///
/// ```
/// use equipoise::algorithm::{Algorithm, SearchResult};
/// use equipoise::bfs::{Bfs, BfsOptions};
/// use equipoise::graph::{io::ReadOptions, load};
/// use equipoise::{LoadedGraph, device::Device};
///
/// let graph = load("path:n=4", &ReadOptions::default())?;
/// let (loaded, options) = (LoadedGraph::new(&Device::Cpu.open()?, &graph)?, BfsOptions::default());
/// let result = Bfs::find_from(&loaded, &[0], &options)?.remove(0);
/// assert!(result.check_in_place(&options)?.is_proved());
/// assert_eq!(result.download()?.levels, [0, 1, 2, 3]);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub trait SearchResult<A: Algorithm> {
    /// Where the time went so far.
    fn times(&self) -> Times;

    /// The steps of the search.
    fn trace(&self) -> &Trace;

    /// Copies the result to the host, as the download of [`times`](Self::times).
    fn copy(&self) -> Result<()>;

    /// The result with its arrays in the memory of a GPU; `None` if they are on the host.
    ///
    /// Fails where the GPU has no memory for them.
    fn on_gpu(&self) -> Result<Option<OnGpu<A>>>;

    /// Verifies the result on its device. Fails if the result is wrong.
    fn check_in_place(&self, options: &A::Options) -> Result<Verdict>;

    /// Verifies a copy of the result on the host. Fails if the result is wrong.
    fn check_on_host(&self, options: &A::Options) -> Result<Verdict>;

    /// The result on the host.
    fn download(self: Box<Self>) -> Result<A>;
}

/// A result whose arrays are in the memory of a GPU. They are those of the result's [report](Algorithm::report), with the
/// same types as in Python.
///
/// ```
/// use equipoise::{algorithm::{Algorithm, GpuArray}, prelude::*, sssp::Sssp};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 7u32), (2, 0, 1)]))?;
/// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
/// let result = Sssp::find_from(&loaded, &[0], &SsspOptions::default())?.remove(0);
/// if let Some(on_gpu) = result.on_gpu()? {
///     assert_eq!(on_gpu.summary.reached, 2);
///     let ("distances", GpuArray::F64(distances)) = &on_gpu.arrays[0] else { panic!() };
///     assert_eq!(on_gpu.gpu.download(distances)?, [0.0, 7.0, f64::INFINITY]);
/// }
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug)]
pub struct OnGpu<A> {
    /// The GPU.
    pub gpu: Gpu,
    /// The result without its arrays, which are empty.
    pub summary: A,
    /// The arrays by name.
    pub arrays: Vec<(&'static str, GpuArray)>,
}

/// An array in the memory of a GPU.
///
/// ```
/// use equipoise::{algorithm::{Algorithm, GpuArray}, bfs::Bfs, prelude::*};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1)]))?;
/// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
/// let result = Bfs::find_from(&loaded, &[0], &BfsOptions::default())?.remove(0);
/// if let Some(on_gpu) = result.on_gpu()? {
///     assert!(matches!(on_gpu.arrays[0], ("levels", GpuArray::U32(_))));
/// }
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum GpuArray {
    /// Vertices or levels; [`NONE`] for none.
    U32(Buffer<u32>),
    /// Distances; infinite for none.
    F64(Buffer<f64>),
}

/// The common options of searches.
///
/// ```
/// use equipoise::algorithm::Algorithm;
/// use equipoise::bfs::{Bfs, BfsOptions};
///
/// let mut options = BfsOptions::default();
/// *Bfs::search_options(&mut options).unwrap().target = Some(7);
/// assert_eq!(options.target, Some(7));
/// ```
#[derive(Debug)]
pub struct SearchOptions<'a> {
    /// The strategy.
    pub strategy: Strategy,
    /// The vertex at which the search stops.
    pub target: &'a mut Option<u32>,
    /// A strategy per iteration.
    pub plan: &'a mut Option<IterationPlan>,
    /// A learned policy.
    pub model: &'a mut Option<Arc<Model>>,
    /// The settings of strategies on a GPU.
    pub settings: &'a TraversalSettings,
    /// Whether a limit other than a target may stop the search early.
    pub is_limited: bool,
}

/// The paths of a search, as a tree.
///
/// ```
/// use equipoise::algorithm::Algorithm;
/// use equipoise::bfs::{BfsOptions, bfs};
/// use equipoise::graph::{io::ReadOptions, load};
///
/// let search = bfs(&load("path:n=4", &ReadOptions::default())?, 0, &BfsOptions::default())?;
/// let tree = search.tree().unwrap();
/// assert!(tree.is_complete && tree.reaches(3));
/// assert_eq!(tree.path_to(2), Some(vec![0, 1, 2]));
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SearchTree<'a> {
    /// The root.
    pub source: u32,
    /// The parent of each vertex: that of the source is the source, that of an unreached vertex [`NONE`].
    pub parents: &'a [u32],
    /// The number of vertices reached, including the source.
    pub reached: u32,
    /// The number of directed edges that leave the reached vertices.
    pub edges: u64,
    /// Whether all reachable vertices were reached: the search did not stop early.
    pub is_complete: bool,
    /// The level of each vertex, for a search by levels.
    pub levels: Option<&'a [u32]>,
}

impl SearchTree<'_> {
    /// Whether a vertex was reached.
    pub fn reaches(&self, vertex: u32) -> bool {
        self.parents.get(vertex as usize).is_some_and(|&parent| parent != NONE)
    }

    /// A shortest path from the source to a vertex, including both; `None` for an unreached vertex.
    pub fn path_to(&self, vertex: u32) -> Option<Vec<u32>> {
        tree::path(self.parents, self.source, vertex)
    }
}

/// The first vertex of the largest degree: the default source of searches. 0 for a graph without vertices.
///
/// ```
/// use equipoise::algorithm::largest_degree;
/// use equipoise::graph::{io::ReadOptions, load};
///
/// assert_eq!(largest_degree(&load("path:n=5", &ReadOptions::default())?), 1);
/// # Ok::<(), equipoise::graph::Error>(())
/// ```
pub fn largest_degree(graph: &Graph) -> u32 {
    let by_degree = |&vertex: &u32| (graph.degree(vertex), std::cmp::Reverse(vertex));
    (0..graph.vertices()).into_par_iter().max_by_key(by_degree).unwrap_or(0)
}
