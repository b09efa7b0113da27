//! A unit for each vertex of the graph, those colored left out at once: the paper's loops.

use cubecl::prelude::*;
use equipoise_schedule::{engine::*, ranges::*};

/// Gathers over the neighbours of each uncolored vertex.
#[cube(launch_unchecked)]
pub(super) fn gather_all<Op: GatherOp>(keys: &Array<u32>, rows: &Rows, op: &mut Op, vertices: u32) {
    for vertex in grid_stride_range(0, vertices) {
        gather_vertex::<Op>(keys, rows, op, vertex);
    }
}

/// Gathers over the neighbours of a vertex, if it is uncolored.
#[cube]
pub(super) fn gather_vertex<Op: GatherOp>(
    keys: &Array<u32>,
    rows: &Rows,
    op: &mut Op,
    vertex: u32,
) {
    if keys[vertex as usize] != 0 {
        gather_alone::<Op>(rows, op, vertex);
    }
}

/// Gathers over the neighbours of the vertices of a class, in the order of classes.
#[cube(launch_unchecked)]
pub(super) fn gather_class<Op: GatherOp>(
    order: &Array<u32>,
    starts: &Array<u32>,
    rows: &Rows,
    op: &mut Op,
    class: u32,
) {
    for place in grid_stride_range(starts[class as usize], starts[class as usize + 1]) {
        gather_alone::<Op>(rows, op, order[place as usize]);
    }
}

#[cube]
fn gather_alone<Op: GatherOp>(rows: &Rows, op: &mut Op, vertex: u32) {
    let mut total = Op::identity();
    for edge in rows.offsets[vertex as usize]..rows.offsets[vertex as usize + 1] {
        total = Op::combine(total, op.gather(vertex, rows.targets[edge as usize], edge));
    }
    op.apply(vertex, total);
}
