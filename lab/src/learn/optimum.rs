//! The best choice at every step: the reference of all comparisons.

use equipoise_select::CandidateSet;

use crate::learn::{Run, Step, Table};

/// The best choice at a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Optimum {
    /// The fastest candidate, or the first of several.
    pub candidate: usize,
    /// Its time in seconds.
    pub time: f64,
    /// The available candidates.
    pub available: CandidateSet,
}

impl Optimum {
    fn new(step: &Step) -> Self {
        let mut best =
            Self { candidate: 0, time: f64::INFINITY, available: CandidateSet::default() };
        for (candidate, time) in step.times.iter().enumerate() {
            let Some(time) = *time else { continue };
            best.available = best.available.with(candidate);
            if time < best.time {
                (best.candidate, best.time) = (candidate, time);
            }
        }
        best
    }
}

/// A run with the best choice at each of its steps.
pub(crate) struct Optimal<'t> {
    pub run: &'t Run,
    pub steps: Vec<Optimum>,
    /// The time of the run with the best choice at every step.
    pub time: f64,
}

impl<'t> Optimal<'t> {
    fn new(run: &'t Run) -> Self {
        let steps: Vec<Optimum> = run.steps.iter().map(Optimum::new).collect();
        let time = steps.iter().map(|step| step.time).sum();
        Self { run, steps, time }
    }
}

pub(crate) fn optima(table: &Table) -> Vec<Optimal<'_>> {
    table.runs().iter().map(Optimal::new).collect()
}
