//! Work lists that threads take in chunks, each thread from its own list first.

use std::{
    ops::Range,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

/// The largest chunk, in items.
pub(crate) const CHUNK: usize = 64;

/// The smallest chunk but for the last: enough items to prefetch ahead.
const MIN_CHUNK: usize = 16;

/// Chunks per thread, enough to keep all threads busy until the end.
const CHUNKS_PER_THREAD: usize = 4;

/// A work list in one share per thread, from which every thread can take.
pub(crate) struct Shares<T> {
    shares: Vec<Share<T>>,
    chunk: usize,
}

/// The items that one thread produced. Aligned so that no two shares lie on one cache line.
#[repr(align(128))]
struct Share<T> {
    items: Vec<T>,
    taken: AtomicUsize,
}

/// Items that a thread has taken: it works on the first `count` of `items`, the rest serve to prefetch ahead.
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

    /// The number of items, taken or not.
    pub(crate) fn len(&self) -> usize {
        self.shares.iter().map(|share| share.items.len()).sum()
    }

    /// Replaces all items by those of `lists`, one per thread.
    pub(crate) fn refill<'a>(&mut self, lists: impl Iterator<Item = &'a mut Vec<T>>)
    where
        T: 'a,
    {
        for (share, list) in self.shares.iter_mut().zip(lists) {
            // An empty share that stays empty is not written, so that it stays in every core's cache.
            if !share.items.is_empty() || !list.is_empty() {
                share.items.clear();
                std::mem::swap(&mut share.items, list);
                *share.taken.get_mut() = 0;
            }
        }
    }

    /// Sets the chunk size so that `threads` threads can share all items evenly.
    pub(crate) fn cut_for(&mut self, threads: usize) {
        self.chunk = match threads {
            1 => CHUNK,
            _ => (self.len() / (CHUNKS_PER_THREAD * threads)).clamp(MIN_CHUNK, CHUNK),
        };
    }

    /// Chunks for thread `index`, until none is left: from its own share first, whose memory is near.
    pub(crate) fn take_all(&self, index: usize) -> impl Iterator<Item = Taken<'_, T>> {
        let (before, from) = self.shares.split_at(index);
        let take_from = move |share| std::iter::from_fn(move || self.take(share));
        from.iter().chain(before).flat_map(take_from)
    }

    /// The next items of `share` that no thread has taken.
    fn take<'a>(&self, share: &'a Share<T>) -> Option<Taken<'a, T>> {
        // Load first: a contended `fetch_add` is expensive.
        if share.taken.load(Relaxed) >= share.items.len() {
            return None;
        }
        let start = share.taken.fetch_add(self.chunk, Relaxed);
        let items = share.items.get(start..).filter(|items| !items.is_empty())?;
        Some(Taken { items, count: self.chunk.min(items.len()) })
    }
}

/// A range of numbers that threads take in parts.
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

    /// Parts for the calling thread, until none is left.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Range<usize>> {
        std::iter::from_fn(|| {
            let start = self.next.fetch_add(self.size, Relaxed);
            (start < self.end).then(|| start..self.end.min(start + self.size))
        })
    }
}
