//! Runs that are timed and verified, the verifying outside the timing.

use std::time::{Duration, Instant};

use equipoise::{Times, Trace, device::OpenDevice};
use serde::Serialize;

use crate::{arguments::RunArguments, failure::Result, numbers, screen::Screen};

/// What a command wants of each of its runs.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    repeat: Option<u32>,
    validate: bool,
    clock: Clock,
    /// No further run once those that count have taken this long together.
    patience: Option<Duration>,
}

/// How times are measured.
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
    /// The last run's result. All are alike, and all are verified unless that was turned off.
    pub result: R,
    /// The times of each run.
    pub runs: Runs,
    /// What happened in the run of the median time.
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
    /// How many runs were timed.
    pub count: usize,
    /// How they were timed.
    pub method: Clock,
    /// Whether a run that was not timed came before them.
    pub warm_up: bool,
    /// Whether every result was verified.
    pub verified: bool,
    /// How long verifying took, all results together.
    #[serde(rename = "verify_seconds", serialize_with = "seconds")]
    pub verifying: Duration,
}

fn seconds<S: serde::Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(time.as_secs_f64())
}

impl From<&RunArguments> for Plan {
    fn from(arguments: &RunArguments) -> Self {
        let (repeat, validate) = (arguments.repeat, arguments.validates());
        Self { repeat, validate, clock: Clock::Host, patience: None }
    }
}

impl Plan {
    /// So many runs after a warm-up, each verified.
    pub fn verified(repeat: u32) -> Self {
        Self { repeat: Some(repeat), validate: true, clock: Clock::Host, patience: None }
    }

    /// One run without a warm-up, verified.
    pub fn once() -> Self {
        Self { repeat: None, validate: true, clock: Clock::Host, patience: None }
    }

    /// The same with no further run once those that count, verifying among them, have taken so long.
    pub fn within(self, patience: Duration) -> Self {
        Self { patience: Some(patience), ..self }
    }

    /// The same for runs on a device.
    pub fn on(self, device: &OpenDevice) -> Self {
        let clock = match device {
            OpenDevice::Cpu => Clock::Host,
            OpenDevice::Gpu(_) => Clock::Waits,
        };
        Self { clock, ..self }
    }

    /// Runs the work as often as planned. `times` says how long a result took to make and what
    /// happened; `verify` fails where a result is wrong.
    pub fn measure<R>(
        self,
        mut run: impl FnMut() -> equipoise::Result<R>,
        times: impl Fn(&R) -> (Times, Trace),
        verify: impl Fn(&R) -> equipoise::Result<()>,
    ) -> Result<Measured<R>> {
        let mut verifying = Duration::ZERO;
        let mut checked_run = || -> Result<R> {
            let result = run()?;
            if self.validate {
                let start = Instant::now();
                verify(&result)?;
                verifying += start.elapsed();
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
        let count = timed.len();
        timed.sort_by_key(|(times, _)| times.run());
        let (min, max) = (timed[0].0, timed[count - 1].0);
        let (median, trace) = timed.swap_remove((count - 1) / 2);
        let (warm_up, verified) = (self.repeat.is_some(), self.validate);
        let method = self.clock;
        let runs = Runs { median, min, max, count, method, warm_up, verified, verifying };
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

    /// Prints the headline, and where the time went for those who want to know.
    pub fn print(&self, screen: &mut Screen) -> Result<()> {
        let spread = match self.count {
            1 => String::new(),
            _ => {
                format!(", {} to {}", numbers::time(self.min.run()), numbers::time(self.max.run()))
            }
        };
        let (time, note) = (numbers::time(self.time()), self.note());
        let method = match self.method {
            Clock::Host => "",
            Clock::Waits => "; host clock between two waits",
        };
        screen.fact("time", format_args!("{time} ({note}{spread}{method})"))?;
        match screen.is_verbose() {
            true => self.print_parts(screen),
            false => Ok(()),
        }
    }

    /// Only a GPU has what the cpu has no time for.
    fn print_parts(&self, screen: &mut Screen) -> Result<()> {
        let Times { upload, prepare, compile, kernel, overhead, tree, download } = self.median;
        let on_gpu = self.method == Clock::Waits;
        let parts = [
            (on_gpu, "  upload", upload),
            (true, "  prepare", prepare),
            (on_gpu, "  compile", compile),
            (true, "  kernel", kernel),
            (true, "  overhead", overhead),
            (!tree.is_zero(), "  tree", tree),
            (on_gpu, "  download", download),
        ];
        for (_, name, time) in parts.into_iter().filter(|part| part.0) {
            screen.fact(name, numbers::time(time))?;
        }
        Ok(())
    }

    /// Prints how fast it was where a multiplication and an addition are two operations.
    pub fn print_flops(&self, multiplications: u64, screen: &mut Screen) -> Result<()> {
        match numbers::rate(multiplications.saturating_mul(2), self.time(), "FLOP/s") {
            Some(rate) if multiplications > 0 => {
                screen.fact("rate", format_args!("{rate} (two for each multiplication)"))
            }
            _ => Ok(()),
        }
    }

    /// Prints whether the results were verified: the last fact of every report.
    pub fn print_verdict(&self, screen: &mut Screen, what: &str) -> Result<()> {
        match self.verified {
            true => screen
                .fact("verified", format_args!("{what}, in {}", numbers::time(self.verifying))),
            false => screen.fact("verified", "no, as --no-validate was given"),
        }
    }
}
