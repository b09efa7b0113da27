//! Candidates that are timed against each other from the same state of a search.

use std::time::Duration;

use super::{gpu::Discover, measure_gpu::Standing};
use crate::{
    Result, Strategy, TraversalSettings,
    learned::{median, unless_too_large},
    search::{Search, Strategies},
};

/// A candidate that takes so many times as long as another is not timed again: nobody chooses it.
const FAR: u32 = 20;
/// Those that take at most this part of the least time more are timed again, one after the other: of many
/// that are equally good, the luckiest would seem to be the best.
const NEAR: f64 = 1.25;
/// How often they are, for each time that all are.
const AGAIN: u32 = 2;

/// A candidate, and why it cannot run if it cannot.
pub(super) struct Contestant {
    pub strategy: Strategy,
    pub settings: TraversalSettings,
    pub refused: Option<String>,
}

impl Contestant {
    pub fn new(strategy: Strategy, settings: TraversalSettings, refused: Option<String>) -> Self {
        Self { strategy, settings, refused }
    }
}

/// A search whose levels are timed, with all strategies.
pub(super) struct Contest<'g> {
    pub search: Search<'g, Discover>,
    pub strategies: Strategies<'g, Discover>,
}

impl<'g> Contest<'g> {
    /// The median time of all candidates at this level, where the search stands; it is left there.
    pub fn time_all(
        &mut self,
        contestants: &'g [Contestant],
        repeat: u32,
        standing: &Standing,
    ) -> Result<Vec<Result<Duration, String>>> {
        let mut times: Vec<Result<Vec<Duration>, String>> = Vec::with_capacity(contestants.len());
        let mut fastest = Duration::MAX;
        for contestant in contestants {
            let timed = match &contestant.refused {
                Some(reason) => Err(reason.clone()),
                None => unless_too_large(self.time_one(contestant, repeat, fastest, standing))?,
            };
            match &timed {
                Ok(timed) => fastest = fastest.min(median_of(timed)),
                // What was stopped halfway may have left something there.
                Err(_) => self.strategies.get(contestant.strategy)?.forget(),
            }
            times.push(timed);
            self.return_to(standing)?;
        }
        let near = fastest.mul_f64(NEAR);
        for _ in 0..AGAIN * repeat {
            for (contestant, times) in contestants.iter().zip(&mut times) {
                if let Ok(times) = times.as_mut().map_err(|_| ())
                    && median_of(times) <= near
                {
                    times.push(self.time_once(contestant, standing)?);
                }
            }
        }
        Ok(times.into_iter().map(|times| times.map(|times| median_of(&times))).collect())
    }

    /// The times of several runs, after one that compiles kernels and takes memory; no more where
    /// that one and the next, as one may be disturbed, are far from the fastest so far.
    fn time_one(
        &mut self,
        contestant: &'g Contestant,
        repeat: u32,
        fastest: Duration,
        standing: &Standing,
    ) -> Result<Vec<Duration>> {
        let far = fastest.saturating_mul(FAR);
        let first = self.time_once(contestant, standing)?;
        let second = self.time_once(contestant, standing)?;
        if first.min(second) > far {
            return Ok(vec![first.min(second)]);
        }
        let mut times = vec![second];
        while times.len() < repeat as usize {
            times.push(self.time_once(contestant, standing)?);
        }
        Ok(times)
    }

    /// The time of one run, after which the search is where it was.
    fn time_once(&mut self, contestant: &'g Contestant, standing: &Standing) -> Result<Duration> {
        self.search.settings = &contestant.settings;
        let time = self.strategies.timed(contestant.strategy, &mut self.search)?.1;
        self.return_to(standing)?;
        Ok(time)
    }
}

/// The median of times, of which there are some.
fn median_of(times: &[Duration]) -> Duration {
    median(times).unwrap_or(Duration::MAX)
}
