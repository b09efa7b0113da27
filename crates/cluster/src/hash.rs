//! Pseudo-random numbers of global ids, equal on all ranks.

/// 64 bits that depend on a seed and a vertex.
pub(crate) fn hash(seed: u64, vertex: u64) -> u64 {
    mix(mix(seed).wrapping_add(vertex))
}

/// Spreads every bit over all others (the finaliser of SplitMix64).
fn mix(bits: u64) -> u64 {
    let bits = bits.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn vertices_and_seeds_have_numbers_of_their_own() {
        let of_seed = |seed| (0..10_000).map(move |vertex| hash(seed, vertex));
        let all: HashSet<u64> = of_seed(1).chain(of_seed(2)).collect();
        assert_eq!(all.len(), 20_000);
        let ones: u32 = of_seed(3).map(u64::count_ones).sum();
        assert!((310_000..330_000).contains(&ones), "{ones} of 640000 bits");
    }
}
