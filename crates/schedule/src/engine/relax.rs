//! Relaxing the edges of a frontier that is a list of parts: the schedule `parts`.
//!
//! Where no part has more than a few edges, a few units share a part. Otherwise a cube takes as many
//! parts as its share is, sums up their lengths, and its units take the edges of all of them side by
//! side: each has the same number.
#![allow(clippy::collapsible_if, reason = "a kernel does both sides of `&&`")]

use cubecl::prelude::*;

use super::{counts::*, edge::*, graph::*, order::*, parts::*, state::*};
use crate::{atomics::*, ranges::*};

/// Parts that a unit takes at a time.
const PARTS_EACH: u32 = 2;
/// Edges that a unit looks at at a time, so that it waits once for all of them.
const EDGES_EACH: usize = 4;

/// What becomes of a vertex whose label was improved.
pub(crate) const NOTHING: u32 = 0;
/// It joins the next frontier.
pub(crate) const NEXT: u32 = 1;
/// It is deferred.
pub(crate) const LATER: u32 = 2;

/// The graph, the lists of this iteration and of the next, and the words of the loop.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Worklists {
    pub rows: Rows,
    pub parts: Parts,
    /// Counters and state.
    pub words: AtomicArray,
    /// The iteration in which each vertex joined a frontier last, counted from 1; not there where the
    /// operation lets a vertex join once anyway.
    pub joined: ComptimeOption<Array<Atomic<u32>>>,
    /// What is known of the operation.
    #[cube(comptime)]
    pub kind: EdgeKind,
}

/// Vertices that a unit offers labels to, and what becomes of them.
#[derive(CubeType)]
pub(crate) struct Offers {
    pub vertices: Array<u32>,
    pub labels: Array<u32>,
    pub kinds: Array<u32>,
}

#[cube]
impl Offers {
    pub fn new(#[comptime] count: usize) -> Offers {
        Offers {
            vertices: Array::<u32>::new(count),
            labels: Array::<u32>::new(count),
            kinds: Array::<u32>::new(count),
        }
    }
}

/// Relaxes all edges of the frontier. All units of the cubes that share it call it together; `units`
/// are those of a cube.
#[cube]
pub(crate) fn relax_frontier<Op: EdgeOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    lists: &mut Worklists,
    counts: &Counts,
    slot: u32,
    now: &Array<u32>,
    #[comptime] units: u32,
) {
    if now[LONG] == 0 && PLANE_DIM >= comptime!(EDGES_EACH as u32) {
        relax_short_parts::<Op, O>(op, order, lists, counts, slot, now);
    } else {
        relax_long_parts::<Op, O>(op, order, lists, counts, slot, now, units);
    }
}

/// As [`relax_frontier`], where no part has more than a few edges: a few units share a part, side by
/// side, and nothing has to be summed up. Each plane takes as many parts at a time as it has units.
#[cube]
fn relax_short_parts<Op: EdgeOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    lists: &mut Worklists,
    counts: &Counts,
    slot: u32,
    now: &Array<u32>,
) {
    let this = lists.parts.half(now[HALF]);
    let together = comptime!(EDGES_EACH as u32);
    let (group, lane) = (UNIT_POS_PLANE / together, UNIT_POS_PLANE % together);
    // Parts go to all cubes before a cube has a second plane at work; planes that have no part have
    // nothing to do.
    let plane = UNIT_POS / PLANE_DIM * CUBE_COUNT as u32 + CUBE_POS as u32;
    for start in step_range(plane * PLANE_DIM, now[PARTS], CUBE_COUNT as u32 * CUBE_DIM) {
        let mut edges = Array::<u32>::new(EDGES_EACH);
        let mut ends = Array::<u32>::new(EDGES_EACH);
        let mut labels = Array::<u32>::new(EDGES_EACH);
        let mut parts = Array::<u32>::new(EDGES_EACH);
        let mut goes_on = false;
        #[unroll]
        for item in 0..EDGES_EACH {
            let part = start + comptime!(item as u32) * (PLANE_DIM / together) + group;
            edges[item] = 0u32;
            ends[item] = 0u32;
            labels[item] = 0u32;
            parts[item] = this + part;
            if part < now[PARTS] {
                let begin = lists.parts.begin(this, part);
                edges[item] = begin + lane;
                ends[item] = begin + lists.parts.length(this, part);
                let vertex = lists.parts.vertex(this, part);
                labels[item] = label_of::<Op>(op, lists, vertex, now);
                order.leave(vertex, labels[item]);
            }
            goes_on = goes_on || edges[item] < ends[item];
        }
        while plane_any(goes_on) {
            let mut offers = Offers::new(EDGES_EACH);
            goes_on = false;
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
                goes_on = goes_on || edges[item] < ends[item];
            }
            offer::<Op, O>(op, order, lists, &mut offers, &parts, counts, slot, now);
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
    counts: &Counts,
    slot: u32,
    now: &Array<u32>,
    #[comptime] units: u32,
) {
    let room = comptime!(PARTS_EACH * units);
    let mut ends = SharedMemory::<u32>::new(comptime!(room as usize));
    let mut begins = SharedMemory::<u32>::new(comptime!(room as usize));
    let mut labels = SharedMemory::<u32>::new(comptime!(room as usize));
    let this = lists.parts.half(now[HALF]);
    let parts = now[PARTS];
    let cubes = CUBE_COUNT as u32;
    let share = min(max(parts.div_ceil(cubes), 1u32), room.runtime());
    // Places that are used: a power of two. Planes that have none of them have nothing to stage.
    let mut used = 1u32;
    while used < share {
        used *= 2;
    }
    // As often for all units of a cube.
    for chunk in step_range(CUBE_POS as u32, parts.div_ceil(share), cubes) {
        let mut lengths = Array::<u32>::new(comptime!(PARTS_EACH as usize));
        let mut totals = SharedMemory::<u32>::new(comptime!(units as usize));
        let stages = (UNIT_POS - UNIT_POS_PLANE) * PARTS_EACH < used;
        let mut before = 0u32;
        if stages {
            let mut total = 0u32;
            #[unroll]
            for item in 0..PARTS_EACH {
                let place = UNIT_POS * PARTS_EACH + item;
                let index = chunk * share + place;
                let mut length = 0u32;
                if place < share && index < parts {
                    length = lists.parts.length(this, index);
                    begins[place as usize] = lists.parts.begin(this, index);
                    let vertex = lists.parts.vertex(this, index);
                    let label = label_of::<Op>(op, lists, vertex, now);
                    order.leave(vertex, label);
                    labels[place as usize] = label;
                }
                lengths[item as usize] = length;
                total += length;
            }
            let up_to = counts.sum_up_to(total);
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
                let place = (UNIT_POS * PARTS_EACH + item) as usize;
                // An edge is as far from here as from the first of the chunk: this may wrap around.
                begins[place] -= sum;
                sum += lengths[item as usize];
                ends[place] = sum;
            }
        }
        sync_cube();
        let edges = ends[(used - 1) as usize];
        // Each plane takes edges side by side.
        let of_plane = comptime!(EDGES_EACH as u32) * PLANE_DIM;
        let first = UNIT_POS / PLANE_DIM * of_plane;
        for start in step_range(first, edges, comptime!(units * EDGES_EACH as u32)) {
            let mut offers = Offers::new(EDGES_EACH);
            let owners = owners_of(&ends, used, start, edges);
            let mut of_edges = Array::<u32>::new(EDGES_EACH);
            #[unroll]
            for item in 0..EDGES_EACH {
                let place = start + comptime!(item as u32) * PLANE_DIM + UNIT_POS_PLANE;
                let owner = owners[item] as usize;
                of_edges[item] = this + chunk * share + owners[item];
                let edge = begins[owner] + min(place, edges - 1);
                offers.vertices[item] = lists.rows.targets[edge as usize];
                offers.labels[item] = op.along(labels[owner], edge);
                offers.kinds[item] = u32::cast_from(place < edges);
            }
            offer::<Op, O>(op, order, lists, &mut offers, &of_edges, counts, slot, now);
        }
        // The next chunk is not staged before all units are done with this one.
        sync_cube();
    }
}

/// The label of a vertex of the frontier.
#[cube]
fn label_of<Op: EdgeOp>(op: &Op, lists: &Worklists, vertex: u32, now: &Array<u32>) -> u32 {
    if comptime!(lists.kind.labels_are_iterations) { now[ITERATION] } else { op.label(vertex) }
}

/// Offers labels to vertices, of which `kinds` says which are there, along edges of these parts, and
/// lists those that join the next frontier. All units of a plane call it together.
#[cube]
fn offer<Op: EdgeOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    lists: &mut Worklists,
    offers: &mut Offers,
    parts: &Array<u32>,
    counts: &Counts,
    slot: u32,
    now: &Array<u32>,
) {
    let mut candidates = Candidates::new(EDGES_EACH);
    let mut improved = Array::<u32>::new(EDGES_EACH);
    // One loop for each access to memory, so that all of a loop are under way together.
    #[unroll]
    for item in 0..EDGES_EACH {
        improved[item] = u32::cast_from(op.improves(offers.vertices[item], offers.labels[item]));
    }
    #[unroll]
    for item in 0..EDGES_EACH {
        if offers.kinds[item] == 1 && improved[item] == 1 {
            // Where its edges are is read before it is known whether it is listed: that takes as
            // long as to find out.
            candidates.read(&lists.rows, offers.vertices[item], item);
            // Not read, where the operation does not ask for it.
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
        // Not by `&&`, of which a kernel does both sides.
        if improved[item] == 1 {
            if lists.joins(offers.vertices[item], now[ITERATION]) {
                kind = order.kind(offers.labels[item], now);
            }
        }
        if kind == NEXT {
            candidates.listed[item] = 1u32;
            order.listed(offers.vertices[item], counts, slot);
        }
        offers.kinds[item] = kind;
    }
    lists.list(&candidates, counts, slot, now, EDGES_EACH);
    order.defer(offers, counts, &mut lists.words, slot, now, EDGES_EACH);
}

#[cube]
impl Worklists {
    /// Lists vertices for the next iteration. All units of a plane call it together.
    pub fn list(
        &mut self,
        candidates: &Candidates,
        counts: &Counts,
        slot: u32,
        now: &Array<u32>,
        #[comptime] count: usize,
    ) {
        let next = self.parts.half(1 - now[HALF]);
        self.parts.add(candidates, counts, &mut self.words, slot, next, count);
    }

    /// Whether a vertex that was improved joins: once an iteration.
    pub fn joins(&self, vertex: u32, iteration: u32) -> bool {
        let number = iteration + 1;
        #[comptime]
        match &self.joined {
            ComptimeOption::Some(joined) => joined[vertex as usize].fetch_max(number) < number,
            ComptimeOption::None => true.runtime(),
        }
    }
}

/// The sum of what the planes before this one have. All units of a plane call it together.
#[cube]
fn sum_of_planes_before(totals: &SharedMemory<u32>) -> u32 {
    let mut before = 0u32;
    for other in step_range(UNIT_POS_PLANE, UNIT_POS / PLANE_DIM, PLANE_DIM) {
        before += totals[other as usize];
    }
    plane_sum(before)
}

/// The parts of the edges that a unit takes from `start` on, given where each part ends; beyond the
/// last edge, that of the last. `used` is a power of two.
#[cube]
fn owners_of(ends: &SharedMemory<u32>, used: u32, start: u32, edges: u32) -> Array<u32> {
    let mut places = Array::<u32>::new(EDGES_EACH);
    let mut owners = Array::<u32>::new(EDGES_EACH);
    #[unroll]
    for item in 0..EDGES_EACH {
        let place = start + comptime!(item as u32) * PLANE_DIM + UNIT_POS_PLANE;
        places[item] = min(place, edges - 1);
        owners[item] = 0u32;
    }
    let mut half = used / 2;
    while half > 0 {
        #[unroll]
        for item in 0..EDGES_EACH {
            if ends[(owners[item] + half - 1) as usize] <= places[item] {
                owners[item] += half;
            }
        }
        half /= 2;
    }
    owners
}
