//! Numbers in the order of their bits.

use cubecl::prelude::*;

/// [`ordered`] of zero.
pub(crate) const ORDERED_ZERO: u32 = 1 << 31;

/// Maps numbers to bits in the same order.
#[cube]
pub(crate) fn ordered(number: f32) -> u32 {
    let bits = u32::reinterpret(number);
    select(bits >= ORDERED_ZERO, !bits, bits | ORDERED_ZERO)
}

/// The number of [`ordered`] bits.
#[cube]
pub(crate) fn unordered(bits: u32) -> f32 {
    f32::reinterpret(select(bits >= ORDERED_ZERO, bits - ORDERED_ZERO, !bits))
}
