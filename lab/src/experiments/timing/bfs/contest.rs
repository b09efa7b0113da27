//! Candidates that are timed against each other from the same state of a search.

use std::time::Duration;

use equipoise::{
    Result,
    bfs::LevelStepper,
    traversal::{Strategy, TraversalSettings},
};

use crate::experiments::timing::median::{median, unless_too_large};

/// A candidate that takes so many times as long as another is not timed again: it would not be chosen.
const FAR: u32 = 20;
/// Those that take at most this part of the least time more are timed again, one after the other: of many
/// that are equally good, the luckiest would seem to be the best.
const NEAR: f64 = 1.25;
/// How often they are, for each time that all are.
const AGAIN: u32 = 2;

/// A candidate, and why it cannot run if it cannot.
pub(super) struct Contestant<'g> {
    pub strategy: Strategy,
    pub settings: &'g TraversalSettings,
    pub refused: Option<String>,
}

/// The median time of all candidates at the level that a search stands at; it is left there.
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
    for _ in 0..AGAIN * repeat {
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
    /// The times of several runs, after one that compiles kernels and takes memory; no more where
    /// that one and the next, as one may be disturbed, are far from the fastest so far.
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

/// The median of times, of which there are some.
fn median_of(times: &[Duration]) -> Duration {
    median(times).unwrap_or(Duration::MAX)
}
