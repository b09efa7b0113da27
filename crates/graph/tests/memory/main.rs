//! What graphs take while they are made, compared with what is asked for beforehand.
//!
//! A program of its own, as its allocator counts. Who measures is [`alone`], so that nobody else
//! allocates.

// Clippy's leave for tests does not reach the functions that tests share.
#![allow(clippy::unwrap_used)]

mod allocator;
mod generators;
#[cfg(target_os = "linux")]
mod readers;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits until nobody else measures.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    keep_nothing();
    alone
}

/// Lets the system's allocator give back what is freed at once, so that the kernel counts alike.
fn keep_nothing() {
    // SAFETY: it sets a number.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 16);
    }
}
