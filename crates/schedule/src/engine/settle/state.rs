//! How far a loop is, handed from one launch to the next.
//!
//! A launch reads what the one before has left and counted, and all cubes decide alike from that,
//! so that none waits for another. The words of a launch are there three times: one is read, one
//! written, and one made zero for the launch after the next.

use cubecl::prelude::*;

use super::super::DegreeClasses;
use crate::{atomics::*, input::Input};

/// The class whose vertices are looked at; one more than the last one before the first launch.
const CLASS: u32 = 0;
/// The vertices that are not settled.
pub(super) const LEFT: u32 = 1;
/// The vertices that were settled by the launch before.
pub(super) const SETTLED: u32 = 2;
const WORDS: u32 = 3;
const SLOTS: u32 = 3;
/// In place of a class: all vertices are settled.
pub(super) const DONE: u32 = u32::MAX;
/// Words that are recorded of each launch: its class, and how many vertices it looked at.
pub(super) const RECORD: u32 = 2;
/// Where the records start.
pub(super) const RECORDS_AT: u32 = WORDS * SLOTS;

/// The words at the start: no vertex is left of the class above all.
pub(super) fn start(launches: u32) -> Vec<u32> {
    let mut words = vec![0; (RECORDS_AT + RECORD * launches) as usize];
    words[CLASS as usize] = DegreeClasses::COUNT;
    words
}

/// What a launch does.
#[derive(CubeType)]
pub(super) struct Now {
    /// The class, or [`DONE`].
    pub class: u32,
    /// How many vertices are looked at.
    pub left: u32,
    /// Where in the order they start, if the class is new.
    pub begin: u32,
    pub is_new: bool,
    /// How many vertices the launch before has settled.
    pub settled: u32,
    /// Where the words are that count for the next launch.
    pub next: u32,
}

/// What the launch does, by what the one before has left.
#[cube]
pub(super) fn decide(words: &AtomicArray, starts: &Input<u32>, launch: u32) -> Now {
    let slot = launch % SLOTS * WORDS;
    let mut class = words.get(slot + CLASS);
    let mut left = words.get(slot + LEFT);
    let mut begin = 0u32;
    let is_new = left == 0;
    while left == 0 && class != DONE {
        if class == 0 {
            class = DONE.runtime();
        } else {
            class -= 1;
            begin = starts[class as usize];
            left = starts[class as usize + 1] - begin;
        }
    }
    let settled = words.get(slot + SETTLED);
    Now { class, left, begin, is_new, settled, next: (launch + 1) % SLOTS * WORDS }
}

/// Leaves to the next launch what it does not count itself. One unit calls it; `first` is the first
/// launch that is recorded.
#[cube]
pub(super) fn leave(words: &mut AtomicArray, now: &Now, launch: u32, first: u32) {
    words.set(now.next + CLASS, now.class);
    let unused = (launch + 2) % SLOTS * WORDS;
    words.set(unused + LEFT, 0u32);
    words.set(unused + SETTLED, 0u32);
    let record = RECORDS_AT + (launch - first) * RECORD;
    words.set(record, now.class);
    words.set(record + 1, now.left);
}
