//! Gives back large arrays.

#[cfg(target_os = "linux")]
use std::mem::MaybeUninit;

/// Gives back an array. The system takes pages back one by one, which takes one thread nearly as
/// long as all threads need to fill them: here all threads do it.
#[cfg(target_os = "linux")]
pub(crate) fn free<T: Copy + Send>(mut array: Vec<T>) {
    use rayon::prelude::*;

    /// In bytes: so much is worth asking the system, which has to tell all cores each time.
    const PIECE: usize = 1 << 24;
    array.clear();
    let room = array.spare_capacity_mut();
    if size_of_val(room) > 2 * PIECE {
        room.par_chunks_mut(PIECE / size_of::<T>().max(1)).for_each(release);
    }
}

/// Gives back the pages that lie wholly inside of `room`.
#[cfg(target_os = "linux")]
fn release<T>(room: &mut [MaybeUninit<T>]) {
    let page = rustix::param::page_size();
    let start = room.as_mut_ptr().cast::<u8>();
    let skipped = start.align_offset(page);
    let length = size_of_val(room).saturating_sub(skipped) / page * page;
    if length > 0 {
        // SAFETY: the pages lie inside of `room`, which nobody else uses and which holds no values.
        // They can still be written to. Where the system refuses, nothing has changed.
        unsafe { libc::madvise(start.wrapping_add(skipped).cast(), length, libc::MADV_DONTNEED) };
    }
}

/// Gives back an array.
#[cfg(not(target_os = "linux"))]
pub(crate) fn free<T: Copy + Send>(array: Vec<T>) {
    drop(array);
}
