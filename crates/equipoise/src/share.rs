//! Work that threads take in chunks, each its own first.

use std::{
    ops::Range,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

/// The most items that a thread takes at a time.
pub(crate) const CHUNK: usize = 64;

/// The fewest, unless there are no more: so many can be asked for ahead.
const LEAST: usize = 16;

/// So many chunks for each thread keep them busy until the end.
const CHUNKS: usize = 4;

/// What the threads have found for all to work on, a share for each of them.
pub(crate) struct Shares<T> {
    shares: Vec<Share<T>>,
    chunk: usize,
}

/// What one thread has found. It starts with its own, whose memory is near, and goes on with what
/// others have left. Aligned so that no two share a cache line.
#[repr(align(128))]
struct Share<T> {
    items: Vec<T>,
    taken: AtomicUsize,
}

/// Items that a thread has taken: the first `count` of `items` are its own to work on, the others
/// show what comes.
pub(crate) struct Taken<'a, T> {
    pub items: &'a [T],
    pub count: usize,
}

impl<T> Shares<T> {
    /// Empty shares of `threads` threads.
    pub(crate) fn new(threads: usize) -> Self {
        let empty = || Share { items: Vec::new(), taken: AtomicUsize::new(0) };
        Self { shares: std::iter::repeat_with(empty).take(threads).collect(), chunk: CHUNK }
    }

    /// How many items there are, taken or not.
    pub(crate) fn len(&self) -> usize {
        self.shares.iter().map(|share| share.items.len()).sum()
    }

    /// Takes over all of `lists`, one for each thread, in place of what was there.
    pub(crate) fn refill<'a>(&mut self, lists: impl Iterator<Item = &'a mut Vec<T>>)
    where
        T: 'a,
    {
        for (share, list) in self.shares.iter_mut().zip(lists) {
            // What is left alone stays in the caches of those who have looked at it.
            if !share.items.is_empty() || !list.is_empty() {
                share.items.clear();
                std::mem::swap(&mut share.items, list);
                *share.taken.get_mut() = 0;
            }
        }
    }

    /// Makes chunks small enough for `threads` threads to share all there is.
    pub(crate) fn cut_for(&mut self, threads: usize) {
        self.chunk = match threads {
            1 => CHUNK,
            _ => (self.len() / (CHUNKS * threads)).clamp(LEAST, CHUNK),
        };
    }

    /// What thread `index` is to work on.
    pub(crate) fn take_all(&self, index: usize) -> impl Iterator<Item = Taken<'_, T>> {
        let (before, from) = self.shares.split_at(index);
        let take_from = move |share| std::iter::from_fn(move || self.take(share));
        from.iter().chain(before).flat_map(take_from)
    }

    /// The next items of `share` that no thread has taken.
    fn take<'a>(&self, share: &'a Share<T>) -> Option<Taken<'a, T>> {
        // Only those write who may find something: to look is cheap, also for many at once.
        if share.taken.load(Relaxed) >= share.items.len() {
            return None;
        }
        let start = share.taken.fetch_add(self.chunk, Relaxed);
        let items = share.items.get(start..).filter(|items| !items.is_empty())?;
        Some(Taken { items, count: self.chunk.min(items.len()) })
    }
}

/// Numbers that threads take in parts.
#[repr(align(128))]
pub(crate) struct Cursor {
    next: AtomicUsize,
    end: usize,
    size: usize,
}

impl Cursor {
    /// The numbers below `end`, in parts of `size`.
    pub(crate) fn new(end: usize, size: usize) -> Self {
        Self { next: AtomicUsize::new(0), end, size }
    }

    /// The parts that the caller takes.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Range<usize>> {
        std::iter::from_fn(|| {
            let start = self.next.fetch_add(self.size, Relaxed);
            (start < self.end).then(|| start..self.end.min(start + self.size))
        })
    }
}
