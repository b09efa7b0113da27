//! The types of distances and of the weights that they sum.

use std::ops::Range;

use bytemuck::Pod;

/// Lengths of shortest paths, in a type that depends on the weights.
///
/// ```
/// use equipoise_cluster::Distances;
///
/// let distances = Distances::U32(vec![0, 7, u32::MAX]);
/// assert_eq!((distances.get(1), distances.get(2), distances.len()), (Some(7.0), None, 3));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Distances {
    /// Sums of whole weights; `u32::MAX` without a path.
    U32(Vec<u32>),
    /// Sums of whole weights that need more than 32 bits; `u64::MAX` without a path.
    U64(Vec<u64>),
    /// Sums of floating-point weights; infinity without a path.
    F32(Vec<f32>),
    /// Sums of floating-point weights of 64 bits; infinity without a path.
    F64(Vec<f64>),
}

impl Distances {
    /// The distance at `index`, if a path exists. Whole numbers above 2⁵³ are rounded.
    ///
    /// ```
    /// assert_eq!(equipoise_cluster::Distances::F32(vec![0.5]).get(0), Some(0.5));
    /// ```
    pub fn get(&self, index: usize) -> Option<f64> {
        fn reached<D: Distance>(all: &[D], index: usize) -> Option<f64> {
            all.get(index)
                .filter(|distance| distance.is_reached())
                .map(|distance| distance.to_f64())
        }
        match self {
            Self::U32(all) => reached(all, index),
            Self::U64(all) => reached(all, index),
            Self::F32(all) => reached(all, index),
            Self::F64(all) => reached(all, index),
        }
    }

    /// The number of entries, including those without a path.
    ///
    /// ```
    /// assert_eq!(equipoise_cluster::Distances::U64(vec![0, u64::MAX]).len(), 2);
    /// ```
    pub fn len(&self) -> usize {
        match self {
            Self::U32(all) => all.len(),
            Self::U64(all) => all.len(),
            Self::F32(all) => all.len(),
            Self::F64(all) => all.len(),
        }
    }

    /// Whether it has no entries.
    ///
    /// ```
    /// assert!(equipoise_cluster::Distances::F64(vec![]).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A length of a path, or none.
pub(crate) trait Distance: Pod + PartialOrd + Send + Sync {
    /// The type of weights.
    type Weight: Copy + Sync;
    /// The offer of a mirror to its owner: its distance and its local predecessor.
    type Offer: Pod;

    const ZERO: Self;
    /// No path; larger than any other.
    const UNREACHED: Self;
    /// The smallest useful width of a bucket.
    const LEAST_WIDTH: f64;

    /// The distance over one more edge, or [`Self::UNREACHED`] if this type cannot represent it.
    fn plus(self, weight: Self::Weight) -> Self;
    /// The nearest `f64`: the order of distances is kept, though two may become equal.
    fn to_f64(self) -> f64;
    fn offer(self, before: u32) -> Self::Offer;
    /// Decodes an offer.
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
