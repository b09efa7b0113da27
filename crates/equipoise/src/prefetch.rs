//! Fetching memory before it is needed.

/// Asks for the cache line that holds `slice[index]`, without waiting for it. Loops over vertices
/// in no order spend most of their time waiting for memory; asking a few vertices ahead overlaps
/// those waits. Does nothing where the processor has no such instruction; `index` may be anything.
#[inline(always)]
pub(crate) fn prefetch<T>(slice: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = slice.as_ptr().wrapping_add(index);
        // SAFETY: a prefetch reads nothing that the program sees and does not fault, whatever the
        // address; and all x86_64 processors have it.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, index);
}
