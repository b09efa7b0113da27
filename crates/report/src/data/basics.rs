//! BFS, SSSP and all pairs by their plainest methods: Pathak et al.

use serde::{Deserialize, Serialize};

/// What one method took on one graph.
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

/// SSSP on the cpu and on a GPU.
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

/// SSSP where a unit takes several vertices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coarsening {
    /// The graph.
    pub graph: String,
    /// Vertices a unit.
    pub factor: u32,
    /// The time.
    pub seconds: f64,
}
