//! The counters of levels.

use cubecl::prelude::*;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
};

use super::super::LevelSums;
use crate::Result;

/// The most levels between two readbacks.
pub(super) const MOST_LEVELS: u32 = 64;

/// The searches that reach a vertex in a level, in two words.
const SEARCHES: u32 = 0;
/// The edges that leave the vertices.
const EDGES: u32 = 2;
/// The number of vertices, once per search that reaches it: the low word and the high one.
const REACHED: u32 = 3;
/// The bits of the first vertex, inverted, so that all counters start at 0.
const FIRST: u32 = 5;
/// The vertices that were pushed to.
pub(super) const TOUCHED: u32 = 6;
/// The parts of rows that the next level pushes along.
pub(super) const PARTS: u32 = 7;
const COUNTERS: u32 = 8;

/// The counters of a level are those of a slot. The first slot is that of the level before the others.
pub(super) struct Counters {
    gpu: Gpu,
    words: Buffer<u32>,
}

/// A counter of a slot.
#[cube]
pub(super) fn counter_of(slot: u32, #[comptime] counter: u32) -> u32 {
    slot * comptime!(COUNTERS) + comptime!(counter)
}

impl Counters {
    pub fn new(gpu: &Gpu) -> Result<Self> {
        let words = gpu.filled(((MOST_LEVELS + 1) * COUNTERS) as usize, 0)?;
        Ok(Self { gpu: gpu.clone(), words })
    }

    pub fn arg(&self) -> AtomicArrayLaunch<GpuRuntime> {
        AtomicArray::bind(&self.gpu, &self.words)
    }

    pub fn clear(&self) -> Result<()> {
        Ok(self.gpu.fill(&self.words, 0)?)
    }

    /// Moves the counters of a slot to the first one, and clears the others.
    pub fn restart(&self, last_slot: u32) {
        // SAFETY: the slot is one of those that the words are of.
        unsafe {
            restart::launch_unchecked::<GpuRuntime>(
                self.gpu.client(),
                CubeCount::new_single(),
                CubeDim::new_1d(COUNTERS),
                self.words.arg(),
                last_slot,
                MOST_LEVELS + 1,
            );
        }
    }

    /// The sums of the first levels, from the first slot on.
    pub fn levels(&self, slots: u32) -> Result<Vec<LevelSums>> {
        let words = self.gpu.download_first(&self.words, (slots * COUNTERS) as usize)?;
        Ok(words.chunks_exact(COUNTERS as usize).map(level_sums).collect())
    }
}

fn level_sums(words: &[u32]) -> LevelSums {
    let word = |counter: u32| words[counter as usize];
    let wide = |low: u32| u64::from(word(low)) | u64::from(word(low + 1)) << 32;
    LevelSums {
        searches: wide(SEARCHES),
        reached: wide(REACHED),
        first: !word(FIRST),
        edges: word(EDGES).into(),
    }
}

#[cube(launch_unchecked)]
fn restart(words: &mut Array<u32>, last_slot: u32, slots: u32) {
    let word = words[(last_slot * COUNTERS + UNIT_POS) as usize];
    words[UNIT_POS as usize] = word;
    for slot in 1..slots {
        words[(slot * COUNTERS + UNIT_POS) as usize] = 0u32;
    }
}

/// What a unit found in a level.
#[derive(CubeType)]
pub(super) struct Tally {
    low: u32,
    high: u32,
    edges: u32,
    reached: u32,
    not_first: u32,
}

#[cube]
impl Tally {
    pub fn new() -> Tally {
        Tally {
            low: 0u32.runtime(),
            high: 0u32.runtime(),
            edges: 0u32.runtime(),
            reached: 0u32.runtime(),
            not_first: 0u32.runtime(),
        }
    }

    /// Counts a vertex that new searches reached. Returns how many did.
    pub fn add(&mut self, vertex: u32, low: u32, high: u32, edges: u32) -> u32 {
        let count = low.count_ones() + high.count_ones();
        self.low |= low;
        self.high |= high;
        self.edges += edges;
        self.reached += count;
        self.not_first = max(self.not_first, !vertex);
        count
    }

    /// Adds what the units of a cube found to a slot. All of them call it together.
    pub fn store(&self, counters: &mut AtomicArray, slot: u32) {
        let own = SharedMemory::<Atomic<u32>>::new(5usize);
        if UNIT_POS < 5 {
            own[UNIT_POS as usize].store(0u32);
        }
        sync_cube();
        if self.reached > 0 {
            own[0].fetch_or(self.low);
            own[1].fetch_or(self.high);
            own[2].fetch_add(self.edges);
            own[3].fetch_add(self.reached);
            own[4].fetch_max(self.not_first);
        }
        sync_cube();
        if UNIT_POS == 0 {
            let reached = own[3].load();
            if reached > 0 {
                counters.fetch_or(counter_of(slot, SEARCHES), own[0].load());
                counters.fetch_or(counter_of(slot, comptime!(SEARCHES + 1)), own[1].load());
                counters.fetch_add(counter_of(slot, EDGES), own[2].load());
                let before = counters.fetch_add(counter_of(slot, REACHED), reached);
                if before > !reached {
                    counters.fetch_add(counter_of(slot, comptime!(REACHED + 1)), 1u32);
                }
                counters.fetch_max(counter_of(slot, FIRST), own[4].load());
            }
        }
    }
}
