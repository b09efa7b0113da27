//! Two runs compared: what got slower, what got faster.

use std::{collections::BTreeMap, fmt};

use crate::report::{
    data::Results,
    measured::{self, median},
};

/// What is different between two runs.
///
/// Its `Display` is a list for people, the worst first.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// How much slower or faster is a difference: 0.1 for 10 %.
    pub threshold: f64,
    /// What got slower, the worst first.
    pub slower: Vec<Change>,
    /// What got faster, the best first.
    pub faster: Vec<Change>,
    /// How many times are about the same.
    pub unchanged: usize,
    /// What only the earlier run measured.
    pub only_old: Vec<String>,
    /// What only the later run measured.
    pub only_new: Vec<String>,
}

/// One measured thing with its times in both runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// What it is, such as `spmv / rmat20 / merge-path`.
    pub what: String,
    /// The median of the earlier run.
    pub old_seconds: f64,
    /// The median of the later run.
    pub new_seconds: f64,
}

impl Change {
    /// The later time over the earlier one: above 1 it got slower.
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
    /// Whether anything got slower.
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

/// Compares each time of two runs, the median where one has several of the same thing.
///
/// A difference counts from `threshold` on, 0.1 for 10 %. What only one of the runs measured is
/// listed, and is neither slower nor faster.
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
