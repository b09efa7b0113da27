//! Where the calling thread posts jobs, and helpers find them.

use std::{
    cell::UnsafeCell,
    hint::spin_loop,
    sync::atomic::{
        AtomicBool, AtomicU8, AtomicU64,
        Ordering::{Acquire, Relaxed, Release, SeqCst},
    },
    thread::{panicking, yield_now},
    time::{Duration, Instant},
};

/// How often to look before others are let onto the core: some microseconds.
const SPINS: u32 = 200;

/// A helper that finds no job for so long leaves: its thread may have other work.
const PATIENCE: Duration = Duration::from_micros(200);

/// A job: the number of the thread is its argument.
type Job<'j> = dyn Fn(usize) + Sync + 'j;

/// The epoch after the last job.
const OVER: u64 = u64::MAX;

/// What the threads of a team tell each other.
pub(super) struct Board {
    post: Post,
    slots: Vec<Slot>,
    /// Whether a job has panicked in a helper.
    has_failed: AtomicBool,
}

/// What the calling thread writes and the helpers read.
#[repr(align(128))]
struct Post {
    /// Odd while a job can be joined, one more once it is closed; [`OVER`] in the end.
    epoch: AtomicU64,
    /// The numbers below this one are asked to join.
    threads: AtomicU64,
    /// The job of the current epoch, while that is odd.
    job: UnsafeCell<Option<*const Job<'static>>>,
}

/// What one helper writes: one of the states below. Aligned so that no two share a cache line.
#[repr(align(128))]
struct Slot(AtomicU8);

/// The helper has not been called, or has left.
const ABSENT: u8 = 0;
/// It has been called, and may be polling.
const PRESENT: u8 = 1;
/// It is at work on a job, or about to find out that the job is closed.
const JOINED: u8 = 2;

// SAFETY: only `job` is not `Sync` by itself, and not `Send`. It points to what is `Sync`, is
// written by the one thread that calls `share` (a `Team` cannot be shared between threads), while
// the epoch is even, and is read by helpers only between joining and leaving an odd epoch, which
// `close` waits for: so never while it is written, and never after what it points to is gone.
unsafe impl Sync for Board {}

impl Board {
    pub fn new(helpers: usize) -> Self {
        let post = Post {
            epoch: AtomicU64::new(0),
            threads: AtomicU64::new(0),
            job: UnsafeCell::new(None),
        };
        let slots = std::iter::repeat_with(|| Slot(AtomicU8::new(ABSENT))).take(helpers).collect();
        Self { post, slots, has_failed: AtomicBool::new(false) }
    }

    pub fn helpers(&self) -> usize {
        self.slots.len()
    }

    /// Whether a helper has to be called.
    pub fn has_absent(&self) -> bool {
        self.slots.iter().any(|slot| slot.0.load(Relaxed) == ABSENT)
    }

    /// The numbers of the helpers that have to be called. Whoever asks calls them.
    pub fn call_absent(&self) -> impl Iterator<Item = usize> {
        let absent = |slot: &Slot| slot.0.load(Acquire) == ABSENT;
        let slots = (1..).zip(&self.slots).filter(move |(_, slot)| absent(slot));
        slots.map(|(index, slot)| {
            slot.0.store(PRESENT, Relaxed);
            index
        })
    }

    /// Runs `job` as number 0, while helpers with numbers below `threads` may join. Only one thread
    /// may call this, and no job may. Panics where the job does, in any thread.
    pub fn share(&self, threads: usize, job: &Job) {
        self.open(threads, job);
        // Closes also where the job panics.
        let open = Open(self);
        job(0);
        drop(open);
        assert!(!self.has_failed.load(Relaxed), "a job has panicked in another thread");
    }

    fn open(&self, threads: usize, job: &Job) {
        let job: *const Job<'_> = job;
        // SAFETY: only a lifetime changes. `share` closes the epoch before it returns, and `close`
        // waits for all that might use the job.
        let job = unsafe { std::mem::transmute::<*const Job<'_>, *const Job<'static>>(job) };
        // SAFETY: the epoch is even, so that nobody reads this; see `Sync`.
        unsafe { *self.post.job.get() = Some(job) };
        self.post.threads.store(threads as u64, Relaxed);
        let epoch = self.post.epoch.load(Relaxed);
        self.post.epoch.store(epoch + 1, Release);
    }

    /// Lets nobody join any more, and waits for those who have.
    fn close(&self) {
        let epoch = self.post.epoch.load(Relaxed);
        // Sequentially consistent, as the stores and loads of `join` are: either the helper sees
        // that the epoch is closed, or this thread sees that it has joined.
        self.post.epoch.store(epoch + 1, SeqCst);
        for slot in &self.slots {
            wait_until(|| slot.0.load(SeqCst) != JOINED);
        }
    }

    /// Lets all helpers leave.
    pub fn dismiss(&self) {
        self.post.epoch.store(OVER, Release);
    }

    /// What helper `index` does until it is dismissed or has no job for too long. It leaves at once
    /// where it could only wait for itself: `elsewhere` is false on the calling thread.
    pub fn help(&self, index: usize, elsewhere: bool) {
        let leave = Leave { slot: &self.slots[index - 1].0, has_failed: &self.has_failed };
        let mut last = 0;
        while elsewhere && let Some(epoch) = self.next_epoch(last) {
            last = epoch;
            if (index as u64) < self.post.threads.load(Relaxed) {
                self.join(epoch, index, leave.slot);
            }
        }
    }

    /// The first epoch after `last` that can be joined, if there is one soon.
    fn next_epoch(&self, last: u64) -> Option<u64> {
        let mut spins = 0;
        let mut since = None;
        loop {
            match self.post.epoch.load(Acquire) {
                OVER => return None,
                epoch if epoch % 2 == 1 && epoch != last => return Some(epoch),
                _ if spins < SPINS => {
                    spins += 1;
                    spin_loop();
                }
                _ if since.get_or_insert_with(Instant::now).elapsed() > PATIENCE => return None,
                _ => yield_now(),
            }
        }
    }

    /// Runs the job of `epoch`, unless that is closed.
    fn join(&self, epoch: u64, index: usize, slot: &AtomicU8) {
        slot.store(JOINED, SeqCst);
        if self.post.epoch.load(SeqCst) == epoch {
            // SAFETY: this thread has joined an epoch that was still open then, so the calling
            // thread does not write the job nor let go of it before the slot says otherwise.
            let job = unsafe { (*self.post.job.get()).map(|job| &*job) };
            job.into_iter().for_each(|job| job(index));
        }
        slot.store(PRESENT, Release);
    }
}

/// Closes the epoch when dropped.
struct Open<'b>(&'b Board);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Records that a helper has left when dropped, also where that is because a job panics.
struct Leave<'b> {
    slot: &'b AtomicU8,
    has_failed: &'b AtomicBool,
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        if panicking() {
            self.has_failed.store(true, Relaxed);
        }
        self.slot.store(ABSENT, Release);
    }
}

/// Waits for another thread that is at work.
fn wait_until(is_done: impl Fn() -> bool) {
    let mut spins = 0;
    while !is_done() {
        match spins < SPINS {
            true => spin_loop(),
            false => yield_now(),
        }
        spins += 1;
    }
}
