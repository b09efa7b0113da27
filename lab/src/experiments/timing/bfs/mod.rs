//! The time of every candidate at every level of a breadth-first search.

mod contest;
mod cpu;
mod gpu;

use std::time::Duration;

use equipoise::{
    Error, LoadedGraph, Result,
    bfs::{Bfs, Candidate},
    select::features::Step,
};

use super::median::check_measuring;

/// What is measured at the levels of a breadth-first search.
///
/// ```
/// use equipoise_lab::experiments::MeasureOptions;
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
    /// Where the search stood.
    pub step: Step,
    /// The median time of each candidate, or why there is no memory for it. What it makes of the
    /// frontier before it can start is included, from what the ways that can be fused leave.
    pub times: Vec<Result<Duration, String>>,
}

/// A search that was measured.
///
/// ```no_run
/// # let measured: equipoise_lab::experiments::MeasuredBfs = unimplemented!();
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

/// Times every candidate at every level of a breadth-first search, which goes on with the fastest of
/// those that can be fused. Each starts where that one left the search: for a candidate that needs
/// another list of the frontier, making its own is in its time.
///
/// A candidate for which there is no memory has the reason instead of a time. On the cpu, what is
/// timed are the [two directions](Candidate::directions_of_cpu), whatever candidates the options
/// have. Fails where there is no memory for any candidate, and as [`LoadedGraph::bfs`] does.
///
/// ```
/// use equipoise::{LoadedGraph, device::Device, graph::{io::ReadOptions, load}};
/// use equipoise_lab::experiments::{MeasureOptions, measure_bfs};
///
/// let graph = load("path:n=4", &ReadOptions::default())?;
/// let there = LoadedGraph::new(&Device::Cpu.open()?, &graph)?;
/// let levels = measure_bfs(&there, 0, &MeasureOptions::default())?.levels;
/// assert!(levels.len() == 4 && levels.iter().all(|level| level.times.len() == 2));
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn measure_bfs(
    there: &LoadedGraph,
    source: u32,
    options: &MeasureOptions,
) -> Result<MeasuredBfs> {
    options.check()?;
    match there.is_on_gpu() {
        true => gpu::measure(there, source, options),
        false => cpu::measure(there.graph(), source, options),
    }
}

impl MeasureOptions {
    fn check(&self) -> Result<()> {
        check_measuring(self.candidates.len(), self.repeat)?;
        match self.most_levels {
            Some(0) => {
                let problem = format!("`most_levels` is 0: 1 to {} are possible", u32::MAX);
                Err(Error::Option(problem))
            }
            _ => Ok(()),
        }
    }

    /// Whether a level of a search that has so many is to be measured.
    fn wants(&self, level: u32, levels: u32) -> bool {
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
