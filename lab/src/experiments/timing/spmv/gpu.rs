//! Times every candidate for products on a GPU.

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

use super::bursts::{CandidateTimes, time_all};

/// Times candidates with the matrix and the vector in GPU memory, each after a verified product.
pub(super) fn measure<T: Number>(
    gpu: &Gpu,
    matrix: &Matrix<T>,
    x: &[T],
    candidates: &[SpmvCandidate],
    repeat: u32,
) -> Result<CandidateTimes> {
    let device_matrix = DeviceMatrix::upload(gpu, matrix)?;
    let wait = empty_wait(gpu)?;
    let (dx, y) = (gpu.upload(x)?, gpu.empty(matrix.rows() as usize)?);
    let run = |plan: &SpmvPlan<T>, products: u32| {
        finished(gpu, wait, || (0..products).try_for_each(|_| plan.run(&dx, &y)))
    };
    let contestant = |candidate: &SpmvCandidate| {
        let plan = SpmvPlan::new(gpu, &device_matrix, candidate.options())?;
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

/// The result, or the reason why this device does not support it.
fn fitting<V>(done: Result<V>) -> Result<Result<V, String>> {
    match done {
        Ok(done) => Ok(Ok(done)),
        Err(error) if error.is_too_large() || error.is_beyond_schedule() => {
            Ok(Err(error.to_string()))
        }
        Err(error) => Err(error),
    }
}

/// Runs `code` on the GPU and waits for it; returns its time without compiling, and without the
/// cost of an empty wait, capped so that the subtraction cannot underflow.
fn finished(gpu: &Gpu, wait: Duration, code: impl FnOnce() -> Result<()>) -> Result<Duration> {
    gpu.wake();
    let stopwatch = gpu.stopwatch();
    code()?;
    let waiting = gpu.stopwatch();
    gpu.wait()?;
    let waited = waiting.elapsed().min(wait);
    Ok(stopwatch.elapsed().saturating_sub(waited))
}

/// The time of a wait for an idle GPU.
fn empty_wait(gpu: &Gpu) -> Result<Duration> {
    const WAITS: usize = 5;
    let mut shortest = Duration::MAX;
    for _ in 0..WAITS {
        shortest = shortest.min(finished(gpu, Duration::ZERO, || Ok(()))?);
    }
    Ok(shortest)
}
