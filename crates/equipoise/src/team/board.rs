//! The board on which the calling thread posts jobs for its helpers.

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

/// Polls before a thread yields its core: some microseconds.
const SPINS: u32 = 200;

/// A helper without a job for this long leaves: its thread may have other work.
const PATIENCE: Duration = Duration::from_micros(200);

/// A job: the number of the thread is its argument.
type Job<'j> = dyn Fn(usize) + Sync + 'j;

/// The epoch after the last job.
const OVER: u64 = u64::MAX;

/// The state that the threads of a team share.
pub(super) struct Board {
    post: Post,
    slots: Vec<Slot>,
    /// Whether a job has panicked in a helper.
    has_failed: AtomicBool,
}

/// The data that the calling thread writes and the helpers read.
#[repr(align(128))]
struct Post {
    /// Odd while a job can be joined, even once it is closed; [`OVER`] at the end.
    epoch: AtomicU64,
    /// Helpers with smaller numbers may join.
    threads: AtomicU64,
    /// The job of the current epoch, while that is odd.
    job: UnsafeCell<Option<*const Job<'static>>>,
}

/// The state of one helper, which it writes itself. Aligned so that no two share a cache line.
#[repr(align(128))]
struct Slot(AtomicU8);

/// The helper has not been called, or has left.
const ABSENT: u8 = 0;
/// It has been called, and may be polling.
const PRESENT: u8 = 1;
/// It is at work on a job, or about to see that the job is closed.
const JOINED: u8 = 2;

// SAFETY: only `job` is neither `Sync` nor `Send`. It points to a `Sync` value. Only the thread that calls `share` writes it
// (a `Team` cannot be shared between threads), while the epoch is even. Helpers read it only between joining and leaving an
// odd epoch, which `close` waits for: so never while it is written, and never after the value is dropped.
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

    /// Whether some helper is absent.
    pub fn has_absent(&self) -> bool {
        self.slots.iter().any(|slot| slot.0.load(Relaxed) == ABSENT)
    }

    /// The numbers of the absent helpers, which the caller has to call.
    pub fn call_absent(&self) -> impl Iterator<Item = usize> {
        let absent = |slot: &Slot| slot.0.load(Acquire) == ABSENT;
        let slots = (1..).zip(&self.slots).filter(move |(_, slot)| absent(slot));
        slots.map(|(index, slot)| {
            slot.0.store(PRESENT, Relaxed);
            index
        })
    }

    /// Runs `job` as number 0, while helpers with numbers below `threads` may join. Only one thread may call this, and not
    /// from a job. Panics if the job panics in any thread.
    pub fn share(&self, threads: usize, job: &Job) {
        self.open(threads, job);
        // Closes the epoch also if the job panics.
        let open = Open(self);
        job(0);
        drop(open);
        assert!(!self.has_failed.load(Relaxed), "a job has panicked in another thread");
    }

    fn open(&self, threads: usize, job: &Job) {
        let job: *const Job<'_> = job;
        // SAFETY: only a lifetime changes. `share` closes the epoch before it returns, and `close` waits for all helpers that
        // use the job.
        let job = unsafe { std::mem::transmute::<*const Job<'_>, *const Job<'static>>(job) };
        // SAFETY: the epoch is even, so that no helper reads this; see `Sync`.
        unsafe { *self.post.job.get() = Some(job) };
        self.post.threads.store(threads as u64, Relaxed);
        let epoch = self.post.epoch.load(Relaxed);
        self.post.epoch.store(epoch + 1, Release);
    }

    /// Closes the epoch, and waits for the helpers that have joined.
    fn close(&self) {
        let epoch = self.post.epoch.load(Relaxed);
        // Sequentially consistent, like the stores and loads of `join`: either the helper sees that the epoch is closed, or
        // this thread sees that the helper has joined.
        self.post.epoch.store(epoch + 1, SeqCst);
        for slot in &self.slots {
            wait_until(|| slot.0.load(SeqCst) != JOINED);
        }
    }

    /// Lets all helpers leave.
    pub fn dismiss(&self) {
        self.post.epoch.store(OVER, Release);
    }

    /// Runs helper `index` until it is dismissed or has no job for too long. On the calling thread (`elsewhere` is false) it
    /// leaves at once, since it would only wait for itself.
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

    /// The next epoch after `last` that can be joined; `None` after waiting too long.
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

    /// Runs the job of `epoch`, unless it is closed.
    fn join(&self, epoch: u64, index: usize, slot: &AtomicU8) {
        slot.store(JOINED, SeqCst);
        if self.post.epoch.load(SeqCst) == epoch {
            // SAFETY: this thread has joined an open epoch, so that the calling thread neither writes nor drops the job
            // before the slot changes.
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

/// Records that a helper has left when dropped, also because of a panic.
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

/// Waits until another thread has finished.
fn wait_until(is_done: impl Fn() -> bool) {
    let mut spins = 0;
    while !is_done() {
        if spins < SPINS {
            spin_loop();
        } else {
            yield_now();
        }
        spins += 1;
    }
}
