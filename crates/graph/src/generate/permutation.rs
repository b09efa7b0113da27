//! A random order of `0..size` that needs no memory.
//!
//! A Feistel network permutes the numbers of as many bits as `size` needs: it splits a number into
//! two halves and alternately changes each by a hash of the other, which is invertible and so a
//! bijection. A number that is mapped to `size` or beyond is mapped again until it is below, which
//! terminates because its cycle leads back to its start.

use rand::Rng;

use super::random::{Stream, random};

/// The number of rounds: the hashes of a short half have few values, and need more rounds until all
/// permutations are equally likely.
fn rounds(bits: u32) -> usize {
    if bits < 16 { 12 } else { 3 }
}

/// A bijection on `0..size`, chosen by a seed.
pub(super) struct Permutation {
    size: u64,
    low_bits: u32,
    low_mask: u64,
    high_mask: u64,
    keys: Vec<[u64; 2]>,
}

impl Permutation {
    pub(super) fn new(size: u64, seed: u64) -> Self {
        let bits = u64::BITS - size.saturating_sub(1).leading_zeros();
        let low_bits = bits.div_ceil(2);
        let mut random = random(seed, Stream::Labels, 0);
        let keys = (0..rounds(bits)).map(|_| [random.next_u64(), random.next_u64()]).collect();
        Self {
            size,
            low_bits,
            low_mask: (1 << low_bits) - 1,
            high_mask: (1 << (bits - low_bits)) - 1,
            keys,
        }
    }

    /// The image of `number`, which must be less than `size`.
    #[inline]
    pub(super) fn apply(&self, mut number: u64) -> u64 {
        loop {
            number = self.network(number);
            if number < self.size {
                return number;
            }
        }
    }

    #[inline]
    fn network(&self, number: u64) -> u64 {
        let (mut high, mut low) = (number >> self.low_bits, number & self.low_mask);
        for &[first, second] in &self.keys {
            high ^= hash(low, first) & self.high_mask;
            low ^= hash(high, second) & self.low_mask;
        }
        high << self.low_bits | low
    }
}

/// 32 bits that depend on all of `half` and `key`.
#[inline]
fn hash(half: u64, key: u64) -> u64 {
    let product = (half ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (product ^ (product >> 32)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_numbers_have_the_same_image() {
        for size in (0..300).chain([1 << 12, (1 << 12) + 1, 70_000]) {
            for seed in [0, 1, u64::MAX] {
                let order = Permutation::new(size, seed);
                let mut images: Vec<u64> = (0..size).map(|number| order.apply(number)).collect();
                images.sort_unstable();
                assert!(images.iter().copied().eq(0..size), "size {size}, seed {seed}");
            }
        }
    }

    #[test]
    fn the_largest_sizes_stay_in_range() {
        for size in [u64::MAX, u64::MAX / 2 + 2, (1 << 63) + 1] {
            let order = Permutation::new(size, 3);
            for number in [0, 1, size / 2, size - 1] {
                assert!(order.apply(number) < size);
            }
        }
    }

    #[test]
    fn all_orders_of_a_few_are_about_equally_likely() {
        let mut seen = std::collections::HashMap::new();
        for seed in 0..24_000 {
            let order = Permutation::new(4, seed);
            let images: Vec<u64> = (0..4).map(|number| order.apply(number)).collect();
            *seen.entry(images).or_insert(0u32) += 1;
        }
        assert_eq!(seen.len(), 24);
        assert!(seen.values().all(|&count| (850..=1150).contains(&count)), "{seen:?}");
    }
}
