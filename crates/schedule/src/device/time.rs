//! Measuring time.

use std::time::{Duration, Instant};

use super::Gpu;
use crate::Result;

const MEASUREMENTS: usize = 5;

/// How long something took, and how that was measured.
///
/// ```
/// use equipoise_schedule::device::Timing;
///
/// let timing = Timing { seconds: 0.5, method: "stopwatch" };
/// assert_eq!(format!("{} s ({})", timing.seconds, timing.method), "0.5 s (stopwatch)");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timing {
    /// The seconds that one repeat took.
    pub seconds: f64,
    /// How it was measured, to be printed beside the figure.
    pub method: &'static str,
}

impl Gpu {
    /// The time that `code`, which launches something, takes the GPU: enqueued `repeats` times
    /// after `warm_ups` times. The median of five such measurements.
    ///
    /// Launches that follow each other hide the time it takes to enqueue them, as long as that is
    /// the shorter of the two. Nothing else should use the GPU meanwhile.
    ///
    /// Timestamps of the GPU are not used: CubeCL has none on CUDA, and on wgpu they cover the
    /// first pass only, which may not be all of `code`.
    ///
    /// ```no_run
    /// # use equipoise_schedule::device::{Device, OpenDevice};
    /// # fn main() -> equipoise_schedule::Result<()> {
    /// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
    /// let buffer = gpu.empty::<u32>(1 << 20)?;
    /// let timing = gpu.time(2, 100, || gpu.fill(&buffer, 0))?;
    /// println!("{} s ({})", timing.seconds, timing.method);
    /// # Ok(())
    /// # }
    /// ```
    pub fn time(
        &self,
        warm_ups: u32,
        repeats: u32,
        mut code: impl FnMut() -> Result<()>,
    ) -> Result<Timing> {
        for _ in 0..warm_ups {
            code()?;
        }
        self.wait()?;
        let repeats = repeats.max(1);
        // A hiccup of the host can only make an empty wait longer, and must not be subtracted.
        let nothing = self.clocks(0, Duration::ZERO, &mut code)?[0];
        let everything = self.clocks(repeats, nothing, &mut code)?[MEASUREMENTS / 2];
        Ok(Timing {
            seconds: everything.as_secs_f64() / f64::from(repeats),
            method: "host clock around repeats between two waits, less an empty wait",
        })
    }

    /// Several measurements, the shortest first, each less an empty wait.
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

    /// The time that kernels took so far to be compiled on this GPU, in this program; those from the
    /// cache on disk, to be loaded. Of what is enqueued, it is known after a wait.
    ///
    /// ```no_run
    /// # use equipoise_schedule::device::{Device, OpenDevice};
    /// # fn main() -> equipoise_schedule::Result<()> {
    /// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
    /// let before = gpu.compile_time();
    /// gpu.download(&gpu.filled(3, 1u32)?)?;
    /// println!("compiling took {:?}", gpu.compile_time() - before);
    /// # Ok(())
    /// # }
    /// ```
    pub fn compile_time(&self) -> Duration {
        self.client().info().compile_time()
    }

    /// Wakes the thread that enqueues, and has the device begin what is enqueued: after a while without
    /// work that thread sleeps for some 150 µs at a time, which nothing that is timed should pay for.
    /// Who has just waited for the device need not.
    ///
    /// ```no_run
    /// # use equipoise_schedule::device::{Device, OpenDevice};
    /// # fn main() -> equipoise_schedule::Result<()> {
    /// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
    /// gpu.wake();
    /// let stopwatch = gpu.stopwatch();
    /// # let _ = stopwatch;
    /// # Ok(())
    /// # }
    /// ```
    pub fn wake(&self) {
        // What fails here also fails with whatever comes next, which reports it.
        let _ = self.begin();
    }

    /// Starts to take time, in which compiling does not count.
    ///
    /// ```no_run
    /// # use equipoise_schedule::device::{Device, OpenDevice};
    /// # fn main() -> equipoise_schedule::Result<()> {
    /// # let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
    /// let stopwatch = gpu.stopwatch();
    /// gpu.download(&gpu.filled(3, 1u32)?)?;
    /// println!("{:?}", stopwatch.elapsed());
    /// # Ok(())
    /// # }
    /// ```
    pub fn stopwatch(&self) -> Stopwatch<'_> {
        Stopwatch { gpu: self, start: Instant::now(), compiled: self.compile_time() }
    }

    /// One measurement. No more of an empty wait is subtracted than was waited, so that what is left is
    /// the time of something.
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

/// Takes time without that of compiling; see [`Gpu::stopwatch`].
#[derive(Debug)]
pub struct Stopwatch<'a> {
    gpu: &'a Gpu,
    start: Instant,
    compiled: Duration,
}

impl Stopwatch<'_> {
    /// The time since the start, without what was compiled since.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed().saturating_sub(self.compiled())
    }

    /// The time that was spent on compiling since the start.
    pub fn compiled(&self) -> Duration {
        self.gpu.compile_time().saturating_sub(self.compiled)
    }
}
