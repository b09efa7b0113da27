//! What decides on the device how the next turn is done, and does narrow turns itself.

use cubecl::prelude::*;
use equipoise_schedule::ranges::*;

use super::{
    super::{
        field::*,
        fused::{LARGE_DEGREE, Limits, Lists},
        metric::*,
    },
    piles::*,
};

/// Words of the array that the deciding cube writes and the others read: the first of them, and the
/// counters, are where direction-optimising BFS has them, so that both go through lists alike.
pub(super) const TURN: usize = 0;
pub(super) const MODE: usize = 1;
pub(super) const VERTICES: usize = 2;
pub(super) const EDGES: usize = 3;
pub(super) const LARGE: usize = 4;
/// Vertices from this label on are far.
pub(super) const LIMIT: usize = 5;
/// Vertices of the half of the far pile that is split.
pub(super) const SPLIT: usize = 6;
pub(super) const HALF: usize = 7;
/// Which half of the far pile is added to.
pub(super) const FAR_HALF: usize = 8;
pub(super) const ALL_VERTICES: usize = 9;
pub(super) const ALL_EDGES: usize = 10;
pub(super) const WORDS: usize = 11;

/// Words of the counters.
pub(super) const FOUND: usize = 0;
const FOUND_EDGES: usize = 1;
const FOUND_LARGE: usize = 2;
const LOOKED: usize = 3;
/// Vertices of the far pile, and a label that none of them is nearer than.
pub(super) const FAR: usize = 4;
pub(super) const FAR_NEAREST: usize = 5;
pub(super) const COUNTERS: usize = 6;

/// How a turn is done: by the deciding cube, or by all.
pub(super) const NARROW: u32 = 0;
pub(super) const NARROW_SPLIT: u32 = 1;
pub(super) const WIDE: u32 = 2;
pub(super) const WIDE_SPLIT: u32 = 3;
pub(super) const DONE: u32 = 4;

/// As in direction-optimising BFS.
pub(super) const UNITS: u32 = 1024;
const NARROW_EDGES: u32 = 1 << 13;
const NARROW_DEGREE: u32 = 16;
const MOST_TURNS: u32 = 256;
/// A far pile of at most so many vertices is split by one cube.
const NARROW_PILE: u32 = 1 << 13;

/// Decides, and does narrow turns.
#[cube(launch_unchecked)]
pub(super) fn decide<M: Metric>(
    rows: &Rows,
    piles: &mut Piles<M>,
    lists: &mut Lists,
    state: &mut Array<u32>,
    found: &mut Array<Atomic<u32>>,
    limits: &Limits,
    step: u32,
) {
    // What narrow turns count, as the first of the counters do.
    let counts = SharedMemory::<Atomic<u32>>::new(comptime!(FAR));
    if UNIT_POS < comptime!(FAR as u32) {
        counts[UNIT_POS as usize].store(0u32);
    }
    let mut mode = SharedMemory::<u32>::new(1usize);
    if UNIT_POS == 0 {
        if state[MODE] == WIDE || state[MODE] == WIDE_SPLIT {
            next_turn(state, found);
        }
        // A split that the launch before had no turn left for was chosen already.
        mode[0] = NARROW_SPLIT;
        if state[MODE] != NARROW_SPLIT {
            mode[0] = choose::<M>(state, found, step);
        }
    }
    sync_cube();
    sync_storage();
    let mut done = 0u32;
    while mode[0] <= NARROW_SPLIT && done < MOST_TURNS {
        if mode[0] == NARROW {
            narrow_turn::<M>(rows, piles, lists, state, found, &counts, limits);
        } else {
            narrow_split::<M>(rows, piles, lists, state, found, &counts, limits);
        }
        sync_cube();
        sync_storage();
        if UNIT_POS == 0 {
            #[unroll]
            for counter in 0..FAR {
                found[counter].store(counts[counter].load());
                counts[counter].store(0u32);
            }
            next_turn(state, found);
            mode[0] = choose::<M>(state, found, step);
        }
        sync_cube();
        sync_storage();
        done += 1;
    }
}

/// What was found becomes the list to work on.
#[cube]
fn next_turn(state: &mut Array<u32>, found: &mut Array<Atomic<u32>>) {
    state[ALL_VERTICES] += state[VERTICES] + state[LARGE];
    state[ALL_EDGES] += found[LOOKED].load();
    state[TURN] += 1;
    state[VERTICES] = found[FOUND].load();
    state[EDGES] = found[FOUND_EDGES].load();
    state[LARGE] = found[FOUND_LARGE].load();
    state[HALF] = 1 - state[HALF];
    #[unroll]
    for counter in 0..FAR {
        found[counter].store(0u32);
    }
}

/// How the next turn is done. Where nobody is near, the limit moves on and the pile is split.
#[cube]
fn choose<M: Metric>(state: &mut Array<u32>, found: &mut Array<Atomic<u32>>, step: u32) -> u32 {
    let (vertices, edges) = (state[VERTICES] + state[LARGE], state[EDGES]);
    let mut mode = WIDE.runtime();
    if vertices > 0 {
        if state[LARGE] == 0 && edges <= NARROW_EDGES && edges / NARROW_DEGREE <= vertices {
            mode = NARROW.runtime();
        }
    } else {
        let waiting = found[FAR].load();
        if waiting == 0 {
            mode = DONE.runtime();
        } else {
            state[SPLIT] = waiting;
            state[FAR_HALF] = 1 - state[FAR_HALF];
            state[LIMIT] = M::beyond(max(state[LIMIT], found[FAR_NEAREST].load()), step);
            found[FAR].store(0u32);
            found[FAR_NEAREST].store(u32::MAX);
            mode = WIDE_SPLIT.runtime();
            if waiting <= NARROW_PILE {
                mode = NARROW_SPLIT.runtime();
            }
        }
    }
    state[MODE] = mode;
    mode
}

#[cube]
fn narrow_turn<M: Metric>(
    rows: &Rows,
    piles: &mut Piles<M>,
    lists: &mut Lists,
    state: &Array<u32>,
    found: &mut Array<Atomic<u32>>,
    counts: &SharedMemory<Atomic<u32>>,
    limits: &Limits,
) {
    let this = state[HALF] * limits.vertices;
    for index in cube_stride_range(0, state[VERTICES]) {
        let vertex = lists.small[(this + index) as usize];
        piles.note(vertex);
        let (begin, end) = (rows.offsets[vertex as usize], rows.offsets[(vertex + 1) as usize]);
        for edge in begin..end {
            let target = rows.targets[edge as usize];
            if piles.reach(vertex, edge, target, state, found) {
                list_narrow(rows, lists, state, counts, limits, target);
            }
        }
        counts[LOOKED].fetch_add(end - begin);
    }
}

#[cube]
fn narrow_split<M: Metric>(
    rows: &Rows,
    piles: &mut Piles<M>,
    lists: &mut Lists,
    state: &Array<u32>,
    found: &mut Array<Atomic<u32>>,
    counts: &SharedMemory<Atomic<u32>>,
    limits: &Limits,
) {
    for index in cube_stride_range(0, state[SPLIT]) {
        let near = piles.sort_out(index, state, found);
        if near != u32::MAX {
            list_narrow(rows, lists, state, counts, limits, near);
        }
    }
}

/// Puts a vertex into the next list, which one cube counts.
#[cube]
fn list_narrow(
    rows: &Rows,
    lists: &mut Lists,
    state: &Array<u32>,
    counts: &SharedMemory<Atomic<u32>>,
    limits: &Limits,
    vertex: u32,
) {
    let next = 1 - state[HALF];
    let degree = rows.offsets[(vertex + 1) as usize] - rows.offsets[vertex as usize];
    counts[FOUND_EDGES].fetch_add(degree);
    if degree > LARGE_DEGREE {
        let place = next * limits.large_room + counts[FOUND_LARGE].fetch_add(1u32);
        lists.large[place as usize] = vertex;
    } else {
        let place = next * limits.vertices + counts[FOUND].fetch_add(1u32);
        lists.small[place as usize] = vertex;
    }
}

/// Puts a vertex into the next list.
#[cube]
pub(super) fn list(
    rows: &Rows,
    lists: &mut Lists,
    state: &Array<u32>,
    found: &mut Array<Atomic<u32>>,
    limits: &Limits,
    vertex: u32,
) {
    let next = 1 - state[HALF];
    let degree = rows.offsets[(vertex + 1) as usize] - rows.offsets[vertex as usize];
    found[FOUND_EDGES].fetch_add(degree);
    if degree > LARGE_DEGREE {
        let place = next * limits.large_room + found[FOUND_LARGE].fetch_add(1u32);
        lists.large[place as usize] = vertex;
    } else {
        let place = next * limits.vertices + found[FOUND].fetch_add(1u32);
        lists.small[place as usize] = vertex;
    }
}
