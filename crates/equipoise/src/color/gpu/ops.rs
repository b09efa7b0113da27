//! The gathers of an iteration over the neighbours of a vertex.
//!
//! Uncolored vertices have keys other than 0, colored vertices the key 0. An operation only reads keys, and stores a value
//! per vertex; a second launch colors.

use cubecl::prelude::*;
use equipoise_schedule::{engine::*, input::Input};

use crate::random::{multiplier_of, random_of};

/// The largest key of the neighbours.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Largest {
    pub keys: Input<u32>,
    pub gathered: Array<u32>,
}

impl GatherOpKind for Largest {
    const NEEDS_VERTEX: bool = false;
}

#[cube]
impl GatherOp for Largest {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, _vertex: u32, neighbour: u32, _edge: u32) -> u32 {
        self.keys[neighbour as usize]
    }

    fn combine(a: u32, b: u32) -> u32 {
        max(a, b)
    }

    fn apply(&mut self, vertex: u32, largest: u32) {
        self.gathered[vertex as usize] = largest;
    }
}

/// Whether the key of a vertex is larger (bit 0) or smaller (bit 1) than those of all uncolored neighbours.
#[derive(CubeType, CubeLaunch)]
pub(super) struct LargestOrSmallest {
    pub keys: Input<u32>,
    pub gathered: Array<u32>,
}

impl GatherOpKind for LargestOrSmallest {}

#[cube]
impl GatherOp for LargestOrSmallest {
    type Value = u32;

    fn identity() -> u32 {
        3u32.runtime()
    }

    fn gather(&mut self, vertex: u32, neighbour: u32, _edge: u32) -> u32 {
        let other = self.keys[neighbour as usize];
        let mut sets = 3u32;
        if other != 0 {
            sets = 2u32;
            if self.keys[vertex as usize] > other {
                sets = 1u32;
            }
        }
        sets
    }

    fn combine(a: u32, b: u32) -> u32 {
        a & b
    }

    fn apply(&mut self, vertex: u32, sets: u32) {
        self.gathered[vertex as usize] = sets;
    }
}

/// The independent sets that a vertex can join, as two bits per random number: whether its number is larger, and whether it
/// is smaller, than those of all uncolored neighbours.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Extremes {
    pub keys: Input<u32>,
    pub gathered: Array<u32>,
    pub seed: u32,
    /// Random numbers per vertex.
    pub hashes: u32,
}

impl GatherOpKind for Extremes {}

#[cube]
impl GatherOp for Extremes {
    type Value = u32;

    fn identity() -> u32 {
        u32::MAX.runtime()
    }

    fn gather(&mut self, vertex: u32, other: u32, _edge: u32) -> u32 {
        let mut sets = u32::MAX.runtime();
        if self.keys[other as usize] != 0 {
            sets = 0u32;
            for series in 0..self.hashes {
                let multiplier = multiplier_of(self.seed, series);
                let mut set = 2u32;
                if random_of(multiplier, vertex) > random_of(multiplier, other) {
                    set = 1u32;
                }
                sets |= set << (2 * series);
            }
        }
        sets
    }

    fn combine(a: u32, b: u32) -> u32 {
        a & b
    }

    fn apply(&mut self, vertex: u32, sets: u32) {
        self.gathered[vertex as usize] = sets & (u32::MAX.runtime() >> (32 - 2 * self.hashes));
    }
}
