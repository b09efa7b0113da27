//! Helpers for timing candidates: medians, and the detection of hopeless ones.

use std::time::Duration;

use equipoise::{Error, Result};

/// A candidate slower than the fastest by this factor is not timed again.
const HOPELESS: u32 = 20;
/// An upper bound on the time to compile the kernels of a candidate.
const COMPILING: Duration = Duration::from_secs(3);

/// The median time of several runs, after an untimed one that may compile kernels. If that one
/// takes many times as long as the fastest so far, a single timed run follows; none, if it takes
/// longer than compiling could.
pub(crate) fn median_time(
    mut run: impl FnMut() -> Result<Duration>,
    repeat: u32,
    least: Option<Duration>,
) -> Result<Duration> {
    let first = run()?;
    if least.is_some_and(|least| first > HOPELESS * least) {
        return if first > COMPILING { Ok(first) } else { run() };
    }
    let times = (0..repeat).map(|_| run()).collect::<Result<Vec<Duration>>>()?;
    Ok(median(&times).unwrap_or(first))
}

/// The median; for an even number of times, the later of the middle two.
pub(crate) fn median(times: &[Duration]) -> Option<Duration> {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}

/// The minimum of the existing times.
pub(crate) fn least(times: &[Result<Duration, String>]) -> Option<Duration> {
    times.iter().flatten().min().copied()
}

/// The result, or the reason if memory is insufficient.
pub(crate) fn unless_too_large<T>(done: Result<T>) -> Result<Result<T, String>> {
    match done {
        Ok(done) => Ok(Ok(done)),
        Err(error) if error.is_too_large() => Ok(Err(error.to_string())),
        Err(error) => Err(error),
    }
}

/// The maximum number of runs per candidate.
const MOST_REPEATS: u32 = 10_000;

/// Fails if the number of candidates or of runs is invalid.
pub(crate) fn check_measuring(candidates: usize, repeat: u32) -> Result<()> {
    let problem = match (candidates, repeat) {
        (0, _) => "no candidates to measure".into(),
        (_, 1..=MOST_REPEATS) => return Ok(()),
        (_, repeat) => format!("`repeat` is {repeat}: 1 to {MOST_REPEATS} are possible"),
    };
    Err(Error::Option(problem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_to_measure_is_an_error() {
        let error =
            |candidates, repeat| check_measuring(candidates, repeat).unwrap_err().to_string();
        assert!(error(0, 3).contains("no candidates"));
        assert!(error(2, 0).contains("`repeat` is 0: 1 to 10000"));
    }

    #[test]
    fn who_is_hopeless_is_timed_once() {
        let mut runs = 0;
        let run = |seconds| {
            move |runs: &mut u32| {
                *runs += 1;
                Ok(Duration::from_secs(seconds))
            }
        };
        let fast = run(2);
        let time = median_time(|| fast(&mut runs), 3, Some(Duration::from_secs(1))).unwrap();
        assert_eq!((time, runs), (Duration::from_secs(2), 4));
        let slow = run(21);
        median_time(|| slow(&mut runs), 3, Some(Duration::from_secs(1))).unwrap();
        assert_eq!(runs, 5);
        // Perhaps it was compiling.
        let late = run(2);
        median_time(|| late(&mut runs), 3, Some(Duration::from_millis(50))).unwrap();
        assert_eq!(runs, 7);
    }
}
