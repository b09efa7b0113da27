//! What can go wrong on several ranks.

/// The result of an operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a graph could not be built, or an algorithm not run.
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
    /// A graph or a file is not what it should be, or memory is short.
    #[error(transparent)]
    Graph(#[from] equipoise_graph::Error),
    /// A GPU failed, or has no room.
    #[cfg(any(feature = "cuda", feature = "wgpu"))]
    #[error(transparent)]
    Device(#[from] equipoise_schedule::Error),
    /// An algorithm of one machine failed on this rank's part.
    #[cfg(any(feature = "cuda", feature = "wgpu"))]
    #[error(transparent)]
    Local(#[from] equipoise::Error),
    /// One rank failed, and so all did.
    #[error("rank {rank}: {message}")]
    OnRank {
        /// The first rank that failed.
        rank: usize,
        /// What it said.
        message: String,
    },
    /// Ranks were given what cannot belong together.
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
        /// The vertex asked for.
        vertex: u64,
        /// How many there are, on all ranks.
        vertices: u64,
    },
    /// A weight that shortest paths cannot have.
    #[error(
        "the edge from {source_id} to {target_id} has weight {weight}: shortest paths need weights that are zero or more \
         and finite"
    )]
    BadWeight {
        /// Where the edge starts.
        source_id: u64,
        /// Where the edge ends.
        target_id: u64,
        /// Its weight.
        weight: f64,
    },
    /// A path is longer than the numbers that weights are given in.
    #[error(
        "the distance from {source_id} to {target_id} is more than the numbers that weights are given in hold: divide \
         all weights by the same number"
    )]
    TooFar {
        /// Where the path starts.
        source_id: u64,
        /// Where the path ends.
        target_id: u64,
    },
    /// An option that does not fit the graph or another option.
    #[error("{0}")]
    Option(String),
    /// A result is not right.
    #[error("the result is wrong: {0}")]
    Wrong(String),
}
