//! Compares the memory that graphs take while they are built with the declared amount.
//!
//! A separate program, because its allocator counts. Tests hold [`alone`] while they measure, so
//! that no other test allocates.

// Clippy's exception for tests does not cover the helpers that tests share.
#![allow(clippy::unwrap_used)]

mod allocator;
mod generators;
#[cfg(target_os = "linux")]
mod readers;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits until no other test measures.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    keep_nothing();
    alone
}

/// Makes the system's allocator return freed memory at once, so that the kernel's count is exact.
fn keep_nothing() {
    // SAFETY: it sets a number.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 16);
    }
}
