//! BFS and SSSP by strategy, and the preprocessing of strategies: Raval et al.

use serde::{Deserialize, Serialize};

/// The time of a strategy for BFS or SSSP on a graph.
///
/// ```
/// use equipoise_lab::report::data::SearchTime;
///
/// let time = SearchTime {
///     algorithm: "sssp".into(),
///     graph: "road-FLA".into(),
///     strategy: "split".into(),
///     kernel_seconds: 0.5,
///     overhead_seconds: 0.25,
///     prepare_seconds: 0.011,
///     device_bytes: None,
///     lines_of_code: None,
/// };
/// assert_eq!(time.search_seconds(), 0.75);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchTime {
    /// The name: `bfs` or `sssp`.
    pub algorithm: String,
    /// The graph.
    pub graph: String,
    /// The strategy.
    pub strategy: String,
    /// Time in kernels of the search itself.
    pub kernel_seconds: f64,
    /// Time around them: the host's loop, scans, read-backs.
    pub overhead_seconds: f64,
    /// Time of one-time preparation besides the graph.
    pub prepare_seconds: f64,
    /// Memory on the device.
    pub device_bytes: Option<u64>,
    /// Lines of code of the strategy.
    pub lines_of_code: Option<u32>,
}

impl SearchTime {
    /// The time of a search after preparation: kernels and overhead.
    ///
    /// See the example of the type.
    pub fn search_seconds(&self) -> f64 {
        self.kernel_seconds + self.overhead_seconds
    }
}

/// A search that was not run.
///
/// ```
/// use equipoise_lab::report::data::{Refusal, Results};
///
/// let mut results = Results::new("Nightly run", "2026-11-15");
/// results.refusals.push(Refusal {
///     algorithm: "bfs".into(),
///     graph: "graph500".into(),
///     strategy: "edge".into(),
///     reason: "needs 12 GiB".into(),
/// });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refusal {
    /// The name: `bfs` or `sssp`.
    pub algorithm: String,
    /// The graph.
    pub graph: String,
    /// The strategy.
    pub strategy: String,
    /// The reason, such as `needs 12 GiB`.
    pub reason: String,
}

/// The number of vertices with one degree.
///
/// ```
/// use equipoise_lab::report::data::DegreeCount;
///
/// let two_leaves = DegreeCount { degree: 1, vertices: 2 };
/// assert_eq!(two_leaves.degree * two_leaves.vertices, 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DegreeCount {
    /// The degree.
    pub degree: u64,
    /// The number of vertices with it.
    pub vertices: u64,
}

/// The degrees of a graph before and after splitting vertices above a threshold.
///
/// ```
/// use equipoise_lab::report::data::{DegreeCount, Results, Split};
///
/// let mut results = Results::new("Nightly run", "2026-11-15");
/// results.splits.push(Split {
///     graph: "star".into(),
///     mdt: 2,
///     before: vec![DegreeCount { degree: 4, vertices: 1 }],
///     after: vec![DegreeCount { degree: 2, vertices: 2 }],
/// });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Split {
    /// The graph.
    pub graph: String,
    /// The maximum out-degree that a vertex keeps (MDT), determined from the histogram.
    pub mdt: u64,
    /// Out-degrees before.
    pub before: Vec<DegreeCount>,
    /// Out-degrees after.
    pub after: Vec<DegreeCount>,
}

/// A search by edges that appends edges one at a time, and in chunks of a vertex's edges.
///
/// ```
/// use equipoise_lab::report::data::{Chunking, Results};
///
/// let mut results = Results::new("Nightly run", "2026-11-15");
/// results.chunking.push(Chunking {
///     algorithm: "bfs".into(),
///     graph: "rmat20".into(),
///     plain_seconds: 0.004,
///     chunked_seconds: 0.002,
/// });
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chunking {
    /// The name: `bfs` or `sssp`.
    pub algorithm: String,
    /// The graph.
    pub graph: String,
    /// The time one at a time.
    pub plain_seconds: f64,
    /// Time in chunks.
    pub chunked_seconds: f64,
}
