//! A pseudo-random order of labels.

/// An order of numbers. Of several most frequent labels, a vertex takes the one of the highest rank.
#[derive(Clone, Copy)]
pub(crate) struct RandomOrder {
    /// Odd, so that ranks are unique.
    multiplier: u32,
}

impl RandomOrder {
    pub fn new(seed: u64) -> Self {
        // The steps of SplitMix64.
        let mut mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Self { multiplier: (mixed >> 32) as u32 | 1 }
    }

    /// The factors from numbers to ranks, and from ranks to numbers.
    pub fn multipliers(self) -> (u32, u32) {
        // Newton's iteration: an odd number is its own inverse modulo 8, and each step doubles the number of correct bits.
        let step = |inverse: u32, _| {
            inverse.wrapping_mul(2u32.wrapping_sub(self.multiplier.wrapping_mul(inverse)))
        };
        (self.multiplier, (0..4).fold(self.multiplier, step))
    }

    pub fn rank(self, number: u32) -> u32 {
        number.wrapping_mul(self.multiplier)
    }

    /// Divides all numbers by rank into `parts` ranges of equal size, and returns the range of a number. Neighbouring numbers
    /// are in different ranges.
    pub fn part(self, number: u32, parts: u32) -> u32 {
        // The upper bits of the product.
        ((u64::from(self.rank(number)) * u64::from(parts)) >> u32::BITS) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_lead_back_to_numbers() {
        for seed in [0, 1, 77, u64::MAX] {
            let order = RandomOrder::new(seed);
            let (to, back) = order.multipliers();
            assert_eq!(to.wrapping_mul(back), 1);
            assert_eq!(order.rank(12345).wrapping_mul(back), 12345);
        }
    }
}
