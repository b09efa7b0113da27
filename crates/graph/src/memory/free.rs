//! Frees large arrays in parallel.

#[cfg(target_os = "linux")]
use std::mem::MaybeUninit;

/// Frees an array. The system unmaps pages one by one, which takes a single thread nearly as long
/// as all threads need to fill them; so all threads unmap in parallel.
#[cfg(target_os = "linux")]
pub(crate) fn free<T: Copy + Send>(mut array: Vec<T>) {
    use crate::parallel::*;

    /// In bytes: smaller pieces are not worth a system call, which has to notify all cores.
    const PIECE: usize = 1 << 24;
    array.clear();
    let room = array.spare_capacity_mut();
    if size_of_val(room) > 2 * PIECE {
        room.par_chunks_mut(PIECE / size_of::<T>().max(1)).for_each(release);
    }
}

/// Returns the pages that are wholly inside of `room` to the system.
#[cfg(target_os = "linux")]
fn release<T>(room: &mut [MaybeUninit<T>]) {
    let page = rustix::param::page_size();
    let start = room.as_mut_ptr().cast::<u8>();
    let skipped = start.align_offset(page);
    let length = size_of_val(room).saturating_sub(skipped) / page * page;
    if length > 0 {
        // SAFETY: the pages are inside of `room`, which is exclusive and holds no values. They stay
        // writable. If the call fails, nothing has changed.
        unsafe { libc::madvise(start.wrapping_add(skipped).cast(), length, libc::MADV_DONTNEED) };
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn free<T: Copy + Send>(array: Vec<T>) {
    drop(array);
}
