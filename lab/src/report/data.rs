//! Results of measurements: the file that `equipoise-lab bench` writes, and the input of a page.
//!
//! [`Results`] has a list for each kind of measurement, with one file of this folder per subject.
//! An empty list was not measured, and is omitted from the file and the page. All times are medians
//! in seconds. If several entries belong to the same measurement, their median is shown and
//! compared; levels and iterations have one entry each.
//! thing, their median is shown and compared; levels and iterations have one entry each.

mod basics;
mod coloring;
mod levels;
mod searches;
mod spmv;

use serde::{Deserialize, Serialize};

pub use self::{
    basics::{Coarsening, MethodTime, SsspSpeedup},
    coloring::{
        ActiveBin, ActiveDegrees, Colored, ColoringTime, Degrees, Phase, QueueUse, Stealing,
        SwitchPoint,
    },
    levels::LevelTime,
    searches::{Chunking, DegreeCount, Refusal, SearchTime, Split},
    spmv::SpmvTime,
};
pub use crate::report::error::VERSION;

/// All results of one run. [`Results::new`] creates results of the current version.
///
/// ```
/// use equipoise_lab::report::data::{Results, SearchTime};
///
/// let mut results = Results::new("Nightly run", "2026-11-15");
/// results.fact("GPU", "a fast one");
/// results.searches.push(SearchTime {
///     algorithm: "bfs".into(),
///     graph: "rmat20".into(),
///     strategy: "decompose".into(),
///     kernel_seconds: 0.0021,
///     overhead_seconds: 0.0004,
///     prepare_seconds: 0.0,
///     device_bytes: Some(92_000_000),
///     lines_of_code: Some(87),
/// });
/// let file = results.to_json();
/// assert_eq!(Results::from_json(&file)?, results);
/// # Ok::<(), equipoise_lab::report::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    /// The version of the file: [`VERSION`].
    pub version: u32,
    /// The title of the page.
    pub title: String,
    /// The date of the measurement, for people.
    pub date: String,
    /// The conditions of the measurement: device, runs, versions.
    #[serde(default)]
    pub facts: Vec<Fact>,

    /// BFS and SSSP by each strategy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searches: Vec<SearchTime>,
    /// Searches that were not run, with the reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refusals: Vec<Refusal>,
    /// The effect of splitting vertices on the degrees of a graph.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub splits: Vec<Split>,
    /// Searches by edges with and without chunks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chunking: Vec<Chunking>,

    /// SpMV by each schedule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spmv: Vec<SpmvTime>,
    /// SpMV by other libraries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spmv_references: Vec<Reference>,

    /// BFS level by level, by each strategy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<LevelTime>,
    /// BFS by other programs: the median over sources of whole searches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bfs_references: Vec<Reference>,

    /// Coloring by each strategy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coloring: Vec<ColoringTime>,
    /// Coloring from queues, with and without stealing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stealing: Vec<Stealing>,
    /// The degrees of the graphs that were colored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub degrees: Vec<Degrees>,
    /// The degrees of uncolored vertices, at some iterations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub active_degrees: Vec<ActiveDegrees>,
    /// Hybrid coloring with its switch at different iterations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub switch_points: Vec<SwitchPoint>,
    /// The vertices colored in each iteration.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub colored: Vec<Colored>,

    /// The three BFS of Pathak et al.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub three_bfs: Vec<MethodTime>,
    /// SSSP on a GPU and on the cpu.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sssp_speedups: Vec<SsspSpeedup>,
    /// SSSP with several vertices per thread.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coarsening: Vec<Coarsening>,
    /// All pairs by its three strategies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub apsp: Vec<MethodTime>,

    /// Algorithms on whole graphs, one method per algorithm.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub whole_graphs: Vec<MethodTime>,
}

/// A fact about a run: the GPU, its driver, the number of runs.
///
/// ```
/// use equipoise_lab::report::data::{Fact, Results};
///
/// let mut results = Results::new("Nightly run", "2026-11-15");
/// results.facts.push(Fact { name: "GPU".into(), value: "a fast one".into() });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    /// The name of the fact, such as `GPU`.
    pub name: String,
    /// The value.
    pub value: String,
}

/// The time of another program or library for the same task. [`read_references`] reads a file of
/// them.
///
/// [`read_references`]: crate::report::read_references
///
/// ```
/// use equipoise_lab::report::data::{Reference, Results};
///
/// let mut results = Results::new("Nightly run", "2026-11-15");
/// results.spmv_references.push(Reference {
///     library: "cuSPARSE".into(),
///     input: "rmat20".into(),
///     seconds: 0.000_9,
/// });
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// The program or library, such as `cuSPARSE`.
    pub library: String,
    /// The graph or matrix, by its name in the other lists.
    pub input: String,
    /// Its time.
    pub seconds: f64,
}

impl Results {
    /// Empty results of the current version.
    ///
    /// ```
    /// let results = equipoise_lab::report::Results::new("Nightly run", "2026-11-15");
    /// assert!(results.searches.is_empty());
    /// ```
    pub fn new(title: impl Into<String>, date: impl Into<String>) -> Self {
        Self { version: VERSION, title: title.into(), date: date.into(), ..Self::default() }
    }

    /// Adds a fact about the run.
    ///
    /// ```
    /// let mut results = equipoise_lab::report::Results::new("Nightly run", "2026-11-15");
    /// results.fact("runs", "the median of 5, after a warm-up");
    /// assert_eq!(results.facts[0].name, "runs");
    /// ```
    pub fn fact(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.facts.push(Fact { name: name.into(), value: value.into() });
    }
}
