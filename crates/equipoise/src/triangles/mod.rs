//! Triangles: three vertices that are neighbours of each other, counted in total and per vertex.
//!
//! Vertices are ranked by descending degree, and each edge is stored with its end of larger rank. So each triangle is
//! found once: its last vertex stores edges to both others, and one of these stores an edge to the other. No vertex stores
//! more edges than the square root of twice their number, because all targets have at least its degree.

mod algorithm;
mod cpu;
mod gpu;
mod ranked;
mod ranked_on_gpu;
mod verify;
mod verify_on_gpu;

use equipoise_graph::{Csr, Graph, parallel::*};

pub(crate) use self::{
    cpu::triangles as on_cpu,
    gpu::{Counts, triangles as on_gpu},
    ranked::{Ranked, RankedCache},
    ranked_on_gpu::{RankedCache as RankedOnGpuCache, RankedOnGpu},
    verify::toward_larger_degrees,
};
use crate::{LoadedGraph, Result, Step, Times, Trace, neighbors::Neighbors};

/// Vertices per task where each takes little time.
const VERTICES_AT_ONCE: usize = 1 << 14;

equipoise_graph::named_enum! {
    /// How two rows of edges are intersected.
    ///
    /// ```
    /// use equipoise::triangles::TrianglesStrategy;
    ///
    /// assert_eq!("binary-search".parse(), Ok(TrianglesStrategy::BinarySearch));
    /// ```
    #[derive(Default)]
    pub enum TrianglesStrategy("triangles strategy") {
        /// By the lengths of the rows: binary-search, or else bitmap on the cpu and merge on a GPU.
        ///
        /// If all rows are short, the cpu merges them without ranking.
        #[default]
        Auto = "auto",
        /// The rows are merged.
        Merge = "merge",
        /// The longer row is searched for each vertex of the shorter one.
        BinarySearch = "binary-search",
        /// One row is marked, and each vertex of the other looked up. On the cpu only.
        Bitmap = "bitmap",
    }
}

/// How to count triangles.
///
/// ```
/// use equipoise::triangles::{TrianglesOptions, TrianglesStrategy};
///
/// assert_eq!(TrianglesOptions::default().strategy, TrianglesStrategy::Auto);
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct TrianglesOptions {
    /// How two rows of edges are intersected.
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub strategy: TrianglesStrategy,
}

/// The triangles of a graph, in total and per vertex.
///
/// ```
/// use equipoise::{prelude::*, triangles::triangles};
///
/// let edges = Edges::from(vec![(0, 1), (1, 2), (2, 0), (2, 3)]);
/// let graph = GraphBuilder::new().undirected(true).build(edges)?;
/// let found = triangles(&graph, &TrianglesOptions::default())?;
/// assert_eq!((found.total, &found.counts[..]), (1, &[1, 1, 1, 0][..]));
/// assert_eq!(found.clustering(), [1.0, 1.0, 1.0 / 3.0, 0.0]);
/// assert_eq!(found.transitivity(), 0.6);
/// assert_eq!(found.average_clustering(), (7.0 / 3.0) / 4.0);
/// found.verify(&graph)?;
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Triangles {
    /// The number of triangles.
    pub total: u64,
    /// The number of triangles that contain each vertex.
    pub counts: Vec<u64>,
    /// The number of distinct neighbours of each vertex over edges of either direction, excluding itself.
    pub degrees: Vec<u32>,
    /// The requested strategy.
    pub strategy: TrianglesStrategy,
    /// One step: the vertices, the undirected edges, and the triangles.
    pub trace: Trace,
    /// Where the time went.
    pub times: Times,
}

impl Triangles {
    /// The local clustering coefficient of each vertex: the share of pairs of its neighbours that are neighbours of each
    /// other; 0 for degrees below 2.
    pub fn clustering(&self) -> Vec<f64> {
        let coefficient = |(&count, &degree): (&u64, &u32)| match pairs(degree) {
            0 => 0.0,
            pairs => count as f64 / pairs as f64,
        };
        self.counts.iter().zip(&self.degrees).map(coefficient).collect()
    }

    /// The mean of the [clustering](Self::clustering) coefficients, 0 for a graph without vertices. They are added in the
    /// order of the vertices, so that the result is equal on every device.
    pub fn average_clustering(&self) -> f64 {
        match self.counts.len() {
            0 => 0.0,
            vertices => self.clustering().into_iter().sum::<f64>() / vertices as f64,
        }
    }

    /// The share of all pairs of neighbours of a vertex that are neighbours of each other; 0 without such a pair.
    pub fn transitivity(&self) -> f64 {
        match wedges(&self.degrees) {
            0 => 0.0,
            wedges => 3.0 * self.total as f64 / wedges as f64,
        }
    }

    fn new(counts: Vec<u64>, neighbors: &Csr, strategy: TrianglesStrategy, times: Times) -> Self {
        let vertices = (0..neighbors.rows()).into_par_iter().with_min_len(VERTICES_AT_ONCE);
        let degrees = vertices.map(|vertex| neighbors.row_len(vertex) as u32).collect();
        // Each triangle has three vertices.
        let total = counts.par_iter().with_min_len(VERTICES_AT_ONCE).sum::<u64>() / 3;
        Self::from_counts(TriangleCounts { total, counts, degrees }, neighbors, strategy, times)
    }

    fn from_counts(
        counts: TriangleCounts,
        neighbors: &Csr,
        strategy: TrianglesStrategy,
        times: Times,
    ) -> Self {
        let TriangleCounts { total, counts, degrees } = counts;
        let (frontier, edges) = (neighbors.rows().into(), neighbors.entries() / 2);
        let time = times.run();
        let step = Step { frontier, edges, found: total, time, ..Step::new(0, strategy.name()) };
        Self { total, counts, degrees, strategy, trace: Trace { steps: vec![step] }, times }
    }
}

/// The counts of [`Triangles`].
struct TriangleCounts {
    total: u64,
    counts: Vec<u64>,
    degrees: Vec<u32>,
}

/// The number of pairs of neighbours of a vertex.
fn pairs(degree: u32) -> u64 {
    u64::from(degree) * u64::from(degree.saturating_sub(1)) / 2
}

/// The number of pairs of neighbours of all vertices.
fn wedges(degrees: &[u32]) -> u128 {
    degrees.iter().map(|&degree| u128::from(pairs(degree))).sum()
}

/// Counts the triangles of a graph on the cpu.
///
/// Edges count as undirected and unweighted, self-loops are ignored, and parallel edges count as one. The numbers are
/// exact, and the same for every strategy, any number of threads and every device.
///
/// In addition to the graph, needs 4 bytes per undirected edge, 36 bytes per vertex, 4 bytes per vertex and thread, and
/// the neighbours of each vertex if the graph is directed or not simple.
///
/// Fails if memory is too short.
///
/// ```
/// use equipoise::{prelude::*, triangles::triangles};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (2, 1), (2, 0), (0, 2), (0, 0)]))?;
/// assert_eq!(triangles(&graph, &TrianglesOptions::default())?.total, 1);
/// # Ok::<(), Error>(())
/// ```
pub fn triangles(graph: &Graph, options: &TrianglesOptions) -> Result<Triangles> {
    graph.check()?;
    on_cpu(graph, &Neighbors::default(), &RankedCache::default(), options)
}

impl LoadedGraph<'_> {
    /// Counts triangles as [`triangles`](triangles()) does, with the same numbers. Caches the ranked edges for the next
    /// call. A GPU has all strategies but `bitmap`, and fails also if the ranked edges do not fit its memory.
    ///
    /// ```
    /// use equipoise::prelude::*;
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2), (2, 0), (2, 3)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// assert_eq!(loaded.triangles(&TrianglesOptions::default())?.counts, [1, 1, 1, 0]);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn triangles(&self, options: &TrianglesOptions) -> Result<Triangles> {
        self.run(
            |gpu_graph| on_gpu(gpu_graph, &self.cache.get(), options),
            || on_cpu(self.graph, &self.neighbors, &self.cache.get(), options),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_of_the_most_neighbours_are_counted() {
        assert_eq!([0, 1, 2, 5].map(pairs), [0, 0, 1, 10]);
        assert_eq!(pairs(u32::MAX), (u64::from(u32::MAX) - 1) / 2 * u64::from(u32::MAX));
        assert_eq!(wedges(&[u32::MAX; 4]), 4 * u128::from(pairs(u32::MAX)));
    }
}
