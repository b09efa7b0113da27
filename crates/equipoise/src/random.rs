//! Random numbers of vertices, equal on every device.

use cubecl::prelude::*;

/// A pseudo-random permutation: one number per vertex, distinct and never 0 for a given seed and series.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Random {
    /// Odd, so that multiplication by it is invertible.
    pub multiplier: u32,
}

impl Random {
    /// The numbers of one of the series of a seed.
    pub fn new(seed: u64, series: u32) -> Self {
        Self { multiplier: multiplier(of_seed(seed), series) }
    }

    /// The number of a vertex. Each step is a bijection that maps 0 to 0, and `vertex + 1` is never 0.
    #[inline]
    pub fn number(self, vertex: u32) -> u32 {
        mix(mix(vertex + 1).wrapping_mul(self.multiplier))
    }
}

/// A seed hashed to 32 bits.
pub(crate) fn of_seed(seed: u64) -> u32 {
    mix(seed as u32 ^ mix((seed >> 32) as u32).wrapping_add(0x9e37_79b9))
}

fn multiplier(seed: u32, series: u32) -> u32 {
    mix(seed.wrapping_add(series)) | 1
}

/// The last steps of MurmurHash3 for 32 bits.
#[inline]
fn mix(mut x: u32) -> u32 {
    x ^= x >> 16;
    x = x.wrapping_mul(0x85eb_ca6b);
    x ^= x >> 13;
    x = x.wrapping_mul(0xc2b2_ae35);
    x ^ x >> 16
}

/// The random number of a vertex, equal to [`Random::number`].
#[cube]
pub(crate) fn random_of(multiplier: u32, vertex: u32) -> u32 {
    mix_on_gpu(mix_on_gpu(vertex + 1) * multiplier)
}

/// The multiplier of a series of random numbers.
#[cube]
pub(crate) fn multiplier_of(seed: u32, series: u32) -> u32 {
    mix_on_gpu(seed + series) | 1
}

#[cube]
fn mix_on_gpu(number: u32) -> u32 {
    let mut x = number;
    x = (x ^ (x >> 16)) * 0x85eb_ca6bu32;
    x = (x ^ (x >> 13)) * 0xc2b2_ae35u32;
    x ^ (x >> 16)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn no_two_vertices_have_the_same_number_and_none_has_zero() {
        for seed in [0, 1, u64::MAX, 0x1234_5678_9abc_def0] {
            let random = Random::new(seed, 3);
            let numbers: HashSet<u32> = (0..100_000).map(|vertex| random.number(vertex)).collect();
            assert_eq!(numbers.len(), 100_000);
            assert!(!numbers.contains(&0) && random.number(u32::MAX - 1) != 0);
        }
    }

    #[test]
    fn seeds_and_series_give_other_orders() {
        let order = |seed, series| {
            let mut order: Vec<u32> = (0..1000).collect();
            order.sort_by_key(|&vertex| Random::new(seed, series).number(vertex));
            order
        };
        assert_eq!(order(1, 0), order(1, 0));
        assert_ne!(order(1, 0), order(2, 0));
        assert_ne!(order(1, 0), order(1, 1));
        assert_ne!(order(1 << 40, 0), order(0, 0));
    }
}
