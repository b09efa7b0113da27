//! Vectors that the threads of a team make together.
//!
//! Most of the time that it takes to make a large vector is the system's, for memory that is touched
//! for the first time: threads share that.

use std::{
    mem::MaybeUninit,
    sync::{Mutex, PoisonError},
};

use super::Team;

/// Items that a thread takes at a time: some pages of memory.
const PART: usize = 1 << 13;

/// What `make` makes of each number below `len`.
pub(crate) fn collect<T: Send>(
    team: &Team,
    len: usize,
    make: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    collect_pair(team, len, |index| (make(index), ())).0
}

/// The same for two vectors at once.
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
        let places = firsts.iter_mut().zip(seconds.iter_mut());
        range.zip(places).for_each(|(index, place)| write(place, make(index)));
    });
    drop(parts);
    // SAFETY: there is room for `len` items, and each of the parts that they were cut into was
    // written from its first item to its last before `for_parts` returned: it panics where `make`
    // does, in any thread.
    unsafe {
        first.set_len(len);
        second.set_len(len);
    }
    (first, second)
}

#[inline]
fn write<A, B>(place: (&mut MaybeUninit<A>, &mut MaybeUninit<B>), items: (A, B)) {
    place.0.write(items.0);
    place.1.write(items.1);
}
