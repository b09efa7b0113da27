//! Vertices with few neighbours: a unit each.

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, ranges::*};

use super::{
    super::{graph::UNITS, numbers::*},
    control::*,
    look::*,
};
use crate::NONE;

/// A unit a vertex; there are fewer than 64 neighbours, so that 64 colors are enough.
#[cube]
pub(super) fn by_units(
    near: &Near,
    lists: &mut Lists,
    picks: &mut Picks,
    words: &mut AtomicArray,
    iteration: &Iteration,
    launch: u32,
) {
    for block in step_range(CUBE_POS as u32, iteration.left.div_ceil(UNITS), CUBE_COUNT as u32) {
        let index = block * UNITS + UNIT_POS;
        let is_there = index < iteration.left;
        let vertex = vertex_of(lists, iteration, min(index, iteration.left - 1));
        let mut is_settled = false;
        if is_there {
            let before = picks.before[vertex as usize];
            let own = before / 2;
            let number = random_of(picks.multiplier, vertex);
            let mut low = 0u32;
            let mut high = 0u32;
            let mut conflict = before == NONE;
            for edge in near.offsets[vertex as usize]..near.ends[vertex as usize] {
                let color = taken_by(picks, near.targets[edge as usize], number);
                low |= bit_of(color);
                high |= bit_of(color - 32);
                conflict = conflict || color == own;
            }
            is_settled = !conflict;
            note(picks, vertex, before, first_free(low, high), conflict, launch);
        }
        list_block(lists, words, iteration, vertex, is_there, is_settled);
    }
}

/// The bit of a color in a word of 32; none for those beyond, which those below wrap around to.
#[cube]
pub(super) fn bit_of(color: u32) -> u32 {
    let mut bit = 0u32;
    if color < 32 {
        bit = 1u32 << color;
    }
    bit
}

/// The first of 64 colors that is free; 64 where none is.
#[cube]
pub(super) fn first_free(low: u32, high: u32) -> u32 {
    let mut free = (!low).trailing_zeros();
    if low == u32::MAX {
        free = 32 + (!high).trailing_zeros();
    }
    free
}
