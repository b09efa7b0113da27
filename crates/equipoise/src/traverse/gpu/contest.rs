//! Candidates that are timed against each other from the same state of a search.

use std::time::Duration;

use super::{measure::Noted, metric_on::MetricOn, search::Search};
use crate::{
    Result, TraversalSettings, Way,
    learned::{median, unless_too_large},
};

/// A candidate that takes so many times as long as another is not timed again: nobody chooses it.
const FAR: u32 = 20;
/// Those that take at most this part of the least time more are timed again, in turns: of many
/// that are equally good, the luckiest would seem to be the best.
const NEAR: f64 = 1.25;
/// How often they are, for each time that all are.
const AGAIN: u32 = 2;

/// A candidate, and why it cannot run if it cannot.
pub(super) struct Contestant {
    pub way: Way,
    pub settings: TraversalSettings,
    pub refused: Option<String>,
}

impl Contestant {
    pub fn new(way: Way, settings: TraversalSettings, refused: Option<String>) -> Self {
        Self { way, settings, refused }
    }
}

impl<'g, M: MetricOn> Search<'g, M> {
    /// The median time of all candidates at this level, which was noted; the search is left where
    /// it stands.
    pub fn time_all(
        &mut self,
        contestants: &'g [Contestant],
        repeat: u32,
        noted: &Noted,
    ) -> Result<Vec<Result<Duration, String>>> {
        let mut times: Vec<Result<Vec<Duration>, String>> = Vec::with_capacity(contestants.len());
        let mut fastest = Duration::MAX;
        for contestant in contestants {
            let timed = match &contestant.refused {
                Some(reason) => Err(reason.clone()),
                None => unless_too_large(self.time_one(contestant, repeat, fastest, noted))?,
            };
            match &timed {
                Ok(timed) => fastest = fastest.min(told(timed)),
                // What was stopped halfway may have left something there.
                Err(_) => self.finders = None,
            }
            times.push(timed);
            self.return_to(noted)?;
        }
        let near = fastest.mul_f64(NEAR);
        for _ in 0..AGAIN * repeat {
            for (contestant, times) in contestants.iter().zip(&mut times) {
                if let Ok(times) = times.as_mut().map_err(|_| ())
                    && told(times) <= near
                {
                    times.push(self.time_once(contestant, noted)?);
                }
            }
        }
        Ok(times.into_iter().map(|times| times.map(|times| told(&times))).collect())
    }

    /// The times of several runs, after one that compiles kernels and takes memory; no more where
    /// that one and the next, as one may be disturbed, are far from the fastest so far.
    fn time_one(
        &mut self,
        contestant: &'g Contestant,
        repeat: u32,
        fastest: Duration,
        noted: &Noted,
    ) -> Result<Vec<Duration>> {
        let far = fastest.saturating_mul(FAR);
        let first = self.time_once(contestant, noted)?;
        let second = self.time_once(contestant, noted)?;
        if first.min(second) > far {
            return Ok(vec![first.min(second)]);
        }
        let mut times = vec![second];
        while times.len() < repeat as usize {
            times.push(self.time_once(contestant, noted)?);
        }
        Ok(times)
    }

    /// The time of one run, after which the search is where it was.
    fn time_once(&mut self, contestant: &'g Contestant, noted: &Noted) -> Result<Duration> {
        self.settings = &contestant.settings;
        let time = self.timed_launches(contestant.way)?.1;
        self.return_to(noted)?;
        Ok(time)
    }
}

/// The median of times, of which there are some.
fn told(times: &[Duration]) -> Duration {
    median(times).unwrap_or(Duration::MAX)
}
