//! The time of every candidate on one matrix.

use std::time::Duration;

use equipoise_graph::{Matrix, Value};

use super::{SparseOptions, SparseSchedule, SpmvCandidate, spmv};
use crate::{Result, learned};

/// The median time of each candidate, or why it could not run.
pub(super) type CandidateTimes = Vec<Result<Duration, String>>;

/// A candidate made ready, and how long its product took once; or why it could not run.
pub(super) type Contestant<P> = Result<(P, Duration), String>;

/// What takes so many times as long as the fastest, twice, is not worth more looks. Once may be a
/// disturbance.
const FAR_BEHIND: u32 = 20;
/// How long products are repeated between two looks at the clock.
const BURST: Duration = Duration::from_millis(1);
const FEWEST: u128 = 5;
const MOST: u128 = 200;

/// The median of `repeat` bursts, for all that are not far behind; `burst` says how long so many
/// products took.
pub(super) fn time_all<P>(
    contestants: &[Contestant<P>],
    repeat: u32,
    burst: impl Fn(&P, u32) -> Result<Duration>,
) -> Result<CandidateTimes> {
    let once = contestants.iter().filter_map(|it| Some(it.as_ref().ok()?.1));
    let limit = once.min().unwrap_or_default().saturating_mul(FAR_BEHIND);
    let time = |contestant: &Contestant<P>| match contestant {
        Err(reason) => Ok(Err(reason.clone())),
        Ok((plan, once)) => {
            let again = if *once > limit { burst(plan, 1)? } else { *once };
            if again > limit {
                return Ok(Ok(again.min(*once)));
            }
            let fitting = BURST.as_nanos() / again.as_nanos().max(1);
            let products = fitting.clamp(FEWEST, MOST) as u32;
            let mut times = Vec::with_capacity(repeat as usize);
            for _ in 0..repeat {
                times.push(burst(plan, products)? / products);
            }
            // What took no time that a clock can tell took some.
            Ok(Ok(learned::median(&times).unwrap_or(again).max(Duration::from_nanos(1))))
        }
    };
    contestants.iter().map(time).collect()
}

/// Times candidates on the cpu, each after a product that is verified.
pub(super) fn on_cpu<T: Value>(
    matrix: &Matrix<T>,
    x: &[T],
    candidates: &[SpmvCandidate],
    repeat: u32,
) -> Result<CandidateTimes> {
    learned::check_measuring(candidates.len(), repeat)?;
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
        let bursts = |plan| [(plan, 10); 3];
        let mut expected = vec![("slow", 1), ("disturbed", 1)];
        expected.extend([bursts("disturbed"), bursts("fast"), bursts("tiny")].concat());
        assert_eq!(calls.into_inner(), expected);
    }

    #[test]
    fn nothing_to_measure_is_told() {
        let error = |candidates: &[SpmvCandidate], repeat| {
            learned::check_measuring(candidates.len(), repeat).unwrap_err().to_string()
        };
        assert!(error(&[], 3).contains("no candidates"));
        assert!(error(SpmvCandidate::of_cpu(), 0).contains("`repeat` is 0"));
    }
}
