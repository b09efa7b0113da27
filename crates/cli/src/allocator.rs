//! The program's allocator: when memory runs out, it prints a message and ends the program with
//! exit code 1.
//!
//! Memory-intensive steps check beforehand ([`memory::check`]), with a better message. This
//! allocator catches the rest, which would otherwise abort, or make the system kill this program or
//! another.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    io::Write,
    ptr,
    sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering::Relaxed},
};

use equipoise::graph::{io::discard_unfinished, memory};

/// Allocations of at least this size are compared with the available memory. Systems overcommit,
/// and resolve it by killing processes.
const LARGE: usize = 64 << 20;

/// A reserve, freed for printing the out-of-memory message.
const RESERVE: Layout = match Layout::from_size_align(256 << 10, 16) {
    Ok(layout) => layout,
    Err(_) => panic!("the layout is valid"),
};

/// The system's allocator, which ends the program instead of returning null.
pub struct Guarded {
    /// The total size of the live large allocations.
    held: AtomicU64,
    reserve: AtomicPtr<u8>,
    /// The thread that is ending the program; 0 while none is.
    ending: AtomicUsize,
}

impl Guarded {
    /// Creates the allocator, for use as `#[global_allocator]`.
    #[expect(clippy::new_without_default, reason = "a static needs a constant")]
    pub const fn new() -> Self {
        Self {
            held: AtomicU64::new(0),
            reserve: AtomicPtr::new(ptr::null_mut()),
            ending: AtomicUsize::new(0),
        }
    }

    /// Allocates the reserve for the message. To be called once, at startup.
    pub fn reserve(&self) {
        // SAFETY: the layout has a size above 0.
        self.reserve.store(unsafe { System.alloc(RESERVE) }, Relaxed);
    }

    /// Ends the program unless `bytes` more are available.
    fn expect_room(&self, bytes: usize) {
        if bytes < LARGE {
            return;
        }
        // Memory that is allocated but not yet written to still counts as available to the system.
        let unwritten = self.held.load(Relaxed).saturating_sub(resident());
        let available = memory::available().saturating_sub(unwritten);
        if bytes as u64 > available {
            self.end(bytes, available);
        }
    }

    /// Returns the result of the system's allocator, unless it is null.
    fn or_end(&self, memory: *mut u8, old: usize, new: usize) -> *mut u8 {
        if memory.is_null() {
            self.end(new.saturating_sub(old), memory::available());
        }
        self.account(old, new);
        memory
    }

    /// Updates the total for a large allocation that grew from `old` bytes to `new`.
    fn account(&self, old: usize, new: usize) {
        let large = |bytes: usize| if bytes < LARGE { 0 } else { bytes as u64 };
        if large(old) != large(new) {
            self.held.fetch_add(large(new).wrapping_sub(large(old)), Relaxed);
        }
    }

    /// Prints what is missing and ends the program at once: destructors and exit handlers may need
    /// memory.
    fn end(&self, bytes: usize, available: u64) -> ! {
        // SAFETY: always succeeds; live threads have distinct ids other than 0.
        let thread = unsafe { libc::pthread_self() } as usize;
        match self.ending.compare_exchange(0, thread, Relaxed, Relaxed) {
            Ok(_) => self.say(bytes, available),
            // Even the message found no memory.
            Err(ending) if ending == thread => {}
            Err(_) => wait_for_the_end(),
        }
        // SAFETY: ends the process without running any of its code.
        unsafe { libc::_exit(1) }
    }

    fn say(&self, bytes: usize, available: u64) {
        let reserve = self.reserve.swap(ptr::null_mut(), Relaxed);
        if !reserve.is_null() {
            // SAFETY: allocated with this layout in `reserve`, and or_end out of the cell, so that it
            // is freed once.
            unsafe { System.dealloc(reserve, RESERVE) };
        }
        let mut text = [0; 200];
        let mut rest = &mut text[..];
        // A truncated message is better than none.
        let _ = writeln!(
            rest,
            "error: out of memory: {bytes} bytes more are needed, {available} bytes are available"
        );
        let left = rest.len();
        let length = text.len() - left;
        let _ = std::io::stderr().write_all(&text[..length]);
        discard_unfinished();
    }
}

/// Another thread is ending the program.
fn wait_for_the_end() -> ! {
    loop {
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
}

/// The bytes of memory that this process has written to; 0 if unknown, as if all allocations were
/// still unwritten.
fn resident() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = pages.split_ascii_whitespace().nth(1).and_then(|pages| pages.parse().ok());
    // SAFETY: queries a number without side effects.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    pages.unwrap_or(0u64).saturating_mul(page.try_into().unwrap_or(0))
}

// SAFETY: all calls are forwarded to the system's allocator with the same layouts; the additions
// neither touch the memory nor unwind.
unsafe impl GlobalAlloc for Guarded {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.expect_room(layout.size());
        // SAFETY: the caller upholds the contract.
        let memory = unsafe { System.alloc(layout) };
        self.or_end(memory, 0, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.expect_room(layout.size());
        // SAFETY: the caller upholds the contract.
        let memory = unsafe { System.alloc_zeroed(layout) };
        self.or_end(memory, 0, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.expect_room(size.saturating_sub(layout.size()));
        // SAFETY: the caller upholds the contract.
        let memory = unsafe { System.realloc(memory, layout, size) };
        self.or_end(memory, layout.size(), size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        self.account(layout.size(), 0);
        // SAFETY: the caller upholds the contract.
        unsafe { System.dealloc(memory, layout) };
    }
}
