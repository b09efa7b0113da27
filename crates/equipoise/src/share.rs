//! Work that threads take in chunks, each its own first.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Items that a thread takes at a time.
pub(crate) const CHUNK: usize = 64;

/// What one thread has found for all to work on. It starts with its own, whose memory is near,
/// and goes on with what others have left. Aligned so that no two share a cache line.
#[repr(align(128))]
pub(crate) struct Share<T> {
    items: Vec<T>,
    taken: AtomicUsize,
}

impl<T> Default for Share<T> {
    fn default() -> Self {
        Self { items: Vec::new(), taken: AtomicUsize::new(0) }
    }
}

impl<T> Share<T> {
    /// How many items there are, taken or not.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// Takes over all of `items`, in place of what it had.
    pub(crate) fn refill(&mut self, items: &mut Vec<T>) {
        self.items.clear();
        std::mem::swap(&mut self.items, items);
        *self.taken.get_mut() = 0;
    }

    /// The next items that no thread has taken: the first [`CHUNK`] of them, or fewer, are the
    /// caller's to work on, the others show what comes.
    fn take(&self) -> Option<&[T]> {
        let start = self.taken.fetch_add(CHUNK, Relaxed);
        self.items.get(start..).filter(|rest| !rest.is_empty())
    }
}

/// What thread `index` is to work on: the first [`CHUNK`] items of each slice.
pub(crate) fn take_all<T>(shares: &[Share<T>], index: usize) -> impl Iterator<Item = &[T]> {
    let (before, from) = shares.split_at(index);
    from.iter().chain(before).flat_map(|share| std::iter::from_fn(|| share.take()))
}
