//! The bits of the searches at a vertex, and what units of a plane do together.

use cubecl::prelude::*;
use equipoise_schedule::atomics::*;

/// A bit per search, in two words.
pub(super) type Bits = Vector<u32, Const<2>>;

/// Two words as bits.
#[cube]
pub(super) fn bits(low: u32, high: u32) -> Bits {
    let mut bits = Bits::new(low);
    bits[1] = high;
    bits
}

/// The bits of all units of a plane together. All of them call it together.
#[cube]
pub(super) fn plane_or(word: u32) -> u32 {
    let mut sum = word;
    let mut distance = 1u32;
    while distance < PLANE_DIM {
        sum |= plane_shuffle_xor(sum, distance);
        distance *= 2;
    }
    sum
}

/// Reserves `count` positions for each unit with one atomic operation per plane, and returns the first. All units of a plane
/// call it together.
#[cube]
pub(super) fn reserve_together(counters: &mut AtomicArray, counter: u32, count: u32) -> u32 {
    let mut up_to = count;
    let mut distance = 1u32;
    while distance < PLANE_DIM {
        let before = plane_shuffle_up(up_to, distance);
        if UNIT_POS_PLANE >= distance {
            up_to += before;
        }
        distance *= 2;
    }
    let mut start = 0u32;
    if UNIT_POS_PLANE == PLANE_DIM - 1 && up_to > 0 {
        start = counters.fetch_add(counter, up_to);
    }
    plane_shuffle(start, PLANE_DIM - 1) + up_to - count
}
