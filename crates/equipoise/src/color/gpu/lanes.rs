//! Stealing within a cube: its units take vertices of the same element from each other.
//!
//! Each unit has a queue of vertices in shared memory, those that would be its own without stealing.
//! It takes from the tail of its own queue, and when that is empty from the heads of the others', one
//! queue after the other. Nothing is put back, so that a queue seen empty stays so.

use cubecl::prelude::*;
use equipoise_schedule::engine::*;

use super::{all_vertices::*, ends::*};
use crate::NONE;

/// Vertices of a unit in an element: one alone would leave nothing to steal.
pub(super) const EACH: u32 = 8;

/// Gathers over the neighbours of an element's vertices; says how many of them this unit has taken
/// from others. All units of a cube call it together.
#[cube]
pub(super) fn gather_stealing<Op: GatherOp>(
    keys: &Array<u32>,
    rows: &Rows,
    op: &mut Op,
    start: u32,
    end: u32,
    lanes: &SharedMemory<Atomic<u32>>,
) -> u32 {
    // A unit's vertices lie as far apart as the cube has units, so that units read side by side.
    let mut count = 0u32;
    if start + UNIT_POS < end {
        count = (end - start - UNIT_POS - 1) / CUBE_DIM + 1;
    }
    lanes[UNIT_POS as usize].store(count);
    sync_cube();
    let mut place = take(lanes, UNIT_POS, true);
    while place != NONE {
        gather_vertex::<Op>(keys, rows, op, start + place * CUBE_DIM + UNIT_POS);
        place = take(lanes, UNIT_POS, true);
    }
    let mut stolen = 0u32;
    for distance in 1..CUBE_DIM {
        let lane = (UNIT_POS + distance) % CUBE_DIM;
        place = take(lanes, lane, false);
        while place != NONE {
            gather_vertex::<Op>(keys, rows, op, start + place * CUBE_DIM + lane);
            stolen += 1;
            place = take(lanes, lane, false);
        }
    }
    // Nobody's queue is filled anew before all have seen it empty.
    sync_cube();
    stolen
}

/// Takes the last vertex of a unit's queue, or the first one: its number there, or `NONE`.
#[cube]
fn take(lanes: &SharedMemory<Atomic<u32>>, lane: u32, #[comptime] is_own: bool) -> u32 {
    let mut taken = NONE.runtime();
    let mut ends = lanes[lane as usize].load();
    while taken == NONE && has_some(ends) {
        let before = lanes[lane as usize].compare_exchange_weak(ends, without(ends, is_own));
        if before == ends {
            taken = element(ends, is_own);
        }
        ends = before;
    }
    taken
}
