//! Head and tail of a queue in one word, the head in the upper half, so that a compare-and-swap moves either atomically.
//! Owners take from the tail, thieves from the head.
//!
//! A spurious failure of the compare-and-swap, which WGSL allows, looks like success. The element is then taken twice,
//! which does no harm.

use cubecl::prelude::*;

/// The most elements of a queue: half a word counts them.
pub(super) const LONGEST: u32 = (1 << 16) - 1;

/// Whether the queue has an element.
#[cube]
pub(super) fn has_some(ends: u32) -> bool {
    (ends >> 16) < (ends & 0xffff)
}

/// The last element of the own queue, or the first element of another.
#[cube]
pub(super) fn element(ends: u32, #[comptime] is_own: bool) -> u32 {
    let mut element = ends >> 16;
    if comptime!(is_own) {
        element = (ends & 0xffff) - 1;
    }
    element
}

/// The queue without that element.
#[cube]
pub(super) fn without(ends: u32, #[comptime] is_own: bool) -> u32 {
    let mut after = ends + 0x1_0000;
    if comptime!(is_own) {
        after = ends - 1;
    }
    after
}
