//! A barrier of all cubes of a launch.
//!
//! It is the only place where cubes wait for each other. All of them have to be on the device at the
//! same time; nothing promises that, so who waits gives up after a while, and all others with it.

use cubecl::prelude::*;

use crate::atomics::*;

/// Where in its words a barrier counts who has arrived.
const ARRIVED: usize = 0;
/// How many have arrived at all barriers of the launches before.
const BEFORE: usize = 1;
/// Whether all cubes were there at the first barrier of a launch.
const STARTED: usize = 2;
/// The words of a barrier: a line of the cache, so that nothing else is in the way.
pub(super) const BARRIER_WORDS: usize = 32;

/// Added to those who have arrived by a cube that gives up.
const GIVEN_UP: u32 = 1 << 31;

/// Looks until a cube gives up at the first barrier of a launch: some 50 ms. Who has come that far
/// stays on the device until the launch is over.
pub(super) const FIRST_LOOKS: u32 = 1 << 16;
/// Looks until a cube gives up at any other barrier: seconds.
const LOOKS: u32 = 1 << 23;

/// What became of a launch in which cubes wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// All cubes were there.
    Complete,
    /// They were not there at the same time: nothing was done.
    NotStarted,
    /// Some stopped halfway.
    GivenUp,
}

/// What became of a launch, by the words of its barrier.
pub(super) fn outcome(words: &[u32]) -> Outcome {
    match (words[ARRIVED] >= GIVEN_UP, words[STARTED]) {
        (false, _) => Outcome::Complete,
        (true, 0) => Outcome::NotStarted,
        (true, _) => Outcome::GivenUp,
    }
}

/// A barrier of all cubes, in words of a loop that start here.
#[derive(CubeType)]
pub(super) struct Barrier {
    start: u32,
    /// How many have arrived when all cubes have.
    target: u32,
    /// Whether the device needs a fence, which CUDA's do.
    #[cube(comptime)]
    fences: bool,
}

#[cube]
impl Barrier {
    /// The barrier of a launch. All cubes make it before they arrive.
    pub fn new(words: &AtomicArray, start: u32, #[comptime] fences: bool) -> Barrier {
        Barrier { start, target: words.get(start + comptime!(BEFORE as u32)), fences }
    }

    /// Waits until all cubes are on the device. Whether they are: after so many looks they give up,
    /// all of them. All units of a cube call it together.
    pub fn start(&mut self, words: &mut AtomicArray, looks: u32) -> bool {
        let is_complete = self.wait_for(words, looks);
        if ABSOLUTE_POS == 0 {
            words.set(self.start + comptime!(STARTED as u32), u32::cast_from(is_complete));
        }
        is_complete
    }

    /// Waits until all cubes are here, so that each sees what all have written. Whether they are: a
    /// device that keeps some from going on has them give up, all of them. All units of a cube call
    /// it together.
    pub fn wait(&mut self, words: &mut AtomicArray) -> bool {
        self.wait_for(words, LOOKS)
    }

    fn wait_for(&mut self, words: &mut AtomicArray, looks: u32) -> bool {
        let mut is_complete = SharedMemory::<u32>::new(1usize);
        self.target += CUBE_COUNT as u32;
        sync_cube();
        sync_storage();
        if UNIT_POS == 0 {
            device_fence(self.fences);
            is_complete[0] = u32::cast_from(self.arrive(words, looks));
            device_fence(self.fences);
        }
        sync_cube();
        sync_storage();
        is_complete[0] == 1
    }

    /// Arrives, and looks until all have. One unit of a cube calls it.
    ///
    /// Who gives up changes the count so that nobody after it sees all arrive; if somebody arrives
    /// just then, the count is another one, and it looks again.
    fn arrive(&self, words: &mut AtomicArray, looks: u32) -> bool {
        let place = self.start + comptime!(ARRIVED as u32);
        let mut arrived = words.fetch_add(place, 1u32) + 1;
        let mut left = looks;
        while arrived < self.target {
            if left > 0 {
                arrived = words.fetch_add(place, 0u32);
                left -= 1;
            } else {
                let with = arrived + GIVEN_UP;
                let before = words.compare_exchange_weak(place, arrived, with);
                if before == arrived {
                    arrived = with;
                } else {
                    arrived = before;
                }
            }
        }
        arrived < GIVEN_UP
    }

    /// Leaves to the next launch how many have arrived. One unit calls it, after the last wait.
    pub fn leave(&self, words: &mut AtomicArray) {
        words.set(self.start + comptime!(BEFORE as u32), self.target);
    }
}

/// Has other cubes see what was written before it, and this one what they wrote before theirs.
///
/// CubeCL has no word for it. It writes a comment of several lines as it is between `/*` and `*/`, so
/// that one can end the comment, and begin another behind the fence.
#[cube]
fn device_fence(#[comptime] fences: bool) {
    if comptime!(fences) {
        comment!("\n*/ asm volatile(\"fence.acq_rel.gpu;\" ::: \"memory\"); /*");
    }
}
