//! Prefetching memory.

/// Prefetches the cache line of `slice[index]`. Loops over vertices in random order spend most of their time waiting
/// for memory; prefetching a few vertices ahead overlaps those waits. Any `index` is allowed. Does nothing on
/// processors other than x86-64.
#[inline(always)]
pub(crate) fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = slice.as_ptr().wrapping_add(index);
        // SAFETY: a prefetch has no effect on the program's state, never faults, and all x86-64 processors support it.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}
