//! A thread that reports how long its rank has waited for the others, and ends the job after a limit.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

/// The time of waiting until the first report; the next comes after twice as long, and so on.
const FIRST_REPORT: Duration = Duration::from_secs(10);
/// The time between two checks.
const INTERVAL: Duration = Duration::from_millis(250);
/// Marks a rank that does not wait.
const WORKING: u64 = u64::MAX;

/// The activity of a rank, for the thread that watches it.
pub struct Watch {
    rank: usize,
    start: Instant,
    /// When the rank began to wait, in milliseconds since `start`.
    since: AtomicU64,
    /// The number of waits so far.
    waits: AtomicU64,
    activity: Mutex<Activity>,
}

/// The step that a rank entered last, and the call that it waits in.
#[derive(Clone, Copy)]
struct Activity {
    step: &'static str,
    call: &'static str,
}

impl Watch {
    /// The watch of a rank that does not wait.
    pub fn new(rank: usize) -> Self {
        let (start, activity) = (Instant::now(), Mutex::new(Activity { step: "start", call: "" }));
        Self { rank, start, since: AtomicU64::new(WORKING), waits: AtomicU64::new(0), activity }
    }

    /// Enters a step.
    pub fn enter(&self, step: &'static str) {
        self.activity.lock().unwrap_or_else(PoisonError::into_inner).step = step;
    }

    /// Waits for other ranks in `call`.
    pub fn wait<T>(&self, call: &'static str, waits: impl FnOnce() -> T) -> T {
        self.activity.lock().unwrap_or_else(PoisonError::into_inner).call = call;
        self.waits.fetch_add(1, Relaxed);
        self.since.store(self.start.elapsed().as_millis() as u64, Relaxed);
        let done = waits();
        self.since.store(WORKING, Relaxed);
        done
    }

    /// The number of the current wait and its duration, if the rank waits.
    fn waiting(&self) -> Option<(u64, Duration)> {
        let wait = self.waits.load(Relaxed);
        let since = self.since.load(Relaxed);
        (since != WORKING)
            .then(|| (wait, self.start.elapsed().saturating_sub(Duration::from_millis(since))))
    }

    fn report(&self, wait: u64, waited: Duration) -> String {
        let Activity { step, call } = *self.activity.lock().unwrap_or_else(PoisonError::into_inner);
        let (rank, seconds) = (self.rank, waited.as_secs());
        format!("rank {rank} has waited {seconds} s for other ranks at `{step}`, in {call} {wait}")
    }

    /// Watches until the program ends: prints to standard error how long the rank waits, and calls `end` with the reason
    /// after `limit`.
    pub fn run(&self, limit: Option<Duration>, end: impl Fn(&str)) {
        let mut next_report = (0, FIRST_REPORT);
        loop {
            thread::sleep(INTERVAL);
            let Some((wait, waited)) = self.waiting() else { continue };
            if next_report.0 != wait {
                next_report = (wait, FIRST_REPORT);
            }
            if limit.is_some_and(|limit| waited >= limit) {
                return end(&format!(
                    "error: {}: --wait-limit ends the job\n",
                    self.report(wait, waited)
                ));
            }
            if waited >= next_report.1 {
                eprintln!("warning: {}", self.report(wait, waited));
                next_report.1 = waited * 2;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rank_that_works_does_not_wait() {
        let watch = Watch::new(3);
        assert_eq!(watch.waiting(), None);
        watch.enter("reading");
        watch.wait("barrier", || {
            let (wait, waited) = watch.waiting().unwrap();
            assert_eq!(
                watch.report(wait, waited + Duration::from_secs(7)),
                "rank 3 has waited 7 s for other ranks at `reading`, in barrier 1"
            );
        });
        assert_eq!(watch.waiting(), None);
    }

    #[test]
    fn waiting_longer_than_the_limit_ends_the_job() {
        let watch = Watch::new(0);
        let message = Mutex::new(String::new());
        watch.wait("barrier", || {
            watch.run(Some(Duration::from_millis(1)), |why| message.lock().unwrap().push_str(why))
        });
        let message = message.into_inner().unwrap();
        assert!(message.ends_with("in barrier 1: --wait-limit ends the job\n"), "{message}");
    }
}
