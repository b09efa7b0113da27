//! The time of every candidate at every level of a search.

use std::time::Duration;

use equipoise_select::features::Step;

use super::{Bfs, Candidate};
use crate::{learned, limits::within};

/// What is measured at the levels of a breadth-first search.
///
/// ```
/// use equipoise::MeasureOptions;
///
/// let options = MeasureOptions { repeat: 5, ..MeasureOptions::default() };
/// assert!(options.candidates.len() > 15);
/// ```
#[derive(Clone, Debug)]
pub struct MeasureOptions {
    /// What is timed at each level.
    pub candidates: Vec<Candidate>,
    /// How often each of them is timed, after one run that does not count; those near the fastest
    /// three times as often, those far from it no more than once.
    pub repeat: u32,
    /// Of searches with more levels, as many as this are measured, evenly spread.
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
/// use equipoise::{MeasuredLevel, select::features::Step};
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
    /// Where the search stood.
    pub step: Step,
    /// The median time of each candidate, or why there is no memory for it. What it makes of the
    /// frontier before it can start is included, from what the ways that can be fused leave.
    pub times: Vec<Result<Duration, String>>,
}

/// A search that was measured.
///
/// ```no_run
/// # let measured: equipoise::MeasuredBfs = unimplemented!();
/// println!("{} of {} levels", measured.levels.len(), measured.search.depth + 1);
/// ```
#[derive(Clone, Debug)]
pub struct MeasuredBfs {
    /// The levels that were measured.
    pub levels: Vec<MeasuredLevel>,
    /// What was found, with the fastest of the candidates that can be fused at each level; of all,
    /// where there are none. Its times are of no use.
    pub search: Bfs,
}

impl MeasureOptions {
    pub(crate) fn check(&self) -> crate::Result<()> {
        learned::check_measuring(self.candidates.len(), self.repeat)?;
        within("most_levels", self.most_levels.unwrap_or(1), 1..=u32::MAX)
    }

    /// Whether a level of a search that has so many is to be measured.
    pub(crate) fn wants(&self, level: u32, levels: u32) -> bool {
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
