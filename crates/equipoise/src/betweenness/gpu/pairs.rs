//! The words of a pair of a source and a vertex.

use cubecl::prelude::*;

/// The number of words.
pub(super) const WORDS: u64 = 4;
/// The word of the level.
pub(super) const LEVEL: u32 = 0;
/// The words of the count of shortest paths: a number from 1 to 2, and the exponent of a power of two.
pub(super) const PATHS: u32 = 1;
pub(super) const POWER: u32 = 2;
/// The word of the dependency.
pub(super) const DEPENDENCY: u32 = 3;

/// The index of a word of a pair.
#[cube]
pub(super) fn word(pair: u32, which: u32) -> u32 {
    pair * 4 + which
}
