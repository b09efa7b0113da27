//! What graphs take while they are made, compared with what is asked for beforehand.
//!
//! A program of its own, as its allocator counts. Who measures is [`alone`], so that nobody else
//! allocates.

// Clippy's leave for tests does not reach the functions that tests share.
#![allow(clippy::unwrap_used)]

mod allocator;
mod generators;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits until nobody else measures.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}
