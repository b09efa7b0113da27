//! Shortest paths between all pairs of vertices.
//!
//! The strategies are those of Pathak et al., "Accelerating large graph algorithms on GPU using
//! CUDA": Floyd-Warshall, whose time does not depend on the edges, as it is told or in blocks, and
//! one single-source run a vertex, which wins where edges are few.

mod floyd_warshall;
#[cfg(any(feature = "cuda", feature = "wgpu"))]
mod gpu;
mod length;
mod naive;
mod on;
mod oracle;
mod plan;
mod rows;
mod tile;
mod verify;

use std::io::{self, Write};

use equipoise_graph::{Graph, Weights};

pub use self::on::apsp_on;
use self::{length::Length, tile::Vectors};
use crate::{Distances, Result, Times, device, npy, times::timed};

equipoise_graph::named_enum! {
    /// How all pairs of vertices are solved.
    ///
    /// ```
    /// use equipoise::ApspStrategy;
    ///
    /// assert_eq!("blocked".parse(), Ok(ApspStrategy::Blocked));
    /// ```
    #[derive(Default)]
    pub enum ApspStrategy("all-pairs strategy") {
        /// The one that should be faster, by the numbers of vertices and edges.
        #[default]
        Auto = "auto",
        /// Floyd-Warshall in blocks: over tiles.
        Blocked = "blocked",
        /// Floyd-Warshall as it is told: over the whole matrix for each vertex.
        Naive = "naive",
        /// One single-source run a vertex, many of them at once.
        Sssp = "sssp",
    }
}

/// How to find the shortest paths between all pairs.
///
/// ```
/// use equipoise::{ApspOptions, ApspStrategy};
///
/// let options = ApspOptions { strategy: ApspStrategy::Sssp, ..ApspOptions::default() };
/// assert_eq!(options.memory_limit, None);
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct ApspOptions {
    /// How all pairs of vertices are solved.
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub strategy: ApspStrategy,
    /// The most bytes of memory that may be taken; what is available without it.
    #[cfg_attr(feature = "clap", arg(long, value_name = "BYTES"))]
    pub memory_limit: Option<u64>,
}

/// The distance of every pair of vertices.
///
/// ```
/// use equipoise::{ApspOptions, apsp};
/// use equipoise::graph::{Edges, GraphBuilder};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 5u32), (1, 2, 2)]))?;
/// let result = apsp(&graph, &ApspOptions::default())?;
/// assert_eq!(result.distance(0, 2), Some(7.0));
/// assert_eq!(result.distance(2, 0), None);
/// result.verify(&graph)?;
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Apsp {
    /// The number of vertices, n.
    pub vertices: u32,
    /// The strategy used; never `auto`.
    pub strategy: ApspStrategy,
    /// The distances, n rows of n: that from `s` to `t` is at `s * n + t`.
    pub distances: Distances,
    /// Where the time went.
    pub times: Times,
}

impl Apsp {
    /// The distance from `source` to `target`, if there is a path.
    pub fn distance(&self, source: u32, target: u32) -> Option<f64> {
        self.distances.get(source as usize * self.vertices as usize + target as usize)
    }

    /// Writes the distances as a NumPy array of n by n, of type `<u4`, `<u8` or `<f4`.
    ///
    /// Where there is no path it has the largest number of its type, or infinity.
    ///
    /// ```
    /// use equipoise::{ApspOptions, apsp};
    /// use equipoise::graph::{Edges, GraphBuilder};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1)]))?;
    /// let mut file = Vec::new();
    /// apsp(&graph, &ApspOptions::default())?.write_npy(&mut file).unwrap();
    /// assert!(file.starts_with(b"\x93NUMPY"));
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn write_npy(&self, out: &mut dyn Write) -> io::Result<()> {
        let shape = [u64::from(self.vertices); 2];
        match &self.distances {
            Distances::U32(values) => npy::write(out, &shape, values),
            Distances::U64(values) => npy::write(out, &shape, values),
            Distances::F32(values) => npy::write(out, &shape, values),
        }
    }
}

/// Finds the length of the shortest path from every vertex to every other.
///
/// An unweighted edge counts 1. A vertex is at distance 0 from itself, whatever its self-loops
/// weigh. Whole weights are summed with 32 bits where (n − 1) times the largest weight is less
/// than 2³¹ − 1, which no path then exceeds, and with 64 bits otherwise. A sum of `f32` weights that
/// is more than `f32` holds is infinite, as if there were no path.
///
/// Floyd-Warshall takes time n³, single-source runs n · (m + n log n). Both need 4 bytes a pair of
/// vertices, or 8 with 64-bit sums, and little beside.
/// `auto` takes Floyd-Warshall where n² ≤ 150 · (m + n log₂ n) or, if all weights are equal, where
/// n² ≤ 500 n + 30 m, and the other where that does not fit in memory.
///
/// Fails where a weight is negative, infinite or not a number, and, before it takes any memory,
/// where the result does not fit.
///
/// ```
/// use equipoise::{ApspOptions, Distances, apsp};
/// use equipoise::graph::{Edges, GraphBuilder};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 0)]))?;
/// let result = apsp(&graph, &ApspOptions::default())?;
/// assert_eq!(result.distances, Distances::U32(vec![0, 1, 1, 0]));
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn apsp(graph: &Graph, options: &ApspOptions) -> Result<Apsp> {
    graph.check()?;
    plan::check_weights(graph)?;
    match graph.weights() {
        None => solve(graph, |_| 1u32, options),
        Some(Weights::U32(weights)) if plan::fits_u32(graph.vertices(), weights) => {
            solve(graph, |edge| weights[edge], options)
        }
        Some(Weights::U32(weights)) => solve(graph, |edge| u64::from(weights[edge]), options),
        // Adding 0 makes 0 of −0.
        Some(Weights::F32(weights)) => solve(graph, |edge| weights[edge] + 0.0, options),
    }
}

fn solve<T: Length>(
    graph: &Graph,
    weight: impl Fn(usize) -> T + Sync,
    options: &ApspOptions,
) -> Result<Apsp> {
    let available = options.memory_limit.unwrap_or_else(device::available_memory);
    let equal_weight = rows::equal_weight(graph, &weight);
    let strategy = match options.strategy {
        ApspStrategy::Auto => plan::choose::<T>(graph, equal_weight.is_some(), available),
        given => given,
    };
    let mut matrix = plan::reserve(graph, strategy, available)?;
    let ((), kernel) = timed(|| match strategy {
        ApspStrategy::Blocked | ApspStrategy::Auto => {
            let vectors = Vectors::available();
            let widest = vectors.last().copied().unwrap_or(Vectors::Plain);
            floyd_warshall::floyd_warshall(graph, weight, &mut matrix, widest);
        }
        ApspStrategy::Naive => naive::naive(graph, weight, &mut matrix),
        ApspStrategy::Sssp => rows::rows(graph, weight, equal_weight, &mut matrix),
    });
    let distances = T::into_distances(matrix);
    let times = Times { kernel, ..Times::default() };
    Ok(Apsp { vertices: graph.vertices(), strategy, distances, times })
}
