//! An allocator that records the peak of allocated bytes.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

#[global_allocator]
static COUNTING: Counting = Counting;

static TAKEN: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

struct Counting;

impl Counting {
    fn take(bytes: usize) {
        let taken = TAKEN.fetch_add(bytes, Relaxed) + bytes;
        MOST.fetch_max(taken, Relaxed);
    }
}

// SAFETY: all calls are forwarded to the system's allocator; the counters are separate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::take(layout.size());
        // SAFETY: the caller upholds the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::take(layout.size());
        // SAFETY: the caller upholds the contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        TAKEN.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller upholds the contract.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Self::take(size.saturating_sub(layout.size()));
        TAKEN.fetch_sub(layout.size().saturating_sub(size), Relaxed);
        // SAFETY: the caller upholds the contract.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// The result of `work`, and its peak of allocated bytes.
pub fn measured<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = TAKEN.load(Relaxed);
    MOST.store(before, Relaxed);
    let result = work();
    (result, (MOST.load(Relaxed) - before) as u64)
}
