//! The program's allocator: where memory is short it says so and ends the program with exit code 1.
//!
//! Steps that take much ask beforehand ([`memory::check`]) and are refused with a better message.
//! This is for what slips through, which would end in an abort, or in the system killing this
//! program or another.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    io::Write,
    ptr,
    sync::atomic::{AtomicPtr, AtomicU64, AtomicUsize, Ordering::Relaxed},
};

use equipoise::graph::{io::discard_unfinished, memory};

/// From so many bytes on, an allocation is compared with the memory there is. Systems promise
/// more than they have, and take back the promise by killing.
const LARGE: usize = 64 << 20;

/// Bytes put by, so that there are some left to say with that there are none.
const PUT_BY: Layout = match Layout::from_size_align(256 << 10, 16) {
    Ok(layout) => layout,
    Err(_) => panic!("the layout is valid"),
};

/// The system's allocator, which never returns without memory.
pub struct Guarded {
    /// Bytes of the large allocations there are.
    held: AtomicU64,
    put_by: AtomicPtr<u8>,
    /// The thread that is ending the program, 0 while none is.
    ending: AtomicUsize,
}

impl Guarded {
    /// The allocator of a program, as a `#[global_allocator]`.
    #[expect(clippy::new_without_default, reason = "a static needs a constant")]
    pub const fn new() -> Self {
        Self {
            held: AtomicU64::new(0),
            put_by: AtomicPtr::new(ptr::null_mut()),
            ending: AtomicUsize::new(0),
        }
    }

    /// Puts by what it takes to say that there is no memory. To be called once, at the start.
    pub fn put_by(&self) {
        // SAFETY: the layout has a size above 0.
        self.put_by.store(unsafe { System.alloc(PUT_BY) }, Relaxed);
    }

    /// Ends the program where `bytes` more are not there.
    fn expect_room(&self, bytes: usize) {
        if bytes < LARGE {
            return;
        }
        // What was taken but not yet written to is not missing from what the system has.
        let unwritten = self.held.load(Relaxed).saturating_sub(resident());
        let available = memory::available().saturating_sub(unwritten);
        if bytes as u64 > available {
            self.end(bytes, available);
        }
    }

    /// What the system's allocator gave, unless it gave nothing.
    fn taken(&self, memory: *mut u8, old: usize, new: usize) -> *mut u8 {
        if memory.is_null() {
            self.end(new.saturating_sub(old), memory::available());
        }
        self.account(old, new);
        memory
    }

    /// Keeps account of a large allocation that grew from `old` bytes to `new`.
    fn account(&self, old: usize, new: usize) {
        let large = |bytes: usize| if bytes < LARGE { 0 } else { bytes as u64 };
        if large(old) != large(new) {
            self.held.fetch_add(large(new).wrapping_sub(large(old)), Relaxed);
        }
    }

    /// Says what is missing, and ends the program at once: nothing that would run on the way out can
    /// be relied on.
    fn end(&self, bytes: usize, available: u64) -> ! {
        // SAFETY: always succeeds; threads that live have different numbers, none of them 0.
        let thread = unsafe { libc::pthread_self() } as usize;
        match self.ending.compare_exchange(0, thread, Relaxed, Relaxed) {
            Ok(_) => self.say(bytes, available),
            // Even the message found no memory.
            Err(ending) if ending == thread => {}
            Err(_) => wait_for_the_end(),
        }
        // SAFETY: ends the process without running anything of it.
        unsafe { libc::_exit(1) }
    }

    fn say(&self, bytes: usize, available: u64) {
        let put_by = self.put_by.swap(ptr::null_mut(), Relaxed);
        if !put_by.is_null() {
            // SAFETY: allocated with this layout in `put_by`, and taken out of the cell, so that
            // nobody else frees it.
            unsafe { System.dealloc(put_by, PUT_BY) };
        }
        let mut text = [0; 200];
        let mut rest = &mut text[..];
        // A message that is cut off is better than none.
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

/// The bytes of memory that this process has written to; 0 where that is not known, as if all that
/// was taken was still to be written to.
fn resident() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = pages.split_ascii_whitespace().nth(1).and_then(|pages| pages.parse().ok());
    // SAFETY: asks for a number and changes nothing.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    pages.unwrap_or(0u64).saturating_mul(page.try_into().unwrap_or(0))
}

// SAFETY: the system's allocator does the work, with the same layouts; what is added neither
// touches the memory nor unwinds.
unsafe impl GlobalAlloc for Guarded {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.expect_room(layout.size());
        // SAFETY: the caller keeps the contract.
        let memory = unsafe { System.alloc(layout) };
        self.taken(memory, 0, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        self.expect_room(layout.size());
        // SAFETY: the caller keeps the contract.
        let memory = unsafe { System.alloc_zeroed(layout) };
        self.taken(memory, 0, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.expect_room(size.saturating_sub(layout.size()));
        // SAFETY: the caller keeps the contract.
        let memory = unsafe { System.realloc(memory, layout, size) };
        self.taken(memory, layout.size(), size)
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        self.account(layout.size(), 0);
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(memory, layout) };
    }
}
