//! A thread that says how long its rank has been waiting for the others, and ends the job when that is too long.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

/// After how long a rank first says that it waits; it says so again after twice as long, and so on.
const FIRST_WORD: Duration = Duration::from_secs(10);
/// How often the thread looks.
const INTERVAL: Duration = Duration::from_millis(250);
/// What stands for a rank that works.
const WORKING: u64 = u64::MAX;

/// What a rank is doing, for the thread that watches it.
pub struct Watch {
    rank: usize,
    start: Instant,
    /// When the rank began to wait, in milliseconds since `start`.
    since: AtomicU64,
    /// How many times it has waited.
    waits: AtomicU64,
    /// What the rank was last told to be at, and what it waits in.
    at: Mutex<At>,
}

#[derive(Clone, Copy)]
struct At {
    step: &'static str,
    call: &'static str,
}

impl Watch {
    /// Of a rank that works.
    pub fn new(rank: usize) -> Self {
        let (start, at) = (Instant::now(), Mutex::new(At { step: "start", call: "" }));
        Self { rank, start, since: AtomicU64::new(WORKING), waits: AtomicU64::new(0), at }
    }

    /// What follows is part of this step.
    pub fn enter(&self, step: &'static str) {
        self.at.lock().unwrap_or_else(PoisonError::into_inner).step = step;
    }

    /// Waits for other ranks in `call`.
    pub fn wait<T>(&self, call: &'static str, waits: impl FnOnce() -> T) -> T {
        self.at.lock().unwrap_or_else(PoisonError::into_inner).call = call;
        self.waits.fetch_add(1, Relaxed);
        self.since.store(self.start.elapsed().as_millis() as u64, Relaxed);
        let done = waits();
        self.since.store(WORKING, Relaxed);
        done
    }

    /// How long the rank has been waiting, where it does, and in which of its waits.
    fn waiting(&self) -> Option<(u64, Duration)> {
        let wait = self.waits.load(Relaxed);
        let since = self.since.load(Relaxed);
        (since != WORKING)
            .then(|| (wait, self.start.elapsed().saturating_sub(Duration::from_millis(since))))
    }

    fn told(&self, wait: u64, waited: Duration) -> String {
        let At { step, call } = *self.at.lock().unwrap_or_else(PoisonError::into_inner);
        let (rank, seconds) = (self.rank, waited.as_secs());
        format!("rank {rank} has waited {seconds} s for other ranks at `{step}`, in {call} {wait}")
    }

    /// Watches until the program ends: says on standard error how long the rank waits, and calls `end` with
    /// the reason when that is longer than `limit`.
    pub fn run(&self, limit: Option<Duration>, end: impl Fn(&str)) {
        let mut told = (0, FIRST_WORD);
        loop {
            thread::sleep(INTERVAL);
            let Some((wait, waited)) = self.waiting() else { continue };
            if told.0 != wait {
                told = (wait, FIRST_WORD);
            }
            if limit.is_some_and(|limit| waited >= limit) {
                return end(&format!(
                    "error: {}: --wait-limit ends the job\n",
                    self.told(wait, waited)
                ));
            }
            if waited >= told.1 {
                eprintln!("warning: {}", self.told(wait, waited));
                told.1 = waited * 2;
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
                watch.told(wait, waited + Duration::from_secs(7)),
                "rank 3 has waited 7 s for other ranks at `reading`, in barrier 1"
            );
        });
        assert_eq!(watch.waiting(), None);
    }

    #[test]
    fn waiting_longer_than_the_limit_ends_the_job() {
        let watch = Watch::new(0);
        let said = Mutex::new(String::new());
        watch.wait("barrier", || {
            watch.run(Some(Duration::from_millis(1)), |why| said.lock().unwrap().push_str(why))
        });
        let said = said.into_inner().unwrap();
        assert!(said.ends_with("in barrier 1: --wait-limit ends the job\n"), "{said}");
    }
}
