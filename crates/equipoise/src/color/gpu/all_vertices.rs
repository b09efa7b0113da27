//! Gathers with one unit per vertex, as in the paper. Units of colored vertices return immediately.

use cubecl::prelude::*;
use equipoise_schedule::{engine::*, ranges::*};

/// Gathers over the neighbours of each uncolored vertex.
#[cube(launch_unchecked)]
pub(super) fn gather_all<Op: GatherOp>(keys: &Array<u32>, rows: &Rows, op: &mut Op, vertices: u32) {
    for vertex in grid_stride_range(0, vertices) {
        gather_vertex::<Op>(keys, rows, op, vertex);
    }
}

/// Gathers over the neighbours of an uncolored vertex.
#[cube]
pub(super) fn gather_vertex<Op: GatherOp>(
    keys: &Array<u32>,
    rows: &Rows,
    op: &mut Op,
    vertex: u32,
) {
    if keys[vertex as usize] != 0 {
        gather_row::<Op>(rows, op, vertex);
    }
}

/// Gathers over the neighbours of the vertices of a class.
#[cube(launch_unchecked)]
pub(super) fn gather_class<Op: GatherOp>(
    order: &Array<u32>,
    starts: &Array<u32>,
    rows: &Rows,
    op: &mut Op,
    class: u32,
) {
    for index in grid_stride_range(starts[class as usize], starts[class as usize + 1]) {
        gather_row::<Op>(rows, op, order[index as usize]);
    }
}

/// Adjacent units that share a vertex.
const LANES: u32 = 4;

/// Gathers like [`gather_class`], with [`LANES`] units per vertex and coalesced reads of its neighbours.
#[cube(launch_unchecked)]
pub(super) fn gather_class_by_lanes<Op: GatherOp>(
    order: &Array<u32>,
    starts: &Array<u32>,
    rows: &Rows,
    op: &mut Op,
    class: u32,
) {
    let end = starts[class as usize + 1];
    let units = CUBE_COUNT as u32 * CUBE_DIM;
    let first = (ABSOLUTE_POS as u32 - UNIT_POS_PLANE) / LANES;
    let lane = UNIT_POS_PLANE % LANES;
    // The same number of iterations for all units of a plane, because they shuffle.
    for start in step_range(starts[class as usize] + first, end, units / LANES) {
        let index = start + UNIT_POS_PLANE / LANES;
        let mut total = Op::identity();
        let mut vertex = 0u32;
        if index < end {
            vertex = order[index as usize];
            let begin = rows.offsets[vertex as usize] + lane;
            for edge in step_range(begin, rows.offsets[vertex as usize + 1], LANES) {
                total = Op::combine(total, op.gather(vertex, rows.targets[edge as usize], edge));
            }
        }
        total = Op::combine(total, plane_shuffle_xor(total, 2u32));
        total = Op::combine(total, plane_shuffle_xor(total, 1u32));
        if index < end && lane == 0 {
            op.apply(vertex, total);
        }
    }
}

#[cube]
fn gather_row<Op: GatherOp>(rows: &Rows, op: &mut Op, vertex: u32) {
    let mut total = Op::identity();
    for edge in rows.offsets[vertex as usize]..rows.offsets[vertex as usize + 1] {
        total = Op::combine(total, op.gather(vertex, rows.targets[edge as usize], edge));
    }
    op.apply(vertex, total);
}
