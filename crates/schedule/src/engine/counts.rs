//! The counters of an iteration: of one cube, or of all cubes of a launch.

use cubecl::prelude::*;

use crate::atomics::*;

/// Parts listed for the next iteration.
pub(crate) const FOUND_PARTS: usize = 0;
/// Vertices listed for the next iteration.
pub(crate) const FOUND: usize = 1;
/// Edges that leave those vertices.
pub(crate) const FOUND_EDGES: usize = 2;
/// Not 0 if some parts have more than a few edges.
pub(crate) const FOUND_LONG: usize = 3;
/// Edges examined, if they are not those of the frontier.
pub(crate) const LOOKED: usize = 4;
/// A sum, for the order of the loop.
pub(crate) const OWN_SUM: usize = 5;
/// A maximum, for the order of the loop.
pub(crate) const OWN_MAX: usize = 6;
pub(crate) const COUNTERS: usize = 7;

/// The values of the counters after an iteration.
#[derive(CubeType)]
pub(crate) struct Counted {
    /// Parts listed for the next iteration.
    pub parts: u32,
    /// Vertices listed for the next iteration.
    pub vertices: u32,
    /// Edges that leave those vertices.
    pub edges: u32,
    /// Not 0 if some of the parts have more than a few edges.
    pub long: u32,
    /// Edges examined, if they are not those of the frontier.
    pub looked: u32,
    /// A sum, for the order of the loop.
    pub own_sum: u32,
    /// A maximum, for the order of the loop.
    pub own_max: u32,
}

/// Sets of counters: that of the previous iteration, that of the current one, and one that is cleared for the next.
pub(crate) const SLOTS: u32 = 3;

/// The counters of an iteration: of a cube alone, or its share of those of all cubes.
#[derive(CubeType)]
pub(crate) struct Counts {
    own: SharedMemory<Atomic<u32>>,
    /// The selected set of counters.
    slot: u32,
    /// Whether the cube is the only one: then all sets of counters are in shared memory, where positions are
    /// reserved.
    #[cube(comptime)]
    alone: bool,
    /// Base-2 logarithm of the units of a plane.
    #[cube(comptime)]
    halvings: u32,
}

#[cube]
impl Counts {
    /// Cleared counters, with the first set selected. All units of the cube call it together.
    pub fn new(#[comptime] alone: bool, #[comptime] halvings: u32) -> Counts {
        let own = SharedMemory::<Atomic<u32>>::new(comptime!(COUNTERS * SLOTS as usize));
        if UNIT_POS == 0 {
            #[unroll]
            for counter in 0..comptime!(COUNTERS * SLOTS as usize) {
                own[counter].store(0u32);
            }
        }
        sync_cube();
        Counts { own, slot: 0u32.runtime(), alone, halvings }
    }

    /// Selects a set of counters.
    pub fn select(&mut self, slot: u32) {
        self.slot = slot;
    }

    /// Reserves `count` positions after those reserved so far in this iteration, and returns the first.
    pub fn reserve(&self, words: &mut AtomicArray, count: u32, #[comptime] counter: usize) -> u32 {
        let word = self.slot * comptime!(COUNTERS as u32) + comptime!(counter as u32);
        if comptime!(self.alone) {
            self.own[word as usize].fetch_add(count)
        } else {
            words.fetch_add(word, count)
        }
    }

    /// Reserves `count` positions for each unit. All units of a plane call it together.
    pub fn reserve_together(
        &self,
        words: &mut AtomicArray,
        count: u32,
        #[comptime] counter: usize,
    ) -> u32 {
        let up_to = self.sum_up_to(count);
        let mut start = 0u32;
        if UNIT_POS_PLANE == PLANE_DIM - 1 && up_to > 0 {
            start = self.reserve(words, up_to, counter);
        }
        plane_shuffle(start, PLANE_DIM - 1) + up_to - count
    }

    /// The inclusive running sum over the units of a plane. All of them call it together.
    pub fn sum_up_to(&self, value: u32) -> u32 {
        // Not `plane_inclusive_sum`: CUDA cannot unroll its loop.
        let mut sum = value;
        #[unroll]
        for halving in 0..self.halvings {
            let distance = comptime!(1u32 << halving);
            let before = plane_shuffle_up(sum, distance);
            if UNIT_POS_PLANE >= distance {
                sum += before;
            }
        }
        sum
    }

    /// Adds to a counter. One unit calls it.
    pub fn add_alone(&self, value: u32, #[comptime] counter: usize) {
        self.own[self.index(counter)].fetch_add(value);
    }

    /// Adds to a counter. All units of a plane call it together.
    pub fn add(&self, value: u32, #[comptime] counter: usize) {
        let sum = plane_sum(value);
        if UNIT_POS_PLANE == 0 && sum > 0 {
            self.own[self.index(counter)].fetch_add(sum);
        }
    }

    /// Raises a counter. All units of a plane call it together.
    pub fn raise(&self, value: u32, #[comptime] counter: usize) {
        let most = plane_max(value);
        if UNIT_POS_PLANE == 0 && most > 0 {
            self.own[self.index(counter)].fetch_max(most);
        }
    }

    /// The counts of the only cube of a launch. All units of the cube call it together.
    pub fn counted(&self) -> Counted {
        // Read by one unit each, to avoid contention.
        let mut plain = SharedMemory::<u32>::new(COUNTERS);
        sync_cube();
        if UNIT_POS < comptime!(COUNTERS as u32) {
            let word = self.slot * comptime!(COUNTERS as u32) + UNIT_POS;
            plain[UNIT_POS as usize] = self.own[word as usize].load();
        }
        sync_cube();
        Counted {
            parts: plain[FOUND_PARTS],
            vertices: plain[FOUND],
            edges: plain[FOUND_EDGES],
            long: plain[FOUND_LONG],
            looked: plain[LOOKED],
            own_sum: plain[OWN_SUM],
            own_max: plain[OWN_MAX],
        }
    }

    /// Clears a set of counters. All units of the cube call it together.
    pub fn clear(&self, slot: u32) {
        if UNIT_POS < comptime!(COUNTERS as u32) {
            self.own[(slot * comptime!(COUNTERS as u32) + UNIT_POS) as usize].store(0u32);
        }
    }

    /// Adds the cube's counts to those of all cubes, and clears them. All units of the cube call it together.
    pub fn share(&self, words: &mut AtomicArray) {
        sync_cube();
        if UNIT_POS < comptime!(COUNTERS as u32) {
            let value = self.own[UNIT_POS as usize].load();
            self.own[UNIT_POS as usize].store(0u32);
            let word = self.slot * comptime!(COUNTERS as u32) + UNIT_POS;
            if value > 0 {
                if UNIT_POS == comptime!(OWN_MAX as u32) {
                    words.fetch_max(word, value);
                } else {
                    words.fetch_add(word, value);
                }
            }
        }
    }

    /// The index of a counter in shared memory; a cube that is one of many has one set.
    fn index(&self, #[comptime] counter: usize) -> usize {
        if comptime!(self.alone) {
            (self.slot * comptime!(COUNTERS as u32)) as usize + counter
        } else {
            counter.runtime()
        }
    }
}

/// The counts of all cubes in the previous launch.
#[cube]
pub(crate) fn counted_before(words: &AtomicArray, launch: u32) -> Counted {
    let start = launch % SLOTS * comptime!(COUNTERS as u32);
    Counted {
        parts: words.get(start + comptime!(FOUND_PARTS as u32)),
        vertices: words.get(start + comptime!(FOUND as u32)),
        edges: words.get(start + comptime!(FOUND_EDGES as u32)),
        long: words.get(start + comptime!(FOUND_LONG as u32)),
        looked: words.get(start + comptime!(LOOKED as u32)),
        own_sum: words.get(start + comptime!(OWN_SUM as u32)),
        own_max: words.get(start + comptime!(OWN_MAX as u32)),
    }
}

/// Makes the counters zero with which the launch before this one counts. One unit calls it.
#[cube]
pub(crate) fn clear_counters(words: &mut AtomicArray, launch: u32) {
    let start = launch % SLOTS * comptime!(COUNTERS as u32);
    #[unroll]
    for counter in 0..COUNTERS {
        words.set(start + comptime!(counter as u32), 0u32);
    }
}
