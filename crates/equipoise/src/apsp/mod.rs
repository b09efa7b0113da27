//! Shortest paths between all pairs of vertices.
//!
//! The strategies are those of Pathak et al., "Accelerating large graph algorithms on GPU using
//! CUDA": Floyd-Warshall, whose time does not depend on the edges, over the whole matrix or in blocks,
//! and one single-source run per vertex, which is fastest where edges are few.

mod algorithm;
mod choice;
mod cpu;
mod floyd_warshall;
mod gpu;
mod hops;
mod length;
mod matrix;
mod numbers;
mod options;
mod oracle;
mod output;
mod result;
mod rows;
mod tile;
mod verify;
mod with_hops;

use equipoise_graph::Graph;

pub use self::{
    numbers::{Numbers, PairDistances},
    options::{ApspOptions, ApspStrategy},
    output::ApspOutput,
    result::Apsp,
};
#[cfg(doc)]
use crate::Error;
use crate::{LoadedGraph, Result};

/// Finds the length of the shortest path from every vertex to every other.
///
/// An unweighted edge counts 1. The distance of a vertex to itself is 0, whatever its self-loops
/// weigh. Integer weights are summed with 32 bits where (n − 1) times the largest weight is less than
/// 2³¹ − 1, which no path then exceeds, and with 64 bits otherwise.
///
/// Floyd-Warshall takes time n³, single-source runs n · (m + n log n). Both need 4 bytes per pair of
/// vertices, or 8 with 64-bit sums, and little else; next hops take 4 more bytes per pair. `auto`
/// chooses Floyd-Warshall where n² ≤ 150 · (m + n log₂ n) or, if all weights are equal, where n² ≤
/// 500 n + 30 m, and single-source runs elsewhere, where Floyd-Warshall does not fit in memory, and for
/// rows of given sources.
///
/// Fails where a weight is negative, infinite or not a number, where a source is not a vertex, where
/// a distance overflows an `f32`, and, before it takes any memory, where the result does not fit.
///
/// ```
/// use equipoise::apsp::{ApspOptions, PairDistances, apsp};
/// use equipoise::graph::{Edges, GraphBuilder};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 0)]))?;
/// let result = apsp(&graph, &ApspOptions::default())?;
/// assert_eq!(result.distances, PairDistances::U32(vec![0, 1, 1, 0].into()));
/// let from_one = ApspOptions { sources: Some(vec![1]), ..ApspOptions::default() };
/// let result = apsp(&graph, &from_one)?;
/// assert_eq!(result.distances, PairDistances::U32(vec![1, 0].into()));
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn apsp(graph: &Graph, options: &ApspOptions) -> Result<Apsp> {
    cpu::apsp(graph, options, &ApspOutput::default())
}

impl LoadedGraph<'_> {
    /// Finds the length of the shortest path from every vertex to every other, as
    /// [`apsp`](crate::apsp::apsp()) does on the cpu.
    ///
    /// On a GPU, `blocked` and `naive` take 4 bytes of its memory per pair of vertices, rounded up to
    /// a multiple of 128 vertices, and as many for next hops. Where the matrix exceeds the memory or
    /// [`ApspOptions::memory_limit`], `blocked` keeps it on the host, and strips of its rows take
    /// turns on the device. `sssp` takes 16 bytes per vertex and search, or 20 with next hops, and
    /// runs as many searches at once as fit in memory.
    ///
    /// Fails as that does; on a GPU also where weights have 64 bits (`f64`, [`Error::WeightsTooWide`]),
    /// where a path may exceed 31 bits, where not even a strip of 128 rows or one search fits its
    /// memory, or, for `naive`, where the matrix does not.
    ///
    /// ```
    /// use equipoise::LoadedGraph;
    /// use equipoise::apsp::ApspOptions;
    /// use equipoise::device::Device;
    /// use equipoise::graph::{Edges, GraphBuilder};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 5u32), (1, 2, 2)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// let result = loaded.apsp(&ApspOptions::default())?;
    /// assert_eq!(result.distance(0, 2), Some(7.0));
    /// result.verify(&graph)?;
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn apsp(&self, options: &ApspOptions) -> Result<Apsp> {
        self.apsp_to(options, &ApspOutput::default())
    }

    /// As [`apsp`](Self::apsp), with files for the results, or a listener for the progress of a long
    /// run.
    ///
    /// Fails as that does, and where a file cannot be created.
    pub fn apsp_to(&self, options: &ApspOptions, output: &ApspOutput) -> Result<Apsp> {
        self.run(
            |gpu_graph| gpu::apsp(gpu_graph, options, output),
            || cpu::apsp(self.graph, options, output),
        )
    }
}
