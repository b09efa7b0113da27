//! The parameters and the results of measuring the levels of a search.

use std::time::Duration;

use equipoise::{
    Error, Result,
    bfs::{Bfs, Candidate},
    select::features::Step,
};

use crate::experiments::timing::median::check_measuring;

/// The parameters of a measurement of breadth-first search.
///
/// ```
/// use equipoise_lab::experiments::MeasureOptions;
///
/// let options = MeasureOptions { repeat: 5, ..MeasureOptions::default() };
/// assert!(options.candidates.len() > 15);
/// ```
#[derive(Clone, Debug)]
pub struct MeasureOptions {
    /// The candidates timed at each level.
    pub candidates: Vec<Candidate>,
    /// The number of timed runs per candidate, after an untimed one: three times as many for those
    /// near the fastest, at most one for those far from it.
    pub repeat: u32,
    /// The maximum number of measured levels per search, evenly spread.
    pub most_levels: Option<u32>,
}

impl Default for MeasureOptions {
    fn default() -> Self {
        Self { candidates: Candidate::of_bfs(), repeat: 3, most_levels: None }
    }
}

/// A level at which all candidates were timed.
///
/// ```
/// use equipoise::select::features::Step;
/// use equipoise_lab::experiments::MeasuredLevel;
///
/// let step = Step { frontier: 1, frontier_edges: 3, discovered: 1 };
/// let times = vec![Err("needs 9 bytes of device memory".to_owned())];
/// let level = MeasuredLevel { level: 0, step, times };
/// assert!(level.times[0].is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredLevel {
    /// The level of the frontier.
    pub level: u32,
    /// The state of the search.
    pub step: Step,
    /// The median time of each candidate, or the reason why it has none. It includes the conversion
    /// of the frontier from the representation of the fusible candidates.
    pub times: Vec<Result<Duration, String>>,
}

/// A measured search.
///
/// ```no_run
/// # let measured: equipoise_lab::experiments::MeasuredBfs = unimplemented!();
/// println!("{} of {} levels", measured.levels.len(), measured.search.depth + 1);
/// ```
#[derive(Clone, Debug)]
pub struct MeasuredBfs {
    /// The measured levels.
    pub levels: Vec<MeasuredLevel>,
    /// The result of the search, which runs the fastest fusible candidate at each level, or the
    /// fastest of all if none is fusible. Its times are meaningless.
    pub search: Bfs,
}

impl MeasureOptions {
    pub(super) fn check(&self) -> Result<()> {
        check_measuring(self.candidates.len(), self.repeat)?;
        match self.most_levels {
            Some(0) => {
                let problem = format!("`most_levels` is 0: 1 to {} are possible", u32::MAX);
                Err(Error::Option(problem))
            }
            _ => Ok(()),
        }
    }

    /// Whether to measure a level of a search with `levels` levels.
    pub(super) fn wants(&self, level: u32, levels: u32) -> bool {
        let Some(most) = self.most_levels.filter(|&most| most < levels) else { return true };
        let part = |level: u32| u64::from(level) * u64::from(most) / u64::from(levels);
        level == 0 || part(level) != part(level - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measured_levels_are_spread_evenly() {
        let options = MeasureOptions { most_levels: Some(4), ..MeasureOptions::default() };
        let wanted: Vec<u32> = (0..10).filter(|&level| options.wants(level, 10)).collect();
        assert_eq!(wanted, [0, 3, 5, 8]);
        assert!((0..4).all(|level| options.wants(level, 4)));
        assert!(MeasureOptions::default().wants(999_999, 1_000_000));
    }
}
