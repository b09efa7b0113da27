//! BFS and SSSP by strategy, and what the strategies stand on: Raval et al.

use serde::{Deserialize, Serialize};

/// What one strategy took for BFS or SSSP on one graph.
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
    /// `bfs` or `sssp`.
    pub algorithm: String,
    /// The graph.
    pub graph: String,
    /// The strategy.
    pub strategy: String,
    /// Time in kernels that do the search itself.
    pub kernel_seconds: f64,
    /// Time around them: the host's loop, scans, looks at the device.
    pub overhead_seconds: f64,
    /// Time for what the strategy makes beside the graph, once.
    pub prepare_seconds: f64,
    /// Memory on the device.
    pub device_bytes: Option<u64>,
    /// Lines of the strategy's code.
    pub lines_of_code: Option<u32>,
}

impl SearchTime {
    /// The time of a search once everything is prepared: kernels and overhead.
    ///
    /// The type has an example.
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
    /// `bfs` or `sssp`.
    pub algorithm: String,
    /// The graph.
    pub graph: String,
    /// The strategy.
    pub strategy: String,
    /// Why, such as `needs 12 GiB`.
    pub reason: String,
}

/// How many vertices have one degree.
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

/// The degrees of a graph before and after vertices above a threshold were split.
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
    /// The highest degree that a vertex keeps, found from the histogram.
    pub mdt: u64,
    /// Out-degrees before.
    pub before: Vec<DegreeCount>,
    /// Out-degrees after.
    pub after: Vec<DegreeCount>,
}

/// A search by edges that adds them to its list one by one, and in chunks of a vertex's edges.
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
    /// `bfs` or `sssp`.
    pub algorithm: String,
    /// The graph.
    pub graph: String,
    /// Time one by one.
    pub plain_seconds: f64,
    /// Time in chunks.
    pub chunked_seconds: f64,
}
