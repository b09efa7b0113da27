//! Measurements: runs of steps, with the time of every candidate at each.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use equipoise_select::MAX_CANDIDATES;

use crate::learn::{Error, Result};

/// The names of the features and of the candidates of a table.
///
/// ```
/// let schema = equipoise_lab::learn::Schema::new(&["vertices", "frontier"], &["push", "pull"]);
/// assert_eq!(schema.candidates[1], "pull");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schema {
    /// The features of every step, in this order.
    pub features: Vec<String>,
    /// The candidates timed at every step, in this order.
    pub candidates: Vec<String>,
}

impl Schema {
    /// Creates a schema.
    pub fn new(features: &[impl AsRef<str>], candidates: &[impl AsRef<str>]) -> Self {
        Self { features: owned(features), candidates: owned(candidates) }
    }

    /// Checks that names are distinct and can be stored in a file.
    pub(crate) fn check(&self) -> Result<()> {
        let count = self.candidates.len();
        if count > MAX_CANDIDATES {
            let message = format!("{count} candidates are over the limit of {MAX_CANDIDATES}");
            return Err(Error::Table(message));
        }
        for (what, names) in [("feature", &self.features), ("candidate", &self.candidates)] {
            if names.is_empty() {
                return Err(Error::Table(format!("the table has no {what}")));
            }
            let mut seen = HashSet::new();
            for name in names {
                check_name(what, name)?;
                if !seen.insert(name) {
                    return Err(Error::Table(format!("the table has the {what} `{name}` twice")));
                }
            }
        }
        Ok(())
    }
}

fn owned(names: &[impl AsRef<str>]) -> Vec<String> {
    names.iter().map(|name| name.as_ref().to_owned()).collect()
}

/// Checks that a name has no line end, because a line of a file is a step.
pub(crate) fn check_name(what: &str, name: &str) -> Result<()> {
    if name.is_empty() || name.chars().any(char::is_control) {
        Err(Error::Table(format!("{name:?} is no name for a {what}")))
    } else {
        Ok(())
    }
}

/// One step of a run: a level of a BFS, an iteration of SSSP, a whole SpMV.
///
/// ```
/// use equipoise_lab::learn::Step;
///
/// let step = Step::new(vec![100.0, 7.0], vec![Some(2e-6), None]).because("pull: needs 3 GB, of 2");
/// assert_eq!(step.times[1], None);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// The value of each feature.
    pub features: Vec<f32>,
    /// The time of each candidate in seconds; `None` if it could not run.
    pub times: Vec<Option<f64>>,
    /// Why candidates without a time could not run.
    pub reason: String,
}

impl Step {
    /// Creates a step with these features and times in seconds.
    pub fn new(features: Vec<f32>, times: Vec<Option<f64>>) -> Self {
        Self { features, times, reason: String::new() }
    }

    /// Adds the reason why some candidates have no time.
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = reason.into();
        self
    }

    fn check(&self, schema: &Schema) -> Result<(), String> {
        let (features, candidates) = (schema.features.len(), schema.candidates.len());
        if self.features.len() != features || self.times.len() != candidates {
            return Err(format!(
                "it has {} features and {} times; the table has {features} and {candidates}",
                self.features.len(),
                self.times.len()
            ));
        }
        if let Some(at) = self.features.iter().position(|value| !value.is_finite()) {
            let (name, value) = (&schema.features[at], self.features[at]);
            return Err(format!("the feature `{name}` is {value}, which is not finite"));
        }
        for (name, time) in schema.candidates.iter().zip(&self.times) {
            if let Some(time) = time.filter(|time| !(*time > 0.0 && time.is_finite())) {
                return Err(format!("`{name}` took {time} s, which is no time"));
            }
        }
        if self.times.iter().all(Option::is_none) {
            return Err("no candidate has a time".to_owned());
        }
        if self.times.iter().any(Option::is_none) && self.reason.is_empty() {
            return Err("a candidate has neither a time nor a reason".to_owned());
        }
        if self.reason.chars().any(char::is_control) {
            Err(format!("the reason {:?} is not one line", self.reason))
        } else {
            Ok(())
        }
    }
}

/// One run of an algorithm on a graph, step by step.
///
/// ```
/// use equipoise_lab::learn::Run;
///
/// let run = Run { graph: "rmat-20".into(), family: "rmat".into(), id: "source 7".into(), steps: vec![], origin: None };
/// assert_eq!(run.graph, "rmat-20");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// The name of the graph.
    pub graph: String,
    /// The family of the graph, such as `rmat`, `grid` or `real`.
    pub family: String,
    /// The identity of the run among the graph's runs: the source of a search, or `0`.
    pub id: String,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The origin of the graph, such as a generator's spec, and the device: equal for all runs that
    /// belong together. `None` if unknown.
    pub origin: Option<String>,
}

impl Run {
    /// Checks that the run is valid for a table.
    pub(crate) fn check(&self, schema: &Schema) -> Result<()> {
        check_name("graph", &self.graph)?;
        check_name("family", &self.family)?;
        check_name("run", &self.id)?;
        self.origin.as_deref().map_or(Ok(()), |origin| check_name("origin", origin))?;
        let context = format!("graph `{}`, run `{}`", self.graph, self.id);
        if self.steps.is_empty() {
            return Err(Error::Table(format!("{context}: it has no step")));
        }
        for (number, step) in self.steps.iter().enumerate() {
            step.check(schema)
                .map_err(|message| Error::Table(format!("{context}, step {number}: {message}")))?;
        }
        Ok(())
    }
}

/// An origin for a message.
pub(crate) fn origin_text(origin: &Option<String>) -> &str {
    origin.as_deref().unwrap_or("of unknown origin")
}

/// A graph of a table.
///
/// ```
/// let graph = equipoise_lab::learn::Graph { family: "grid".into(), name: "grid-1000".into() };
/// assert_eq!(graph.family, "grid");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Graph {
    /// The family of the graph.
    pub family: String,
    /// The name of the graph.
    pub name: String,
}

/// Measurements of complete runs.
///
/// ```
/// use equipoise_lab::learn::{Run, Schema, Step, Table};
///
/// let steps = vec![Step::new(vec![1.0], vec![Some(2e-6), Some(3e-6)])];
/// let run = Run { graph: "star".into(), family: "star".into(), id: "0".into(), steps, origin: None };
/// let table = Table::new(Schema::new(&["frontier"], &["push", "pull"]), vec![run])?;
/// assert_eq!(table.steps(), 1);
/// # Ok::<(), equipoise_lab::learn::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    schema: Schema,
    runs: Vec<Run>,
}

impl Table {
    /// Creates a table of runs.
    ///
    /// # Errors
    ///
    /// If the number of features or times of a step differs from the schema, a value is not finite,
    /// or no candidate ran; if a graph has two families or origins or a repeated run.
    pub fn new(schema: Schema, runs: Vec<Run>) -> Result<Self> {
        schema.check()?;
        let mut seen = HashSet::new();
        let mut families: BTreeMap<&str, &str> = BTreeMap::new();
        let mut origins: BTreeMap<&str, &Option<String>> = BTreeMap::new();
        for run in &runs {
            run.check(&schema)?;
            let Run { graph, family, id, .. } = run;
            if !seen.insert((graph, id)) {
                let message = format!("graph `{graph}` has the run `{id}` twice");
                return Err(Error::Table(message));
            }
            let first = families.entry(graph).or_insert(family);
            if *first != family {
                let message =
                    format!("graph `{graph}` is of the families `{first}` and `{family}`");
                return Err(Error::Table(message));
            }
            let first = origins.entry(graph).or_insert(&run.origin);
            if **first != run.origin {
                let (first, other) = (origin_text(first), origin_text(&run.origin));
                return Err(Error::Table(format!("graph `{graph}` is both {first} and {other}")));
            }
        }
        Ok(Self { schema, runs })
    }

    /// The names of the features and of the candidates.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The runs, in the order in which they were measured.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The total number of steps.
    pub fn steps(&self) -> usize {
        self.runs.iter().map(|run| run.steps.len()).sum()
    }

    /// The graphs, sorted by family and name.
    pub fn graphs(&self) -> BTreeSet<Graph> {
        let graph = |run: &Run| Graph { family: run.family.clone(), name: run.graph.clone() };
        self.runs.iter().map(graph).collect()
    }

    /// The families, sorted by name.
    pub fn families(&self) -> BTreeSet<String> {
        self.runs.iter().map(|run| run.family.clone()).collect()
    }

    /// The table of the runs that `wanted` selects.
    ///
    /// ```
    /// # use equipoise_lab::learn::{Run, Schema, Step, Table};
    /// # let steps = vec![Step::new(vec![1.0], vec![Some(2e-6)])];
    /// # let run = Run { graph: "star".into(), family: "star".into(), id: "0".into(), steps, origin: None };
    /// # let table = Table::new(Schema::new(&["frontier"], &["push"]), vec![run])?;
    /// let real = table.only(|run| run.family == "real");
    /// assert!(real.runs().is_empty());
    /// # Ok::<(), equipoise_lab::learn::Error>(())
    /// ```
    pub fn only(&self, wanted: impl Fn(&Run) -> bool) -> Self {
        self.with_runs(self.runs.iter().filter(|run| wanted(run)).cloned().collect())
    }

    /// The same features and candidates with other runs, which are valid.
    pub(crate) fn with_runs(&self, runs: Vec<Run>) -> Self {
        Self { schema: self.schema.clone(), runs }
    }

    /// The table of the runs on these graphs.
    ///
    /// ```
    /// # use equipoise_lab::learn::{Run, Schema, Step, Table};
    /// # let steps = vec![Step::new(vec![1.0], vec![Some(2e-6)])];
    /// # let run = Run { graph: "star".into(), family: "star".into(), id: "0".into(), steps, origin: None };
    /// # let table = Table::new(Schema::new(&["frontier"], &["push"]), vec![run])?;
    /// assert_eq!(table.restricted_to(&["star".to_owned()].into()).steps(), 1);
    /// # Ok::<(), equipoise_lab::learn::Error>(())
    /// ```
    pub fn restricted_to(&self, graphs: &BTreeSet<String>) -> Self {
        self.only(|run| graphs.contains(&run.graph))
    }

    /// The table restricted to these candidates, in this order.
    ///
    /// # Errors
    ///
    /// If the table lacks one of them, or none of them could run at some step.
    ///
    /// ```
    /// # use equipoise_lab::learn::{Run, Schema, Step, Table};
    /// # let steps = vec![Step::new(vec![1.0], vec![Some(2e-6), Some(3e-6)])];
    /// # let run = Run { graph: "star".into(), family: "star".into(), id: "0".into(), steps, origin: None };
    /// # let table = Table::new(Schema::new(&["frontier"], &["push", "pull"]), vec![run])?;
    /// let pull = table.choosing(&["pull".to_owned()])?;
    /// assert_eq!(pull.runs()[0].steps[0].times, [Some(3e-6)]);
    /// # Ok::<(), equipoise_lab::learn::Error>(())
    /// ```
    pub fn choosing(&self, candidates: &[String]) -> Result<Self> {
        let known = &self.schema.candidates;
        let index = |name: &String| {
            let what = "candidate";
            let unknown = || Error::UnknownName { what, name: name.clone(), known: known.clone() };
            known.iter().position(|known| known == name).ok_or_else(unknown)
        };
        let indices = candidates.iter().map(index).collect::<Result<Vec<usize>>>()?;
        let chosen = |step: &Step| Step {
            times: indices.iter().map(|&index| step.times[index]).collect(),
            ..step.clone()
        };
        let runs = self
            .runs
            .iter()
            .map(|run| Run { steps: run.steps.iter().map(chosen).collect(), ..run.clone() });
        Self::new(Schema::new(&self.schema.features, candidates), runs.collect())
    }
}
