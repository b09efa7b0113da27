//! Values of which each thread of a team has its own.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// One value per thread.
pub(crate) struct Lanes<T>(Vec<Lane<T>>);

/// Aligned so that no two share a cache line. Each is locked by one thread only, so that locks never wait.
#[repr(align(128))]
struct Lane<T>(Mutex<T>);

impl<T> Lanes<T> {
    /// Values built by `make`, for `threads` threads.
    pub fn new(threads: usize, make: impl Fn() -> T) -> Self {
        Self(std::iter::repeat_with(|| Lane(Mutex::new(make()))).take(threads).collect())
    }

    /// The value of thread `index`.
    pub fn get(&self, index: usize) -> MutexGuard<'_, T> {
        self.0[index].0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The values of all threads, while none is at work.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = &mut T> {
        self.0.iter_mut().map(|lane| lane.0.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    /// The value of the calling thread, while no other is at work.
    pub fn first_mut(&mut self) -> &mut T {
        self.0[0].0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}
