//! The times of a run.

use std::time::{Duration, Instant};

use equipoise_graph::cancel;
use equipoise_schedule::device::Gpu;

use crate::{Result, Step};

/// The time of each part of a run, zero for a part that did not happen. Work done once for several runs counts in each.
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
    /// Building what the algorithm needs in addition to the graph: a transpose, a split, coordinate form.
    #[cfg_attr(feature = "serde", serde(with = "crate::seconds"))]
    pub prepare: Duration,
    /// Compiling kernels, which no other time includes.
    #[cfg_attr(feature = "serde", serde(with = "crate::seconds"))]
    pub compile: Duration,
    /// The algorithm's own work.
    #[cfg_attr(feature = "serde", serde(with = "crate::seconds"))]
    pub kernel: Duration,
    /// The host's part of the run: its loop and its read-backs.
    #[cfg_attr(feature = "serde", serde(with = "crate::seconds"))]
    pub overhead: Duration,
    /// Finding parents or predecessors after the search, on a GPU.
    #[cfg_attr(feature = "serde", serde(with = "crate::seconds"))]
    pub tree: Duration,
    /// Reducing the result on the device, and copying it to the host.
    #[cfg_attr(feature = "serde", serde(with = "crate::seconds"))]
    pub download: Duration,
}

impl Times {
    /// The headline: kernel and overhead.
    pub fn run(&self) -> Duration {
        self.kernel + self.overhead
    }
}

/// Runs `work` and returns its result and its time.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// Runs `work` on a GPU and returns its result and its time without the compilation of kernels.
pub(crate) fn timed_on<T>(gpu: &Gpu, work: impl FnOnce() -> T) -> (T, Duration) {
    let stopwatch = gpu.stopwatch();
    let result = work();
    (result, stopwatch.elapsed())
}

/// The time of waiting for an idle GPU.
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

/// Waits until the GPU is done. Returns the cost of the wait itself: the time of an `empty` wait, capped at the time
/// that this one took, so that subtracting it cannot underflow.
pub(crate) fn wait_for(gpu: &Gpu, empty: Duration) -> Result<Duration> {
    let (waited, time) = timed_on(gpu, || gpu.wait());
    waited?;
    Ok(time.min(empty))
}

/// Runs `code` on the GPU and waits for its end. Returns its result and its time without compilation.
pub(crate) fn finished<V>(gpu: &Gpu, code: impl FnOnce() -> Result<V>) -> Result<(V, Duration)> {
    let stopwatch = gpu.stopwatch();
    let value = code()?;
    gpu.wait()?;
    Ok((value, stopwatch.elapsed()))
}

/// The times of a run in which the host's wait counts as overhead.
pub(crate) fn less_wait(times: Times, run: Duration, wait: Duration) -> Times {
    let overhead = wait.min(run);
    Times { kernel: run - overhead, overhead, ..times }
}

/// The times of a run whose steps are kernel time and whose rest is overhead.
pub(crate) fn times_of_steps(steps: &[Step], run: Duration) -> Times {
    let kernel = steps.iter().map(|step| step.time).sum();
    Times { kernel, overhead: run.saturating_sub(kernel), ..Times::default() }
}

/// Runs `code` as preparation. Returns its result with the times of preparing and compiling.
pub(crate) fn prepared<V>(gpu: &Gpu, code: impl FnOnce() -> Result<V>) -> Result<(V, Times)> {
    let stopwatch = gpu.stopwatch();
    let (value, prepare) = finished(gpu, code)?;
    Ok((value, Times { prepare, compile: stopwatch.compiled(), ..Times::default() }))
}

/// Times consecutive steps.
pub(crate) struct Clock(Instant);

impl Clock {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// The time since the last call, or since the start. Also a point at which a cancelled run stops.
    pub(crate) fn lap(&mut self) -> Duration {
        cancel::poll();
        let now = Instant::now();
        now - std::mem::replace(&mut self.0, now)
    }
}
