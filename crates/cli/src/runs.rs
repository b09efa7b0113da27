//! Timed runs with verified results; verifying is not timed.

use std::time::{Duration, Instant};

use equipoise::{
    Result, Times, Trace,
    algorithm::{Verdict, Verification},
    device::OpenDevice,
    graph::io::check_files_unchanged,
};
use serde::Serialize;

/// How often work runs, and whether its results are verified.
///
/// ```
/// use equipoise::{algorithm::Algorithm, bfs::{BfsOptions, bfs}, graph::{io::ReadOptions, load}};
/// use equipoise_cli::runs::Plan;
///
/// let graph = load("path:n=5", &ReadOptions::default())?;
/// let options = BfsOptions::default();
/// let measured = Plan::verified(3).measure(
///     || bfs(&graph, 0, &options),
///     |search| (search.times, search.trace.clone()),
///     |search| search.check(&graph, &options),
/// )?;
/// assert_eq!((measured.result.depth, measured.trace.steps.len()), (4, 5));
/// assert_eq!(measured.runs.note(), "median of 3 runs after a warm-up");
/// assert!(measured.runs.min.run() <= measured.runs.time());
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    repeat: Option<u32>,
    validate: bool,
    clock: Clock,
    /// Stop after this time, once the first timed run is done.
    patience: Option<Duration>,
}

/// How times are measured.
///
/// ```
/// use equipoise::{Times, Trace, algorithm::Verdict, device::Device};
/// use equipoise_cli::runs::{Clock, Plan};
///
/// let plan = Plan::once().for_device(&Device::Cpu.open()?);
/// let no_times = |_: &u32| (Times::default(), Trace::default());
/// let runs = plan.measure(|| Ok(3), no_times, |_| Ok(Verdict::proved("3 is odd")))?.runs;
/// assert_eq!((runs.method, runs.warm_up), (Clock::Host, false));
/// assert_eq!(runs.verification.verdict.text(), "3 is odd");
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Clock {
    /// The host's clock around work of the host.
    #[serde(rename = "host clock")]
    Host,
    /// The host's clock around work of a GPU, whose kernels were compiled before.
    #[serde(rename = "host clock between two waits")]
    Waits,
}

/// The last result, and the times of all runs.
pub struct Measured<R> {
    /// The last run's result. All are equal, and all are verified unless that was turned off.
    pub result: R,
    /// The times of each run.
    pub runs: Runs,
    /// The trace of the run of the median time.
    pub trace: Trace,
}

/// The times of several runs of the same work.
#[derive(Clone, Debug, Serialize)]
pub struct Runs {
    /// The run whose time is the median: the lower one of the two in the middle.
    #[serde(rename = "median_seconds")]
    pub median: Times,
    /// The fastest run.
    #[serde(rename = "min_seconds")]
    pub min: Times,
    /// The slowest run.
    #[serde(rename = "max_seconds")]
    pub max: Times,
    /// The number of timed runs.
    pub count: usize,
    /// How they were timed.
    pub method: Clock,
    /// Whether an untimed run preceded them.
    pub warm_up: bool,
    /// The last verdict, and the time of verifying all results.
    pub verification: Verification,
}

impl Plan {
    /// `repeat` runs after a warm-up, or one without; each verified, or none.
    pub fn new(repeat: Option<u32>, validate: bool) -> Self {
        Self { repeat, validate, clock: Clock::Host, patience: None }
    }

    /// `repeat` runs after a warm-up, each verified.
    pub fn verified(repeat: u32) -> Self {
        Self::new(Some(repeat), true)
    }

    /// One run without a warm-up, verified.
    pub fn once() -> Self {
        Self::new(None, true)
    }

    /// The same plan, without further runs once `patience` has passed, verifying included.
    pub fn within(self, patience: Duration) -> Self {
        Self { patience: Some(patience), ..self }
    }

    /// The same plan for runs on a device.
    pub fn for_device(self, device: &OpenDevice) -> Self {
        let clock = match device {
            OpenDevice::Cpu => Clock::Host,
            OpenDevice::Gpu(_) => Clock::Waits,
        };
        Self { clock, ..self }
    }

    /// Runs the work as often as planned. `times` returns the times and the trace of a result; `verify` fails for a
    /// wrong one.
    ///
    /// Fails if a run fails, a result is wrong, or an input file changed meanwhile.
    pub fn measure<R>(
        self,
        mut run: impl FnMut() -> Result<R>,
        times: impl Fn(&R) -> (Times, Trace),
        verify: impl Fn(&R) -> Result<Verdict>,
    ) -> Result<Measured<R>> {
        let mut verification = Verification::off("--no-validate was given");
        let mut checked_run = || -> Result<R> {
            let result = run()?;
            if self.validate {
                let Verification { verdict, time } = Verification::of(|| verify(&result))?;
                verification = Verification { verdict, time: verification.time + time };
            }
            Ok(result)
        };
        if self.repeat.is_some() {
            checked_run()?;
        }
        let start = Instant::now();
        let mut result = checked_run()?;
        let mut timed = vec![times(&result)];
        for _ in 1..self.repeat.unwrap_or(1) {
            if self.patience.is_some_and(|patience| start.elapsed() > patience) {
                break;
            }
            result = checked_run()?;
            timed.push(times(&result));
        }
        // Results are valid only if the inputs are unchanged.
        check_files_unchanged()?;
        let count = timed.len();
        timed.sort_by_key(|(times, _)| times.run());
        let (min, max) = (timed[0].0, timed[count - 1].0);
        let (median, trace) = timed.swap_remove((count - 1) / 2);
        let warm_up = self.repeat.is_some();
        let method = self.clock;
        let runs = Runs { median, min, max, count, method, warm_up, verification };
        Ok(Measured { result, runs, trace })
    }
}

impl Runs {
    /// The headline.
    pub fn time(&self) -> Duration {
        self.median.run()
    }

    /// How the headline came about.
    pub fn note(&self) -> String {
        match (self.warm_up, self.count) {
            (false, _) if self.method == Clock::Waits => "one run, compiling not counted".into(),
            (false, _) => "one run, no warm-up".into(),
            (true, 1) => "one run after a warm-up".into(),
            (true, count) => format!("median of {count} runs after a warm-up"),
        }
    }
}
