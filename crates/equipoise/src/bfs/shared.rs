//! What the threads of one search write together.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::{NONE, prefetch::prefetch};

/// Levels and parents while they are being found.
///
/// No ordering is needed beyond each word's own: within a level threads only race to claim
/// vertices, and the end of a level is the end of a fork-join.
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

    /// Asks for the memory that says whether `vertex` is reached.
    #[inline]
    pub fn prefetch(self, vertex: u32) {
        prefetch(self.parents, vertex as usize);
    }

    /// Sets the parent and level of `vertex`, which no other thread may do at the same time.
    #[inline]
    pub fn set(self, vertex: u32, parent: u32, level: u32) {
        self.parents[vertex as usize].store(parent, Relaxed);
        self.levels[vertex as usize].store(level, Relaxed);
    }

    /// As [`Self::set`], unless another thread is first; says whether it was not.
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

/// The same words, for several threads to write.
fn as_atomic(words: &mut [u32]) -> &[AtomicU32] {
    // SAFETY: an AtomicU32 has the size and alignment of a u32, and the exclusive borrow keeps
    // every other access to the words away for as long as the atomic view lives.
    unsafe { &*(std::ptr::from_mut(words) as *const [AtomicU32]) }
}
