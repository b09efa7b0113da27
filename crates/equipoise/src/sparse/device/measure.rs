//! Timing every candidate on a GPU.

use equipoise_graph::{Matrix, Value};
use equipoise_schedule::Error as DeviceError;

use super::on_gpu::{Uploaded, empty_wait, finished};
use crate::{
    Error, Number, Result, SparseSchedule, Spmv, SpmvCandidate, Times,
    gpu::SpmvPlan,
    learned::check_measuring,
    sparse::measure::{CandidateTimes, time_all},
};

impl<T: Number> Uploaded<T> {
    /// Times candidates with the vector in the GPU's memory, each after a product that is verified.
    pub(super) fn time_candidates(
        &self,
        matrix: &Matrix<T>,
        x: &[T],
        candidates: &[SpmvCandidate],
        repeat: u32,
    ) -> Result<CandidateTimes> {
        check_measuring(candidates.len(), repeat)?;
        let gpu = &self.gpu;
        let wait = empty_wait(gpu)?;
        let (dx, y) = (gpu.upload(x)?, gpu.empty(matrix.rows() as usize)?);
        let run = |plan: &SpmvPlan<T>, products: u32| {
            let ((), time) = finished(gpu, || (0..products).try_for_each(|_| plan.run(&dx, &y)))?;
            Ok(time.saturating_sub(wait))
        };
        let contestant = |candidate: &SpmvCandidate| {
            let plan = SpmvPlan::new(gpu, &self.matrix, candidate.options())?;
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
}

/// What was done, or why this device cannot do it.
fn fitting<V>(done: Result<V>) -> Result<Result<V, String>> {
    use DeviceError::{BufferTooLarge, OutOfMemory, Schedule, TooMany};
    match done {
        Ok(done) => Ok(Ok(done)),
        Err(Error::Device(
            error @ (OutOfMemory { .. } | BufferTooLarge { .. } | TooMany { .. } | Schedule(_)),
        )) => Ok(Err(error.to_string())),
        Err(error) => Err(error),
    }
}
