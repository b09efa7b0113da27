//! BFS, SSSP and all pairs by basic methods: Pathak et al.

use serde::{Deserialize, Serialize};

/// The time of a method on a graph.
///
/// ```
/// use equipoise_lab::report::data::{MethodTime, Results};
///
/// let mut results = Results::new("Nightly run", "2026-11-15");
/// results.three_bfs.push(MethodTime {
///     graph: "graph 3".into(),
///     vertices: 82_168,
///     edges: 504_230,
///     method: "queue".into(),
///     seconds: 0.000_3,
/// });
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MethodTime {
    /// The graph.
    pub graph: String,
    /// Its vertices.
    pub vertices: u64,
    /// Its edges.
    pub edges: u64,
    /// The method.
    pub method: String,
    /// Its time.
    pub seconds: f64,
}

/// The times of SSSP on the cpu and on a GPU.
///
/// ```
/// use equipoise_lab::report::data::{Results, SsspSpeedup};
///
/// let mut results = Results::new("Nightly run", "2026-11-15");
/// results.sssp_speedups.push(SsspSpeedup {
///     graph: "graph 3".into(),
///     vertices: 82_168,
///     edges: 504_230,
///     cpu_seconds: 0.030,
///     gpu_seconds: 0.002,
/// });
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SsspSpeedup {
    /// The graph.
    pub graph: String,
    /// Its vertices.
    pub vertices: u64,
    /// Its edges.
    pub edges: u64,
    /// Time on the cpu.
    pub cpu_seconds: f64,
    /// Time on the GPU.
    pub gpu_seconds: f64,
}

/// The time of SSSP with several vertices per thread.
///
/// ```
/// use equipoise_lab::report::data::{Coarsening, Results};
///
/// let mut results = Results::new("Nightly run", "2026-11-15");
/// results.coarsening.push(Coarsening { graph: "graph 3".into(), factor: 4, seconds: 0.003 });
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coarsening {
    /// The graph.
    pub graph: String,
    /// The number of vertices per thread.
    pub factor: u32,
    /// The time.
    pub seconds: f64,
}
