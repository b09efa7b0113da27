//! What vertices do in an iteration, by what their neighbours have done.

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, input::Input};

use super::{super::numbers::*, control::*};
use crate::NONE;

/// The graph: the neighbours that count.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Near {
    pub offsets: Input<u32>,
    pub ends: Input<u32>,
    pub targets: Input<u32>,
}

/// The vertices to look at.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Lists {
    /// All vertices by class, and where each class starts.
    pub order: Input<u32>,
    pub starts: Input<u32>,
    /// Those not settled from the start on; from the end on, those settled by the launch before.
    pub these: Input<u32>,
    /// The same for the next launch.
    pub next: Array<u32>,
}

/// What is known of vertices: twice the color that each has picked, and one more if it is settled;
/// `NONE` if it has not picked yet.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Picks {
    /// At the end of the launch before.
    pub before: Input<u32>,
    /// At the end of this one.
    pub after: Array<u32>,
    /// The launch that has settled each vertex.
    pub settled_by: Array<u32>,
    /// Of the random numbers.
    pub multiplier: u32,
}

/// A vertex of the iteration.
#[cube]
pub(super) fn vertex_of(lists: &Lists, iteration: &Iteration, index: u32) -> u32 {
    if iteration.is_new {
        lists.order[(iteration.begin + index) as usize]
    } else {
        lists.these[index as usize]
    }
}

/// What a neighbour says: nothing, or the color it has and goes before with.
#[cube]
pub(super) fn taken_by(picks: &Picks, other: u32, own_number: u32) -> u32 {
    let pick = picks.before[other as usize];
    let mut color = NONE.runtime();
    let goes_before = pick % 2 == 1 || random_of(picks.multiplier, other) > own_number;
    if pick != NONE && goes_before {
        color = pick / 2;
    }
    color
}

/// Notes what a vertex does: it is settled with the color it has picked, or picks one that is free.
#[cube]
pub(super) fn note(
    picks: &mut Picks,
    vertex: u32,
    before: u32,
    free: u32,
    conflict: bool,
    launch: u32,
) {
    let mut pick = before + 1;
    if conflict {
        pick = 2 * free;
    } else {
        picks.settled_by[vertex as usize] = launch;
    }
    picks.after[vertex as usize] = pick;
}

/// Lists what the units of a cube have, a vertex each at most, for the next launch.
#[cube]
pub(super) fn list_block(
    lists: &mut Lists,
    words: &mut AtomicArray,
    iteration: &Iteration,
    vertex: u32,
    is_there: bool,
    is_settled: bool,
) {
    let own = SharedMemory::<Atomic<u32>>::new(2usize);
    let mut first = SharedMemory::<u32>::new(2usize);
    if UNIT_POS < 2 {
        own[UNIT_POS as usize].store(0u32);
    }
    sync_cube();
    let kind = u32::cast_from(is_settled);
    let mut place = 0u32;
    if is_there {
        place = own[kind as usize].fetch_add(1u32);
    }
    sync_cube();
    if UNIT_POS < 2 {
        let count = own[UNIT_POS as usize].load();
        first[UNIT_POS as usize] = words.fetch_add(iteration.next + LEFT + UNIT_POS, count);
    }
    sync_cube();
    if is_there {
        place += first[kind as usize];
        put(lists, vertex, place, is_settled);
    }
}

/// Puts a vertex into its place: those settled from the end on.
#[cube]
pub(super) fn put(lists: &mut Lists, vertex: u32, place: u32, is_settled: bool) {
    let mut at = place;
    if is_settled {
        at = lists.next.len() as u32 - 1 - place;
    }
    lists.next[at as usize] = vertex;
}
