//! The types that distances can have.

use super::{
    labels::{Labels, Packed},
    wide::Wide,
};
use crate::Distances;

/// A length of a path, or none.
pub(super) trait Distance: Copy + PartialOrd + Send + Sync + 'static {
    /// The weights that it sums.
    type Weight: Copy + Sync;
    /// The same order, where all values can be compared.
    type Key: Ord + Copy;
    /// Where delta-stepping keeps a distance for each vertex.
    type Labels: Labels<Self>;

    const ZERO: Self;
    /// No path; larger than any other.
    const UNREACHED: Self;

    /// The distance one edge further on, or [`Self::UNREACHED`] where this type does not hold it.
    fn plus(self, weight: Self::Weight) -> Self;
    fn key(self) -> Self::Key;
    /// Back from a key.
    fn from_key(key: Self::Key) -> Self;
    /// The nearest `f64`: the order of distances is kept, though two may become equal.
    fn to_f64(self) -> f64;
    fn wrap(distances: Vec<Self>) -> Distances;

    #[inline]
    fn is_reached(self) -> bool {
        self < Self::UNREACHED
    }
}

impl Distance for u32 {
    type Weight = u32;
    type Key = u32;
    type Labels = Packed<u32>;

    const ZERO: u32 = 0;
    const UNREACHED: u32 = u32::MAX;

    #[inline]
    fn plus(self, weight: u32) -> u32 {
        self.saturating_add(weight)
    }

    fn key(self) -> u32 {
        self
    }

    #[inline]
    fn from_key(key: u32) -> u32 {
        key
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self.into()
    }

    fn wrap(distances: Vec<u32>) -> Distances {
        Distances::U32(distances)
    }
}

impl Distance for u64 {
    type Weight = u32;
    type Key = u64;
    type Labels = Wide<u64>;

    const ZERO: u64 = 0;
    const UNREACHED: u64 = u64::MAX;

    #[inline]
    fn plus(self, weight: u32) -> u64 {
        self.saturating_add(weight.into())
    }

    fn key(self) -> u64 {
        self
    }

    #[inline]
    fn from_key(key: u64) -> u64 {
        key
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self as f64
    }

    fn wrap(distances: Vec<u64>) -> Distances {
        Distances::U64(distances)
    }
}

impl Distance for f32 {
    type Weight = f32;
    type Key = u32;
    type Labels = Packed<f32>;

    const ZERO: f32 = 0.0;
    const UNREACHED: f32 = f32::INFINITY;

    #[inline]
    fn plus(self, weight: f32) -> f32 {
        self + weight
    }

    /// Of numbers that are zero or more, the bits have the same order.
    fn key(self) -> u32 {
        self.to_bits()
    }

    #[inline]
    fn from_key(key: u32) -> f32 {
        f32::from_bits(key)
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self.into()
    }

    fn wrap(distances: Vec<f32>) -> Distances {
        Distances::F32(distances)
    }
}

impl Distance for f64 {
    type Weight = f64;
    type Key = u64;
    type Labels = Wide<f64>;

    const ZERO: f64 = 0.0;
    const UNREACHED: f64 = f64::INFINITY;

    #[inline]
    fn plus(self, weight: f64) -> f64 {
        self + weight
    }

    /// As those of 32 bits.
    fn key(self) -> u64 {
        self.to_bits()
    }

    #[inline]
    fn from_key(key: u64) -> f64 {
        f64::from_bits(key)
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self
    }

    fn wrap(distances: Vec<f64>) -> Distances {
        Distances::F64(distances)
    }
}
