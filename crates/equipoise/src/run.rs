//! One run on a GPU, with its times: the same for every algorithm.

use std::time::Duration;

use equipoise_schedule::device::Gpu;

use crate::{
    Result, Times,
    times::{empty_wait, finished, less_wait, timed_on},
};

pub(crate) struct GpuRun<R> {
    /// What was read from the GPU.
    pub result: R,
    /// The time of the work, with the host's wait for its end.
    pub time: Duration,
    /// The time of a wait for a GPU that is idle.
    pub wait: Duration,
    /// The times of the work, of compiling its kernels and of reading the result.
    pub times: Times,
}

/// The bytes of `count` buffers of `len` words each on a GPU.
pub(crate) fn buffer_bytes(gpu: &Gpu, len: u64, count: u64) -> u64 {
    gpu.held_by(len.max(1).saturating_mul(4)).saturating_mul(count)
}

/// Runs `work` on a GPU that is awake and idle, waits for its end, and reads the result.
pub(crate) fn run_on<V, R>(
    gpu: &Gpu,
    work: impl FnOnce() -> Result<V>,
    read: impl FnOnce(V) -> Result<R>,
) -> Result<GpuRun<R>> {
    gpu.wake();
    let wait = empty_wait(gpu)?;
    let stopwatch = gpu.stopwatch();
    let (outcome, time) = finished(gpu, work)?;
    let compile = stopwatch.compiled();
    let (result, download) = timed_on(gpu, || read(outcome));
    let times = less_wait(Times { compile, download, ..Times::default() }, time, wait);
    Ok(GpuRun { result: result?, time, wait, times })
}
