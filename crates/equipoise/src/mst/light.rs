//! Weights as keys that compare as they do, and which of them are light.

use std::ops::RangeInclusive;

use cubecl::prelude::*;
use equipoise_graph::{Graph, Weights};

use super::MstStrategy;

/// How many light edges there are for each vertex, about.
pub(super) const EDGES_A_VERTEX: u64 = 4;
/// How many edges tell which are light.
const SAMPLED_EDGES: u64 = 1 << 10;

const SIGN: u32 = 1 << 31;

/// The keys of a graph's edges: numbers that compare as their weights do.
#[derive(Clone, Copy)]
pub(super) struct Keys<'g>(Option<&'g Weights>);

impl<'g> Keys<'g> {
    pub fn of(graph: &'g Graph) -> Self {
        Self(graph.weights())
    }

    /// Whether weights are floating-point numbers.
    pub fn are_real(self) -> bool {
        matches!(self.0, Some(Weights::F32(_)))
    }

    #[inline]
    pub fn key(self, edge: usize) -> u32 {
        match self.0 {
            None => 1,
            Some(Weights::U32(weights)) => weights[edge],
            Some(Weights::F32(weights)) => key_of_bits(weights[edge].to_bits()),
            Some(Weights::F64(_)) => unreachable!("weights of 64 bits are taken by their ranks"),
        }
    }

    /// The ranges of keys whose edges are taken one after the other: the light ones and the others, or all at once.
    pub fn phases(self, graph: &Graph, strategy: MstStrategy) -> Vec<RangeInclusive<u32>> {
        let entries = graph.csr().entries();
        let wanted = EDGES_A_VERTEX * u64::from(graph.vertices());
        if strategy != MstStrategy::FilterBoruvka || entries == 0 || 2 * wanted >= entries {
            return vec![0..=u32::MAX];
        }
        let count = SAMPLED_EDGES.min(entries);
        let edge =
            |sample: u64| (u128::from(sample) * u128::from(entries) / u128::from(count)) as usize;
        let mut sampled: Vec<u32> = (0..count).map(|sample| self.key(edge(sample))).collect();
        sampled.sort_unstable();
        // Each edge is there twice, and so is each that is wanted.
        let last = sampled[(2 * wanted * count / entries) as usize];
        match last {
            u32::MAX => vec![0..=u32::MAX],
            _ => vec![0..=last, last + 1..=u32::MAX],
        }
    }
}

/// The key of a floating-point weight: below zero, a larger number of bits is a smaller weight.
fn key_of_bits(bits: u32) -> u32 {
    match bits {
        // Zero, whatever its sign.
        SIGN => SIGN,
        _ if bits & SIGN == 0 => bits | SIGN,
        _ => !bits,
    }
}

/// The key of a weight on a GPU, by its bits: as [`Keys::key`].
#[cube]
pub(super) fn key_of(bits: u32, #[comptime] is_real: bool) -> u32 {
    let mut key = bits;
    if is_real {
        key = bits | SIGN;
        if bits > SIGN {
            key = !bits;
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_compare_as_weights_do() {
        let weights = [
            f32::NEG_INFINITY,
            f32::MIN,
            -1.5,
            -1.0,
            -f32::MIN_POSITIVE,
            -1e-45,
            0.0,
            1e-45,
            0.1,
            7.0,
            f32::MAX,
            f32::INFINITY,
        ];
        let keys = weights.map(|weight| key_of_bits(weight.to_bits()));
        assert!(keys.is_sorted_by(|a, b| a < b), "{keys:?}");
        assert_eq!(key_of_bits((-0.0f32).to_bits()), key_of_bits(0));
    }
}
