//! A wide level from the side of those not reached: each looks for a neighbour in the frontier.

use cubecl::prelude::*;
use equipoise_schedule::ranges::*;

use super::{super::field::*, control::*, stage::*};
use crate::NONE;

/// Vertices of a word of a bitmap.
const WORD: u32 = 32;

/// Does a level, if it is one to pull.
///
/// The first such level tells the frontier by its labels, the others by a bitmap, which takes a
/// thirty-second of the memory. Of both bitmaps, each has a half of `bitmaps`.
#[cube(launch_unchecked)]
pub(super) fn pull_level(
    rows: &Rows,
    entering: &Rows,
    levels: &mut Array<u32>,
    bitmaps: &mut Array<u32>,
    lists: &mut Lists,
    state: &Array<u32>,
    found: &mut Array<Atomic<u32>>,
    limits: &Limits,
) {
    if state[MODE] == PULL {
        let mut stage = Stage::new();
        let words = limits.vertices.div_ceil(WORD);
        let this_bits = state[HALF] * words;
        let next_bits = (1 - state[HALF]) * words;
        let next_small = (1 - state[HALF]) * limits.vertices;
        let next_large = (1 - state[HALF]) * limits.large_room;
        let level = state[LEVEL];
        let has_bitmap = state[HAS_BITMAP] == 1;
        let mut looked = 0u32;

        let bits = SharedMemory::<Atomic<u32>>::new(comptime!((WIDE_UNITS / WORD) as usize));
        let chunks = limits.vertices.div_ceil(WIDE_UNITS);
        for chunk in step_range(CUBE_POS as u32, chunks, CUBE_COUNT as u32) {
            if UNIT_POS < comptime!(WIDE_UNITS / WORD) {
                bits[UNIT_POS as usize].store(0u32);
            }
            sync_cube();
            let vertex = chunk * WIDE_UNITS + UNIT_POS;
            let mut is_found = false;
            if vertex < limits.vertices && levels[vertex as usize] == NONE {
                let begin = entering.offsets[vertex as usize];
                let end = entering.offsets[(vertex + 1) as usize];
                let mut edge = begin;
                while edge < end && !is_found {
                    let other = entering.targets[edge as usize];
                    if has_bitmap {
                        let word = bitmaps[(this_bits + other / WORD) as usize];
                        is_found = (word >> (other % WORD)) & 1 == 1;
                    } else {
                        is_found = levels[other as usize] == level;
                    }
                    edge += 1;
                }
                looked += edge - begin;
            }
            if is_found {
                // Others look for `level` only, so that they may see this or not.
                levels[vertex as usize] = level + 1;
                bits[(UNIT_POS / WORD) as usize].fetch_or(1u32 << (UNIT_POS % WORD));
                stage.add(rows, lists, found, vertex, next_large);
            }
            stage.write_if_full(lists, found, next_small);
            let word = chunk * comptime!(WIDE_UNITS / WORD) + UNIT_POS;
            if UNIT_POS < comptime!(WIDE_UNITS / WORD) && word < words {
                bitmaps[(next_bits + word) as usize] = bits[UNIT_POS as usize].load();
            }
            sync_cube();
        }
        stage.finish(lists, found, next_small);
        let of_plane = plane_sum(looked);
        if UNIT_POS_PLANE == 0 {
            found[LOOKED].fetch_add(of_plane);
        }
    }
}
