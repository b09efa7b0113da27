//! Times every candidate for products of one matrix with a vector.

mod bursts;
mod gpu;

use std::time::Duration;

use equipoise::{
    Result,
    device::OpenDevice,
    graph::{Matrix, Value},
    sparse::{Number, SparseOptions, SparseSchedule, SpmvCandidate, spmv},
};

use self::bursts::{CandidateTimes, time_all};
use super::median::check_measuring;

/// The candidates that [`measure_spmv`] can time on a device.
///
/// ```
/// use equipoise::device::Device;
/// use equipoise_lab::experiments::spmv_candidates;
///
/// assert_eq!(spmv_candidates(&Device::Cpu.open()?)[1].to_string(), "merge-path");
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn spmv_candidates(device: &OpenDevice) -> &'static [SpmvCandidate] {
    match device {
        OpenDevice::Cpu => SpmvCandidate::of_cpu(),
        OpenDevice::Gpu(_) => SpmvCandidate::all(),
    }
}

/// Times the product of a matrix with `x` on a device by each candidate, with both in device
/// memory; a candidate that cannot run has the reason instead. Each is verified first, and then
/// timed in `repeat` bursts of several products, of which the median counts. A candidate that takes
/// 20 times as long as the fastest is timed once.
///
/// Fails if the length of `x` is not the number of columns, a product is wrong, the matrix does not
/// fit the device or the device does not support `T`, or no candidate is requested.
///
/// ```
/// use equipoise::{device::Device, graph::Matrix};
/// use equipoise_lab::experiments::{measure_spmv, spmv_candidates};
///
/// let matrix = Matrix::from_entries(1, 2, &[(0, 1, 2.0f32)])?;
/// let device = Device::Cpu.open()?;
/// let candidates = spmv_candidates(&device);
/// let times = measure_spmv(&device, &matrix, &[1.0, 4.0], candidates, 3)?;
/// assert_eq!(times.len(), candidates.len());
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn measure_spmv<T: Number>(
    device: &OpenDevice,
    matrix: &Matrix<T>,
    x: &[T],
    candidates: &[SpmvCandidate],
    repeat: u32,
) -> Result<Vec<Result<Duration, String>>> {
    check_measuring(candidates.len(), repeat)?;
    match device {
        OpenDevice::Cpu => on_cpu(matrix, x, candidates, repeat),
        OpenDevice::Gpu(gpu) => gpu::measure(gpu, matrix, x, candidates, repeat),
    }
}

/// Times candidates on the cpu, each after a verified product.
fn on_cpu<T: Value>(
    matrix: &Matrix<T>,
    x: &[T],
    candidates: &[SpmvCandidate],
    repeat: u32,
) -> Result<CandidateTimes> {
    let mut contestants = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        let schedule = SparseSchedule::from(candidate.schedule);
        let options = SparseOptions { schedule, ..SparseOptions::default() };
        spmv(matrix, x, &options)?.verify(matrix, x)?;
        let once = spmv(matrix, x, &options)?.times.kernel;
        contestants.push(Ok((options, once)));
    }
    time_all(&contestants, repeat, |options, products| {
        let mut time = Duration::ZERO;
        for _ in 0..products {
            time += spmv(matrix, x, options)?.times.kernel;
        }
        Ok(time)
    })
}
