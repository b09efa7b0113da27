//! The types of distances.

use std::ops::Add;

use crate::{Distances, Trace};

/// The length of a path, or the absence of a path.
pub(super) trait Distance: Copy + PartialOrd + Send + Sync + 'static {
    /// The weights that it sums.
    type Weight: Copy + Sync;
    /// A type with the same order, which is total.
    type Key: Ord + Copy;

    const ZERO: Self;
    /// No path; larger than any other distance.
    const UNREACHED: Self;
    /// Whether a word has room for a predecessor next to the key.
    const IS_PACKED: bool;

    /// The distance one edge further on, or [`Self::UNREACHED`] where this type overflows.
    fn plus(self, weight: Self::Weight) -> Self;
    fn key(self) -> Self::Key;
    /// A word with the key, in its high half if the predecessor fits into the low one.
    fn to_word(self, predecessor: u32) -> u64;
    fn from_word(word: u64) -> Self;
    /// The nearest `f64`, which preserves order; different distances may become equal.
    fn to_f64(self) -> f64;
    fn wrap(distances: Vec<Self>) -> Distances;

    #[inline]
    fn is_reached(self) -> bool {
        self < Self::UNREACHED
    }
}

/// Implements [`Distance`], given how to add a weight and how to convert to a key and back.
macro_rules! distance {
    ($distance:ident, $key:ident, $weight:ident, $wrap:expr, $unreached:expr,
        $plus:expr, $to_key:expr, $from_key:expr) => {
        impl Distance for $distance {
            type Weight = $weight;
            type Key = $key;

            const ZERO: $distance = 0 as $distance;
            const UNREACHED: $distance = $unreached;
            const IS_PACKED: bool = $key::BITS == u32::BITS;

            #[inline]
            fn plus(self, weight: $weight) -> $distance {
                $plus(self, weight)
            }

            #[inline]
            fn key(self) -> $key {
                $to_key(self)
            }

            #[inline]
            fn to_word(self, predecessor: u32) -> u64 {
                let key = u64::from(self.key());
                if Self::IS_PACKED { key << 32 | u64::from(predecessor) } else { key }
            }

            #[inline]
            fn from_word(word: u64) -> $distance {
                $from_key(if Self::IS_PACKED { word >> 32 } else { word } as $key)
            }

            #[inline]
            fn to_f64(self) -> f64 {
                self as f64
            }

            fn wrap(distances: Vec<$distance>) -> Distances {
                $wrap(distances)
            }
        }
    };
}

distance!(u32, u32, u32, Distances::U32, u32::MAX, u32::saturating_add, u32::from, u32::from);
distance!(
    u64,
    u64,
    u32,
    Distances::U64,
    u64::MAX,
    |distance: u64, weight| distance.saturating_add(u64::from(weight)),
    u64::from,
    u64::from
);
// The bits of non-negative numbers have the order of the numbers.
distance!(f32, u32, f32, Distances::F32, f32::INFINITY, Add::add, f32::to_bits, f32::from_bits);
distance!(f64, u64, f64, Distances::F64, f64::INFINITY, Add::add, f64::to_bits, f64::from_bits);

/// The distances and predecessors that a search found.
pub(super) struct PathTree<D> {
    pub distances: Vec<D>,
    pub predecessors: Vec<u32>,
    pub trace: Trace,
    /// Whether the sum of some path, shortest or not, overflowed.
    pub overflowed: bool,
}
