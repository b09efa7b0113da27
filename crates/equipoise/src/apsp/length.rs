//! The numbers that path lengths are computed with.

use std::cmp::Reverse;

use equipoise_graph::{Graph, Weights, parallel::*};

use super::numbers::{Numbers, PairDistances};
use crate::npy;

/// A path length: `u32`, `u64`, `f32` or `f64`.
pub(super) trait Length:
    bytemuck::Pod + npy::Element + Default + PartialOrd + Send + Sync
{
    /// No path, while computing: twice this does not overflow.
    const FAR: Self;
    /// No path, in a result.
    const UNREACHED: Self;
    /// Orders a heap's entries by the smallest length and then the smallest vertex.
    type HeapKey: Ord + Copy + Send;

    /// The length of an edge: 1 where it has no weight.
    fn weight_of(graph: &Graph, edge: usize) -> Self;
    fn plus(self, other: Self) -> Self;
    fn smaller(self, other: Self) -> Self;
    fn heap_key(self, vertex: u32) -> Reverse<Self::HeapKey>;
    fn from_heap_key(key: Reverse<Self::HeapKey>) -> (Self, u32);
    fn into_distances(lengths: Numbers<Self>) -> PairDistances;

    /// The length as results contain it.
    fn in_result(self) -> Self {
        if self < Self::FAR { self } else { Self::UNREACHED }
    }
}

/// Whether no path can be too long for sums of 32 bits, which stay below `FAR`.
pub(super) fn fits_u32(vertices: u32, weights: &[u32]) -> bool {
    let largest = weights.par_iter().max().copied().unwrap_or(0);
    u64::from(vertices.saturating_sub(1)) * u64::from(largest) < u32::FAR.into()
}

impl Length for u32 {
    const FAR: Self = u32::MAX / 2;
    const UNREACHED: Self = u32::MAX;
    type HeapKey = u64;

    fn weight_of(graph: &Graph, edge: usize) -> Self {
        match graph.weights() {
            Some(Weights::U32(weights)) => weights[edge],
            _ => 1,
        }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }

    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        self.min(other)
    }

    #[inline(always)]
    fn heap_key(self, vertex: u32) -> Reverse<u64> {
        Reverse(u64::from(self) << 32 | u64::from(vertex))
    }

    #[inline(always)]
    fn from_heap_key(Reverse(key): Reverse<u64>) -> (Self, u32) {
        ((key >> 32) as u32, key as u32)
    }

    fn into_distances(lengths: Numbers<Self>) -> PairDistances {
        PairDistances::U32(lengths)
    }
}

impl Length for u64 {
    /// Twice this also fits `i64`.
    const FAR: Self = u64::MAX / 4;
    const UNREACHED: Self = u64::MAX;
    type HeapKey = (u64, u32);

    fn weight_of(graph: &Graph, edge: usize) -> Self {
        u32::weight_of(graph, edge).into()
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }

    /// AVX2 compares 64-bit numbers only as signed ones.
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        (self as i64).min(other as i64) as u64
    }

    #[inline(always)]
    fn heap_key(self, vertex: u32) -> Reverse<(u64, u32)> {
        Reverse((self, vertex))
    }

    #[inline(always)]
    fn from_heap_key(Reverse(key): Reverse<(u64, u32)>) -> (Self, u32) {
        key
    }

    fn into_distances(lengths: Numbers<Self>) -> PairDistances {
        PairDistances::U64(lengths)
    }
}

/// Implements lengths of a floating-point type. The bits of numbers that are zero or more order as
/// the numbers do.
macro_rules! float_length {
    ($float:ident, $bits:ident, $variant:ident) => {
        impl Length for $float {
            const FAR: Self = $float::INFINITY;
            const UNREACHED: Self = $float::INFINITY;
            type HeapKey = <$bits as Length>::HeapKey;

            /// Adding 0 makes 0 of −0.
            fn weight_of(graph: &Graph, edge: usize) -> Self {
                match graph.weights() {
                    Some(Weights::$variant(weights)) => weights[edge] + 0.0,
                    _ => 1.0,
                }
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }

            #[inline(always)]
            fn smaller(self, other: Self) -> Self {
                if self < other { self } else { other }
            }

            #[inline(always)]
            fn heap_key(self, vertex: u32) -> Reverse<Self::HeapKey> {
                self.to_bits().heap_key(vertex)
            }

            #[inline(always)]
            fn from_heap_key(key: Reverse<Self::HeapKey>) -> (Self, u32) {
                let (bits, vertex) = $bits::from_heap_key(key);
                ($float::from_bits(bits), vertex)
            }

            fn into_distances(lengths: Numbers<Self>) -> PairDistances {
                PairDistances::$variant(lengths)
            }
        }
    };
}

float_length!(f32, u32, F32);
float_length!(f64, u64, F64);
