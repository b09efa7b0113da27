//! Vertices with very many neighbours: a cube each.

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, ranges::*};

use super::{super::numbers::*, control::*, look::*};
use crate::NONE;

/// The words of colors that a cube looks at together, 32 in each.
const WINDOW: u32 = 16;

/// A cube a vertex.
#[cube]
pub(super) fn by_cubes(
    near: &Near,
    lists: &mut Lists,
    picks: &mut Picks,
    words: &mut AtomicArray,
    iteration: &Iteration,
    launch: u32,
) {
    let taken = SharedMemory::<Atomic<u32>>::new(comptime!(WINDOW as usize));
    // The first color that is free, and whether there is a conflict.
    let result = SharedMemory::<Atomic<u32>>::new(2usize);
    for index in step_range(CUBE_POS as u32, iteration.left, CUBE_COUNT as u32) {
        let vertex = vertex_of(lists, iteration, index);
        let before = picks.before[vertex as usize];
        let number = random_of(picks.multiplier, vertex);
        if UNIT_POS == 0 {
            result[0].store(NONE.runtime());
            result[1].store(u32::cast_from(before == NONE));
        }
        let mut free = NONE.runtime();
        let mut conflict = false;
        let mut start = 0u32;
        // Nearly always once: there are rarely more colors than a window has.
        while free == NONE {
            if UNIT_POS < WINDOW {
                taken[UNIT_POS as usize].store(0u32);
            }
            sync_cube();
            for edge in cube_stride_range(near.offsets[vertex as usize], near.ends[vertex as usize])
            {
                let color = taken_by(picks, near.targets[edge as usize], number);
                // A color below the window is far beyond it, too.
                let place = color - start;
                if place < comptime!(32 * WINDOW) {
                    taken[(place / 32) as usize].fetch_or(1u32 << (place % 32));
                }
                if color == before / 2 {
                    result[1].store(1u32);
                }
            }
            sync_cube();
            if UNIT_POS < WINDOW {
                let word = taken[UNIT_POS as usize].load();
                if word != u32::MAX {
                    result[0].fetch_min(start + 32 * UNIT_POS + (!word).trailing_zeros());
                }
            }
            sync_cube();
            free = result[0].load();
            conflict = result[1].load() == 1;
            start += comptime!(32 * WINDOW);
            sync_cube();
        }
        if UNIT_POS == 0 {
            note(picks, vertex, before, free, conflict, launch);
            let kind = u32::cast_from(!conflict);
            let place = words.fetch_add(iteration.next + LEFT + kind, 1u32);
            put(lists, vertex, place, !conflict);
        }
    }
}
