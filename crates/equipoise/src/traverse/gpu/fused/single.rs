//! One level at a time, where the host chooses each: for plans, and to be timed.

use cubecl::prelude::*;
use equipoise_schedule::device::{Buffer, GpuRuntime};

use super::{
    super::{
        Bounds,
        field::*,
        frontier::{counts::*, halvings, parts::*, state::*, wide_cubes},
    },
    Fused,
    control::PULL,
    levels::*,
};
use crate::{Result, Way};

/// The launch as which a level's vertices are listed.
const LISTING: u32 = 1;
/// A frontier with at most so many edges is narrow, whatever its parts are.
const SURELY_NARROW: u32 = NARROW_LONG;

impl Fused<'_> {
    /// Lists the vertices of a level, as if a launch had found them. Gives the number of the next
    /// launch.
    pub fn list_level(&self, level: u32) -> Result<u32> {
        let gpu = &self.graph.gpu;
        gpu.fill(&self.words, 0)?;
        let (cubes, units) = wide_cubes(gpu);
        // SAFETY: there is a level and an offset for each vertex, and a half of the list has room
        // for the parts of all. Arrays of words have as many as are written.
        unsafe {
            list_level::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes,
                units,
                self.graph.leaving.arg(),
                self.levels(Bounds { source: 0, target: None, most_turns: 0 }),
                self.list.arg(),
                self.words.arg(),
                self.words.arg(),
                level,
                self.graph.vertices(),
                halvings(gpu),
            );
        }
        Ok(LISTING + 1)
    }

    /// Does one level, whose frontier has so many edges, in the given way.
    pub fn one_level(&self, launch: u32, way: Way, level: u32, edges: u32) -> Result<()> {
        let bounds = Bounds { source: 0, target: None, most_turns: level + 1 };
        match way {
            Way::FusedPull => self.enqueue_wide(launch, bounds, PULL),
            _ if edges <= SURELY_NARROW => {
                self.enqueue_narrow(launch, bounds, WORK);
                Ok(())
            }
            _ => self.enqueue_wide(launch, bounds, WORK),
        }
    }

    /// Where the launch before this one counted the edges that it looked at.
    pub fn looked(&self, launch: u32) -> (&Buffer<u32>, u32) {
        (&self.words, launch % SLOTS * COUNTERS as u32 + LOOKED as u32)
    }
}

/// Lists the vertices of a level as those that a launch has found.
#[cube(launch_unchecked)]
fn list_level(
    rows: &Rows,
    levels: &Levels,
    list: &mut Parts,
    words: &mut Array<u32>,
    found: &mut Array<Atomic<u32>>,
    level: u32,
    vertices: u32,
    #[comptime] halvings: u32,
) {
    let counts = Counts::new(false, halvings);
    let slot = comptime!((LISTING + 1) % SLOTS).runtime();
    let next = list.half(1u32);
    let units = CUBE_COUNT as u32 * CUBE_DIM;
    // As often for all units.
    for round in 0..vertices.div_ceil(units) {
        let vertex = round * units + ABSOLUTE_POS as u32;
        let mut candidates = Candidates::new(1usize);
        // Both sides of an `and` are read: never beyond the last vertex.
        let there = min(vertex, vertices - 1) as usize;
        if vertex < vertices && levels.seen[there] == level {
            candidates.note(rows, vertex, 0usize);
            candidates.listed[0] = 1u32;
        }
        list.add(&candidates, &counts, found, slot, next, 1usize);
    }
    counts.share(found, slot);
    if ABSOLUTE_POS == 0 {
        let mut now = Array::<u32>::new(WORDS);
        #[unroll]
        for word in 0..WORDS {
            now[word] = 0u32;
        }
        now[MODE] = WORK;
        now[PENDING] = 1u32;
        // The level before.
        now[TURN] = level - 1;
        write_state(words, &now, LISTING);
    }
}
