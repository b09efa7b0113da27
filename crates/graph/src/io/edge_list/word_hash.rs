//! A hash of words whose collisions no file can choose.

use std::hash::{BuildHasher, RandomState};

/// A polynomial over the prime 2⁶¹ − 1 at a random point, whose coefficients are the bytes of a
/// word, by sevens. Two words of n bytes have the same value with a probability of at most
/// n / 2⁶¹, whichever they are. For short words, several times as fast as SipHash.
pub(super) struct WordHash {
    point: u64,
    factor: u64,
}

const PRIME: u64 = (1 << 61) - 1;
/// The bytes per coefficient, which must be less than the prime.
const COEFFICIENT: usize = 7;

impl WordHash {
    pub fn new() -> Self {
        let random = RandomState::new();
        Self { point: random.hash_one(0) % PRIME, factor: random.hash_one(1) | 1 }
    }

    #[inline(always)]
    pub fn hash(&self, word: &[u8]) -> u64 {
        let (coefficients, rest) = word.as_chunks::<COEFFICIENT>();
        let rest = match word.last_chunk() {
            // The last bytes of the last eight. Shifted twice, because none may be left.
            Some(&last) => u64::from_le_bytes(last) >> 8 >> (8 * (COEFFICIENT - rest.len())),
            None => rest.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)),
        };
        let mut value = self.step(word.len() as u64 % PRIME, rest);
        for &[a, b, c, d, e, f, g] in coefficients {
            // Two loads, which have the byte in the middle in common.
            let [low, high] = [[a, b, c, d], [d, e, f, g]].map(u32::from_le_bytes).map(u64::from);
            value = self.step(value, low | high << 24);
        }
        // All bits of the value must have an effect on both the upper and the lower ones.
        let spread = value.wrapping_mul(self.factor);
        spread ^ (spread >> 32)
    }

    /// (value + coefficient) · point modulo the prime, perhaps plus the prime.
    #[inline(always)]
    fn step(&self, value: u64, coefficient: u64) -> u64 {
        let product = u128::from(value + coefficient) * u128::from(self.point);
        let folded = (product as u64 & PRIME) + (product >> 61) as u64;
        (folded & PRIME) + (folded >> 61)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_can_choose_words_that_collide_in_every_table() {
        let words: Vec<String> = (0..100).map(|word| format!("a name, {word}")).collect();
        let hashes = || {
            let hash = WordHash::new();
            words.iter().map(|word| hash.hash(word.as_bytes()) % 64).collect::<Vec<u64>>()
        };
        assert_ne!(hashes(), hashes(), "two tables have the same hash");
    }

    #[test]
    fn the_hash_is_the_value_of_the_polynomial() {
        let hash = WordHash { point: 3, factor: 1 };
        let spread = |value: u64| value ^ (value >> 32);
        for (word, expected) in [
            (&b""[..], 0),
            (b"\x05", (1 + 5) * 3),
            (b"\0\x01", (2 + 256) * 3),
            (&[1; 7], (7 * 3 + 0x01_0101_0101_0101) * 3),
            (&[0, 0, 0, 0, 0, 0, 0, 9], (8 + 9) * 9),
            (&[0, 0, 0, 0, 0, 0, 2, 9, 1], ((9 + 0x109) * 3 + (2 << 48)) * 3),
        ] {
            let expected: u64 = expected;
            assert_eq!(hash.hash(word), spread(expected % PRIME), "{word:?}");
        }
    }

    #[test]
    fn similar_words_have_different_hashes() {
        let hash = WordHash::new();
        let zeros = (0..100).map(|length| vec![0; length]);
        let prime = PRIME.to_be_bytes();
        let ends = (0..40).flat_map(|length| {
            [b"\x01", b"\xff"].map(|end| [&vec![0; length][..], end, &prime].concat())
        });
        let mut hashes: Vec<u64> = zeros.chain(ends).map(|word| hash.hash(&word)).collect();
        hashes.sort_unstable();
        assert!(hashes.is_sorted_by(|a, b| a < b));
    }
}
