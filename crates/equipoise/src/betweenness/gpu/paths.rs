//! Which edges are on shortest paths: by their number, or by weights.
//!
//! By weights, a search has found the distances before. Paths are counted in levels then, too: a pair is in the level after
//! the last one of those that come before it on a shortest path.
#![allow(clippy::collapsible_if, reason = "a kernel does both sides of `&&`")]

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, engine::*, input::Input, ranges::*};

use super::kernels::*;
use crate::{NONE, sssp::TOO_LARGE};

/// Before a dependency is known, by weights: how many edges on shortest paths come from pairs without a level.
const LACKING: u32 = DEPENDENCY;

/// What paths by weights need beside the rows: the weights, by where edges leave and where they enter, and the distance of
/// each pair.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Weighing {
    leaving: Input<u32>,
    entering: Input<u32>,
    distances: Input<u32>,
}

/// How far a pair is from its source: its distance by weights, or its level.
#[cube]
pub(super) fn place_of(pairs: &AtomicArray, weighing: &ComptimeOption<Weighing>, pair: u32) -> u32 {
    let mut place = NONE.runtime();
    #[comptime]
    if weighing.is_none() {
        place = pairs.get(word(pair, LEVEL));
    }
    #[comptime]
    if let ComptimeOption::Some(weighing) = weighing {
        place = weighing.distances[pair as usize];
    }
    place
}

/// The weight of an edge that leaves a vertex: 1 where paths are as long as they have edges.
#[cube]
pub(super) fn weight_of(weighing: &ComptimeOption<Weighing>, edge: u32) -> u32 {
    let mut weight = 1u32.runtime();
    #[comptime]
    if let ComptimeOption::Some(weighing) = weighing {
        weight = weighing.leaving[edge as usize];
    }
    weight
}

/// The weight of an edge that enters a vertex.
#[cube]
pub(super) fn weight_of_entering(weighing: &ComptimeOption<Weighing>, edge: u32) -> u32 {
    let mut weight = 1u32.runtime();
    #[comptime]
    if let ComptimeOption::Some(weighing) = weighing {
        weight = weighing.entering[edge as usize];
    }
    weight
}

/// Whether an edge between these places is on a shortest path. A place that is not reached is the farthest.
#[cube]
pub(super) fn is_on_path(from: u32, to: u32, weight: u32) -> bool {
    to != NONE && to > from && to - from == weight
}

/// Whether a pair is in the next level, which an edge of this one leads to: one that was not reached before; by weights one
/// all of whose paths come from levels up to this one. Of all edges that lead there, one is told so.
#[cube]
pub(super) fn joins(
    pairs: &mut AtomicArray,
    weighing: &ComptimeOption<Weighing>,
    other: u32,
    there: u32,
    is_on_path: bool,
    level: u32,
) -> bool {
    let mut joins = false.runtime();
    #[comptime]
    if weighing.is_none() {
        if there == NONE {
            joins = pairs.fetch_min(word(other, LEVEL), level + 1) == NONE;
        }
    }
    #[comptime]
    if weighing.is_some() {
        if is_on_path {
            joins = pairs.fetch_add(word(other, LACKING), u32::MAX.runtime()) == 1;
            if joins {
                pairs.set(word(other, LEVEL), level + 1);
            }
        }
    }
    joins
}

/// Keeps the distances from a source, and tells whether one is too large.
#[cube(launch_unchecked)]
pub(super) fn keep(
    found: &Array<u32>,
    distances: &mut Array<u32>,
    pairs: &mut AtomicArray,
    too_large: &mut Array<u32>,
    search: u32,
    vertices: u32,
) {
    for vertex in grid_stride_range(0, vertices) {
        let distance = found[vertex as usize];
        let pair = search * vertices + vertex;
        distances[pair as usize] = distance;
        pairs.set(word(pair, LACKING), 0u32);
        if distance == TOO_LARGE {
            too_large[0] = 1u32;
        }
    }
}

/// Counts the edges on shortest paths to each pair: `lanes` units share those of each.
#[cube(launch_unchecked)]
pub(super) fn count_lacking(
    entering: &Rows,
    weighing: &Weighing,
    pairs: &mut AtomicArray,
    vertices: u32,
    count: u32,
    lanes: u32,
) {
    let groups = CUBE_DIM / lanes;
    let first = CUBE_POS as u32 * groups + UNIT_POS / lanes;
    for pair in step_range(first, count, CUBE_COUNT as u32 * groups) {
        let here = weighing.distances[pair as usize];
        if here != NONE {
            let vertex = pair % vertices;
            let start = entering.offsets[vertex as usize] + UNIT_POS % lanes;
            let mut lacking = 0u32;
            for edge in step_range(start, entering.offsets[vertex as usize + 1], lanes) {
                let other = pair - vertex + entering.targets[edge as usize];
                let from = weighing.distances[other as usize];
                lacking += u32::cast_from(is_on_path(from, here, weighing.entering[edge as usize]));
            }
            pairs.fetch_add(word(pair, LACKING), lacking);
        }
    }
}
