//! Vectors that the threads of a team build together.
//!
//! Building a large vector is mostly page faults on memory touched for the first time, which threads share.

use std::{
    mem::MaybeUninit,
    sync::{Mutex, PoisonError},
};

use super::Team;

/// Items per task of a thread: some pages of memory.
const PART: usize = 1 << 13;

/// The values of `make` for all indices below `len`.
pub(crate) fn collect<T: Send>(
    team: &Team,
    len: usize,
    make: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    collect_pair(team, len, |index| (make(index), ())).0
}

/// Both values of `make` for all indices below `len`, in two vectors.
pub(crate) fn collect_pair<A: Send, B: Send>(
    team: &Team,
    len: usize,
    make: impl Fn(usize) -> (A, B) + Sync,
) -> (Vec<A>, Vec<B>) {
    let (mut first, mut second) = (Vec::with_capacity(len), Vec::with_capacity(len));
    let firsts = first.spare_capacity_mut()[..len].chunks_mut(PART);
    let seconds = second.spare_capacity_mut()[..len].chunks_mut(PART);
    // Each is locked once, by the thread that takes it.
    let parts: Vec<_> = firsts.zip(seconds).map(Mutex::new).collect();
    team.for_parts(len, PART, |_, range| {
        let mut part = parts[range.start / PART].lock().unwrap_or_else(PoisonError::into_inner);
        let (firsts, seconds) = &mut *part;
        let slots = firsts.iter_mut().zip(seconds.iter_mut());
        range.zip(slots).for_each(|(index, slot)| write(slot, make(index)));
    });
    drop(parts);
    // SAFETY: both vectors have capacity for `len` items, and every part was written completely before `for_parts` returned:
    // it panics if `make` panics in any thread.
    unsafe {
        first.set_len(len);
        second.set_len(len);
    }
    (first, second)
}

#[inline]
fn write<A, B>(slot: (&mut MaybeUninit<A>, &mut MaybeUninit<B>), items: (A, B)) {
    slot.0.write(items.0);
    slot.1.write(items.1);
}
