//! Weights as integer keys in the same order, and a threshold for light ones.

use std::ops::RangeInclusive;

use cubecl::prelude::*;
use equipoise_graph::{Graph, Weights};

use super::MstStrategy;

/// The approximate number of light edges per vertex.
pub(super) const LIGHT_EDGES_PER_VERTEX: u64 = 4;
/// The number of sampled edges from which the threshold is estimated.
const SAMPLED_EDGES: u64 = 1 << 10;

const SIGN: u32 = 1 << 31;

/// The keys of a graph's edges: integers in the order of the weights.
#[derive(Clone, Copy)]
pub(super) struct Keys<'g>(Option<&'g Weights>);

impl<'g> Keys<'g> {
    pub fn new(graph: &'g Graph) -> Self {
        Self(graph.weights())
    }

    /// The keys of these weights.
    pub fn of_weights(weights: &'g Weights) -> Self {
        Self(Some(weights))
    }

    /// Whether weights are of floating point.
    pub fn are_real(self) -> bool {
        matches!(self.0, Some(Weights::F32(_)))
    }

    #[inline]
    pub fn key(self, edge: usize) -> u32 {
        match self.0 {
            None => 1,
            Some(Weights::U32(weights)) => weights[edge],
            Some(Weights::F32(weights)) => key_of_bits(weights[edge].to_bits()),
            Some(Weights::F64(_)) => unreachable!("weights of 64 bits are replaced by ranks"),
        }
    }

    /// The ranges of keys of consecutive phases: light edges and heavy edges, or all edges at once.
    pub fn phases(self, graph: &Graph, strategy: MstStrategy) -> Vec<RangeInclusive<u32>> {
        let entries = graph.csr().entries();
        let wanted = LIGHT_EDGES_PER_VERTEX * u64::from(graph.vertices());
        if strategy != MstStrategy::FilterBoruvka || entries == 0 || 2 * wanted >= entries {
            return vec![0..=u32::MAX];
        }
        let count = SAMPLED_EDGES.min(entries);
        let edge =
            |sample: u64| (u128::from(sample) * u128::from(entries) / u128::from(count)) as usize;
        let mut sampled: Vec<u32> = (0..count).map(|sample| self.key(edge(sample))).collect();
        sampled.sort_unstable();
        // The entries contain each undirected edge twice.
        let last = sampled[(2 * wanted * count / entries) as usize];
        match last {
            u32::MAX => vec![0..=u32::MAX],
            _ => vec![0..=last, last + 1..=u32::MAX],
        }
    }
}

/// The key of a floating-point weight. Negative weights are in the reverse order of their bits; −0 equals 0.
fn key_of_bits(bits: u32) -> u32 {
    if bits > SIGN { !bits } else { bits | SIGN }
}

/// [`Keys::key`] in a kernel, from the bits of a weight.
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
    fn keys_are_in_the_order_of_weights() {
        let negative = [f32::NEG_INFINITY, f32::MIN, -1.5, -1.0, -f32::MIN_POSITIVE, -1e-45];
        let others = [0.0, 1e-45, 0.1, 7.0, f32::MAX, f32::INFINITY];
        let weights = negative.into_iter().chain(others);
        let keys: Vec<u32> = weights.map(|weight| key_of_bits(weight.to_bits())).collect();
        assert!(keys.is_sorted_by(|a, b| a < b), "{keys:?}");
        assert_eq!(key_of_bits((-0.0f32).to_bits()), key_of_bits(0));
    }
}
