//! Coloring: Che et al.

use serde::{Deserialize, Serialize};

use super::DegreeCount;

/// The time and the colors of a strategy on a graph.
///
/// ```
/// use equipoise_lab::report::data::{ColoringTime, Results};
///
/// let mut results = Results::new("Nightly run", "2026-11-15");
/// results.coloring.push(ColoringTime {
///     graph: "dip".into(),
///     strategy: "hybrid".into(),
///     seconds: 0.004,
///     colors: 38,
/// });
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColoringTime {
    /// The graph.
    pub graph: String,
    /// The strategy.
    pub strategy: String,
    /// Its time.
    pub seconds: f64,
    /// The number of colors.
    pub colors: u32,
}

/// Coloring of a graph from queues, with or without stealing.
///
/// ```
/// use equipoise_lab::report::data::{QueueUse, Results, Stealing};
///
/// let mut results = Results::new("Nightly run", "2026-11-15");
/// results.stealing.push(Stealing {
///     graph: "dip".into(),
///     queues: 4,
///     stealing: true,
///     seconds: 0.004,
///     consumed: None,
///     first_pass: Some(QueueUse { max: 81, min: 75, mean: 78.0, sigma: 2.45 }),
/// });
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stealing {
    /// The graph.
    pub graph: String,
    /// The number of queues.
    pub queues: u32,
    /// Whether a cube whose queue is empty steals from another.
    pub stealing: bool,
    /// The time.
    pub seconds: f64,
    /// The elements that the queues' owners consumed, in all passes over the vertices.
    pub consumed: Option<QueueUse>,
    /// The same in the first pass alone, as in the paper.
    #[serde(default)]
    pub first_pass: Option<QueueUse>,
}

/// The distribution over queues of the elements consumed by their owners.
///
/// ```
/// use equipoise_lab::report::data::QueueUse;
///
/// let even = QueueUse { max: 78, min: 78, mean: 78.0, sigma: 0.0 };
/// assert_eq!(even.max, even.min);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueueUse {
    /// The maximum.
    pub max: u64,
    /// The minimum.
    pub min: u64,
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub sigma: f64,
}

/// The degrees of a graph.
///
/// ```
/// use equipoise_lab::report::data::{DegreeCount, Degrees, Results};
///
/// let mut results = Results::new("Nightly run", "2026-11-15");
/// results.degrees.push(Degrees {
///     graph: "star".into(),
///     counts: vec![DegreeCount { degree: 1, vertices: 4 }, DegreeCount { degree: 4, vertices: 1 }],
/// });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Degrees {
    /// The graph.
    pub graph: String,
    /// The number of vertices per degree.
    pub counts: Vec<DegreeCount>,
}

/// The degrees of the vertices that are uncolored at the start of an iteration.
///
/// ```
/// use equipoise_lab::report::data::{ActiveBin, ActiveDegrees, Results};
///
/// let mut results = Results::new("Nightly run", "2026-11-15");
/// results.active_degrees.push(ActiveDegrees {
///     graph: "dip".into(),
///     strategy: "hybrid".into(),
///     iteration: 3,
///     active: 20,
///     bins: vec![ActiveBin { first_vertex: 0, active: 20, max_degree: 45 }],
/// });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActiveDegrees {
    /// The graph.
    pub graph: String,
    /// The strategy.
    pub strategy: String,
    /// The iteration, from 1.
    pub iteration: u32,
    /// The number of active vertices.
    pub active: u64,
    /// Ranges of neighbouring vertices; a few hundred suffice for a picture.
    pub bins: Vec<ActiveBin>,
}

/// The active vertices in a range.
///
/// ```
/// use equipoise_lab::report::data::ActiveBin;
///
/// let bin = ActiveBin { first_vertex: 100, active: 20, max_degree: 45 };
/// assert!(bin.active > 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActiveBin {
    /// The first vertex.
    pub first_vertex: u64,
    /// The number of active vertices.
    pub active: u64,
    /// Their maximum degree.
    pub max_degree: u64,
}

/// Hybrid coloring that switches from degrees to random numbers after some iterations.
///
/// ```
/// use equipoise_lab::report::data::{Results, SwitchPoint};
///
/// let mut results = Results::new("Nightly run", "2026-11-15");
/// results.switch_points.push(SwitchPoint { graph: "dip".into(), switch_after: 9, seconds: 0.004, colors: 38 });
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwitchPoint {
    /// The graph.
    pub graph: String,
    /// The number of iterations by degree.
    pub switch_after: u32,
    /// The time.
    pub seconds: f64,
    /// The number of colors.
    pub colors: u32,
}

/// The priority of vertices in an iteration of hybrid coloring.
///
/// ```
/// use equipoise_lab::report::data::Phase;
///
/// assert_ne!(Phase::Degree, Phase::Random);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// The higher degree.
    Degree,
    /// The higher random number.
    Random,
}

/// The number of vertices colored in one iteration.
///
/// ```
/// use equipoise_lab::report::data::{Colored, Phase, Results};
///
/// let mut results = Results::new("Nightly run", "2026-11-15");
/// results.colored.push(Colored {
///     graph: "dip".into(),
///     strategy: "hybrid".into(),
///     iteration: 1,
///     phase: Phase::Degree,
///     vertices: 3400,
/// });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Colored {
    /// The graph.
    pub graph: String,
    /// The strategy.
    pub strategy: String,
    /// The iteration, from 1.
    pub iteration: u32,
    /// The priority in this iteration.
    pub phase: Phase,
    /// The number of vertices colored.
    pub vertices: u64,
}
