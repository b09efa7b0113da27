//! Shortest paths between all pairs of vertices.
//!
//! The strategies are those of Pathak et al., "Accelerating large graph algorithms on GPU using
//! CUDA": Floyd-Warshall, whose time does not depend on the edges, over the whole matrix or in blocks, and
//! one single-source run a vertex, which wins where edges are few.

mod choice;
mod cpu;
mod floyd_warshall;
mod gpu;
mod hops;
mod length;
mod naive;
mod numbers;
mod oracle;
mod output;
mod overflow;
mod pairs;
mod plan;
mod result;
mod rows;
mod start;
mod tile;
mod verify;
mod with_hops;

use equipoise_graph::{Graph, Weights};

pub(crate) use self::gpu::apsp as on_gpu;
pub use self::{numbers::Numbers, output::ApspOutput, pairs::PairDistances, result::Apsp};
use crate::{Result, sssp::check_weights};

equipoise_graph::named_enum! {
    /// How all pairs of vertices are solved.
    ///
    /// ```
    /// use equipoise::apsp::ApspStrategy;
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
        /// Floyd-Warshall in its plain form: over the whole matrix for each vertex.
        Naive = "naive",
        /// One single-source run a vertex, many of them at once.
        Sssp = "sssp",
    }
}

/// How to find the shortest paths between all pairs.
///
/// ```
/// use equipoise::apsp::{ApspOptions, ApspStrategy};
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
    /// The sources whose rows are wanted; without them, those of all vertices.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub sources: Option<Vec<u32>>,
    /// Whether the next vertex on the way from each vertex to each is wanted, too.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub next_hops: bool,
    /// The most bytes of the device's memory that may be taken; what is available without it.
    #[cfg_attr(feature = "clap", arg(skip))]
    pub memory_limit: Option<u64>,
    /// Sssp on a GPU: the most searches at once, at least 1; as many as pay without it.
    #[cfg_attr(feature = "clap", arg(long, value_name = "SEARCHES"))]
    pub searches_at_once: Option<u32>,
}

/// Finds the length of the shortest path from every vertex to every other.
///
/// An unweighted edge counts 1. A vertex is at distance 0 from itself, whatever its self-loops
/// weigh. Whole weights are summed with 32 bits where (n − 1) times the largest weight is less
/// than 2³¹ − 1, which no path then exceeds, and with 64 bits otherwise.
///
/// Floyd-Warshall takes time n³, single-source runs n · (m + n log n). Both need 4 bytes a pair of
/// vertices, or 8 with 64-bit sums, and little beside; next hops take 4 bytes a pair more.
/// `auto` takes Floyd-Warshall where n² ≤ 150 · (m + n log₂ n) or, if all weights are equal, where
/// n² ≤ 500 n + 30 m, and the other where that does not fit in memory. Rows of given sources are
/// found by single-source runs.
///
/// Fails where a weight is negative, infinite or not a number, where a source is not a vertex, where
/// a distance is more than an `f32` holds, and, before it takes any memory, where the result does not
/// fit.
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
    on_cpu(graph, options, &ApspOutput::default())
}

pub(crate) fn on_cpu(graph: &Graph, options: &ApspOptions, output: &ApspOutput) -> Result<Apsp> {
    graph.check()?;
    check_weights(graph)?;
    plan::check_options(graph, options)?;
    match graph.weights() {
        None => cpu::solve::<u32>(graph, options, output),
        Some(Weights::U32(weights)) if plan::fits_u32(graph.vertices(), weights) => {
            cpu::solve::<u32>(graph, options, output)
        }
        Some(Weights::U32(_)) => cpu::solve::<u64>(graph, options, output),
        Some(Weights::F32(_)) => cpu::solve::<f32>(graph, options, output)?.without_overflow(graph),
        Some(Weights::F64(_)) => cpu::solve::<f64>(graph, options, output)?.without_overflow(graph),
    }
}
