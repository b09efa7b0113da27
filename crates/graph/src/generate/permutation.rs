//! A random order of `0..size` that needs no memory.
//!
//! A Feistel network permutes the numbers of as many bits as `size` needs: it splits a number in
//! two and in turn changes each half by a hash of the other, which can be undone and so never
//! sends two numbers to one. A number that lands at or past `size` is sent on until it lands
//! below, which it does as its cycle leads back to where it started.

use rand::Rng;

use super::random::{Stream, random};

/// How often each half is changed: the hashes of a short half have few values, and need more
/// rounds until all orders are equally likely.
fn rounds(bits: u32) -> usize {
    if bits < 16 { 12 } else { 3 }
}

/// A bijection of `0..size`, chosen by a seed.
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

    /// Where `number`, which is less than the size, is sent.
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
    fn every_number_is_sent_to_a_place_of_its_own() {
        for size in (0..300).chain([1 << 12, (1 << 12) + 1, 70_000]) {
            for seed in [0, 1, u64::MAX] {
                let order = Permutation::new(size, seed);
                let mut places: Vec<u64> = (0..size).map(|number| order.apply(number)).collect();
                places.sort_unstable();
                assert!(places.iter().copied().eq(0..size), "size {size}, seed {seed}");
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
            let places: Vec<u64> = (0..4).map(|number| order.apply(number)).collect();
            *seen.entry(places).or_insert(0u32) += 1;
        }
        assert_eq!(seen.len(), 24);
        assert!(seen.values().all(|&count| (850..=1150).contains(&count)), "{seen:?}");
    }
}
