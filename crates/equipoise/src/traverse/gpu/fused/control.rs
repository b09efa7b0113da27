//! What decides on the device how the next level is done, and does narrow levels itself.
//!
//! One cube: it folds in what the last wide level found, decides, and goes on level by level as
//! long as they are narrow. So deep graphs pay no launch a level, and wide levels no look of the
//! host.

use cubecl::prelude::*;
use equipoise_schedule::ranges::*;

use super::super::field::*;
use crate::NONE;

/// Words of the array that the deciding cube writes and the others read.
pub(super) const LEVEL: usize = 0;
pub(super) const MODE: usize = 1;
/// Vertices of the frontier with few edges.
pub(super) const VERTICES: usize = 2;
pub(super) const EDGES: usize = 3;
/// Vertices of the frontier with many edges, which are in a list of their own.
pub(super) const LARGE: usize = 4;
/// Edges that leave vertices which were not in a frontier yet.
pub(super) const UNEXPLORED: usize = 5;
/// The vertices of the frontier before.
const PREVIOUS: usize = 6;
/// Which half of the lists and bitmaps is the frontier's: 0 or 1.
pub(super) const HALF: usize = 7;
/// Whether the frontier's bitmap is there: the level before pulled.
pub(super) const HAS_BITMAP: usize = 8;
/// Vertices of all frontiers so far, and edges looked at.
pub(super) const ALL_VERTICES: usize = 9;
pub(super) const ALL_EDGES: usize = 10;
pub(super) const WORDS: usize = 11;

/// Words of the counters that wide levels add to.
pub(super) const FOUND: usize = 0;
pub(super) const FOUND_EDGES: usize = 1;
pub(super) const FOUND_LARGE: usize = 2;
pub(super) const LOOKED: usize = 3;
pub(super) const COUNTERS: usize = 4;

/// How a level is done.
pub(super) const NARROW: u32 = 0;
pub(super) const PUSH: u32 = 1;
pub(super) const PULL: u32 = 2;
pub(super) const DONE: u32 = 3;

/// Units of the deciding cube, if the device allows as many.
pub(super) const UNITS: u32 = 1024;
/// A frontier with at most so many edges, and at most so many a vertex, is narrow.
const NARROW_EDGES: u32 = 1 << 13;
const NARROW_DEGREE: u32 = 16;
/// Narrow levels of one launch: software devices end loops that go on for long.
const MOST_LEVELS: u32 = 256;
/// A vertex with more edges is put into a list of its own, and done by all cubes.
pub(crate) const LARGE_DEGREE: u32 = 4096;
/// As on the cpu: when to pull, and when to push again.
const ALPHA: u32 = 15;
const BETA: u32 = 20;

/// Where a search stops.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Limits {
    /// The vertices of the graph.
    pub vertices: u32,
    /// The level at which it stops.
    pub last_level: u32,
    /// The vertex at whose level it stops, or `NONE`.
    pub target: u32,
    /// The vertices of many edges that there is room for.
    pub large_room: u32,
}

/// The lists of two frontiers: this one's and the next one's.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Lists {
    /// Vertices with few edges: two halves.
    pub small: Array<u32>,
    /// Vertices with many: two halves.
    pub large: Array<u32>,
}

/// The labels, to be changed and to be looked at.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Levels {
    /// The level of each vertex.
    pub levels: Array<Atomic<u32>>,
    /// The same.
    pub seen: Array<u32>,
}

#[cube]
impl Levels {
    /// Gives a vertex a level, if it has none. Whether it had none.
    pub fn claim(&mut self, vertex: u32, level: u32) -> bool {
        let mut first = false;
        if self.seen[vertex as usize] == NONE {
            first = self.levels[vertex as usize].fetch_min(level) == NONE;
        }
        first
    }
}

/// Decides, and does narrow levels.
#[cube(launch_unchecked)]
pub(super) fn decide(
    rows: &Rows,
    levels: &mut Levels,
    lists: &mut Lists,
    state: &mut Array<u32>,
    found: &mut Array<Atomic<u32>>,
    limits: &Limits,
) {
    // What narrow levels count: vertices, edges, vertices of many edges.
    let counts = SharedMemory::<Atomic<u32>>::new(3usize);
    let mut mode = SharedMemory::<u32>::new(1usize);
    if UNIT_POS < 3 {
        counts[UNIT_POS as usize].store(0u32);
    }
    if UNIT_POS == 0 {
        if state[MODE] == PUSH || state[MODE] == PULL {
            state[HAS_BITMAP] = u32::cast_from(state[MODE] == PULL);
            let looked = found[LOOKED].load();
            let (vertices, edges) = (found[FOUND].load(), found[FOUND_EDGES].load());
            next_level(state, vertices, edges, found[FOUND_LARGE].load(), looked);
            #[unroll]
            for counter in 0..COUNTERS {
                found[counter].store(0u32);
            }
        }
        mode[0] = choose(state, &levels.seen, limits);
        state[MODE] = mode[0];
    }
    sync_cube();
    sync_storage();
    let mut done = 0u32;
    while mode[0] == NARROW && done < MOST_LEVELS {
        narrow_level(rows, levels, lists, state, &counts, limits);
        sync_cube();
        sync_storage();
        if UNIT_POS == 0 {
            let (vertices, edges) = (counts[0].load(), counts[1].load());
            let looked = state[EDGES];
            next_level(state, vertices, edges, counts[2].load(), looked);
            state[HAS_BITMAP] = 0u32;
            mode[0] = choose(state, &levels.seen, limits);
            state[MODE] = mode[0];
        }
        sync_cube();
        sync_storage();
        if UNIT_POS < 3 {
            counts[UNIT_POS as usize].store(0u32);
        }
        sync_cube();
        done += 1;
    }
}

/// What was found becomes the frontier.
#[cube]
fn next_level(state: &mut Array<u32>, vertices: u32, edges: u32, large: u32, looked: u32) {
    let this = state[VERTICES] + state[LARGE];
    state[ALL_VERTICES] += this;
    state[ALL_EDGES] += looked;
    state[LEVEL] += 1;
    state[PREVIOUS] = this;
    state[VERTICES] = vertices;
    state[EDGES] = edges;
    state[LARGE] = large;
    state[UNEXPLORED] -= edges;
    state[HALF] = 1 - state[HALF];
}

/// How the next level is done.
#[cube]
fn choose(state: &mut Array<u32>, levels: &Array<u32>, limits: &Limits) -> u32 {
    let (vertices, edges) = (state[VERTICES] + state[LARGE], state[EDGES]);
    let mut is_over = vertices == 0 || state[LEVEL] >= limits.last_level;
    if limits.target != NONE {
        is_over = is_over || levels[limits.target as usize] != NONE;
    }
    let grows = vertices > state[PREVIOUS];
    // Divided, since products may not fit.
    let many = edges > state[UNEXPLORED] / ALPHA && edges > limits.vertices / BETA;
    let wide = vertices > limits.vertices / BETA;
    let mut mode = PUSH.runtime();
    if is_over {
        mode = DONE.runtime();
    } else if state[LARGE] == 0 && edges <= NARROW_EDGES && edges / NARROW_DEGREE <= vertices {
        mode = NARROW.runtime();
    } else if (grows && many) || (!grows && wide) {
        mode = PULL.runtime();
    }
    mode
}

#[cube]
fn narrow_level(
    rows: &Rows,
    levels: &mut Levels,
    lists: &mut Lists,
    state: &Array<u32>,
    counts: &SharedMemory<Atomic<u32>>,
    limits: &Limits,
) {
    let this = state[HALF] * limits.vertices;
    let next = (1 - state[HALF]) * limits.vertices;
    let next_large = (1 - state[HALF]) * limits.large_room;
    let level = state[LEVEL] + 1;
    for index in cube_stride_range(0, state[VERTICES]) {
        let vertex = lists.small[(this + index) as usize];
        let (begin, end) = (rows.offsets[vertex as usize], rows.offsets[(vertex + 1) as usize]);
        for edge in begin..end {
            let target = rows.targets[edge as usize];
            if levels.claim(target, level) {
                let degree = rows.offsets[(target + 1) as usize] - rows.offsets[target as usize];
                counts[1].fetch_add(degree);
                if degree > LARGE_DEGREE {
                    let place = next_large + counts[2].fetch_add(1u32);
                    lists.large[place as usize] = target;
                } else {
                    let place = next + counts[0].fetch_add(1u32);
                    lists.small[place as usize] = target;
                }
            }
        }
    }
}
