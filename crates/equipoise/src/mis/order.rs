//! The priorities of vertices, equal on every device.

use cubecl::prelude::*;

use super::{MisOptions, MisPriority};
use crate::random::{Random, random_of};

/// The key of a vertex in the set.
pub(super) const IN: u32 = u32::MAX;
/// The key of a vertex with a neighbour in the set.
pub(super) const OUT: u32 = 0;

/// Larger degrees count as this one.
const MOST_DEGREE: u32 = u16::MAX as u32 - 1;

/// The keys of vertices: of two neighbours, the one with the larger key has priority, and if keys are equal the one with
/// the larger number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Order {
    pub by_degree: bool,
    pub random: Random,
}

impl Order {
    pub fn new(options: &MisOptions) -> Self {
        let by_degree = options.priority == MisPriority::Degree;
        Self { by_degree, random: Random::new(options.seed, 0) }
    }

    /// The key of an undecided vertex, neither [`IN`] nor [`OUT`].
    pub fn key(self, vertex: u32, degree: usize) -> u32 {
        let mut key = self.random.number(vertex);
        if self.by_degree {
            key = (MOST_DEGREE + 1 - (degree as u32).min(MOST_DEGREE)) << 16 | key >> 16;
        }
        key.min(IN - 1)
    }
}

/// [`Order::key`] in a kernel.
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
    fn keys_differ_from_those_of_decided_vertices_and_low_degrees_have_priority() {
        let order = |priority| Order::new(&MisOptions { priority, seed: 7 });
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
