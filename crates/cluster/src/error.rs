//! Errors on several ranks.

/// The result of an operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of building a graph or of running an algorithm.
///
/// ```
/// use equipoise_cluster::Error;
///
/// let error = Error::OnRank { rank: 3, message: "the disk is full".into() };
/// assert_eq!(error.to_string(), "rank 3: the disk is full");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A graph or a file is invalid, or memory is short.
    #[error(transparent)]
    Graph(#[from] equipoise_graph::Error),
    /// A GPU failed, or its memory is short.
    #[cfg(any(feature = "cuda", feature = "wgpu"))]
    #[error(transparent)]
    Device(#[from] equipoise_schedule::Error),
    /// An algorithm of one machine failed on the part of this rank.
    #[cfg(any(feature = "cuda", feature = "wgpu"))]
    #[error(transparent)]
    Local(#[from] equipoise::Error),
    /// One rank failed.
    #[error("rank {rank}: {message}")]
    OnRank {
        /// The first rank that failed.
        rank: usize,
        /// Its message.
        message: String,
    },
    /// Ranks have inputs that do not belong together.
    #[error("the ranks disagree: {0}")]
    Disagree(String),
    /// More vertices than a rank can number.
    #[error(
        "rank {rank} has {owned} vertices and mirrors of {mirrors}: together they must be at most {}, as ids within a \
         rank have 32 bits: use more ranks",
        equipoise_graph::MAX_VERTICES
    )]
    TooManyOnRank {
        /// The rank.
        rank: usize,
        /// The vertices that it owns.
        owned: u64,
        /// The vertices of other ranks that its edges lead to.
        mirrors: u64,
    },
    /// A source is not a vertex of the graph.
    #[error("vertex {vertex} does not exist: the graph has {vertices} vertices")]
    NoSuchVertex {
        /// The requested vertex.
        vertex: u64,
        /// The number of vertices, on all ranks.
        vertices: u64,
    },
    /// A weight that shortest paths cannot have.
    #[error(
        "the edge from {source_id} to {target_id} has weight {}: shortest paths need weights that are zero or more \
         and finite",
        equipoise_graph::numbers::short(.weight)
    )]
    BadWeight {
        /// The source of the edge.
        source_id: u64,
        /// The target of the edge.
        target_id: u64,
        /// Its weight.
        weight: f64,
    },
    /// The length of a path exceeds the type of weights.
    #[error(
        "the distance from {source_id} to {target_id} is more than the numbers that weights are given in hold: divide \
         all weights by the same number"
    )]
    TooFar {
        /// The start of the path.
        source_id: u64,
        /// The end of the path.
        target_id: u64,
    },
    /// Weights have 64 bits, which the GPUs of ranks cannot add up.
    #[error(
        "GPUs find shortest paths by weights of 32 bits, and these have 64 (f64): use the cpu, or weights of type f32, whose \
         sums are rounded"
    )]
    WeightsTooWide,
    /// Iterations ended before the result was within its tolerance.
    #[error(
        "the ranks did not converge: iteration {iterations} still changed them by {change:.1e}, and the tolerance is \
         {tolerance:e}; allow more iterations or a larger tolerance, or ask for a number of iterations"
    )]
    NotConverged {
        /// The number of iterations made.
        iterations: u32,
        /// The change by the last of them, summed over all vertices.
        change: f64,
        /// The tolerated change.
        tolerance: f64,
    },
    /// An option that does not fit the graph or another option.
    #[error("{0}")]
    Option(String),
    /// A result is wrong.
    #[error("the result is wrong: {0}")]
    Wrong(String),
}
