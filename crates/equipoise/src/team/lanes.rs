//! What each thread of a team has to itself.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// One value for each thread.
pub(crate) struct Lanes<T>(Vec<Lane<T>>);

/// Aligned so that no two share a cache line. No two threads ever want the same one, so to lock it
/// never waits.
#[repr(align(128))]
struct Lane<T>(Mutex<T>);

impl<T> Lanes<T> {
    /// What `make` makes, for each of `threads` threads.
    pub fn new(threads: usize, make: impl Fn() -> T) -> Self {
        Self(std::iter::repeat_with(|| Lane(Mutex::new(make()))).take(threads).collect())
    }

    /// What thread `index` has.
    pub fn of(&self, index: usize) -> MutexGuard<'_, T> {
        self.0[index].0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What all threads have, where none is at work.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = &mut T> {
        self.0.iter_mut().map(|lane| lane.0.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    /// What the calling thread has, where no other is at work.
    pub fn first_mut(&mut self) -> &mut T {
        self.0[0].0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}
