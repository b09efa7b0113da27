//! Work stealing within a cube: its units take vertices of the same element from each other.
//!
//! Each unit has a queue of vertices in shared memory: the vertices that it would process without stealing. It takes from
//! the tail of its queue, and once that is empty from the heads of the other queues in turn. Nothing is inserted, so an
//! empty queue stays empty.

use cubecl::prelude::*;
use equipoise_schedule::engine::*;

use super::{all_vertices::*, ends::*};
use crate::NONE;

/// Vertices per unit and element: a single one would leave nothing to steal.
pub(super) const EACH: u32 = 8;

/// Gathers over the neighbours of an element's vertices. Returns the number of vertices that this unit has stolen. All
/// units of a cube must call it.
#[cube]
pub(super) fn gather_stealing<Op: GatherOp>(
    keys: &Array<u32>,
    rows: &Rows,
    op: &mut Op,
    start: u32,
    end: u32,
    lanes: &SharedMemory<Atomic<u32>>,
) -> u32 {
    // The vertices of a unit have a stride of the cube's size, so that reads are coalesced.
    let mut count = 0u32;
    if start + UNIT_POS < end {
        count = (end - start - UNIT_POS - 1) / CUBE_DIM + 1;
    }
    lanes[UNIT_POS as usize].store(count);
    sync_cube();
    let mut index = take(lanes, UNIT_POS, true);
    while index != NONE {
        gather_vertex::<Op>(keys, rows, op, start + index * CUBE_DIM + UNIT_POS);
        index = take(lanes, UNIT_POS, true);
    }
    let mut stolen = 0u32;
    for distance in 1..CUBE_DIM {
        let lane = (UNIT_POS + distance) % CUBE_DIM;
        index = take(lanes, lane, false);
        while index != NONE {
            gather_vertex::<Op>(keys, rows, op, start + index * CUBE_DIM + lane);
            stolen += 1;
            index = take(lanes, lane, false);
        }
    }
    // All units must have seen a queue empty before it is refilled.
    sync_cube();
    stolen
}

/// Takes the last vertex of the own queue, or the first vertex of another. Returns its index in the queue, or `NONE`.
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
