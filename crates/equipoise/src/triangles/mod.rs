//! Triangles: three vertices that are neighbours of each other, how many there are and how many each vertex is in.
//!
//! Vertices are ranked by how many neighbours they have, those with the most first, and each edge is kept by the end
//! that comes later. A triangle is then found once: where its last vertex keeps edges to the two others, and one of
//! these keeps an edge to the other. Since many neighbours are those of others with many, no vertex keeps more edges
//! than the root of twice their number, however many neighbours it has.

mod cpu;
mod gpu;
mod ranked;
mod verify;

use equipoise_graph::{Csr, Graph};
use rayon::prelude::*;

pub(crate) use self::ranked::KeptRanked;
pub use self::verify::TriangleCheck;
use crate::{LoadedGraph, Result, Step, Times, Trace, neighbors::Neighbors};

/// Vertices that a thread looks at once, where there is little to do for each.
const VERTICES_AT_ONCE: usize = 1 << 14;

equipoise_graph::named_enum! {
    /// How it is found out which vertices two rows of edges have in common.
    ///
    /// ```
    /// use equipoise::triangles::TrianglesStrategy;
    ///
    /// assert_eq!("binary-search".parse(), Ok(TrianglesStrategy::BinarySearch));
    /// ```
    #[derive(Default)]
    pub enum TrianglesStrategy("triangles strategy") {
        /// What fits the lengths of the two rows: `binary-search` where one is far longer, else `bitmap` on the cpu
        /// and `merge` on a GPU. Where all rows are short the cpu merges them as they are, without ranks.
        #[default]
        Auto = "auto",
        /// Both rows side by side.
        Merge = "merge",
        /// Each vertex of the shorter row looked up in the longer one.
        BinarySearch = "binary-search",
        /// One row marked, and each vertex of the other looked up in the marks. On the cpu only.
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
    /// How it is found out which vertices two rows of edges have in common.
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub strategy: TrianglesStrategy,
}

/// The triangles of a graph, and those that each vertex is in.
///
/// ```
/// use equipoise::graph::{Edges, GraphBuilder};
/// use equipoise::triangles::{TrianglesOptions, triangles};
///
/// let edges = Edges::from(vec![(0, 1), (1, 2), (2, 0), (2, 3)]);
/// let graph = GraphBuilder::new().undirected(true).build(edges)?;
/// let found = triangles(&graph, &TrianglesOptions::default())?;
/// assert_eq!((found.total, &found.counts[..]), (1, &[1, 1, 1, 0][..]));
/// assert_eq!(found.clustering(), [1.0, 1.0, 1.0 / 3.0, 0.0]);
/// assert_eq!(found.transitivity(), 0.6);
/// assert_eq!(found.average_clustering(), (7.0 / 3.0) / 4.0);
/// found.verify(&graph)?;
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Triangles {
    /// How many there are.
    pub total: u64,
    /// How many each vertex is in.
    pub counts: Vec<u64>,
    /// How many neighbours each vertex has, over edges of either direction, itself left out.
    pub degrees: Vec<u32>,
    /// The strategy used, as it was asked for.
    pub strategy: TrianglesStrategy,
    /// One step: the vertices, the edges between them, each once, and the triangles found.
    pub trace: Trace,
    /// Where the time went.
    pub times: Times,
}

impl Triangles {
    /// The local clustering coefficient of each vertex: which share of the pairs of its neighbours are neighbours of
    /// each other; 0 where it has less than two.
    pub fn clustering(&self) -> Vec<f64> {
        let of = |(&count, &degree): (&u64, &u32)| match pairs(degree) {
            0 => 0.0,
            pairs => count as f64 / pairs as f64,
        };
        self.counts.iter().zip(&self.degrees).map(of).collect()
    }

    /// The mean of the [clustering](Self::clustering) coefficients, 0 of a graph without vertices. They are added up
    /// in the order of the vertices, so that it is the same on every device.
    pub fn average_clustering(&self) -> f64 {
        match self.counts.len() {
            0 => 0.0,
            vertices => self.clustering().into_iter().sum::<f64>() / vertices as f64,
        }
    }

    /// Which share of all pairs of neighbours of a vertex are neighbours of each other; 0 where there is no such pair.
    pub fn transitivity(&self) -> f64 {
        match wedges(&self.degrees) {
            0 => 0.0,
            wedges => 3.0 * self.total as f64 / wedges as f64,
        }
    }

    /// The triangles that each vertex is in, with what else there is to tell of them.
    fn of(counts: Vec<u64>, neighbors: &Csr, strategy: TrianglesStrategy, times: Times) -> Self {
        let vertices = neighbors.rows();
        let each = (0..vertices).into_par_iter().with_min_len(VERTICES_AT_ONCE);
        let degrees = each.map(|vertex| neighbors.row_len(vertex) as u32).collect();
        // Each triangle has three vertices.
        let total = counts.par_iter().with_min_len(VERTICES_AT_ONCE).sum::<u64>() / 3;
        Self::of_counted(Counted { total, counts, degrees }, neighbors, strategy, times)
    }

    fn of_counted(
        counted: Counted,
        neighbors: &Csr,
        strategy: TrianglesStrategy,
        times: Times,
    ) -> Self {
        let Counted { total, counts, degrees } = counted;
        let (frontier, edges) = (neighbors.rows().into(), neighbors.entries() / 2);
        let time = times.run();
        let step = Step { frontier, edges, found: total, time, ..Step::new(0, strategy.name()) };
        Self { total, counts, degrees, strategy, trace: Trace { steps: vec![step] }, times }
    }
}

/// The numbers of all vertices.
struct Counted {
    total: u64,
    counts: Vec<u64>,
    degrees: Vec<u32>,
}

/// How many pairs so many neighbours make.
fn pairs(degree: u32) -> u64 {
    u64::from(degree) * u64::from(degree.saturating_sub(1)) / 2
}

/// The pairs of neighbours of all vertices.
fn wedges(degrees: &[u32]) -> u128 {
    degrees.iter().map(|&degree| u128::from(pairs(degree))).sum()
}

/// Counts the triangles of a graph on the cpu.
///
/// They are those of the simple undirected graph under it: the direction and the weight of an edge do not matter,
/// self-loops are left out, and parallel edges count as one. The numbers are exact, and the same whatever the strategy,
/// the number of threads and the device.
///
/// Needs beside the graph 4 bytes for each edge between two vertices, and for each vertex 36 bytes and 4 for each
/// thread; and the neighbours of each vertex, where the graph is directed or not simple.
///
/// Fails where there is not that much memory.
///
/// ```
/// use equipoise::graph::{Edges, GraphBuilder};
/// use equipoise::triangles::{TrianglesOptions, triangles};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (2, 1), (2, 0), (0, 2), (0, 0)]))?;
/// assert_eq!(triangles(&graph, &TrianglesOptions::default())?.total, 1);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn triangles(graph: &Graph, options: &TrianglesOptions) -> Result<Triangles> {
    graph.check()?;
    cpu::triangles(graph, &Neighbors::default(), &KeptRanked::default(), options)
}

impl LoadedGraph<'_> {
    /// Counts triangles, as [`triangles`](triangles()) does on the cpu, and with the same numbers.
    ///
    /// A GPU has all strategies but `bitmap`. The edges as they are ranked are kept for the next call.
    ///
    /// Fails as that does; on a GPU also where they do not fit its memory.
    ///
    /// ```
    /// use equipoise::LoadedGraph;
    /// use equipoise::device::Device;
    /// use equipoise::graph::{Edges, GraphBuilder};
    /// use equipoise::triangles::TrianglesOptions;
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2), (2, 0), (2, 3)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// assert_eq!(loaded.triangles(&TrianglesOptions::default())?.counts, [1, 1, 1, 0]);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn triangles(&self, options: &TrianglesOptions) -> Result<Triangles> {
        match &self.there {
            Some(there) => gpu::triangles(there, &self.neighbors, &self.ranked, options),
            None => cpu::triangles(self.graph, &self.neighbors, &self.ranked, options),
        }
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
