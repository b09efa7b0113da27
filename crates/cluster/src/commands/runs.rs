//! Timed and verified runs; the time excludes verification.

use std::time::{Duration, Instant};

use equipoise_graph::numbers;
use serde::{Serialize, Serializer};

use super::{
    arguments::RunArguments,
    failure::{Failure, Result},
    job::Job,
    screen::Screen,
};
use crate::{Reduction, Trace};

/// The time of a run, from the start of all ranks to the end of the last, and the longest wait of a rank.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RunTime {
    #[serde(rename = "run", serialize_with = "seconds")]
    time: Duration,
    #[serde(serialize_with = "seconds")]
    waited: Duration,
}

/// The times of several runs of the same work.
#[derive(Clone, Debug, Serialize)]
pub struct Runs {
    #[serde(rename = "median_seconds")]
    median: RunTime,
    #[serde(rename = "min_seconds")]
    min: RunTime,
    #[serde(rename = "max_seconds")]
    max: RunTime,
    count: usize,
    method: &'static str,
    warm_up: bool,
    verification: Verification,
}

/// The verdict of the verifier, as `equipoise` writes it.
#[derive(Clone, Copy, Debug, Serialize)]
struct Verification {
    /// `proved`, or `off` without a check.
    verdict: &'static str,
    what: &'static str,
    #[serde(rename = "seconds", serialize_with = "seconds")]
    time: Duration,
}

/// The last result, and the times of all runs.
pub struct Measured<R> {
    pub result: R,
    pub runs: Runs,
    /// The trace of all ranks in the run of the median time.
    pub trace: Trace,
}

pub(super) fn seconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

/// Runs the work the requested number of times; all ranks call it. The verifier proves `what`.
pub fn measure<R>(
    job: &Job,
    arguments: &RunArguments,
    mut run: impl FnMut() -> crate::Result<R>,
    trace: impl Fn(&R) -> &Trace,
    verify: impl Fn(&R) -> crate::Result<()>,
    what: &'static str,
) -> Result<Measured<R>> {
    let comm = job.comm;
    let (mut times, mut verifying, mut last) = (Vec::new(), Duration::ZERO, None);
    let timed = arguments.repeat.unwrap_or(1);
    for index in 0..timed + u32::from(arguments.repeat.is_some()) {
        // Only one result exists at a time.
        drop(last.take());
        comm.enter("running");
        comm.barrier();
        let start = Instant::now();
        let result = run()?;
        let mut longest = [start.elapsed().as_nanos() as u64];
        comm.all_reduce(&mut longest, Reduction::Max);
        if arguments.validates() {
            comm.enter("verifying");
            let start = Instant::now();
            verify(&result)?;
            verifying += start.elapsed();
        }
        let together = trace(&result).together(comm);
        let waited = together.steps.iter().map(|step| step.waited).sum();
        let time = RunTime { time: Duration::from_nanos(longest[0]), waited };
        if arguments.repeat.is_none() || index > 0 {
            times.push((time, together));
        }
        last = Some(result);
    }
    times.sort_by_key(|(time, _)| time.time);
    let (min, max) = (times[0].0, times[times.len() - 1].0);
    let count = times.len();
    let (median, trace) = times.swap_remove((count - 1) / 2);
    let runs = Runs {
        median,
        min,
        max,
        count,
        method: "host clock, the slowest rank's",
        warm_up: arguments.repeat.is_some(),
        verification: if arguments.validates() {
            Verification { verdict: "proved", what, time: verifying }
        } else {
            let what = "--no-validate was given";
            Verification { verdict: "off", what, time: Duration::ZERO }
        },
    };
    match last {
        Some(result) => Ok(Measured { result, runs, trace }),
        None => Err(Failure::new("nothing was run")),
    }
}

impl Runs {
    /// The time of the median run.
    pub fn time(&self) -> Duration {
        self.median.time
    }

    /// The time of verifying all results.
    pub fn verifying(&self) -> Duration {
        self.verification.time
    }

    /// The same with another time of verifying.
    pub fn verified_in(self, time: Duration) -> Self {
        let verification = Verification { time, ..self.verification };
        Self { verification, ..self }
    }

    /// The description of the runs.
    pub fn note(&self) -> String {
        match (self.count, self.warm_up) {
            (1, false) => "one run, no warm-up".into(),
            (1, true) => "one run after a warm-up".into(),
            (count, _) => format!("median of {count} runs after a warm-up"),
        }
    }

    /// Prints the headline, and what ranks sent to each other.
    pub fn print(&self, trace: &Trace, screen: &mut Screen) {
        let spread = match self.count {
            1 => String::new(),
            _ => format!(", {} to {}", numbers::time(self.min.time), numbers::time(self.max.time)),
        };
        screen
            .fact("time", format_args!("{} ({}{spread})", numbers::time(self.time()), self.note()));
        let (bytes, waited) = (numbers::bytes(trace.bytes()), numbers::time(self.median.waited));
        screen.fact(
            "sent",
            format_args!("{bytes} in all; a rank waited for others {waited} at most"),
        );
    }

    /// Prints the verdict: the last fact of every report.
    pub fn print_verdict(&self, screen: &mut Screen) {
        let Verification { verdict, what, time } = self.verification;
        if verdict == "proved" {
            screen.fact("verified", format_args!("{what}, in {}", numbers::time(time)))
        } else {
            screen.fact("unverified", what)
        }
    }
}
