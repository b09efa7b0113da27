//! Times candidates from the same state of a search.

use std::time::Duration;

use equipoise::{
    Result,
    bfs::LevelStepper,
    traversal::{Strategy, TraversalSettings},
};

use crate::experiments::timing::median::{median, unless_too_large};

/// A candidate slower than another by this factor is timed only once: it would not be chosen.
const FAR: u32 = 20;
/// Candidates within this factor of the fastest are timed again, in turn: otherwise the luckiest of
/// many equal ones would appear to be the best.
const NEAR: f64 = 1.25;
/// The number of additional rounds per round of all candidates.
const EXTRA_ROUNDS: u32 = 2;

/// A candidate, and the reason if it cannot run.
pub(super) struct Contestant<'g> {
    pub strategy: Strategy,
    pub settings: &'g TraversalSettings,
    pub refused: Option<String>,
}

/// The median time of each candidate at the current level of a search, whose state is restored.
pub(super) fn time_all<'g>(
    stepper: &mut LevelStepper<'g>,
    contestants: &[Contestant<'g>],
    repeat: u32,
) -> Result<Vec<Result<Duration, String>>> {
    let mut times: Vec<Result<Vec<Duration>, String>> = Vec::with_capacity(contestants.len());
    let mut fastest = Duration::MAX;
    for contestant in contestants {
        let timed = match &contestant.refused {
            Some(reason) => Err(reason.clone()),
            None => unless_too_large(contestant.times(stepper, repeat, fastest))?,
        };
        if let Ok(timed) = &timed {
            fastest = fastest.min(median_of(timed));
        }
        times.push(timed);
    }
    let near = fastest.mul_f64(NEAR);
    for _ in 0..EXTRA_ROUNDS * repeat {
        for (contestant, times) in contestants.iter().zip(&mut times) {
            if let Ok(times) = times.as_mut().map_err(|_| ())
                && median_of(times) <= near
            {
                times.push(stepper.time(contestant.strategy, contestant.settings)?);
            }
        }
    }
    Ok(times.into_iter().map(|times| times.map(|times| median_of(&times))).collect())
}

impl<'g> Contestant<'g> {
    /// The times of several runs, after one that compiles kernels and allocates; no more if both
    /// that one and the next, since one may be disturbed, are far slower than the fastest so far.
    fn times(
        &self,
        stepper: &mut LevelStepper<'g>,
        repeat: u32,
        fastest: Duration,
    ) -> Result<Vec<Duration>> {
        let far = fastest.saturating_mul(FAR);
        let mut time = || stepper.time(self.strategy, self.settings);
        let (first, second) = (time()?, time()?);
        if first.min(second) > far {
            return Ok(vec![first.min(second)]);
        }
        let mut times = vec![second];
        while times.len() < repeat as usize {
            times.push(time()?);
        }
        Ok(times)
    }
}

/// The median of a non-empty list of times.
fn median_of(times: &[Duration]) -> Duration {
    median(times).unwrap_or(Duration::MAX)
}
