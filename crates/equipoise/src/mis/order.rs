//! The order in which vertices go into the set: the same on every device.

use cubecl::prelude::*;

use super::{MisOptions, MisPriority};
use crate::random::{Random, random_of};

/// In place of the key of a vertex that is decided: it is in the set.
pub(super) const IN: u32 = u32::MAX;
/// A neighbour of it is.
pub(super) const OUT: u32 = 0;

/// The most neighbours that are told apart.
const MOST_DEGREE: u32 = u16::MAX as u32 - 1;

/// The keys of vertices. One with a larger key goes before, and of two that have the same the one with the larger
/// number does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order {
    pub by_degree: bool,
    pub random: Random,
}

impl Order {
    pub fn of(options: &MisOptions) -> Self {
        let by_degree = options.priority == MisPriority::Degree;
        Self { by_degree, random: Random::new(options.seed, 0) }
    }

    /// The key of a vertex with so many neighbours, which is neither [`IN`] nor [`OUT`].
    pub fn key(self, vertex: u32, degree: usize) -> u32 {
        let random = self.random.of(vertex);
        let key = match self.by_degree {
            true => (MOST_DEGREE + 1 - (degree as u32).min(MOST_DEGREE)) << 16 | random >> 16,
            false => random,
        };
        key.min(IN - 1)
    }
}

/// As [`Order::key`], on a GPU.
#[cube]
pub(super) fn key_of(vertex: u32, degree: u32, multiplier: u32, by_degree: u32) -> u32 {
    let random = random_of(multiplier, vertex);
    let mut key = random;
    if by_degree != 0 {
        key = ((MOST_DEGREE + 1 - min(degree, MOST_DEGREE.runtime())) << 16) | (random >> 16);
    }
    min(key, (IN - 1).runtime())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_from_what_is_decided_and_fewer_neighbours_go_first() {
        let order = |priority| Order::of(&MisOptions { priority, seed: 7 });
        let (by_degree, random) = (order(MisPriority::Degree), order(MisPriority::Random));
        for vertex in 0..100_000 {
            for degree in [0, 1, 65_534, 65_535, 4_000_000_000] {
                assert!((1..IN).contains(&by_degree.key(vertex, degree)));
            }
            assert!((1..IN).contains(&random.key(vertex, 3)));
            assert!(by_degree.key(vertex, 4) > by_degree.key(vertex + 1, 5));
        }
        assert_eq!(by_degree.key(1, 65_534), by_degree.key(1, 1 << 31));
    }
}
