//! The labels and the far pile of a near-far search.

use cubecl::prelude::*;

use super::{super::metric::*, control::*};
use crate::NONE;

/// Labels that are improved, and where vertices wait that are beyond the limit.
///
/// Arrays that change by atomic operations are there a second time, plain, to be looked at.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Piles<M: Metric> {
    /// What edges add.
    pub metric: M,
    /// The labels.
    pub labels: Array<Atomic<u32>>,
    /// The same.
    pub seen: Array<u32>,
    /// The turn in which each vertex was last told that it was found, counted from 1.
    pub turns: Array<Atomic<u32>>,
    /// The label with which the edges of each vertex were last gone along.
    pub left_with: Array<u32>,
    /// Whether each vertex is in the far pile.
    pub waits: Array<u32>,
    /// The far pile: two halves, of which one is added to.
    pub far: Array<u32>,
    /// Vertices of a half.
    pub vertices: u32,
}

#[cube]
impl<M: Metric> Piles<M> {
    /// A vertex' edges are about to be gone along.
    pub fn note(&mut self, vertex: u32) {
        self.left_with[vertex as usize] = self.seen[vertex as usize];
    }

    /// Goes along an edge. Whether the vertex at its end is to be worked on next, which one of
    /// those who reach it in a turn is told; beyond the limit it is put on the far pile.
    pub fn reach(
        &mut self,
        vertex: u32,
        edge: u32,
        target: u32,
        state: &Array<u32>,
        found: &mut Array<Atomic<u32>>,
    ) -> bool {
        let mut is_near = false;
        let new = self.metric.along(self.seen[vertex as usize], edge);
        if new < self.seen[target as usize] {
            let old = self.labels[target as usize].fetch_min(new);
            if new < old {
                let turn = state[TURN] + 1;
                if self.turns[target as usize].fetch_max(turn) < turn {
                    is_near = new < state[LIMIT];
                    if !is_near {
                        self.put_far(target, new, state[FAR_HALF], found);
                    }
                }
            }
        }
        is_near
    }

    /// Puts a vertex on the far pile, unless it is there.
    fn put_far(&mut self, vertex: u32, label: u32, half: u32, found: &mut Array<Atomic<u32>>) {
        found[FAR_NEAREST].fetch_min(label);
        if self.waits[vertex as usize] == 0 {
            self.waits[vertex as usize] = 1u32;
            let place = half * self.vertices + found[FAR].fetch_add(1u32);
            self.far[place as usize] = vertex;
        }
    }

    /// A vertex of the half that is split. Whether it is to be worked on next.
    pub fn sort_out(
        &mut self,
        index: u32,
        state: &Array<u32>,
        found: &mut Array<Atomic<u32>>,
    ) -> u32 {
        let half = state[FAR_HALF];
        let vertex = self.far[((1 - half) * self.vertices + index) as usize];
        let label = self.seen[vertex as usize];
        self.waits[vertex as usize] = 0u32;
        let mut near = NONE.runtime();
        if label >= state[LIMIT] {
            self.put_far(vertex, label, half, found);
        } else if self.left_with[vertex as usize] != label {
            near = vertex;
        }
        near
    }
}
