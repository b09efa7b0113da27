//! The kernels of delta-stepping.

use cubecl::prelude::*;
use equipoise_schedule::{engine::*, input::Input, ranges::*};

use crate::traversal::{NextList, Remaining, ThisList, VertexLabels, vertex_of_edge};

/// The edges to relax: those no longer than the step, or the others.
pub(super) const SHORT: u32 = 0;
pub(super) const LONG: u32 = 1;

/// Relaxes edges of a list's vertices, one unit per edge.
#[cube(launch_unchecked)]
pub(super) fn relax_some(
    rows: &Rows,
    remaining: &Remaining,
    labels: &mut VertexLabels,
    next: &mut NextList,
    examined: &mut Array<u32>,
    step: u32,
    #[comptime] which: u32,
) {
    let edges = remaining.sums[remaining.count as usize];
    if ABSOLUTE_POS == 0 {
        examined[0] = edges;
    }
    for number in grid_stride_range(0, edges) {
        let index = vertex_of_edge(remaining, number);
        let vertex = remaining.vertices[index as usize];
        let edge = rows.offsets[vertex as usize] + number - remaining.sums[index as usize];
        // The first prefix sum is 0. Not a constant, whose bits CUDA cannot reinterpret as another type.
        let zero = remaining.sums[0];
        let is_short = labels.op.along(zero, edge) <= step;
        if is_short == comptime!(which == SHORT) {
            let target = rows.targets[edge as usize];
            let label = labels.label(vertex);
            if labels.relax(label, edge, target) {
                next.add(target);
            }
        }
    }
}

/// The worklists of found vertices.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Worklists {
    /// Vertices nearer than the limit.
    pub near: Array<u32>,
    /// Vertices beyond it.
    pub far: Array<u32>,
    /// Vertices that were relaxed since the limit moved.
    pub settled: Array<u32>,
    /// The lengths of the worklists, then the numbers of found vertices and of examined edges.
    pub counts: Array<Atomic<u32>>,
    /// Two bits per vertex: whether it is in the far worklist, and in the settled one.
    pub marks: Array<u32>,
}

const IN_FAR: u32 = 1;
const IS_SETTLED: u32 = 2;

#[derive(CubeType, CubeLaunch)]
pub(crate) struct FoundList {
    /// The vertices, each once.
    pub vertices: Input<u32>,
    /// Their number, in an array of length one.
    pub count: Input<u32>,
    /// The number of examined edges, in an array.
    pub examined: Input<u32>,
}

/// Puts the found vertices on the worklists.
#[cube(launch_unchecked)]
pub(super) fn put_on_worklists(
    labels: &Array<u32>,
    found: &FoundList,
    worklists: &mut Worklists,
    limit: u32,
) {
    if ABSOLUTE_POS == 0 {
        worklists.counts[3].store(found.count[0]);
        worklists.counts[4].store(found.examined[0]);
    }
    for index in grid_stride_range(0, found.count[0]) {
        let vertex = found.vertices[index as usize];
        let marks = worklists.marks[vertex as usize];
        if labels[vertex as usize] < limit {
            let index = worklists.counts[0].fetch_add(1u32);
            worklists.near[index as usize] = vertex;
            worklists.marks[vertex as usize] = settle(worklists, vertex, marks);
        } else if marks & IN_FAR == 0 {
            worklists.marks[vertex as usize] = marks | IN_FAR;
            let index = worklists.counts[1].fetch_add(1u32);
            worklists.far[index as usize] = vertex;
        }
    }
}

/// Puts a vertex on the settled worklist, unless it is marked so. Returns its new marks.
#[cube]
fn settle(worklists: &mut Worklists, vertex: u32, marks: u32) -> u32 {
    if marks & IS_SETTLED == 0 {
        let index = worklists.counts[2].fetch_add(1u32);
        worklists.settled[index as usize] = vertex;
    }
    marks | IS_SETTLED
}

/// Splits the far worklist at a new limit. A vertex that got nearer than the old limit was relaxed already.
#[cube(launch_unchecked)]
pub(super) fn split_far(
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
            let index = worklists.counts[1].fetch_add(1u32);
            worklists.far[index as usize] = vertex;
        } else {
            let mut marks = worklists.marks[vertex as usize] & !IN_FAR;
            if label >= old_limit {
                let index = worklists.counts[0].fetch_add(1u32);
                worklists.near[index as usize] = vertex;
                marks = settle(worklists, vertex, marks);
            }
            worklists.marks[vertex as usize] = marks;
        }
    }
}

/// Clears the marks of settled vertices.
#[cube(launch_unchecked)]
pub(super) fn unmark(list: &ThisList, marks: &mut Array<u32>) {
    for index in grid_stride_range(0, list.count) {
        let vertex = list.vertices[index as usize] as usize;
        marks[vertex] &= !IS_SETTLED;
    }
}

/// Copies the labels of a list's vertices.
#[cube(launch_unchecked)]
pub(super) fn labels_of(labels: &Array<u32>, list: &ThisList, of_list: &mut Array<u32>) {
    for index in grid_stride_range(0, list.count) {
        of_list[index as usize] = labels[list.vertices[index as usize] as usize];
    }
}
