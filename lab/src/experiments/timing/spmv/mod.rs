//! The time of every candidate for products of one matrix with a vector.

mod gpu;

use std::time::Duration;

use equipoise::{
    Result,
    device::OpenDevice,
    graph::{Matrix, Value},
    sparse::{Number, SparseOptions, SparseSchedule, SpmvCandidate, spmv},
};

use super::median::{check_measuring, median};

/// The median time of each candidate, or why it could not run.
type CandidateTimes = Vec<Result<Duration, String>>;

/// A candidate made ready, and how long its product took once; or why it could not run.
type Contestant<P> = Result<(P, Duration), String>;

/// What takes so many times as long as the fastest, twice, is not worth more looks. Once may be a
/// disturbance.
const FAR_BEHIND: u32 = 20;
/// How long products are repeated between two looks at the clock.
const BURST: Duration = Duration::from_millis(2);
const FEWEST: u128 = 5;
const MOST: u128 = 200;

/// The median of `repeat` bursts, for all that are not far behind; `burst` says how long so many
/// products took. All take turns, so that what disturbs the device for a while is not one's alone.
fn time_all<P>(
    contestants: &[Contestant<P>],
    repeat: u32,
    burst: impl Fn(&P, u32) -> Result<Duration>,
) -> Result<CandidateTimes> {
    let once = contestants.iter().filter_map(|it| Some(it.as_ref().ok()?.1));
    let limit = once.min().unwrap_or_default().saturating_mul(FAR_BEHIND);
    let mut times = Vec::with_capacity(contestants.len());
    let mut going_on = Vec::new();
    for (index, contestant) in contestants.iter().enumerate() {
        times.push(match contestant {
            Err(reason) => Err(reason.clone()),
            Ok((plan, once)) => {
                let again = if *once > limit { burst(plan, 1)? } else { *once };
                if again <= limit {
                    let fitting = BURST.as_nanos() / again.as_nanos().max(1);
                    going_on.push((index, plan, fitting.clamp(FEWEST, MOST) as u32));
                }
                Ok(again.min(*once))
            }
        });
    }
    let mut bursts = vec![Vec::with_capacity(repeat as usize); going_on.len()];
    for _ in 0..repeat {
        for ((_, plan, products), times) in going_on.iter().zip(&mut bursts) {
            times.push(burst(plan, *products)? / *products);
        }
    }
    for ((index, ..), bursts) in going_on.into_iter().zip(bursts) {
        if let Some(median) = median(&bursts) {
            // What took no time that a clock can tell took some.
            times[index] = Ok(median.max(Duration::from_nanos(1)));
        }
    }
    Ok(times)
}

/// What [`measure_spmv`] can time on a device.
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

/// How long the product of a matrix with `x` takes on a device with each candidate, both being there
/// already; or why one cannot run on the device. Each is verified first, and then timed in `repeat`
/// bursts of several products, of which it is the median. What took 20 times as long as the fastest
/// is timed once.
///
/// Fails where `x` has not one number a column, a product is wrong, the matrix does not fit the
/// device or that does not compute with `T`, or there is nothing to measure.
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

/// Times candidates on the cpu, each after a product that is verified.
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

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn what_is_far_behind_twice_is_not_timed_again() {
        let micros = Duration::from_micros;
        let contestants = vec![
            Ok(("slow", micros(2100))),
            Ok(("disturbed", micros(9000))),
            Ok(("fast", micros(100))),
            Err("needs more memory".to_owned()),
            Ok(("tiny", micros(100))),
        ];
        let calls = RefCell::new(Vec::new());
        let times = time_all(&contestants, 3, |&plan, products| {
            calls.borrow_mut().push((plan, products));
            let number = calls.borrow().len() as u32;
            Ok(match plan {
                "slow" => micros(2200),
                "disturbed" => micros(100) * products,
                "fast" => micros(u64::from(10 * number)) * products,
                _ => Duration::ZERO,
            })
        })
        .unwrap();
        let expected = [
            Ok(micros(2100)),
            Ok(micros(100)),
            Ok(micros(70)),
            Err("needs more memory".to_owned()),
            Ok(Duration::from_nanos(1)),
        ];
        assert_eq!(times, expected);
        let mut expected = vec![("slow", 1), ("disturbed", 1)];
        expected.extend([("disturbed", 20), ("fast", 20), ("tiny", 20)].repeat(3));
        assert_eq!(calls.into_inner(), expected);
    }
}
