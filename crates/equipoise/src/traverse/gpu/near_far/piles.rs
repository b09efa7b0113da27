//! The labels and the far pile of a near-far search.

use cubecl::prelude::*;

use super::{
    super::{
        field::*,
        frontier::{counts::*, parts::*, state::*, walk::*},
        metric::*,
    },
    control::*,
};

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
    /// For each vertex the label with which its edges were last gone along; for each whether it is
    /// in the far pile; the far pile: two halves, of which one is added to.
    pub notes: Array<u32>,
    /// The vertices of the graph.
    pub vertices: u32,
}

/// Numbers that are noted for each vertex.
pub(super) const NOTES: u32 = 4;

#[cube]
impl<M: Metric> Piles<M> {
    /// Where it is noted whether a vertex is in the far pile.
    fn waits(&self, vertex: u32) -> usize {
        (self.vertices + vertex) as usize
    }

    /// Where a half of the far pile starts.
    fn half(&self, half: u32) -> u32 {
        (2 + half) * self.vertices
    }
}

#[cube]
impl<M: Metric> Visit for Piles<M> {
    fn leave(&mut self, vertex: u32, _now: &Array<u32>) -> u32 {
        let label = self.seen[vertex as usize];
        self.notes[vertex as usize] = label;
        label
    }

    fn offer(&self, label: u32, edge: u32) -> u32 {
        self.metric.along(label, edge)
    }

    fn seen(&self, vertex: u32) -> u32 {
        self.seen[vertex as usize]
    }

    fn improve(&mut self, vertex: u32, label: u32) -> u32 {
        self.labels[vertex as usize].fetch_min(label)
    }

    /// Of those who reach a vertex in a turn, one is told what becomes of it.
    fn reached(&mut self, vertex: u32, label: u32, now: &Array<u32>) -> u32 {
        let mut kind = NOTHING.runtime();
        let turn = now[TURN] + 1;
        if self.turns[vertex as usize].fetch_max(turn) < turn {
            kind = ASIDE.runtime();
            if label < now[LIMIT] {
                kind = NEXT.runtime();
            }
        }
        kind
    }

    /// Puts vertices on the far pile, unless they are there.
    fn put_aside(
        &mut self,
        reached: &Reached,
        counts: &Counts,
        found: &mut Array<Atomic<u32>>,
        slot: u32,
        now: &Array<u32>,
        #[comptime] count: usize,
    ) {
        let mut new = Array::<u32>::new(count);
        let mut all_new = 0u32;
        // Counted from the largest label, so that zero is none.
        let mut nearness = 0u32;
        #[unroll]
        for item in 0..count {
            new[item] = 0u32;
            if reached.kinds[item] == ASIDE {
                nearness = max(nearness, u32::MAX - reached.labels[item]);
                new[item] = 1 - self.notes[self.waits(reached.vertices[item])];
            }
            all_new += new[item];
        }
        if plane_any(nearness > 0) {
            let behind = self.half(now[FAR_HALF]) + now[FAR];
            let mut place = behind + counts.reserve_together(found, slot, all_new, OWN_SUM);
            #[unroll]
            for item in 0..count {
                if new[item] == 1 {
                    let vertex = reached.vertices[item];
                    let waits = self.waits(vertex);
                    self.notes[waits] = 1u32;
                    self.notes[place as usize] = vertex;
                    place += 1;
                }
            }
            counts.raise(slot, nearness, OWN_MAX);
        }
    }

    fn listed(&self, _vertex: u32, _counts: &Counts, _slot: u32) {}
}

/// Splits the far pile at the limit. All units of the cubes that share it call it together.
#[cube]
pub(crate) fn split<M: Metric>(
    rows: &Rows,
    piles: &mut Piles<M>,
    list: &mut Parts,
    counts: &Counts,
    found: &mut Array<Atomic<u32>>,
    slot: u32,
    now: &Array<u32>,
) {
    let next = list.half(1 - now[HALF]);
    let pile = piles.half(1 - now[FAR_HALF]);
    let units = CUBE_COUNT as u32 * CUBE_DIM;
    // As often for all units.
    for round in 0..now[SPLIT_PILE].div_ceil(units) {
        let index = round * units + ABSOLUTE_POS as u32;
        let mut candidates = Candidates::new(1usize);
        let mut reached = Reached::new(1usize);
        reached.vertices[0] = 0u32;
        reached.labels[0] = 0u32;
        reached.kinds[0] = NOTHING;
        if index < now[SPLIT_PILE] {
            let vertex = piles.notes[(pile + index) as usize];
            let label = piles.seen[vertex as usize];
            let waits = piles.waits(vertex);
            piles.notes[waits] = 0u32;
            reached.vertices[0] = vertex;
            reached.labels[0] = label;
            if label >= now[LIMIT] {
                reached.kinds[0] = ASIDE;
            } else if piles.notes[vertex as usize] != label {
                candidates.note(rows, vertex, 0usize);
                candidates.listed[0] = 1u32;
            }
        }
        list.add(&candidates, counts, found, slot, next, 1usize);
        piles.put_aside(&reached, counts, found, slot, now, 1usize);
    }
}
