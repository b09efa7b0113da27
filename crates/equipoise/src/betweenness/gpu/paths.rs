//! The edges on shortest paths, by their number or by weights.
//!
//! By weights, the distances are found by a previous search. Paths are still counted in levels: the level of a pair is the
//! one after the last level of its predecessors on shortest paths.
#![allow(clippy::collapsible_if, reason = "a kernel evaluates both sides of `&&`")]

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, engine::*, input::Input, ranges::*};

use super::pairs::*;
use crate::{NONE, sssp::TOO_LARGE};

/// The weights of the edges of both directions, and the distance of each pair.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Weighing {
    leaving: Input<u32>,
    entering: Input<u32>,
    distances: Input<u32>,
}

/// The distance of a pair by weights, or its level.
#[cube]
pub(super) fn distance_of(pairs: &Pairs, weighing: &ComptimeOption<Weighing>, pair: u32) -> u32 {
    let mut distance = NONE.runtime();
    #[comptime]
    if weighing.is_none() {
        distance = pairs.levels.get(pair);
    }
    #[comptime]
    if let ComptimeOption::Some(weighing) = weighing {
        distance = weighing.distances[pair as usize];
    }
    distance
}

/// The weight of an edge that leaves a vertex, or 1.
#[cube]
pub(super) fn weight_of(weighing: &ComptimeOption<Weighing>, edge: u32) -> u32 {
    let mut weight = 1u32.runtime();
    #[comptime]
    if let ComptimeOption::Some(weighing) = weighing {
        weight = weighing.leaving[edge as usize];
    }
    weight
}

/// The weight of an edge that enters a vertex, or 1.
#[cube]
pub(super) fn weight_of_entering(weighing: &ComptimeOption<Weighing>, edge: u32) -> u32 {
    let mut weight = 1u32.runtime();
    #[comptime]
    if let ComptimeOption::Some(weighing) = weighing {
        weight = weighing.entering[edge as usize];
    }
    weight
}

/// Whether an edge between pairs at these distances is on a shortest path. Unreached pairs have the distance `NONE`.
#[cube]
pub(super) fn is_on_path(from: u32, to: u32, weight: u32) -> bool {
    to != NONE && to > from && to - from == weight
}

/// Whether the target of an edge joins the next level: if it was unreached or, by weights, if all its predecessors are in
/// levels up to this one. Returns true for exactly one of the edges to it.
#[cube]
pub(super) fn joins(
    pairs: &mut Pairs,
    weighing: &ComptimeOption<Weighing>,
    other: u32,
    other_distance: u32,
    is_on_path: bool,
    level: u32,
) -> bool {
    let mut joins = false.runtime();
    #[comptime]
    if weighing.is_none() {
        if other_distance == NONE {
            joins = pairs.levels.fetch_min(other, level + 1) == NONE;
        }
    }
    #[comptime]
    if weighing.is_some() {
        if is_on_path {
            joins = pairs.dependencies.fetch_add(other, u32::MAX.runtime()) == 1;
            if joins {
                pairs.levels.set(other, level + 1);
            }
        }
    }
    joins
}

/// Copies the distances from a source, and sets a flag if one is too large.
#[cube(launch_unchecked)]
pub(super) fn copy_distances(
    from: &Array<u32>,
    distances: &mut Array<u32>,
    lacking: &mut Array<u32>,
    too_large: &mut Array<u32>,
    search: u32,
    vertices: u32,
) {
    for vertex in grid_stride_range(0, vertices) {
        let distance = from[vertex as usize];
        let pair = search * vertices + vertex;
        distances[pair as usize] = distance;
        lacking[pair as usize] = 0u32;
        if distance == TOO_LARGE {
            too_large[0] = 1u32;
        }
    }
}

/// Counts the edges on shortest paths to each pair. `lanes` units share the edges of a pair.
#[cube(launch_unchecked)]
pub(super) fn count_lacking(
    entering: &Rows,
    weighing: &Weighing,
    lacking_counts: &mut AtomicArray,
    vertices: u32,
    count: u32,
    lanes: u32,
) {
    let groups = CUBE_DIM / lanes;
    let first = CUBE_POS as u32 * groups + UNIT_POS / lanes;
    for pair in step_range(first, count, CUBE_COUNT as u32 * groups) {
        let distance = weighing.distances[pair as usize];
        if distance != NONE {
            let vertex = pair % vertices;
            let start = entering.offsets[vertex as usize] + UNIT_POS % lanes;
            let mut lacking = 0u32;
            for edge in step_range(start, entering.offsets[vertex as usize + 1], lanes) {
                let other = pair - vertex + entering.targets[edge as usize];
                let from = weighing.distances[other as usize];
                let weight = weighing.entering[edge as usize];
                lacking += u32::cast_from(is_on_path(from, distance, weight));
            }
            lacking_counts.fetch_add(pair, lacking);
        }
    }
}
