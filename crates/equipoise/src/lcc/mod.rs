//! LCC: the local clustering coefficient of each vertex, as LDBC Graphalytics defines it.
//!
//! The neighbours of a vertex are those over edges of either direction, each once. The coefficient is the number of
//! directed edges between them, divided by the number there could be. So over an undirected graph, whose edges count in
//! both directions, it is the share of pairs of neighbours that are neighbours of each other. Over a directed graph, a
//! triangle credits each of its corners with the directions of the opposite side. (NetworkX's `clustering` of directed
//! graphs is another number, by Fagiolo.)

mod algorithm;
mod cpu;
mod gpu;
mod verify;

use equipoise_graph::{Graph, parallel::*};

use crate::{
    LoadedGraph, Result, Step, Times, Trace,
    neighbors::Neighbors,
    triangles::{RankedCache, Triangles},
};

/// The options of [`Lcc`]: there are none.
///
/// ```
/// use equipoise::lcc::{LccOptions, lcc};
/// use equipoise::graph::{io::ReadOptions, load};
///
/// let graph = load("complete:n=4", &ReadOptions::default())?;
/// let LccOptions {} = LccOptions::default();
/// assert_eq!(lcc(&graph)?.average(), 1.0);
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct LccOptions {}

/// The local clustering coefficient of each vertex.
///
/// ```
/// use equipoise::{lcc::lcc, prelude::*};
///
/// // 1 and 2 are neighbours of 0, and of the two possible edges between them, one exists.
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (2, 0), (1, 2), (2, 3)]))?;
/// let found = lcc(&graph)?;
/// assert_eq!((&found.closed[..], &found.degrees[..]), (&[1, 1, 1, 0][..], &[2, 2, 3, 1][..]));
/// assert_eq!(found.coefficients(), [0.5, 0.5, 1.0 / 6.0, 0.0]);
/// found.verify(&graph)?;
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Lcc {
    /// The number of directed edges between the neighbours of each vertex. An undirected edge counts twice.
    pub closed: Vec<u64>,
    /// The number of distinct neighbours of each vertex over edges of either direction, excluding itself.
    pub degrees: Vec<u32>,
    /// One step: the vertices, the pairs of neighbours, and the directed edges between neighbours of a vertex, of all vertices.
    pub trace: Trace,
    /// Where the time went.
    pub times: Times,
}

impl Lcc {
    /// The local clustering coefficient of each vertex, 0 for degrees below 2.
    pub fn coefficients(&self) -> Vec<f64> {
        let vertices = self.closed.par_iter().zip(&self.degrees);
        let coefficient = |(&closed, &degree): (&u64, &u32)| match ordered_pairs(degree) {
            0 => 0.0,
            pairs => closed as f64 / pairs as f64,
        };
        vertices.map(coefficient).collect()
    }

    /// The mean of the [coefficients](Self::coefficients), 0 for a graph without vertices. They are added in the order of the
    /// vertices, so that the result is equal on every device.
    pub fn average(&self) -> f64 {
        match self.closed.len() {
            0 => 0.0,
            vertices => self.coefficients().into_iter().sum::<f64>() / vertices as f64,
        }
    }

    fn new(closed: Vec<u64>, degrees: Vec<u32>, edges: u64, times: Times) -> Self {
        let found = closed.par_iter().sum();
        let (frontier, time) = (closed.len() as u64, times.run());
        let step = Step { frontier, edges, found, time, ..Step::new(0, "triangles") };
        Self { closed, degrees, trace: Trace { steps: vec![step] }, times }
    }

    /// From the triangles of an undirected graph: each has a side opposite of each of its corners.
    fn from_triangles(triangles: Triangles) -> Self {
        let edges = triangles.trace.steps.iter().map(|step| step.edges).sum();
        let closed = triangles.counts.par_iter().map(|&count| 2 * count).collect();
        Self::new(closed, triangles.degrees, edges, triangles.times)
    }
}

/// The number of ordered pairs of neighbours of a vertex: of directed edges that there could be between them.
fn ordered_pairs(degree: u32) -> u64 {
    u64::from(degree) * u64::from(degree.saturating_sub(1))
}

/// Finds the local clustering coefficients on the cpu.
///
/// Weights and self-loops are ignored, and parallel edges count as one. The numbers are exact up to the last division, and
/// the same for any number of threads and on every device.
///
/// In addition to the graph, needs 5 bytes per undirected edge, 36 bytes per vertex, 4 bytes per vertex and thread, and
/// the neighbours of each vertex if the graph is directed or not simple.
///
/// Fails if memory is insufficient.
///
/// ```
/// use equipoise::{lcc::lcc, prelude::*};
///
/// let triangle = vec![(0, 1), (1, 2), (2, 0)];
/// let directed = GraphBuilder::new().build(Edges::from(triangle.clone()))?;
/// assert_eq!(lcc(&directed)?.coefficients(), [0.5; 3]);
/// let undirected = GraphBuilder::new().undirected(true).build(Edges::from(triangle))?;
/// assert_eq!(lcc(&undirected)?.coefficients(), [1.0; 3]);
/// # Ok::<(), Error>(())
/// ```
pub fn lcc(graph: &Graph) -> Result<Lcc> {
    graph.check()?;
    cpu::lcc(graph, &Neighbors::default(), &RankedCache::default())
}

impl LoadedGraph<'_> {
    /// Finds the local clustering coefficients that [`lcc`](lcc()) finds. Caches the ranked edges for the next call, also of
    /// [`triangles`](Self::triangles). On a GPU, fails also if the ranked edges do not fit its memory.
    ///
    /// ```
    /// use equipoise::prelude::*;
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 0), (1, 2), (2, 0)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// assert_eq!(loaded.lcc()?.coefficients(), [0.5, 0.5, 1.0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn lcc(&self) -> Result<Lcc> {
        self.run(
            |gpu_graph| gpu::lcc(gpu_graph, &self.cache.get()),
            || cpu::lcc(self.graph, &self.neighbors, &self.cache.get()),
        )
    }
}
