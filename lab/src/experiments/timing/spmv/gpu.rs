//! Timing every candidate for products on a GPU.

use std::time::Duration;

use equipoise::{
    Result, Times,
    device::Gpu,
    graph::{Matrix, Value},
    sparse::{
        Number, SparseSchedule, Spmv, SpmvCandidate,
        gpu::{DeviceMatrix, SpmvPlan},
    },
};

use super::{CandidateTimes, time_all};

/// Times candidates with the matrix and the vector in the GPU's memory, each after a product that is
/// verified.
pub(super) fn measure<T: Number>(
    gpu: &Gpu,
    matrix: &Matrix<T>,
    x: &[T],
    candidates: &[SpmvCandidate],
    repeat: u32,
) -> Result<CandidateTimes> {
    let there = DeviceMatrix::upload(gpu, matrix)?;
    let wait = empty_wait(gpu)?;
    let (dx, y) = (gpu.upload(x)?, gpu.empty(matrix.rows() as usize)?);
    let run = |plan: &SpmvPlan<T>, products: u32| {
        finished(gpu, wait, || (0..products).try_for_each(|_| plan.run(&dx, &y)))
    };
    let contestant = |candidate: &SpmvCandidate| {
        let plan = SpmvPlan::new(gpu, &there, candidate.options())?;
        gpu.fill(&y, <T as Value>::from_f64(f64::NAN))?;
        plan.run(&dx, &y)?;
        let (y, schedule) = (gpu.download(&y)?, SparseSchedule::from(candidate.schedule));
        Spmv { y, schedule, times: Times::default() }.verify(matrix, x)?;
        let once = run(&plan, 1)?;
        Ok((plan, once))
    };
    let contestants: Result<Vec<_>> =
        candidates.iter().map(|candidate| fitting(contestant(candidate))).collect();
    time_all(&contestants?, repeat, run)
}

/// What was done, or why this device cannot do it.
fn fitting<V>(done: Result<V>) -> Result<Result<V, String>> {
    match done {
        Ok(done) => Ok(Ok(done)),
        Err(error) if error.is_too_large() || error.is_beyond_schedule() => {
            Ok(Err(error.to_string()))
        }
        Err(error) => Err(error),
    }
}

/// Does something on the GPU, and waits until it is done; how long it took without compiling and without
/// what an empty wait takes, of which no more counts than was waited.
fn finished(gpu: &Gpu, wait: Duration, code: impl FnOnce() -> Result<()>) -> Result<Duration> {
    gpu.wake();
    let stopwatch = gpu.stopwatch();
    code()?;
    let waiting = gpu.stopwatch();
    gpu.wait()?;
    let waited = waiting.elapsed().min(wait);
    Ok(stopwatch.elapsed().saturating_sub(waited))
}

/// How long the host waits for a GPU that has nothing to do.
fn empty_wait(gpu: &Gpu) -> Result<Duration> {
    const WAITS: usize = 5;
    let mut shortest = Duration::MAX;
    for _ in 0..WAITS {
        shortest = shortest.min(finished(gpu, Duration::ZERO, || Ok(()))?);
    }
    Ok(shortest)
}
