//! Comparison of two runs: regressions and improvements.

use std::{collections::BTreeMap, fmt};

use crate::report::{
    data::Results,
    measured::{self, median},
};

/// The differences between two runs.
///
/// `Display` writes a list for people, the worst first.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The minimum relative difference: 0.1 for 10 %.
    pub threshold: f64,
    /// The regressions, the worst first.
    pub slower: Vec<Change>,
    /// The improvements, the best first.
    pub faster: Vec<Change>,
    /// The number of unchanged times.
    pub unchanged: usize,
    /// Measurements of the earlier run only.
    pub only_old: Vec<String>,
    /// Measurements of the later run only.
    pub only_new: Vec<String>,
}

/// One measurement with its times in both runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The measurement, such as `spmv / rmat20 / merge-path`.
    pub what: String,
    /// The median of the earlier run.
    pub old_seconds: f64,
    /// The median of the later run.
    pub new_seconds: f64,
}

impl Change {
    /// The later time relative to the earlier one: above 1 is a regression.
    ///
    /// ```
    /// use equipoise_lab::report::Change;
    ///
    /// let change = Change { what: "spmv".into(), old_seconds: 0.25, new_seconds: 0.5 };
    /// assert_eq!(change.ratio(), 2.0);
    /// ```
    pub fn ratio(&self) -> f64 {
        self.new_seconds / self.old_seconds
    }
}

impl Comparison {
    /// Whether any measurement became slower.
    ///
    /// ```
    /// use equipoise_lab::report::{Results, compare};
    ///
    /// let results = Results::new("Nightly run", "2026-11-15");
    /// assert!(!compare(&results, &results, 0.1).has_regression());
    /// ```
    pub fn has_regression(&self) -> bool {
        !self.slower.is_empty()
    }
}

/// Compares the times of two runs, by medians if a measurement has several times.
///
/// Differences count from `threshold` on, 0.1 for 10 %. Measurements of only one of the runs are
/// listed as such.
///
/// ```
/// use equipoise_lab::report::{Results, compare, data::ColoringTime};
///
/// let run = |seconds| {
///     let mut results = Results::new("Nightly run", "2026-11-15");
///     let (graph, strategy) = ("dip".into(), "hybrid".into());
///     results.coloring.push(ColoringTime { graph, strategy, seconds, colors: 31 });
///     results
/// };
/// let comparison = compare(&run(0.010), &run(0.013), 0.1);
/// assert_eq!(comparison.slower[0].what, "color / dip / hybrid");
/// println!("{comparison}");
/// ```
pub fn compare(old: &Results, new: &Results, threshold: f64) -> Comparison {
    let (old, mut new) = (medians(old), medians(new));
    let mut comparison = Comparison {
        threshold,
        slower: Vec::new(),
        faster: Vec::new(),
        unchanged: 0,
        only_old: Vec::new(),
        only_new: Vec::new(),
    };
    for (what, old_seconds) in old {
        match new.remove(&what) {
            None => comparison.only_old.push(what),
            Some(new_seconds) => comparison.add(Change { what, old_seconds, new_seconds }),
        }
    }
    comparison.only_new = new.into_keys().collect();
    comparison.slower.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()));
    comparison.faster.sort_by(|a, b| a.ratio().total_cmp(&b.ratio()));
    comparison
}

impl Comparison {
    fn add(&mut self, change: Change) {
        let factor = 1.0 + self.threshold;
        let is_slower = change.new_seconds > change.old_seconds * factor;
        if is_slower || change.new_seconds.is_nan() || change.old_seconds.is_nan() {
            self.slower.push(change);
        } else if change.new_seconds * factor < change.old_seconds {
            self.faster.push(change);
        } else {
            self.unchanged += 1;
        }
    }
}

fn medians(results: &Results) -> BTreeMap<String, f64> {
    let mut times: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for time in measured::times(results) {
        times.entry(time.key).or_default().push(time.seconds);
    }
    times.into_iter().map(|(key, seconds)| (key, median(seconds))).collect()
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (slower, faster) = (self.slower.len(), self.faster.len());
        let compared = slower + faster + self.unchanged;
        let percent = self.threshold * 100.0;
        writeln!(
            f,
            "{compared} times compared: {slower} slower and {faster} faster by {percent} %"
        )?;
        for (name, changes) in [("slower", &self.slower), ("faster", &self.faster)] {
            for change in changes {
                writeln!(f, "{name} {change}")?;
            }
        }
        for (name, keys) in [("earlier", &self.only_old), ("later", &self.only_new)] {
            for key in keys {
                writeln!(f, "only in the {name} run: {key}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (old, new) = (self.old_seconds * 1e3, self.new_seconds * 1e3);
        write!(f, "{:.2}×: {} ({old:.4} ms, now {new:.4} ms)", self.ratio(), self.what)
    }
}
