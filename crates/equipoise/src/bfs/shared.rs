//! The levels and parents that all threads of a search write.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::{NONE, prefetch::prefetch};

/// Levels and parents during a search.
///
/// Relaxed ordering suffices: within a level threads only race to claim vertices, and each level ends with a join.
#[derive(Clone, Copy)]
pub(super) struct SharedTree<'a> {
    pub levels: &'a [AtomicU32],
    parents: &'a [AtomicU32],
}

impl<'a> SharedTree<'a> {
    pub fn new(levels: &'a mut [u32], parents: &'a mut [u32]) -> Self {
        Self { levels: as_atomic(levels), parents: as_atomic(parents) }
    }

    #[inline]
    pub fn is_reached(self, vertex: u32) -> bool {
        self.parents[vertex as usize].load(Relaxed) != NONE
    }

    /// Prefetches the parent of `vertex`.
    #[inline]
    pub fn prefetch(self, vertex: u32) {
        prefetch(self.parents, vertex as usize);
    }

    /// Sets the parent and level of `vertex`. No other thread may do so at the same time.
    #[inline]
    pub fn set(self, vertex: u32, parent: u32, level: u32) {
        self.parents[vertex as usize].store(parent, Relaxed);
        self.levels[vertex as usize].store(level, Relaxed);
    }

    /// Sets the parent and level of `vertex`, unless another thread was first. Returns whether it set them.
    #[inline]
    pub fn claim(self, vertex: u32, parent: u32, level: u32) -> bool {
        let cell = &self.parents[vertex as usize];
        let won = cell.compare_exchange(NONE, parent, Relaxed, Relaxed).is_ok();
        if won {
            self.levels[vertex as usize].store(level, Relaxed);
        }
        won
    }
}

/// A view of words that several threads can write.
fn as_atomic(words: &mut [u32]) -> &[AtomicU32] {
    // SAFETY: an AtomicU32 has the size and alignment of a u32, and the exclusive borrow prevents every other access to
    // the words for the lifetime of the view.
    unsafe { &*(std::ptr::from_mut(words) as *const [AtomicU32]) }
}
