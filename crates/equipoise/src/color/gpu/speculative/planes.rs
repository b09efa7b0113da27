//! Vertices with many neighbours: the units of a plane look at those of a vertex together.

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, ranges::*};

use super::{
    super::{graph::UNITS, numbers::*},
    control::*,
    look::*,
    units::{bit_of, first_free},
};
use crate::NONE;

/// The planes of a cube take as many vertices each, one after the other, and no more than they have
/// units: each unit lists one of them in the end. Where vertices are few, all planes have some.
#[cube]
pub(super) fn by_planes(
    near: &Near,
    lists: &mut Lists,
    picks: &mut Picks,
    words: &mut AtomicArray,
    iteration: &Iteration,
    launch: u32,
) {
    let planes = UNITS / PLANE_DIM;
    let each = min(iteration.left.div_ceil(planes * CUBE_COUNT as u32), PLANE_DIM);
    let block = planes * each;
    for start in step_range(CUBE_POS as u32 * block, iteration.left, CUBE_COUNT as u32 * block) {
        let first = start + UNIT_POS / PLANE_DIM * each;
        let mut is_settled = false;
        for index in first..min(first + each, iteration.left) {
            let conflict = look_together(near, lists, picks, iteration, index, launch);
            if UNIT_POS_PLANE == index - first {
                is_settled = !conflict;
            }
        }
        let index = first + UNIT_POS_PLANE;
        let is_there = UNIT_POS_PLANE < each && index < iteration.left;
        let vertex = vertex_of(lists, iteration, min(index, iteration.left - 1));
        list_block(lists, words, iteration, vertex, is_there, is_settled);
    }
}

/// What a vertex does; gives whether there was a conflict. All units of a plane call it together.
#[cube]
fn look_together(
    near: &Near,
    lists: &Lists,
    picks: &mut Picks,
    iteration: &Iteration,
    index: u32,
    launch: u32,
) -> bool {
    let vertex = vertex_of(lists, iteration, index);
    let before = picks.before[vertex as usize];
    let own = before / 2;
    let number = random_of(picks.multiplier, vertex);
    let begin = near.offsets[vertex as usize];
    let end = near.ends[vertex as usize];
    let mut conflict = before == NONE;
    let mut start = 0u32;
    let mut free = start;
    let mut is_full = true;
    // 64 colors at a time.
    while is_full {
        let mut low = 0u32;
        let mut high = 0u32;
        for edge in step_range(begin + UNIT_POS_PLANE, end, PLANE_DIM) {
            let color = taken_by(picks, near.targets[edge as usize], number);
            low |= bit_of(color - start);
            high |= bit_of(color - start - 32);
            conflict = conflict || color == own;
        }
        low = or_of_plane(low);
        high = or_of_plane(high);
        is_full = low == u32::MAX && high == u32::MAX;
        free = start + first_free(low, high);
        start += 64;
    }
    conflict = plane_any(conflict);
    if UNIT_POS_PLANE == 0 {
        note(picks, vertex, before, free, conflict, launch);
    }
    conflict
}

/// The bits that any unit of a plane has.
#[cube]
fn or_of_plane(bits: u32) -> u32 {
    let mut all = bits;
    let mut distance = PLANE_DIM / 2;
    while distance > 0 {
        all |= plane_shuffle_xor(all, distance);
        distance /= 2;
    }
    all
}
