//! The numbers that path lengths are computed with.

use std::cmp::Reverse;

use equipoise_graph::{Graph, Weights};

use super::{numbers::Numbers, pairs::PairDistances};
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

    /// What an edge counts: 1 where it has no weight.
    fn weight_of(graph: &Graph, edge: usize) -> Self;
    fn plus(self, other: Self) -> Self;
    fn smaller(self, other: Self) -> Self;
    fn heap_key(self, vertex: u32) -> Reverse<Self::HeapKey>;
    fn from_heap_key(key: Reverse<Self::HeapKey>) -> (Self, u32);
    fn into_distances(lengths: Numbers<Self>) -> PairDistances;

    /// What a result says of a length that is computed with.
    fn in_result(self) -> Self {
        if self < Self::FAR { self } else { Self::UNREACHED }
    }
}

/// The largest sum of whole weights that is computed with 32 bits: less than `u32::FAR`.
pub(super) const MAX_U32_SUM: u64 = u32::FAR as u64 - 1;

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
    /// Twice this is within `i64` too.
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

impl Length for f32 {
    const FAR: Self = f32::INFINITY;
    const UNREACHED: Self = f32::INFINITY;
    /// The bits of numbers that are zero or more order as the numbers do.
    type HeapKey = u64;

    /// Adding 0 makes 0 of −0.
    fn weight_of(graph: &Graph, edge: usize) -> Self {
        match graph.weights() {
            Some(Weights::F32(weights)) => weights[edge] + 0.0,
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
    fn heap_key(self, vertex: u32) -> Reverse<u64> {
        self.to_bits().heap_key(vertex)
    }

    #[inline(always)]
    fn from_heap_key(key: Reverse<u64>) -> (Self, u32) {
        let (bits, vertex) = u32::from_heap_key(key);
        (f32::from_bits(bits), vertex)
    }

    fn into_distances(lengths: Numbers<Self>) -> PairDistances {
        PairDistances::F32(lengths)
    }
}

impl Length for f64 {
    const FAR: Self = f64::INFINITY;
    const UNREACHED: Self = f64::INFINITY;
    type HeapKey = (u64, u32);

    /// Adding 0 makes 0 of −0.
    fn weight_of(graph: &Graph, edge: usize) -> Self {
        match graph.weights() {
            Some(Weights::F64(weights)) => weights[edge] + 0.0,
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
    fn heap_key(self, vertex: u32) -> Reverse<(u64, u32)> {
        Reverse((self.to_bits(), vertex))
    }

    #[inline(always)]
    fn from_heap_key(Reverse((bits, vertex)): Reverse<(u64, u32)>) -> (Self, u32) {
        (f64::from_bits(bits), vertex)
    }

    fn into_distances(lengths: Numbers<Self>) -> PairDistances {
        PairDistances::F64(lengths)
    }
}
