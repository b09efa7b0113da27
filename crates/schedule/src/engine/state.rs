//! The words in which a loop records how far it is, from one launch to the next.
//!
//! They are there twice: a launch reads those of the one before, and writes the others. They stand
//! behind the counters, in the same array.

use cubecl::prelude::*;

use super::{barrier::BARRIER_WORDS, counts::*, parts::PART};
use crate::atomics::*;

/// The iteration, counted from 0.
pub(crate) const ITERATION: usize = 0;
/// How the iteration is done: [`PUSH`], [`OTHER`] or [`DONE`].
pub(crate) const MODE: usize = 1;
/// Whether the launch before did an iteration of which only the counts are known.
pub(crate) const PENDING: usize = 2;
/// Which half of the list is the frontier's: 0 or 1.
pub(crate) const HALF: usize = 3;
/// Parts of the list.
pub(crate) const PARTS: usize = 4;
/// Vertices of the frontier, and the edges that leave them.
pub(crate) const VERTICES: usize = 5;
pub(crate) const EDGES: usize = 6;
/// Vertices of all frontiers so far, and edges looked at: modulo 2^32.
pub(crate) const ALL_VERTICES: usize = 7;
pub(crate) const ALL_EDGES: usize = 8;
/// Iterations that one cube did.
pub(crate) const NARROW_ITERATIONS: usize = 9;
/// Whether some parts of the frontier have more than a few edges.
pub(crate) const LONG: usize = 10;
/// The first word that the order of a loop has for itself.
pub(crate) const OWN: usize = 11;
pub(crate) const WORDS: usize = 17;

/// Relaxes the edges that leave the frontier.
pub(crate) const PUSH: u32 = 0;
/// Otherwise, as the order of the loop has it.
pub(crate) const OTHER: u32 = 1;
pub(crate) const DONE: u32 = 2;

/// A frontier with at most so many edges is narrow; with at most so many, where some of its parts
/// have more than a few.
const NARROW_EDGES: u32 = 1 << 13;
pub(crate) const NARROW_LONG: u32 = 1 << 10;

/// Words of the array: sets of counters, two states, and a barrier.
pub(crate) const ALL_WORDS: usize = BARRIER as usize + BARRIER_WORDS;
const STATES: u32 = COUNTERS as u32 * SLOTS;
/// Where the barrier is: in a line of the cache.
pub(super) const BARRIER: u32 = (STATES + 2 * WORDS as u32).next_multiple_of(BARRIER_WORDS as u32);

/// Where the state is that a launch reads.
pub(crate) fn state_before(launch: u32) -> std::ops::Range<usize> {
    let start = STATES as usize + launch as usize % 2 * WORDS;
    start..start + WORDS
}

/// The state that the launch before left.
#[cube]
pub(crate) fn read_state(words: &AtomicArray, launch: u32) -> Array<u32> {
    let mut now = Array::<u32>::new(WORDS);
    let start = STATES + launch % 2 * comptime!(WORDS as u32);
    #[unroll]
    for word in 0..WORDS {
        now[word] = words.get(start + comptime!(word as u32));
    }
    now
}

/// Leaves the state, and counters that are zero, to the next launch. One unit calls it.
#[cube]
pub(crate) fn write_state(words: &mut AtomicArray, now: &Array<u32>, launch: u32) {
    let start = STATES + (launch + 1) % 2 * comptime!(WORDS as u32);
    #[unroll]
    for word in 0..WORDS {
        words.set(start + comptime!(word as u32), now[word]);
    }
    clear_counters(words, launch + 2);
}

/// Makes the counters zero with which the launch before this one counts. One unit calls it.
#[cube]
pub(crate) fn clear_counters(words: &mut AtomicArray, launch: u32) {
    let start = launch % SLOTS * comptime!(COUNTERS as u32);
    #[unroll]
    for counter in 0..COUNTERS {
        words.set(start + comptime!(counter as u32), 0u32);
    }
}

/// A state in which all is zero.
#[cube]
pub(crate) fn zero_state() -> Array<u32> {
    let mut now = Array::<u32>::new(WORDS);
    #[unroll]
    for word in 0..WORDS {
        now[word] = 0u32;
    }
    now
}

/// The state of a loop that starts with one vertex, which has so many edges; the words that its
/// order has for itself are zero. Counters are made zero, too. One unit calls it.
#[cube]
pub(crate) fn first_state(words: &mut AtomicArray, degree: u32) -> Array<u32> {
    #[unroll]
    for word in 0..ALL_WORDS {
        words.set(comptime!(word as u32), 0u32);
    }
    let mut now = zero_state();
    now[MODE] = PUSH;
    now[PARTS] = degree.div_ceil(PART);
    now[VERTICES] = 1u32;
    now[EDGES] = degree;
    now[LONG] = 1u32;
    now
}

/// Whether one cube relaxes the edges of the frontier as fast as all.
#[cube]
pub(crate) fn is_narrow(now: &Array<u32>) -> bool {
    let mut most = NARROW_EDGES.runtime();
    if now[LONG] > 0 {
        most = NARROW_LONG.runtime();
    }
    now[EDGES] <= most
}

/// What was found becomes the frontier: what all orders record of it.
#[cube]
pub(crate) fn next_frontier(now: &mut Array<u32>, counted: &Array<u32>) {
    now[ALL_VERTICES] += now[VERTICES];
    if now[MODE] == PUSH {
        now[ALL_EDGES] += now[EDGES];
    }
    now[ALL_EDGES] += counted[LOOKED];
    now[ITERATION] += 1u32;
    now[HALF] = 1 - now[HALF];
    now[PARTS] = counted[FOUND_PARTS];
    now[VERTICES] = counted[FOUND];
    now[EDGES] = counted[FOUND_EDGES];
    now[LONG] = counted[FOUND_LONG];
}
