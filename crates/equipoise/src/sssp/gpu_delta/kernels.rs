//! The kernels of delta-stepping.

use cubecl::prelude::*;
use equipoise_schedule::{engine::*, input::Input, ranges::*};

use crate::traversal::{Field, NextList, Remaining, ThisList, vertex_of_edge};

/// Which edges are relaxed: those no longer than the step, or the others.
pub(super) const SHORT: u32 = 0;
pub(super) const LONG: u32 = 1;

/// Relaxes edges of a list's vertices, one unit for each.
#[cube(launch_unchecked)]
pub(super) fn relax_some(
    rows: &Rows,
    remaining: &Remaining,
    field: &mut Field,
    next: &mut NextList,
    looked: &mut Array<u32>,
    step: u32,
    #[comptime] which: u32,
) {
    let edges = remaining.sums[remaining.count as usize];
    if ABSOLUTE_POS == 0 {
        looked[0] = edges;
    }
    for place in grid_stride_range(0, edges) {
        let index = vertex_of_edge(remaining, place);
        let vertex = remaining.vertices[index as usize];
        let edge = rows.offsets[vertex as usize] + place - remaining.sums[index as usize];
        // No edges are before the first. Not a constant, whose bits CUDA cannot take for those of
        // another type.
        let zero = remaining.sums[0];
        let is_short = field.op.along(zero, edge) <= step;
        if is_short == comptime!(which == SHORT) {
            let target = rows.targets[edge as usize];
            let label = field.label(vertex);
            if field.relax(label, edge, target) {
                next.add(target);
            }
        }
    }
}

/// Where vertices go that were found.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Worklists {
    /// Those nearer than the limit.
    pub near: Array<u32>,
    /// Those beyond it.
    pub far: Array<u32>,
    /// Those that were worked on since the limit moved.
    pub settled: Array<u32>,
    /// How many each has, then how many vertices were found, and edges looked at.
    pub counts: Array<Atomic<u32>>,
    /// Two bits a vertex: whether it is in the far worklist, and among the settled.
    pub marks: Array<u32>,
}

const IN_FAR: u32 = 1;
const IS_SETTLED: u32 = 2;

/// The vertices that were found.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct FoundList {
    /// The vertices, each once.
    pub vertices: Input<u32>,
    /// How many they are, in an array of length one.
    pub count: Input<u32>,
    /// How many edges were looked at, in an array.
    pub looked: Input<u32>,
}

/// Puts the vertices that were found on their worklists.
#[cube(launch_unchecked)]
pub(super) fn put_on_worklists(
    labels: &Array<u32>,
    found: &FoundList,
    worklists: &mut Worklists,
    limit: u32,
) {
    if ABSOLUTE_POS == 0 {
        worklists.counts[3].store(found.count[0]);
        worklists.counts[4].store(found.looked[0]);
    }
    for index in grid_stride_range(0, found.count[0]) {
        let vertex = found.vertices[index as usize];
        let marks = worklists.marks[vertex as usize];
        if labels[vertex as usize] < limit {
            let place = worklists.counts[0].fetch_add(1u32);
            worklists.near[place as usize] = vertex;
            worklists.marks[vertex as usize] = settle(worklists, vertex, marks);
        } else if marks & IN_FAR == 0 {
            worklists.marks[vertex as usize] = marks | IN_FAR;
            let place = worklists.counts[1].fetch_add(1u32);
            worklists.far[place as usize] = vertex;
        }
    }
}

/// Puts a vertex with these marks among the settled, if it is not there. Gives its marks then.
#[cube]
fn settle(worklists: &mut Worklists, vertex: u32, marks: u32) -> u32 {
    if marks & IS_SETTLED == 0 {
        let place = worklists.counts[2].fetch_add(1u32);
        worklists.settled[place as usize] = vertex;
    }
    marks | IS_SETTLED
}

/// Splits the far worklist at a new limit. A vertex that got nearer than the old one was worked on already.
#[cube(launch_unchecked)]
pub(super) fn split_pile(
    labels: &Array<u32>,
    old: &ThisList,
    worklists: &mut Worklists,
    limits: &Array<u32>,
) {
    let (old_limit, new_limit) = (limits[0], limits[1]);
    for index in grid_stride_range(0, old.count) {
        let vertex = old.vertices[index as usize];
        let label = labels[vertex as usize];
        if label >= new_limit {
            let place = worklists.counts[1].fetch_add(1u32);
            worklists.far[place as usize] = vertex;
        } else {
            let mut marks = worklists.marks[vertex as usize] & !IN_FAR;
            if label >= old_limit {
                let place = worklists.counts[0].fetch_add(1u32);
                worklists.near[place as usize] = vertex;
                marks = settle(worklists, vertex, marks);
            }
            worklists.marks[vertex as usize] = marks;
        }
    }
}

/// Takes back the mark of the settled.
#[cube(launch_unchecked)]
pub(super) fn unmark(list: &ThisList, marks: &mut Array<u32>) {
    for index in grid_stride_range(0, list.count) {
        let vertex = list.vertices[index as usize] as usize;
        marks[vertex] &= !IS_SETTLED;
    }
}

/// The labels of a list's vertices.
#[cube(launch_unchecked)]
pub(super) fn labels_of(labels: &Array<u32>, list: &ThisList, of_list: &mut Array<u32>) {
    for index in grid_stride_range(0, list.count) {
        of_list[index as usize] = labels[list.vertices[index as usize] as usize];
    }
}
