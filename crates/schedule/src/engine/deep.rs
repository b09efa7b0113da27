//! Iterations that go deep: each cube relaxes the edges of what it finds itself, for several rounds,
//! before all cubes meet.
//!
//! Where frontiers are narrow, an iteration takes no longer than its cubes wait for each other. So a
//! cube takes its share of the frontier into a queue of its own, and goes on from there. A vertex that
//! was given a label by one that ran ahead is put right by who comes with a better one, and gone on
//! from again; labels have to allow for that, as those do that only ever improve.
#![allow(clippy::collapsible_if, reason = "a kernel does both sides of `&&`")]

use cubecl::prelude::*;

use super::{counts::*, edge::*, order::*, parts::*, relax::*, state::*};
use crate::ranges::*;

/// The parts of a cube's queue.
const ROOM: u32 = 512;
/// Units that share a part, side by side.
const LANES: u32 = 4;
/// The most parts of a frontier for each cube: with more, all cubes have enough to do.
const PARTS_EACH: u32 = 128;
/// Counts of a queue: of this round, of the next, and one that is made zero.
const COUNTS: u32 = 3;

/// Whether cubes go deep in an iteration: it is narrow, and no part has more than a few edges.
#[cube]
pub(super) fn goes_deep(now: &Array<u32>) -> bool {
    now[MODE] == PUSH && now[LONG] == 0 && now[PARTS] <= PARTS_EACH * CUBE_COUNT as u32
}

/// The queue of a cube: parts of this round and of the next, each in one half.
#[derive(CubeType)]
struct Queue {
    vertices: SharedMemory<u32>,
    begins: SharedMemory<u32>,
    lengths: SharedMemory<u32>,
    /// The labels with which the vertices were put there.
    labels: SharedMemory<u32>,
    counts: SharedMemory<Atomic<u32>>,
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
        }
    }

    fn put(&mut self, at: u32, vertex: u32, begin: u32, length: u32, label: u32) {
        let at = at as usize;
        self.vertices[at] = vertex;
        self.begins[at] = begin;
        self.lengths[at] = length;
        self.labels[at] = label;
    }
}

/// Relaxes the edges of the frontier, and of what is found, for so many rounds. What is left then is
/// the next frontier. All units of all cubes call it together; `units` are those of a cube.
#[cube]
pub(super) fn relax_deep<Op: EdgeOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    lists: &mut Worklists,
    counts: &Counts,
    slot: u32,
    now: &Array<u32>,
    rounds: u32,
    #[comptime] units: u32,
) {
    let mut queue = Queue::new();
    let own = take_share::<Op>(op, lists, &mut queue, now, units);
    if UNIT_POS < COUNTS {
        queue.counts[UNIT_POS as usize].store(0u32);
    }
    sync_cube();
    let mut looked = 0u32;
    let mut round = 0u32;
    let mut size = own;
    let mut goes_on = size > 0;
    while goes_on {
        if UNIT_POS == 0 {
            queue.counts[((round + 2) % COUNTS) as usize].store(0u32);
        }
        let from = round % 2 * ROOM;
        let group = UNIT_POS_PLANE / LANES;
        let first = UNIT_POS / PLANE_DIM * (PLANE_DIM / LANES);
        for start in step_range(first, size, comptime!(units / LANES)) {
            let index = start + group;
            let at = (from + min(index, size - 1)) as usize;
            let (vertex, label) = (queue.vertices[at], queue.labels[at]);
            let mut edge = queue.begins[at] + UNIT_POS_PLANE % LANES;
            let mut end = queue.begins[at] + queue.lengths[at];
            // Who was given a better label meanwhile is in a queue or list once more.
            if index >= size || op.label(vertex) != label {
                end = edge;
            }
            if edge < end {
                order.leave(vertex, label);
            }
            while plane_any(edge < end) {
                relax_edge::<Op, O>(
                    op, order, lists, &mut queue, counts, slot, now, vertex, label, edge, end,
                    round,
                );
                looked += u32::cast_from(edge < end && round > 0);
                edge += LANES;
            }
        }
        sync_cube();
        round += 1;
        let found = queue.counts[(round % COUNTS) as usize].load();
        size = min(found, ROOM);
        // One that has much to do shares it.
        goes_on = round < rounds && size > 0 && found < comptime!(ROOM / 2);
    }
    list_rest(lists, &queue, counts, slot, now, round % 2 * ROOM, size, units);
    counts.add(slot, looked, LOOKED);
}

/// Takes the cube's share of the frontier into its queue. How many parts they are.
#[cube]
fn take_share<Op: EdgeOp>(
    op: &Op,
    lists: &Worklists,
    queue: &mut Queue,
    now: &Array<u32>,
    #[comptime] units: u32,
) -> u32 {
    let this = lists.parts.half(now[HALF]);
    let share = now[PARTS].div_ceil(CUBE_COUNT as u32);
    let first = min(CUBE_POS as u32 * share, now[PARTS]);
    let own = min(share, now[PARTS] - first);
    for index in step_range(UNIT_POS, own, units) {
        let part = first + index;
        let vertex = lists.parts.vertex(this, part);
        let (begin, length) = (lists.parts.begin(this, part), lists.parts.length(this, part));
        queue.put(index, vertex, begin, length, op.label(vertex));
    }
    own
}

/// Relaxes an edge of each unit that has one, and puts who joins into the queue; where that is full
/// or there are many edges, into the list of all cubes. All units of a plane call it together.
#[cube]
fn relax_edge<Op: EdgeOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    lists: &mut Worklists,
    queue: &mut Queue,
    counts: &Counts,
    slot: u32,
    now: &Array<u32>,
    source: u32,
    label: u32,
    edge: u32,
    end: u32,
    round: u32,
) {
    let mut candidates = Candidates::new(1usize);
    let mut offers = Offers::new(1usize);
    offers.vertices[0] = 0u32;
    offers.labels[0] = 0u32;
    offers.kinds[0] = NOTHING;
    let mut degree = 0u32;
    if edge < end {
        let target = lists.rows.targets[edge as usize];
        let offered = op.along(label, edge);
        // Where its edges are is read while the label is under way, and nothing before.
        candidates.read(&lists.rows, target, 0usize);
        if op.relax(target, offered, source) {
            offers.kinds[0] = order.kind(offered, now);
            degree = candidates.degrees[0];
        }
        offers.vertices[0] = target;
        offers.labels[0] = offered;
    }
    let joins = offers.kinds[0] == NEXT && degree > 0;
    let wants = u32::cast_from(joins && degree <= FEW);
    let up_to = counts.sum_up_to(wants);
    let mut first = 0u32;
    if UNIT_POS_PLANE == PLANE_DIM - 1 && up_to > 0 {
        first = queue.counts[((round + 1) % COUNTS) as usize].fetch_add(up_to);
    }
    let place = plane_shuffle(first, PLANE_DIM - 1) + up_to - wants;
    let is_kept = wants == 1 && place < ROOM;
    if is_kept {
        let at = (round + 1) % 2 * ROOM + place;
        queue.put(at, offers.vertices[0], candidates.begins[0], degree, offers.labels[0]);
    }
    let is_later = offers.kinds[0] == LATER;
    if (joins && !is_kept) || is_later {
        if lists.joins(offers.vertices[0], now[ITERATION]) {
            candidates.listed[0] = u32::cast_from(!is_later);
        } else {
            offers.kinds[0] = NOTHING;
        }
    }
    if plane_any(candidates.listed[0] == 1) {
        lists.list(&candidates, counts, slot, now, 1usize);
    }
    if plane_any(is_later) {
        order.defer(&offers, counts, &mut lists.words, slot, now, 1usize);
    }
}

/// Lists what is left in the queue for the next iteration.
#[cube]
fn list_rest(
    lists: &mut Worklists,
    queue: &Queue,
    counts: &Counts,
    slot: u32,
    now: &Array<u32>,
    from: u32,
    size: u32,
    #[comptime] units: u32,
) {
    for start in step_range(UNIT_POS - UNIT_POS_PLANE, size, units) {
        let index = start + UNIT_POS_PLANE;
        let mut candidates = Candidates::new(1usize);
        if index < size {
            let at = (from + index) as usize;
            let vertex = queue.vertices[at];
            candidates.vertices[0] = vertex;
            candidates.begins[0] = queue.begins[at];
            candidates.degrees[0] = queue.lengths[at];
            if lists.joins(vertex, now[ITERATION]) {
                candidates.listed[0] = 1u32;
            }
        }
        lists.list(&candidates, counts, slot, now, 1usize);
    }
}
