//! Counting what an iteration finds: by one cube for itself, or by all cubes of a launch together.

use cubecl::prelude::*;

use crate::atomics::*;

/// Parts that were listed for the next iteration.
pub(crate) const FOUND_PARTS: usize = 0;
/// Vertices that were, and the edges that leave them.
pub(crate) const FOUND: usize = 1;
pub(crate) const FOUND_EDGES: usize = 2;
/// Whether some of the parts have more than a few edges.
pub(crate) const FOUND_LONG: usize = 3;
/// Edges that were looked at, where they are not those of the frontier.
pub(crate) const LOOKED: usize = 4;
/// Two more, for the order of the loop.
pub(crate) const OWN_SUM: usize = 5;
pub(crate) const OWN_MAX: usize = 6;
pub(crate) const COUNTERS: usize = 7;

/// Sets of counters: one that the iteration before counted with, one that this iteration does, and
/// one that is made zero for the next.
pub(crate) const SLOTS: u32 = 3;

/// The counters of a cube.
#[derive(CubeType)]
pub(crate) struct Counts {
    here: SharedMemory<Atomic<u32>>,
    /// Whether the cube is the only one: then there are as many sets of counters in shared memory,
    /// and places are counted there.
    #[cube(comptime)]
    alone: bool,
    /// Steps in which the units of a plane come down to one by halves.
    #[cube(comptime)]
    halvings: u32,
}

#[cube]
impl Counts {
    /// All counters zero. All units of the cube call it together.
    pub fn new(#[comptime] alone: bool, #[comptime] halvings: u32) -> Counts {
        let here = SharedMemory::<Atomic<u32>>::new(comptime!(COUNTERS * SLOTS as usize));
        if UNIT_POS == 0 {
            #[unroll]
            for counter in 0..comptime!(COUNTERS * SLOTS as usize) {
                here[counter].store(0u32);
            }
        }
        sync_cube();
        Counts { here, alone, halvings }
    }

    /// Where `count` things may be put: behind those of all others of this iteration.
    pub fn reserve(
        &self,
        words: &mut AtomicArray,
        slot: u32,
        count: u32,
        #[comptime] counter: usize,
    ) -> u32 {
        let place = slot * comptime!(COUNTERS as u32) + comptime!(counter as u32);
        if comptime!(self.alone) {
            self.here[place as usize].fetch_add(count)
        } else {
            words.fetch_add(place, count)
        }
    }

    /// Where the calling unit may put `count` things. All units of a plane call it together.
    pub fn reserve_together(
        &self,
        words: &mut AtomicArray,
        slot: u32,
        count: u32,
        #[comptime] counter: usize,
    ) -> u32 {
        let up_to = self.sum_up_to(count);
        let mut start = 0u32;
        if UNIT_POS_PLANE == PLANE_DIM - 1 && up_to > 0 {
            start = self.reserve(words, slot, up_to, counter);
        }
        plane_shuffle(start, PLANE_DIM - 1) + up_to - count
    }

    /// The sum of the values of the units of a plane up to this one. All of them call it together.
    pub fn sum_up_to(&self, value: u32) -> u32 {
        // Not by `plane_inclusive_sum`: the end of its loop is not known when CUDA compiles it.
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
    pub fn add_alone(&self, slot: u32, value: u32, #[comptime] counter: usize) {
        self.here[self.place(slot, counter)].fetch_add(value);
    }

    /// Adds to a counter. All units of a plane call it together.
    pub fn add(&self, slot: u32, value: u32, #[comptime] counter: usize) {
        let sum = plane_sum(value);
        if UNIT_POS_PLANE == 0 && sum > 0 {
            self.here[self.place(slot, counter)].fetch_add(sum);
        }
    }

    /// Raises a counter. All units of a plane call it together.
    pub fn raise(&self, slot: u32, value: u32, #[comptime] counter: usize) {
        let most = plane_max(value);
        if UNIT_POS_PLANE == 0 && most > 0 {
            self.here[self.place(slot, counter)].fetch_max(most);
        }
    }

    /// What the only cube of a launch counted. All units of the cube call it together.
    pub fn counted(&self, slot: u32) -> Array<u32> {
        // Read once each: if all units did, they would wait for each other.
        let mut plain = SharedMemory::<u32>::new(COUNTERS);
        sync_cube();
        if UNIT_POS < comptime!(COUNTERS as u32) {
            let place = slot * comptime!(COUNTERS as u32) + UNIT_POS;
            plain[UNIT_POS as usize] = self.here[place as usize].load();
        }
        sync_cube();
        let mut counted = Array::<u32>::new(COUNTERS);
        #[unroll]
        for counter in 0..COUNTERS {
            counted[counter] = plain[counter];
        }
        counted
    }

    /// Makes a set of counters zero. All units of the cube call it together.
    pub fn clear(&self, slot: u32) {
        if UNIT_POS < comptime!(COUNTERS as u32) {
            self.here[(slot * comptime!(COUNTERS as u32) + UNIT_POS) as usize].store(0u32);
        }
    }

    /// Adds what the cube counted to what all cubes count, and starts from zero. All units of the cube
    /// call it together.
    pub fn share(&self, words: &mut AtomicArray, slot: u32) {
        sync_cube();
        if UNIT_POS < comptime!(COUNTERS as u32) {
            let value = self.here[UNIT_POS as usize].load();
            self.here[UNIT_POS as usize].store(0u32);
            let place = slot * comptime!(COUNTERS as u32) + UNIT_POS;
            if value > 0 {
                if UNIT_POS == comptime!(OWN_MAX as u32) {
                    words.fetch_max(place, value);
                } else {
                    words.fetch_add(place, value);
                }
            }
        }
    }

    /// Where the cube has a counter: a cube that is one of many has one set.
    fn place(&self, slot: u32, #[comptime] counter: usize) -> usize {
        if comptime!(self.alone) {
            (slot * comptime!(COUNTERS as u32)) as usize + counter
        } else {
            counter.runtime()
        }
    }
}

/// What all cubes counted in the launch before.
#[cube]
pub(crate) fn counted_before(words: &AtomicArray, launch: u32) -> Array<u32> {
    let mut counted = Array::<u32>::new(COUNTERS);
    let start = launch % SLOTS * comptime!(COUNTERS as u32);
    #[unroll]
    for counter in 0..COUNTERS {
        counted[counter] = words.get(start + comptime!(counter as u32));
    }
    counted
}
