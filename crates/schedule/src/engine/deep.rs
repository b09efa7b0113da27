//! Deep iterations: each cube relaxes the edges of the vertices it finds, for several rounds, before all cubes meet.
//!
//! In narrow iterations the barrier dominates. So a cube takes its share of the frontier into its own queue, and
//! continues with that. A label that a cube assigns too early is corrected by a later relaxation, and its vertex
//! re-enqueued; this requires labels that only improve.
#![allow(clippy::collapsible_if, reason = "a kernel evaluates both sides of `&&`")]

use cubecl::prelude::*;

use super::{counts::*, operation::*, order::*, state::*, worklists::*};
use crate::ranges::*;

/// Parts per queue.
const ROOM: u32 = 512;
/// Units that share a part.
const LANES: u32 = 4;
/// The most parts of a frontier per cube: with more, all cubes are busy anyway.
const PARTS_EACH: u32 = 128;
/// Counts of a queue: of this round, of the next, and one to be cleared.
const COUNTS: u32 = 3;

/// Whether cubes go deep in an iteration: it is narrow, and no part has more than a few edges.
#[cube]
pub(super) fn goes_deep(state: &LoopState) -> bool {
    state.mode == PUSH && state.long == 0 && state.parts <= PARTS_EACH * CUBE_COUNT as u32
}

/// The queue of a cube: parts of this round and of the next, each in one half.
#[derive(CubeType)]
struct Queue {
    vertices: SharedMemory<u32>,
    begins: SharedMemory<u32>,
    lengths: SharedMemory<u32>,
    /// The labels with which the vertices were enqueued.
    labels: SharedMemory<u32>,
    counts: SharedMemory<Atomic<u32>>,
    /// The round, from 0.
    round: u32,
}

#[cube]
impl Queue {
    fn new() -> Queue {
        Queue {
            vertices: SharedMemory::<u32>::new(comptime!(2 * ROOM as usize)),
            begins: SharedMemory::<u32>::new(comptime!(2 * ROOM as usize)),
            lengths: SharedMemory::<u32>::new(comptime!(2 * ROOM as usize)),
            labels: SharedMemory::<u32>::new(comptime!(2 * ROOM as usize)),
            counts: SharedMemory::<Atomic<u32>>::new(comptime!(COUNTS as usize)),
            round: 0u32.runtime(),
        }
    }

    /// The index of the first part of this round.
    fn start(&self) -> u32 {
        self.round % 2 * ROOM
    }

    /// The index of the first part of the next round.
    fn next_start(&self) -> u32 {
        (self.round + 1) % 2 * ROOM
    }

    /// The index of the count of the round `rounds` after this one.
    fn count(&self, rounds: u32) -> usize {
        ((self.round + rounds) % COUNTS) as usize
    }

    fn put(&mut self, index: u32, part: &QueuedPart) {
        let index = index as usize;
        self.vertices[index] = part.vertex;
        self.begins[index] = part.begin;
        self.lengths[index] = part.length;
        self.labels[index] = part.label;
    }
}

/// A part of a vertex' edges, and the label of the vertex.
#[derive(CubeType)]
struct QueuedPart {
    vertex: u32,
    begin: u32,
    length: u32,
    label: u32,
}

/// The edges that a unit relaxes, every [`LANES`]th: those of a vertex from `edge` to below `end`.
#[derive(CubeType)]
struct Lane {
    vertex: u32,
    label: u32,
    edge: u32,
    end: u32,
}

/// Relaxes the edges of the frontier, and of the vertices found, for at most `rounds` rounds. The rest is the next
/// frontier. All units of all cubes call it together.
#[cube]
pub(super) fn relax_deep<Op: EdgeOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    lists: &mut Worklists,
    iteration: &Iteration,
    rounds: u32,
) {
    let mut queue = Queue::new();
    let own = take_share::<Op>(op, lists, &mut queue, iteration);
    if UNIT_POS < COUNTS {
        queue.counts[UNIT_POS as usize].store(0u32);
    }
    sync_cube();
    let mut looked = 0u32;
    let mut size = own;
    let mut continues = size > 0;
    while continues {
        if UNIT_POS == 0 {
            let after_next = queue.count(2);
            queue.counts[after_next].store(0u32);
        }
        let from = queue.start();
        let group = UNIT_POS_PLANE / LANES;
        let first = UNIT_POS / PLANE_DIM * (PLANE_DIM / LANES);
        for start in step_range(first, size, comptime!(iteration.units / LANES)) {
            let index = start + group;
            let slot = (from + min(index, size - 1)) as usize;
            let begin = queue.begins[slot];
            let mut lane = Lane {
                vertex: queue.vertices[slot],
                label: queue.labels[slot],
                edge: begin + UNIT_POS_PLANE % LANES,
                end: begin + queue.lengths[slot],
            };
            // A vertex with a better label by now is in a queue or list again.
            if index >= size || op.label(lane.vertex) != lane.label {
                lane.end = lane.edge;
            }
            if lane.edge < lane.end {
                order.leave(lane.vertex, lane.label);
            }
            while plane_any(lane.edge < lane.end) {
                relax_edge::<Op, O>(op, order, lists, &mut queue, iteration, &lane);
                looked += u32::cast_from(lane.edge < lane.end && queue.round > 0);
                lane.edge += LANES;
            }
        }
        sync_cube();
        queue.round += 1u32;
        let this = queue.count(0);
        let found = queue.counts[this].load();
        size = min(found, ROOM);
        // A cube with much work shares it.
        continues = queue.round < rounds && size > 0 && found < comptime!(ROOM / 2);
    }
    list_rest(lists, &queue, iteration, size);
    iteration.counts.add(looked, LOOKED);
}

/// Takes the cube's share of the frontier into its queue, and returns the number of parts.
#[cube]
fn take_share<Op: EdgeOp>(
    op: &Op,
    lists: &Worklists,
    queue: &mut Queue,
    iteration: &Iteration,
) -> u32 {
    let this = lists.parts.half(iteration.state.half);
    let parts = iteration.state.parts;
    let share = parts.div_ceil(CUBE_COUNT as u32);
    let first = min(CUBE_POS as u32 * share, parts);
    let own = min(share, parts - first);
    for index in step_range(UNIT_POS, own, comptime!(iteration.units)) {
        let part = first + index;
        let vertex = lists.parts.vertex(this, part);
        let (begin, length) = (lists.parts.begin(this, part), lists.parts.length(this, part));
        queue.put(index, &QueuedPart { vertex, begin, length, label: op.label(vertex) });
    }
    own
}

/// Relaxes an edge per unit that has one, and enqueues the vertices that join. Those with many edges, and all once
/// the queue is full, go to the list of all cubes. All units of a plane call it together.
#[cube]
fn relax_edge<Op: EdgeOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    lists: &mut Worklists,
    queue: &mut Queue,
    iteration: &Iteration,
    lane: &Lane,
) {
    let mut candidates = Candidates::new(1usize);
    let mut offers = Offers::new(1usize);
    offers.vertices[0] = 0u32;
    offers.labels[0] = 0u32;
    offers.kinds[0] = NOTHING;
    let mut degree = 0u32;
    if lane.edge < lane.end {
        let target = lists.rows.targets[lane.edge as usize];
        let offered = op.along(lane.label, lane.edge);
        // Read while the label is being loaded.
        candidates.read(&lists.rows, target, 0usize);
        if op.relax(target, offered, lane.vertex) {
            offers.kinds[0] = order.kind(offered, &iteration.state);
            degree = candidates.degrees[0];
        }
        offers.vertices[0] = target;
        offers.labels[0] = offered;
    }
    let joins = offers.kinds[0] == NEXT && degree > 0;
    let wants = u32::cast_from(joins && degree <= FEW);
    let up_to = iteration.counts.sum_up_to(wants);
    let mut first = 0u32;
    if UNIT_POS_PLANE == PLANE_DIM - 1 && up_to > 0 {
        let next = queue.count(1);
        first = queue.counts[next].fetch_add(up_to);
    }
    let index = plane_shuffle(first, PLANE_DIM - 1) + up_to - wants;
    let is_queued = wants == 1 && index < ROOM;
    if is_queued {
        let (vertex, label) = (offers.vertices[0], offers.labels[0]);
        let begin = candidates.begins[0];
        let index = queue.next_start() + index;
        queue.put(index, &QueuedPart { vertex, begin, length: degree, label });
    }
    let is_later = offers.kinds[0] == LATER;
    if (joins && !is_queued) || is_later {
        if lists.joins(offers.vertices[0], iteration.state.iteration) {
            candidates.listed[0] = u32::cast_from(!is_later);
        } else {
            offers.kinds[0] = NOTHING;
        }
    }
    if plane_any(candidates.listed[0] == 1) {
        lists.list(&candidates, iteration, 1usize);
    }
    if plane_any(is_later) {
        order.defer(&offers, &mut lists.words, iteration, 1usize);
    }
}

/// Lists the parts that are left in the queue for the next iteration.
#[cube]
fn list_rest(lists: &mut Worklists, queue: &Queue, iteration: &Iteration, size: u32) {
    let from = queue.start();
    for start in step_range(UNIT_POS - UNIT_POS_PLANE, size, comptime!(iteration.units)) {
        let index = start + UNIT_POS_PLANE;
        let mut candidates = Candidates::new(1usize);
        if index < size {
            let slot = (from + index) as usize;
            let vertex = queue.vertices[slot];
            candidates.vertices[0] = vertex;
            candidates.begins[0] = queue.begins[slot];
            candidates.degrees[0] = queue.lengths[slot];
            if lists.joins(vertex, iteration.state.iteration) {
                candidates.listed[0] = 1u32;
            }
        }
        lists.list(&candidates, iteration, 1usize);
    }
}
