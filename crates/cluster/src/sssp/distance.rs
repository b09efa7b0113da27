//! The types that distances can have, and what edges add to them.

use std::ops::Range;

use bytemuck::Pod;

use super::Distances;

/// A length of a path, or none.
pub(crate) trait Distance: Pod + PartialOrd + Send + Sync {
    /// The weights that it sums.
    type Weight: Copy + Sync;
    /// What a mirror tells its owner: its distance, and the vertex before it within its rank.
    type Offer: Pod;

    const ZERO: Self;
    /// No path; larger than any other.
    const UNREACHED: Self;
    /// A bucket that is narrower holds no more than one of this width.
    const LEAST_WIDTH: f64;

    /// The distance one edge further on, or [`Self::UNREACHED`] where this type does not hold it.
    fn plus(self, weight: Self::Weight) -> Self;
    /// The nearest `f64`: the order of distances is kept, though two may become equal.
    fn to_f64(self) -> f64;
    fn offer(self, before: u32) -> Self::Offer;
    /// Back from an offer.
    fn offered(offer: Self::Offer) -> (Self, u32);
    fn wrap(distances: Vec<Self>) -> Distances;

    #[inline]
    fn is_reached(self) -> bool {
        self < Self::UNREACHED
    }
}

impl Distance for u32 {
    type Weight = u32;
    type Offer = [u32; 2];

    const ZERO: u32 = 0;
    const UNREACHED: u32 = u32::MAX;
    const LEAST_WIDTH: f64 = 1.0;

    #[inline]
    fn plus(self, weight: u32) -> u32 {
        self.saturating_add(weight)
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self.into()
    }

    fn offer(self, before: u32) -> [u32; 2] {
        [self, before]
    }

    fn offered([distance, before]: [u32; 2]) -> (u32, u32) {
        (distance, before)
    }

    fn wrap(distances: Vec<u32>) -> Distances {
        Distances::U32(distances)
    }
}

impl Distance for u64 {
    type Weight = u32;
    type Offer = [u32; 3];

    const ZERO: u64 = 0;
    const UNREACHED: u64 = u64::MAX;
    const LEAST_WIDTH: f64 = 1.0;

    #[inline]
    fn plus(self, weight: u32) -> u64 {
        self.saturating_add(weight.into())
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self as f64
    }

    fn offer(self, before: u32) -> [u32; 3] {
        [self as u32, (self >> 32) as u32, before]
    }

    fn offered([low, high, before]: [u32; 3]) -> (u64, u32) {
        (u64::from(high) << 32 | u64::from(low), before)
    }

    fn wrap(distances: Vec<u64>) -> Distances {
        Distances::U64(distances)
    }
}

impl Distance for f32 {
    type Weight = f32;
    type Offer = [u32; 2];

    const ZERO: f32 = 0.0;
    const UNREACHED: f32 = f32::INFINITY;
    const LEAST_WIDTH: f64 = f64::MIN_POSITIVE;

    #[inline]
    fn plus(self, weight: f32) -> f32 {
        self + weight
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self.into()
    }

    fn offer(self, before: u32) -> [u32; 2] {
        [self.to_bits(), before]
    }

    fn offered([bits, before]: [u32; 2]) -> (f32, u32) {
        (f32::from_bits(bits), before)
    }

    fn wrap(distances: Vec<f32>) -> Distances {
        Distances::F32(distances)
    }
}

impl Distance for f64 {
    type Weight = f64;
    type Offer = [u32; 3];

    const ZERO: f64 = 0.0;
    const UNREACHED: f64 = f64::INFINITY;
    const LEAST_WIDTH: f64 = f64::MIN_POSITIVE;

    #[inline]
    fn plus(self, weight: f64) -> f64 {
        self + weight
    }

    #[inline]
    fn to_f64(self) -> f64 {
        self
    }

    fn offer(self, before: u32) -> [u32; 3] {
        self.to_bits().offer(before)
    }

    fn offered(offer: [u32; 3]) -> (f64, u32) {
        let (bits, before) = u64::offered(offer);
        (f64::from_bits(bits), before)
    }

    fn wrap(distances: Vec<f64>) -> Distances {
        Distances::F64(distances)
    }
}

/// The weights of a graph's edges, in their order.
pub(super) trait EdgeWeights: Copy {
    type Weight;

    /// The weights of neighbouring edges.
    fn of(self, edges: Range<usize>) -> impl Iterator<Item = Self::Weight>;
}

impl<T: Copy> EdgeWeights for &[T] {
    type Weight = T;

    #[inline]
    fn of(self, edges: Range<usize>) -> impl Iterator<Item = T> {
        self[edges].iter().copied()
    }
}

/// Every edge has length 1: a graph without weights.
#[derive(Clone, Copy)]
pub(super) struct Ones;

impl EdgeWeights for Ones {
    type Weight = u32;

    #[inline]
    fn of(self, edges: Range<usize>) -> impl Iterator<Item = u32> {
        std::iter::repeat_n(1, edges.len())
    }
}
