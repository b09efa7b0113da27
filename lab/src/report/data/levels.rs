//! BFS level by level: Verstraaten et al.

use serde::{Deserialize, Serialize};

/// The time of a strategy for one level of a search.
///
/// ```
/// use equipoise_lab::report::data::{LevelTime, Results};
///
/// let mut results = Results::new("Nightly run", "2026-11-15");
/// results.levels.push(LevelTime {
///     graph: "rmat20".into(),
///     source: 7,
///     level: 2,
///     strategy: "pull".into(),
///     seconds: 0.000_04,
///     chosen: true,
/// });
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelTime {
    /// The graph.
    pub graph: String,
    /// The source of the search, counted from 0.
    pub source: u64,
    /// The level, from 0.
    pub level: u32,
    /// The strategy, with settings after a `+` if it has any: `virtual-warp+plane+16`.
    pub strategy: String,
    /// The time of the level.
    pub seconds: f64,
    /// Whether the policy chooses this strategy for this level.
    pub chosen: bool,
}
