//! What was measured: the file that `equipoise-lab bench` writes, and what a page is made of.
//!
//! [`Results`] has a list for each kind of measurement, a file of this folder for those that belong
//! together. A list that is empty was not measured: it is left out of the file and of the page. All
//! times are in seconds, and each is the median of its runs. Where several entries are of the same
//! thing, their median is shown and compared; levels and iterations have one entry each.

mod basics;
mod coloring;
mod levels;
mod searches;
mod spmv;

use std::{fs, path::Path};

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
use crate::report::{Error, Result, measured};

/// The version of the file that this program reads and writes.
pub const VERSION: u32 = 1;

/// All that one run measured. [`Results::new`] makes one of the current version.
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
    /// What the page is called.
    pub title: String,
    /// When it was measured, as people should read it.
    pub date: String,
    /// What it was measured on, and how.
    #[serde(default)]
    pub facts: Vec<Fact>,

    /// BFS and SSSP by each strategy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searches: Vec<SearchTime>,
    /// Searches that were not run, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refusals: Vec<Refusal>,
    /// What splitting vertices does to the degrees of a graph.
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
    /// BFS by other programs, a whole search from each source at the median.
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
    /// The degrees of vertices that are not colored yet, at some iterations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub active_degrees: Vec<ActiveDegrees>,
    /// Hybrid coloring with its switch at different iterations.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub switch_points: Vec<SwitchPoint>,
    /// How many vertices each iteration colored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub colored: Vec<Colored>,

    /// The three BFS of Pathak et al.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub three_bfs: Vec<MethodTime>,
    /// SSSP on a GPU and on the cpu.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sssp_speedups: Vec<SsspSpeedup>,
    /// SSSP with several vertices a unit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coarsening: Vec<Coarsening>,
    /// The three ways to all pairs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub apsp: Vec<MethodTime>,

    /// Algorithms on whole graphs, a method each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub whole_graphs: Vec<MethodTime>,
}

/// Something to know about a run: the GPU, its driver, the number of runs.
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
    /// What it is about, such as `GPU`.
    pub name: String,
    /// What there is to know.
    pub value: String,
}

/// What another program or library took for the same thing. [`read_references`] reads a file of them.
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
    /// The graph or matrix, by the name that it has in the other lists.
    pub input: String,
    /// Its time.
    pub seconds: f64,
}

impl Results {
    /// Results of the current version with nothing measured.
    ///
    /// ```
    /// let results = equipoise_lab::report::Results::new("Nightly run", "2026-11-15");
    /// assert!(results.searches.is_empty());
    /// ```
    pub fn new(title: impl Into<String>, date: impl Into<String>) -> Self {
        Self { version: VERSION, title: title.into(), date: date.into(), ..Self::default() }
    }

    /// Adds something to know about the run.
    ///
    /// ```
    /// let mut results = equipoise_lab::report::Results::new("Nightly run", "2026-11-15");
    /// results.fact("runs", "the median of 5, after a warm-up");
    /// assert_eq!(results.facts[0].name, "runs");
    /// ```
    pub fn fact(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.facts.push(Fact { name: name.into(), value: value.into() });
    }

    /// The results as the text of their file.
    ///
    /// ```
    /// let text = equipoise_lab::report::Results::new("Nightly run", "2026-11-15").to_json();
    /// assert!(text.contains("\"version\": 1"));
    /// ```
    pub fn to_json(&self) -> String {
        // Maps with keys that are not strings are all that could fail here, and there are none.
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Reads the text of a file.
    ///
    /// Fails if it is of another version, has a field that is not known or misses one, or has a time
    /// below zero.
    ///
    /// ```
    /// use equipoise_lab::report::Results;
    ///
    /// let error = Results::from_json(r#"{"version": 99}"#).unwrap_err();
    /// assert!(error.to_string().contains("version 99"));
    /// ```
    pub fn from_json(text: &str) -> Result<Self> {
        #[derive(Deserialize)]
        struct OnlyVersion {
            version: u64,
        }
        let OnlyVersion { version } = serde_json::from_str(text)?;
        if version != u64::from(VERSION) {
            return Err(Error::Version { found: version });
        }
        let results: Self = serde_json::from_str(text)?;
        for time in measured::times(&results) {
            if time.seconds < 0.0 || time.seconds.is_nan() {
                return Err(Error::Number { what: time.key, value: time.seconds });
            }
        }
        Ok(results)
    }

    /// Reads a file.
    ///
    /// ```no_run
    /// let earlier = equipoise_lab::report::Results::read("earlier.json".as_ref())?;
    /// # Ok::<(), equipoise_lab::report::Error>(())
    /// ```
    pub fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path)
            .map_err(|source| Error::File { path: path.to_owned(), source })?;
        Self::from_json(&text)
    }
}
