//! Bitmaps: one bit per vertex.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::team::{Team, collect};

/// A set of vertices. Each word is written by one thread at a time.
pub(super) struct Bitmap {
    words: Vec<AtomicU64>,
}

impl Bitmap {
    /// The empty set of a graph with `vertices` vertices.
    pub fn new(team: &Team, vertices: u32) -> Self {
        let words = (vertices as usize).div_ceil(64);
        Self { words: collect(team, words, |_| AtomicU64::default()) }
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// The vertices from `64 * word` on, the first in the lowest bit.
    #[inline]
    pub fn word(&self, word: usize) -> u64 {
        self.words[word].load(Relaxed)
    }

    #[inline]
    pub fn set_word(&self, word: usize, bits: u64) {
        self.words[word].store(bits, Relaxed);
    }

    #[inline]
    pub fn contains(&self, vertex: u32) -> bool {
        self.word(vertex as usize / 64) >> (vertex % 64) & 1 == 1
    }
}

/// The indices of the set bits, ascending.
pub(super) fn ones(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let index = bits.trailing_zeros();
        bits &= bits.wrapping_sub(1);
        (index < 64).then_some(index)
    })
}
