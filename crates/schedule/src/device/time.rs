//! Measures time on a GPU.

use std::time::{Duration, Instant};

use super::Gpu;
use crate::Result;

const MEASUREMENTS: usize = 5;

impl Gpu {
    /// The time that the launches of `code` take on the GPU: enqueued `repeats` times after `warm_ups` times. The
    /// median of five measurements.
    ///
    /// Launches in a row hide the time to enqueue them, if that is shorter. Nothing else should use the GPU meanwhile.
    /// CubeCL has no GPU timestamps on CUDA, and on wgpu they cover only the first pass, so the host's clock is used.
    ///
    /// ```no_run
    /// # use equipoise_schedule::device::{Device, OpenDevice};
    /// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
    /// let buffer = gpu.empty::<u32>(1 << 20)?;
    /// let time = gpu.time(2, 100, || gpu.fill(&buffer, 0))?;
    /// assert!(time.as_secs() < 60);
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn time(
        &self,
        warm_ups: u32,
        repeats: u32,
        mut code: impl FnMut() -> Result<()>,
    ) -> Result<Duration> {
        for _ in 0..warm_ups {
            code()?;
        }
        self.wait()?;
        let repeats = repeats.max(1);
        // The minimum of the empty waits: a delay of the host can only lengthen them.
        let nothing = self.clocks(0, Duration::ZERO, &mut code)?[0];
        let everything = self.clocks(repeats, nothing, &mut code)?[MEASUREMENTS / 2];
        Ok(everything.div_f64(f64::from(repeats)))
    }

    /// Measurements in ascending order, each less an empty wait.
    fn clocks(
        &self,
        repeats: u32,
        wait: Duration,
        code: &mut impl FnMut() -> Result<()>,
    ) -> Result<[Duration; MEASUREMENTS]> {
        let mut times = [Duration::ZERO; MEASUREMENTS];
        for time in &mut times {
            *time = self.clock(repeats, wait, code)?;
        }
        times.sort_unstable();
        Ok(times)
    }

    /// The time spent so far on compiling kernels for this GPU in this program, or on loading them from the cache. It
    /// includes enqueued launches only after a wait.
    ///
    /// ```no_run
    /// # use equipoise_schedule::device::{Device, OpenDevice};
    /// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
    /// let before = gpu.compile_time();
    /// gpu.download(&gpu.filled(3, 1u32)?)?;
    /// assert!(gpu.compile_time() >= before);
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn compile_time(&self) -> Duration {
        self.client().info().compile_time()
    }

    /// Wakes the thread that enqueues, and submits what is enqueued: without work that thread sleeps for about 150 µs
    /// at a time, which no measurement should include. Unnecessary right after a wait.
    ///
    /// ```no_run
    /// # use equipoise_schedule::device::{Device, OpenDevice};
    /// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
    /// gpu.wake();
    /// assert!(gpu.stopwatch().elapsed().as_secs() < 60);
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn wake(&self) {
        // The next call reports a failure.
        let _ = self.begin();
    }

    /// Starts a stopwatch, which does not count the time of compiling.
    ///
    /// ```no_run
    /// # use equipoise_schedule::device::{Device, OpenDevice};
    /// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
    /// let stopwatch = gpu.stopwatch();
    /// gpu.download(&gpu.filled(3, 1u32)?)?;
    /// assert!(stopwatch.elapsed() > std::time::Duration::ZERO);
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn stopwatch(&self) -> Stopwatch<'_> {
        Stopwatch { gpu: self, start: Instant::now(), compiled: self.compile_time() }
    }

    /// One measurement. The empty wait is capped by the actual one, so that the subtraction cannot underflow.
    fn clock(
        &self,
        repeats: u32,
        wait: Duration,
        code: &mut impl FnMut() -> Result<()>,
    ) -> Result<Duration> {
        let start = Instant::now();
        for _ in 0..repeats {
            code()?;
        }
        let waiting = Instant::now();
        self.wait()?;
        let waited = waiting.elapsed().min(wait);
        Ok(start.elapsed() - waited)
    }
}

/// A stopwatch that does not count the time of compiling; see [`Gpu::stopwatch`].
#[derive(Debug)]
pub struct Stopwatch<'a> {
    gpu: &'a Gpu,
    start: Instant,
    compiled: Duration,
}

impl Stopwatch<'_> {
    /// The time since the start, less that of compiling.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed().saturating_sub(self.compiled())
    }

    /// The time spent on compiling since the start.
    pub fn compiled(&self) -> Duration {
        self.gpu.compile_time().saturating_sub(self.compiled)
    }
}
