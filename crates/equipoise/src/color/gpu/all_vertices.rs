//! A unit for each vertex of the graph, those colored left out at once: the paper's loops.

use cubecl::prelude::*;
use equipoise_schedule::{ranges::*, work::*};

/// Does a work with each uncolored vertex.
#[cube(launch_unchecked)]
pub(super) fn for_all<W: Work>(
    keys: &Array<u32>,
    offsets: &Array<u32>,
    work: &mut W,
    vertices: u32,
) {
    for vertex in grid_stride_range(0, vertices) {
        do_vertex::<W>(keys, offsets, work, vertex);
    }
}

/// Does a work with a vertex, if it is uncolored.
#[cube]
pub(super) fn do_vertex<W: Work>(
    keys: &Array<u32>,
    offsets: &Array<u32>,
    work: &mut W,
    vertex: u32,
) {
    if keys[vertex as usize] != 0 {
        do_alone::<W>(offsets, work, vertex);
    }
}

/// Does a work with the vertices of a class, in the order of classes.
#[cube(launch_unchecked)]
pub(super) fn do_all<W: Work>(
    order: &Array<u32>,
    starts: &Array<u32>,
    offsets: &Array<u32>,
    work: &mut W,
    class: u32,
) {
    for place in grid_stride_range(starts[class as usize], starts[class as usize + 1]) {
        do_alone::<W>(offsets, work, order[place as usize]);
    }
}

#[cube]
fn do_alone<W: Work>(offsets: &Array<u32>, work: &mut W, vertex: u32) {
    let mut total = W::identity();
    for edge in offsets[vertex as usize]..offsets[vertex as usize + 1] {
        total = W::combine(total, work.atom(vertex, edge));
    }
    work.end(vertex, total);
}
