//! The levels of vertices.

use cubecl::prelude::*;

use super::super::frontier::{counts::*, state::*, walk::*};

/// The level of each vertex, to be changed and to be looked at.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Levels {
    /// The levels.
    pub levels: Array<Atomic<u32>>,
    /// The same.
    pub seen: Array<u32>,
    /// The vertex at whose level the search stops, or `NONE`.
    pub target: u32,
}

#[cube]
impl Visit for Levels {
    fn leave(&mut self, _vertex: u32, now: &Array<u32>) -> u32 {
        now[TURN]
    }

    fn offer(&self, label: u32, _edge: u32) -> u32 {
        label + 1
    }

    fn seen(&self, vertex: u32) -> u32 {
        self.seen[vertex as usize]
    }

    fn improve(&mut self, vertex: u32, label: u32) -> u32 {
        self.levels[vertex as usize].fetch_min(label)
    }

    fn reached(&mut self, _vertex: u32, _label: u32, _now: &Array<u32>) -> u32 {
        NEXT.runtime()
    }

    fn put_aside(
        &mut self,
        _reached: &Reached,
        _counts: &Counts,
        _found: &mut Array<Atomic<u32>>,
        _slot: u32,
        _now: &Array<u32>,
        #[comptime] _count: usize,
    ) {
    }

    fn listed(&self, vertex: u32, counts: &Counts, slot: u32) {
        if vertex == self.target {
            counts.add_alone(slot, 1u32, OWN_SUM);
        }
    }
}
