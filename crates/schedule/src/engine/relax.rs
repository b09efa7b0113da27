//! Relaxes the edges of a frontier given as a list of parts: the schedule `parts`.
//!
//! If no part has more than a few edges, a few units share a part. Otherwise a cube takes its share of the parts, sums
//! up their lengths, and its units take equal numbers of consecutive edges across them.
#![allow(clippy::collapsible_if, reason = "a kernel evaluates both sides of `&&`")]

use cubecl::prelude::*;

use super::{operation::*, order::*, state::*, worklists::*};
use crate::ranges::*;

/// Parts per unit at a time.
const PARTS_EACH: u32 = 2;
/// Edges per unit at a time, so that their loads overlap.
const EDGES_EACH: usize = 4;

/// Relaxes all edges of the frontier. All units of the participating cubes call it together.
#[cube]
pub(crate) fn relax_frontier<Op: EdgeOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    lists: &mut Worklists,
    iteration: &Iteration,
) {
    if iteration.state.long == 0 && PLANE_DIM >= comptime!(EDGES_EACH as u32) {
        relax_short_parts::<Op, O>(op, order, lists, iteration);
    } else {
        relax_long_parts::<Op, O>(op, order, lists, iteration);
    }
}

/// Like [`relax_frontier`], if no part has more than a few edges: a few units share a part, and no sum is needed. Each
/// plane takes as many parts at a time as it has units.
#[cube]
fn relax_short_parts<Op: EdgeOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    lists: &mut Worklists,
    iteration: &Iteration,
) {
    let this = lists.parts.half(iteration.state.half);
    let count = iteration.state.parts;
    let together = comptime!(EDGES_EACH as u32);
    let (group, lane) = (UNIT_POS_PLANE / together, UNIT_POS_PLANE % together);
    // Parts go to all cubes before a cube gets a second plane; planes without parts have nothing to do.
    let plane = UNIT_POS / PLANE_DIM * CUBE_COUNT as u32 + CUBE_POS as u32;
    for start in step_range(plane * PLANE_DIM, count, CUBE_COUNT as u32 * CUBE_DIM) {
        let mut edges = Array::<u32>::new(EDGES_EACH);
        let mut ends = Array::<u32>::new(EDGES_EACH);
        let mut labels = Array::<u32>::new(EDGES_EACH);
        let mut parts = Array::<u32>::new(EDGES_EACH);
        let mut continues = false;
        #[unroll]
        for item in 0..EDGES_EACH {
            let part = start + comptime!(item as u32) * (PLANE_DIM / together) + group;
            edges[item] = 0u32;
            ends[item] = 0u32;
            labels[item] = 0u32;
            parts[item] = this + part;
            if part < count {
                let begin = lists.parts.begin(this, part);
                edges[item] = begin + lane;
                ends[item] = begin + lists.parts.length(this, part);
                let vertex = lists.parts.vertex(this, part);
                labels[item] = label_of::<Op>(op, lists, vertex, &iteration.state);
                order.leave(vertex, labels[item]);
            }
            continues = continues || edges[item] < ends[item];
        }
        while plane_any(continues) {
            let mut offers = Offers::new(EDGES_EACH);
            continues = false;
            #[unroll]
            for item in 0..EDGES_EACH {
                let edge = edges[item];
                offers.vertices[item] = 0u32;
                offers.labels[item] = u32::MAX;
                if edge < ends[item] {
                    offers.vertices[item] = lists.rows.targets[edge as usize];
                    offers.labels[item] = op.along(labels[item], edge);
                }
                offers.kinds[item] = u32::cast_from(edge < ends[item]);
                edges[item] = edge + together;
                continues = continues || edges[item] < ends[item];
            }
            offer::<Op, O>(op, order, lists, &mut offers, &parts, iteration);
        }
    }
}

/// As [`relax_frontier`], where parts may have many edges: the units of a cube share those of as many
/// parts as the cube takes at a time.
#[cube]
fn relax_long_parts<Op: EdgeOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    lists: &mut Worklists,
    iteration: &Iteration,
) {
    let units = comptime!(iteration.units);
    let room = comptime!(PARTS_EACH * units);
    let mut ends = SharedMemory::<u32>::new(comptime!(room as usize));
    let mut begins = SharedMemory::<u32>::new(comptime!(room as usize));
    let mut labels = SharedMemory::<u32>::new(comptime!(room as usize));
    let this = lists.parts.half(iteration.state.half);
    let parts = iteration.state.parts;
    let cubes = CUBE_COUNT as u32;
    let share = min(max(parts.div_ceil(cubes), 1u32), room.runtime());
    // Used slots: a power of two. Planes without any have nothing to stage.
    let mut used = 1u32;
    while used < share {
        used *= 2;
    }
    // Uniform in the cube.
    for chunk in step_range(CUBE_POS as u32, parts.div_ceil(share), cubes) {
        let mut lengths = Array::<u32>::new(comptime!(PARTS_EACH as usize));
        let mut totals = SharedMemory::<u32>::new(comptime!(units as usize));
        let stages = (UNIT_POS - UNIT_POS_PLANE) * PARTS_EACH < used;
        let mut before = 0u32;
        if stages {
            let mut total = 0u32;
            #[unroll]
            for item in 0..PARTS_EACH {
                let position = UNIT_POS * PARTS_EACH + item;
                let index = chunk * share + position;
                let mut length = 0u32;
                if position < share && index < parts {
                    length = lists.parts.length(this, index);
                    begins[position as usize] = lists.parts.begin(this, index);
                    let vertex = lists.parts.vertex(this, index);
                    let label = label_of::<Op>(op, lists, vertex, &iteration.state);
                    order.leave(vertex, label);
                    labels[position as usize] = label;
                }
                lengths[item as usize] = length;
                total += length;
            }
            let up_to = iteration.counts.sum_up_to(total);
            if UNIT_POS_PLANE == PLANE_DIM - 1 {
                totals[(UNIT_POS / PLANE_DIM) as usize] = up_to;
            }
            before = up_to - total;
        }
        sync_cube();
        if stages {
            let mut sum = before + sum_of_planes_before(&totals);
            #[unroll]
            for item in 0..PARTS_EACH {
                let position = (UNIT_POS * PARTS_EACH + item) as usize;
                // The distance from here equals that from the first edge of the chunk; this may wrap around.
                begins[position] -= sum;
                sum += lengths[item as usize];
                ends[position] = sum;
            }
        }
        sync_cube();
        let edges = ends[(used - 1) as usize];
        // Each plane takes consecutive edges.
        let of_plane = comptime!(EDGES_EACH as u32) * PLANE_DIM;
        let first = UNIT_POS / PLANE_DIM * of_plane;
        for start in step_range(first, edges, comptime!(units * EDGES_EACH as u32)) {
            let mut offers = Offers::new(EDGES_EACH);
            let owners = owners_of(&ends, used, start, edges);
            let mut of_edges = Array::<u32>::new(EDGES_EACH);
            #[unroll]
            for item in 0..EDGES_EACH {
                let position = start + comptime!(item as u32) * PLANE_DIM + UNIT_POS_PLANE;
                let owner = owners[item] as usize;
                of_edges[item] = this + chunk * share + owners[item];
                let edge = begins[owner] + min(position, edges - 1);
                offers.vertices[item] = lists.rows.targets[edge as usize];
                offers.labels[item] = op.along(labels[owner], edge);
                offers.kinds[item] = u32::cast_from(position < edges);
            }
            offer::<Op, O>(op, order, lists, &mut offers, &of_edges, iteration);
        }
        // Stage the next chunk only after all units are done with this one.
        sync_cube();
    }
}

#[cube]
fn label_of<Op: EdgeOp>(op: &Op, lists: &Worklists, vertex: u32, state: &LoopState) -> u32 {
    if comptime!(lists.kind.labels_are_iterations) { state.iteration } else { op.label(vertex) }
}

/// Offers labels to vertices along edges of these parts, where `kinds` is 1, and lists those that join the next
/// frontier. All units of a plane call it together.
#[cube]
fn offer<Op: EdgeOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    lists: &mut Worklists,
    offers: &mut Offers,
    parts: &Array<u32>,
    iteration: &Iteration,
) {
    let mut candidates = Candidates::new(EDGES_EACH);
    let mut improved = Array::<u32>::new(EDGES_EACH);
    // One loop per memory access, so that the accesses of a loop overlap.
    #[unroll]
    for item in 0..EDGES_EACH {
        improved[item] = u32::cast_from(op.improves(offers.vertices[item], offers.labels[item]));
    }
    #[unroll]
    for item in 0..EDGES_EACH {
        if offers.kinds[item] == 1 && improved[item] == 1 {
            // Its edges are located before it is known whether it is listed, which takes as long to find out.
            candidates.read(&lists.rows, offers.vertices[item], item);
            // Not read if the operation ignores it.
            let source = lists.parts.vertex(0u32, parts[item]);
            let joins = op.relax(offers.vertices[item], offers.labels[item], source);
            improved[item] = u32::cast_from(joins);
        } else {
            improved[item] = 0u32;
        }
    }
    #[unroll]
    for item in 0..EDGES_EACH {
        let mut kind = NOTHING.runtime();
        // Not `&&`, since a kernel evaluates both sides.
        if improved[item] == 1 {
            if lists.joins(offers.vertices[item], iteration.state.iteration) {
                kind = order.kind(offers.labels[item], &iteration.state);
            }
        }
        if kind == NEXT {
            candidates.listed[item] = 1u32;
            order.listed(offers.vertices[item], &iteration.counts);
        }
        offers.kinds[item] = kind;
    }
    lists.list(&candidates, iteration, EDGES_EACH);
    order.defer(offers, &mut lists.words, iteration, EDGES_EACH);
}

/// The sum of the totals of lower planes. All units of a plane call it together.
#[cube]
fn sum_of_planes_before(totals: &SharedMemory<u32>) -> u32 {
    let mut before = 0u32;
    for other in step_range(UNIT_POS_PLANE, UNIT_POS / PLANE_DIM, PLANE_DIM) {
        before += totals[other as usize];
    }
    plane_sum(before)
}

/// The parts of a unit's edges from `start` on, given where each part ends; beyond the last edge, the part of the last.
/// `used` is a power of two.
#[cube]
fn owners_of(ends: &SharedMemory<u32>, used: u32, start: u32, edges: u32) -> Array<u32> {
    let mut positions = Array::<u32>::new(EDGES_EACH);
    let mut owners = Array::<u32>::new(EDGES_EACH);
    #[unroll]
    for item in 0..EDGES_EACH {
        let position = start + comptime!(item as u32) * PLANE_DIM + UNIT_POS_PLANE;
        positions[item] = min(position, edges - 1);
        owners[item] = 0u32;
    }
    let mut half = used / 2;
    while half > 0 {
        #[unroll]
        for item in 0..EDGES_EACH {
            if ends[(owners[item] + half - 1) as usize] <= positions[item] {
                owners[item] += half;
            }
        }
        half /= 2;
    }
    owners
}
