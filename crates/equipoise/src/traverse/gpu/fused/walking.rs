//! A wide frontier gone through by all cubes: a cube shares the edges of as many vertices as it has
//! units; all cubes share the edges of each large vertex.

use cubecl::prelude::*;
use equipoise_schedule::ranges::*;

use super::{super::field::*, control::*, stage::*};

/// What is done with the edges of a frontier.
#[cube]
pub(crate) trait Visit: LaunchArg {
    /// A vertex of the frontier, before its edges: once, by one unit.
    fn leave(&mut self, vertex: u32);
    /// An edge. Whether the vertex at its end goes into the next list.
    fn visit(
        &mut self,
        vertex: u32,
        edge: u32,
        target: u32,
        state: &Array<u32>,
        found: &mut Array<Atomic<u32>>,
    ) -> bool;
}

/// Goes through the frontier. All units of all cubes call it together.
#[cube]
pub(crate) fn walk<V: Visit>(
    rows: &Rows,
    visitor: &mut V,
    lists: &mut Lists,
    state: &Array<u32>,
    found: &mut Array<Atomic<u32>>,
    limits: &Limits,
) {
    let mut stage = Stage::new();
    let mut looked = 0u32;
    let small = state[HALF] * limits.vertices;
    let next_small = (1 - state[HALF]) * limits.vertices;
    let large = state[HALF] * limits.large_room;
    let next_large = (1 - state[HALF]) * limits.large_room;

    let cubes = CUBE_COUNT as u32;
    let mut owners = SharedMemory::<u32>::new(comptime!(WIDE_UNITS as usize));
    let mut firsts = SharedMemory::<u32>::new(comptime!(WIDE_UNITS as usize));
    let count = state[VERTICES];
    // The same number of turns for all units of a cube.
    for chunk in step_range(CUBE_POS as u32, count.div_ceil(WIDE_UNITS), cubes) {
        let index = chunk * WIDE_UNITS + UNIT_POS;
        let mut degree = 0u32;
        if index < count {
            let vertex = lists.small[(small + index) as usize];
            let begin = rows.offsets[vertex as usize];
            degree = rows.offsets[(vertex + 1) as usize] - begin;
            owners[UNIT_POS as usize] = vertex;
            firsts[UNIT_POS as usize] = begin;
            visitor.leave(vertex);
        }
        let ends = sums_up_to(degree);
        let edges = ends[comptime!(WIDE_UNITS as usize - 1)];
        looked += degree;
        for turn in 0..edges.div_ceil(WIDE_UNITS) {
            let place = turn * WIDE_UNITS + UNIT_POS;
            if place < edges {
                let owner = first_above(&ends, place);
                let mut before = 0u32;
                if owner > 0 {
                    before = ends[(owner - 1) as usize];
                }
                let edge = firsts[owner as usize] + place - before;
                let target = rows.targets[edge as usize];
                if visitor.visit(owners[owner as usize], edge, target, state, found) {
                    stage.add(rows, lists, found, target, next_large);
                }
            }
            stage.write_if_full(lists, found, next_small);
        }
    }

    let units = cubes * WIDE_UNITS;
    for index in 0..state[LARGE] {
        let vertex = lists.large[(large + index) as usize];
        let begin = rows.offsets[vertex as usize];
        let degree = rows.offsets[(vertex + 1) as usize] - begin;
        if ABSOLUTE_POS == 0 {
            visitor.leave(vertex);
        }
        for turn in 0..degree.div_ceil(units) {
            let place = turn * units + ABSOLUTE_POS as u32;
            if place < degree {
                looked += 1;
                let edge = begin + place;
                let target = rows.targets[edge as usize];
                if visitor.visit(vertex, edge, target, state, found) {
                    stage.add(rows, lists, found, target, next_large);
                }
            }
            stage.write_if_full(lists, found, next_small);
        }
    }
    stage.finish(lists, found, next_small);
    let of_plane = plane_sum(looked);
    if UNIT_POS_PLANE == 0 {
        found[LOOKED].fetch_add(of_plane);
    }
}

/// The sum of the values of all units up to each. All units of the cube call it together.
#[cube]
fn sums_up_to(value: u32) -> SharedMemory<u32> {
    let mut sums = SharedMemory::<u32>::new(comptime!(WIDE_UNITS as usize));
    sync_cube();
    sums[UNIT_POS as usize] = value;
    sync_cube();
    #[unroll]
    for doubling in 0..comptime!(WIDE_UNITS.ilog2()) {
        let distance = 1u32 << doubling;
        let mut before = 0u32;
        if UNIT_POS >= distance {
            before = sums[(UNIT_POS - distance) as usize];
        }
        sync_cube();
        sums[UNIT_POS as usize] += before;
        sync_cube();
    }
    sums
}

/// The first of ascending numbers that is larger than a value.
#[cube]
fn first_above(numbers: &SharedMemory<u32>, value: u32) -> u32 {
    let mut low = 0u32;
    let mut high = WIDE_UNITS.runtime();
    while low < high {
        let middle = (low + high) / 2;
        if numbers[middle as usize] <= value {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
