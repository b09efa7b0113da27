//! Near and far worklists (Davidson et al.): vertices with a label below a limit are worked on until
//! there are none, while those beyond it are deferred; then the limit moves on, and the deferred
//! ones are split at it.

use cubecl::prelude::*;

use super::{counts::*, edge::*, order::*, parts::*, relax::*, state::*};
use crate::{atomics::*, input::Input};

/// Vertices from this label on are far.
const LIMIT: usize = OWN;
/// Vertices of the half of the far worklist that is split.
const SPLITTING: usize = OWN + 1;
/// Which half of the far worklist is added to.
const FAR_HALF: usize = OWN + 2;
/// Vertices of that half, and a label that none of them is nearer than.
const FAR: usize = OWN + 3;
const NEAREST: usize = OWN + 4;
/// Which of the steps the limit moves on by.
const STEP: usize = OWN + 5;

/// The far worklist is split.
const SPLIT: u32 = OTHER;
/// Vertices of a far worklist, for each cube that waits for the others, that more units split faster.
const WIDE_FAR: u32 = 1 << 13;
/// A far worklist of at most so many vertices is split by one cube.
const NARROW_FAR: u32 = 1 << 13;
/// Vertices with more edges are enough to do for all cubes at once.
const ENOUGH_EDGES: u32 = 1 << 18;
/// A label that no vertex has.
const NO_LABEL: u32 = u32::MAX;

/// Words of each vertex in [`NearFar::far`].
pub(super) const FAR_WORDS: u32 = 4;

/// Vertices in the order of their labels, roughly.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct NearFar {
    /// For each vertex the label with which its edges were last relaxed; for each whether it is in
    /// the far worklist; the far worklist: two halves, of which one is added to.
    pub far: Array<u32>,
    /// The lengths by which the limit can move on, ascending.
    pub steps: Input<u32>,
    /// Which of them it starts with.
    pub first_step: u32,
    /// The vertices of the graph.
    pub vertices: u32,
}

#[cube]
impl NearFar {
    /// Where it is recorded whether a vertex is deferred.
    fn deferred(&self, vertex: u32) -> usize {
        (self.vertices + vertex) as usize
    }

    /// Where a half of the far worklist starts.
    fn half(&self, half: u32) -> u32 {
        (2 + half) * self.vertices
    }

    /// Puts vertices into the far worklist, unless they are there. All units of a plane call it
    /// together.
    pub fn put_far(
        &mut self,
        offers: &Offers,
        counts: &Counts,
        words: &mut AtomicArray,
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
            if offers.kinds[item] == LATER {
                nearness = max(nearness, u32::MAX - offers.labels[item]);
                new[item] = 1 - self.far[self.deferred(offers.vertices[item])];
            }
            all_new += new[item];
        }
        if plane_any(nearness > 0) {
            let behind = self.half(now[FAR_HALF]) + now[FAR];
            let mut place = behind + counts.reserve_together(words, slot, all_new, OWN_SUM);
            #[unroll]
            for item in 0..count {
                if new[item] == 1 {
                    let vertex = offers.vertices[item];
                    let deferred = self.deferred(vertex);
                    self.far[deferred] = 1u32;
                    self.far[place as usize] = vertex;
                    place += 1;
                }
            }
            counts.raise(slot, nearness, OWN_MAX);
        }
    }

    /// After a split: the next larger step where so little was near that one cube does it, the next
    /// smaller one where it was more than enough for all.
    fn choose_step(&self, now: &mut Array<u32>) {
        if is_narrow(now) {
            now[STEP] = min(now[STEP] + 1, self.steps.len() as u32 - 1);
        } else if now[EDGES] > ENOUGH_EDGES {
            now[STEP] -= min(now[STEP], 1u32);
        }
    }
}

impl OrderKind for NearFar {
    const IS_LOOSE: bool = true;
}

#[cube]
impl<Op: DistanceOp> Order<Op> for NearFar {
    fn leave(&mut self, vertex: u32, label: u32) {
        self.far[vertex as usize] = label;
    }

    fn kind(&self, label: u32, now: &Array<u32>) -> u32 {
        let mut kind = LATER.runtime();
        if label < now[LIMIT] {
            kind = NEXT.runtime();
        }
        kind
    }

    fn listed(&self, _vertex: u32, _counts: &Counts, _slot: u32) {}

    fn defer(
        &mut self,
        offers: &Offers,
        counts: &Counts,
        words: &mut AtomicArray,
        slot: u32,
        now: &Array<u32>,
        #[comptime] count: usize,
    ) {
        self.put_far(offers, counts, words, slot, now, count);
    }

    /// Splits the far worklist at the limit.
    fn other(
        &mut self,
        op: &mut Op,
        lists: &mut Worklists,
        counts: &Counts,
        slot: u32,
        now: &Array<u32>,
        #[comptime] _units: u32,
    ) {
        let split = self.half(1 - now[FAR_HALF]);
        let units = CUBE_COUNT as u32 * CUBE_DIM;
        // As often for all units.
        for round in 0..now[SPLITTING].div_ceil(units) {
            let index = round * units + ABSOLUTE_POS as u32;
            let mut candidates = Candidates::new(1usize);
            let mut offers = Offers::new(1usize);
            offers.vertices[0] = 0u32;
            offers.labels[0] = 0u32;
            offers.kinds[0] = NOTHING;
            if index < now[SPLITTING] {
                let vertex = self.far[(split + index) as usize];
                let label = op.label(vertex);
                let deferred = self.deferred(vertex);
                self.far[deferred] = 0u32;
                offers.vertices[0] = vertex;
                offers.labels[0] = label;
                if label >= now[LIMIT] {
                    offers.kinds[0] = LATER;
                } else if self.far[vertex as usize] != label {
                    candidates.read(&lists.rows, vertex, 0usize);
                    candidates.listed[0] = 1u32;
                }
            }
            lists.list(&candidates, counts, slot, now, 1usize);
            self.put_far(&offers, counts, &mut lists.words, slot, now, 1usize);
        }
    }

    fn start(&mut self, _words: &AtomicArray, now: &mut Array<u32>) {
        now[STEP] = self.first_step;
        now[LIMIT] = self.steps[self.first_step as usize];
        now[NEAREST] = u32::MAX;
    }

    /// Where no vertex is near, the limit moves on and the far worklist is split.
    fn next(&self, op: &Op, _words: &AtomicArray, now: &mut Array<u32>, counted: &Array<u32>) {
        next_frontier(now, counted);
        if now[MODE] == SPLIT {
            self.choose_step(now);
        }
        now[FAR] += counted[OWN_SUM];
        now[NEAREST] = min(now[NEAREST], u32::MAX - counted[OWN_MAX]);
        if now[PARTS] > 0 {
            now[MODE] = PUSH;
        } else if now[FAR] == 0 {
            now[MODE] = DONE;
        } else {
            now[MODE] = SPLIT;
            now[SPLITTING] = now[FAR];
            now[FAR_HALF] = 1 - now[FAR_HALF];
            let step = self.steps[now[STEP] as usize];
            now[LIMIT] = op.beyond(max(now[LIMIT], now[NEAREST]), step);
            now[FAR] = 0u32;
            now[NEAREST] = u32::MAX;
        }
    }

    fn limit(&self, _now: &mut Array<u32>) {}

    fn is_for_one(&self, now: &Array<u32>) -> bool {
        (now[MODE] == PUSH && is_narrow(now))
            || (now[MODE] == SPLIT && now[SPLITTING] <= NARROW_FAR)
    }

    fn is_wide(&self, now: &Array<u32>) -> bool {
        is_wide_frontier(now)
            || (now[MODE] == SPLIT && now[SPLITTING] / WIDE_FAR > CUBE_COUNT as u32)
    }

    fn reset(&mut self, vertex: u32) {
        self.far[vertex as usize] = NO_LABEL;
        let deferred = self.deferred(vertex);
        self.far[deferred] = 0u32;
    }
}
