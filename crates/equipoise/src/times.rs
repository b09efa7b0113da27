//! Where the time went.

use std::time::{Duration, Instant};

use equipoise_graph::cancel;
use equipoise_schedule::device::Gpu;

use crate::Result;

/// The time each part of a run took. What did not happen took no time; what was done once for
/// several runs counts in each.
///
/// ```
/// use std::time::Duration;
/// use equipoise::Times;
///
/// let (kernel, upload) = (Duration::from_millis(3), Duration::from_millis(5));
/// let times = Times { kernel, upload, ..Times::default() };
/// assert_eq!(times.run(), kernel);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Times {
    /// Copying what the algorithm reads to the device.
    #[cfg_attr(feature = "serde", serde(with = "crate::seconds"))]
    pub upload: Duration,
    /// Making what the algorithm needs beside the graph: a transpose, a split, coordinate form.
    #[cfg_attr(feature = "serde", serde(with = "crate::seconds"))]
    pub prepare: Duration,
    /// Compiling kernels, which is in none of the other times.
    #[cfg_attr(feature = "serde", serde(with = "crate::seconds"))]
    pub compile: Duration,
    /// The algorithm's own work.
    #[cfg_attr(feature = "serde", serde(with = "crate::seconds"))]
    pub kernel: Duration,
    /// The host's part of the run: its loop and what it reads back.
    #[cfg_attr(feature = "serde", serde(with = "crate::seconds"))]
    pub overhead: Duration,
    /// Finding parents or predecessors, where the search itself did not: on a GPU.
    #[cfg_attr(feature = "serde", serde(with = "crate::seconds"))]
    pub tree: Duration,
    /// Adding up what was found, and copying it back from the device.
    #[cfg_attr(feature = "serde", serde(with = "crate::seconds"))]
    pub download: Duration,
}

impl Times {
    /// The headline: kernel and overhead.
    pub fn run(&self) -> Duration {
        self.kernel + self.overhead
    }
}

/// Runs `work` and says how long it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// The same for work on a GPU, without the time that compiling kernels took.
pub(crate) fn timed_on<T>(gpu: &Gpu, work: impl FnOnce() -> T) -> (T, Duration) {
    let stopwatch = gpu.stopwatch();
    let result = work();
    (result, stopwatch.elapsed())
}

/// How long the host waits for a GPU that has nothing to do.
pub(crate) fn empty_wait(gpu: &Gpu) -> Result<Duration> {
    const WAITS: usize = 5;
    let mut shortest = Duration::MAX;
    for _ in 0..WAITS {
        let (waited, time) = timed_on(gpu, || gpu.wait());
        waited?;
        shortest = shortest.min(time);
    }
    Ok(shortest)
}

/// Waits until the GPU is done. What that took for the waiting alone: what an empty wait takes, and never
/// more than it took, so that a time less its waits is a time.
pub(crate) fn wait_for(gpu: &Gpu, empty: Duration) -> Result<Duration> {
    let (waited, time) = timed_on(gpu, || gpu.wait());
    waited?;
    Ok(time.min(empty))
}

/// Does something on the GPU, and waits until it is done; how long it took without compiling.
pub(crate) fn finished<V>(gpu: &Gpu, code: impl FnOnce() -> Result<V>) -> Result<(V, Duration)> {
    let stopwatch = gpu.stopwatch();
    let value = code()?;
    gpu.wait()?;
    Ok((value, stopwatch.elapsed()))
}

/// A run's time, of which the host's waiting is overhead.
pub(crate) fn less_wait(times: Times, run: Duration, wait: Duration) -> Times {
    let overhead = wait.min(run);
    Times { kernel: run - overhead, overhead, ..times }
}

/// Makes something ready: how long that took, and compiling what it takes.
pub(crate) fn prepared<V>(gpu: &Gpu, code: impl FnOnce() -> Result<V>) -> Result<(V, Times)> {
    let stopwatch = gpu.stopwatch();
    let (value, prepare) = finished(gpu, code)?;
    Ok((value, Times { prepare, compile: stopwatch.compiled(), ..Times::default() }))
}

/// Times one thing after another: what the first one shares with the others, such as buffers,
/// counts with it.
pub(crate) struct Clock(Instant);

impl Clock {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// The time since the last call, or since the start. Between two steps work can be stopped.
    pub(crate) fn lap(&mut self) -> Duration {
        cancel::poll();
        let now = Instant::now();
        now - std::mem::replace(&mut self.0, now)
    }
}
