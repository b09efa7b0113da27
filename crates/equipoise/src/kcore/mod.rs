//! The k-core decomposition.
//!
//! The k-core is the largest subgraph in which every vertex has at least k neighbours. The core number of a vertex is the
//! largest k whose core contains it. Core numbers are found by peeling: level by level, vertices whose remaining degree
//! has fallen to the level are removed, which lowers the degrees of their neighbours. On the cpu, threads share the
//! vertices of each round and scan the remaining vertices once per level, as in PKC by Kabir and Madduri, "Parallel k-Core
//! Decomposition on Multicore Platforms" (2017).

mod algorithm;
mod cpu;
mod gpu;
mod subgraph;
mod verify;
mod verify_on_gpu;

pub use self::algorithm::KCoreOptions;

use equipoise_graph::{Graph, parallel::*};

use crate::{LoadedGraph, Result, Times, Trace, neighbors::Neighbors};

/// The core number of each vertex.
///
/// ```
/// use equipoise::{kcore::kcore, prelude::*};
///
/// let edges = Edges::from(vec![(0, 1), (1, 2), (2, 0), (2, 3)]);
/// let graph = GraphBuilder::new().undirected(true).vertices(5).build(edges)?;
/// let found = kcore(&graph)?;
/// assert_eq!((found.degeneracy, &found.cores[..]), (2, &[2, 2, 2, 1, 0][..]));
/// assert_eq!(found.subgraph(&graph, 2)?.vertices(), 3);
/// found.verify(&graph)?;
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct KCore {
    /// The core number of each vertex.
    pub cores: Vec<u32>,
    /// The largest core number, 0 for a graph without vertices.
    pub degeneracy: u32,
    /// A step per level that has vertices: the peeled vertices, their edges, the vertices that remain, and the number of
    /// rounds. A GPU reports all levels as one step.
    pub trace: Trace,
    /// Where the time went.
    pub times: Times,
}

impl KCore {
    fn new(cores: Vec<u32>, trace: Trace, times: Times) -> Self {
        let degeneracy = cores.par_iter().copied().max().unwrap_or(0);
        Self { cores, degeneracy, trace, times }
    }

    /// The number of vertices in the k-core: those with a core number of at least `k`.
    ///
    /// ```
    /// use equipoise::graph::{io::ReadOptions, load};
    /// use equipoise::kcore::kcore;
    ///
    /// let found = kcore(&load("star:n=9", &ReadOptions::default())?)?;
    /// assert_eq!((found.size(1), found.size(2)), (9, 0));
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn size(&self, k: u32) -> u32 {
        self.cores.par_iter().filter(|&&core| core >= k).count() as u32
    }
}

/// Finds the core number of each vertex on the cpu.
///
/// Edges count as undirected and unweighted, self-loops are ignored, and parallel edges count as one. The numbers are
/// exact, and the same for any number of threads and on every device. Needs 20 bytes per vertex in addition to the graph,
/// and the neighbours of each vertex if the graph is directed or not simple.
///
/// Fails if memory is insufficient.
///
/// ```
/// use equipoise::{kcore::kcore, prelude::*};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 0), (2, 2), (1, 2)]))?;
/// assert_eq!(kcore(&graph)?.cores, [1, 1, 1]);
/// # Ok::<(), Error>(())
/// ```
pub fn kcore(graph: &Graph) -> Result<KCore> {
    graph.check()?;
    cpu::kcore(graph, &Neighbors::default())
}

impl LoadedGraph<'_> {
    /// Finds the core numbers that [`kcore`](kcore()) finds. On a GPU, fails also if the neighbours of all vertices do not
    /// fit its memory.
    ///
    /// ```
    /// use equipoise::prelude::*;
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2), (2, 0), (2, 3)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// assert_eq!(loaded.kcore()?.cores, [2, 2, 2, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn kcore(&self) -> Result<KCore> {
        self.run(gpu::kcore, || cpu::kcore(self.graph, &self.neighbors))
    }
}
