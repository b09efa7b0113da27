//! Cores: how tightly vertices hang together.
//!
//! The k-core is what is left of a graph when vertices with fewer than k neighbours are taken away until there are none.
//! A vertex' core number is the largest k whose core it is in. All are found by peeling: level by level, vertices with as
//! few neighbours left as the level are taken away, and tell their neighbours, who may be next. On the cpu, threads share
//! the vertices of each round, and look through those that are left once a level, as in PKC by Kabir and Madduri,
//! "Parallel k-Core Decomposition on Multicore Platforms" (2017).

mod cpu;
mod gpu;
mod subgraph;
mod verify;

use equipoise_graph::Graph;
use rayon::prelude::*;

use crate::{LoadedGraph, Result, Times, Trace, neighbors::Neighbors};

/// The core number of each vertex.
///
/// ```
/// use equipoise::graph::{Edges, GraphBuilder};
/// use equipoise::kcore::kcore;
///
/// let edges = Edges::from(vec![(0, 1), (1, 2), (2, 0), (2, 3)]);
/// let graph = GraphBuilder::new().undirected(true).vertices(5).build(edges)?;
/// let found = kcore(&graph)?;
/// assert_eq!((found.degeneracy, &found.cores[..]), (2, &[2, 2, 2, 1, 0][..]));
/// assert_eq!(found.subgraph(&graph, 2)?.vertices(), 3);
/// found.verify(&graph)?;
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct KCore {
    /// The core number of each vertex.
    pub cores: Vec<u32>,
    /// The largest of them, 0 for a graph without vertices.
    pub degeneracy: u32,
    /// A step for each level that has vertices: those that were peeled, their edges, how many vertices were left, and in
    /// how many rounds. A GPU tells all levels as one.
    pub trace: Trace,
    /// Where the time went.
    pub times: Times,
}

impl KCore {
    fn of(cores: Vec<u32>, trace: Trace, times: Times) -> Self {
        let degeneracy = cores.par_iter().copied().max().unwrap_or(0);
        Self { cores, degeneracy, trace, times }
    }

    /// How many vertices are in the k-core: those with a core number of at least `k`.
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
/// They are those of the simple undirected graph under the given one: the direction and the weight of an edge do not
/// matter, self-loops are left out, and parallel edges count as one. The numbers are exact, and the same whatever the
/// number of threads and the device. Needs 20 bytes a vertex beside the graph; and the neighbours of each vertex, where
/// the graph is directed or not simple.
///
/// Fails where there is not that much memory.
///
/// ```
/// use equipoise::graph::{Edges, GraphBuilder};
/// use equipoise::kcore::kcore;
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 0), (2, 2), (1, 2)]))?;
/// assert_eq!(kcore(&graph)?.cores, [1, 1, 1]);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn kcore(graph: &Graph) -> Result<KCore> {
    graph.check()?;
    cpu::kcore(graph, &Neighbors::default())
}

impl LoadedGraph<'_> {
    /// Finds the core number of each vertex, as [`kcore`](kcore()) does on the cpu, and with the same numbers.
    ///
    /// Fails as that does; on a GPU also where the neighbours of all vertices do not fit its memory.
    ///
    /// ```
    /// use equipoise::LoadedGraph;
    /// use equipoise::device::Device;
    /// use equipoise::graph::{Edges, GraphBuilder};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2), (2, 0), (2, 3)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// assert_eq!(loaded.kcore()?.cores, [2, 2, 2, 1]);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn kcore(&self) -> Result<KCore> {
        match &self.there {
            Some(there) => gpu::kcore(there, &self.neighbors),
            None => cpu::kcore(self.graph, &self.neighbors),
        }
    }
}
