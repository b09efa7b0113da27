//! Candidates that take turns, in bursts of products.

use std::time::Duration;

use equipoise::Result;

use crate::experiments::timing::median::median;

/// The median time of each candidate, or the reason why it could not run.
pub(super) type CandidateTimes = Vec<Result<Duration, String>>;

/// A prepared candidate with the time of one product, or the reason why it could not run.
pub(super) type Contestant<P> = Result<(P, Duration), String>;

/// A candidate slower than the fastest by this factor, twice, is not timed further; once may be a
/// disturbance.
const FAR_BEHIND: u32 = 20;
/// The duration of repeated products between two readings of the clock.
const BURST: Duration = Duration::from_millis(2);
const FEWEST: u128 = 5;
const MOST: u128 = 200;

/// The median of `repeat` bursts for each candidate that is not far behind; `burst` runs a number
/// of products and returns their time. Candidates take turns, so that a disturbance of the device
/// affects all of them.
pub(super) fn time_all<P>(
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
            // A time of zero is below the resolution of the clock.
            times[index] = Ok(median.max(Duration::from_nanos(1)));
        }
    }
    Ok(times)
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
