//! Going along the edges of a frontier.
//!
//! Where no part has more than a few edges, a few units take a part. Otherwise a cube takes as many
//! parts as its share is, sums up their lengths, and its units take the edges of all of them in
//! turns: each has the same number.

use cubecl::prelude::*;
use equipoise_schedule::ranges::*;

use super::{super::field::*, counts::*, parts::*, state::*};

/// Parts that a unit takes at a time.
const PARTS_EACH: u32 = 2;
/// Edges that a unit looks at at a time, so that it waits once for all of them.
const EDGES_EACH: usize = 4;

/// What becomes of a vertex that was reached.
pub(crate) const NOTHING: u32 = 0;
/// It is listed for the next turn.
pub(crate) const NEXT: u32 = 1;
/// It is put aside.
pub(crate) const ASIDE: u32 = 2;

/// What is done along the edges of a frontier.
#[cube]
pub(crate) trait Visit: LaunchArg {
    /// The label with which the edges of a vertex are gone along.
    fn leave(&mut self, vertex: u32, now: &Array<u32>) -> u32;
    /// The label at the end of an edge that starts with that label.
    fn offer(&self, label: u32, edge: u32) -> u32;
    /// The label of a vertex; it may be out of date.
    fn seen(&self, vertex: u32) -> u32;
    /// Gives a vertex a label, if that is less. The label that it had.
    fn improve(&mut self, vertex: u32, label: u32) -> u32;
    /// What becomes of a vertex that was given a label.
    fn reached(&mut self, vertex: u32, label: u32, now: &Array<u32>) -> u32;
    /// Puts vertices aside, with their labels; `kinds` says which. All units of a plane call it
    /// together.
    fn put_aside(
        &mut self,
        reached: &Reached,
        counts: &Counts,
        found: &mut Array<Atomic<u32>>,
        slot: u32,
        now: &Array<u32>,
        #[comptime] count: usize,
    );
    /// Takes note of a vertex that is listed.
    fn listed(&self, vertex: u32, counts: &Counts, slot: u32);
}

/// Vertices that a unit reached, with their labels, and what becomes of them.
#[derive(CubeType)]
pub(crate) struct Reached {
    pub vertices: Array<u32>,
    pub labels: Array<u32>,
    pub kinds: Array<u32>,
}

#[cube]
impl Reached {
    pub fn new(#[comptime] count: usize) -> Reached {
        Reached {
            vertices: Array::<u32>::new(count),
            labels: Array::<u32>::new(count),
            kinds: Array::<u32>::new(count),
        }
    }
}

/// Goes along all edges of the frontier. All units of the cubes that share it call it together;
/// `units` are those of a cube.
#[cube]
pub(crate) fn walk<V: Visit>(
    rows: &Rows,
    visitor: &mut V,
    list: &mut Parts,
    counts: &Counts,
    found: &mut Array<Atomic<u32>>,
    slot: u32,
    now: &Array<u32>,
    #[comptime] units: u32,
) {
    if now[LONG] == 0 && PLANE_DIM >= comptime!(EDGES_EACH as u32) {
        walk_few::<V>(rows, visitor, list, counts, found, slot, now);
    } else {
        walk_many::<V>(rows, visitor, list, counts, found, slot, now, units);
    }
}

/// As [`walk`], where no part has more than a few edges: as few units share a part, side by side,
/// and nothing has to be summed up. Each plane takes as many parts at a time as it has units.
#[cube]
fn walk_few<V: Visit>(
    rows: &Rows,
    visitor: &mut V,
    list: &mut Parts,
    counts: &Counts,
    found: &mut Array<Atomic<u32>>,
    slot: u32,
    now: &Array<u32>,
) {
    let this = list.half(now[HALF]);
    let next = list.half(1 - now[HALF]);
    let together = comptime!(EDGES_EACH as u32);
    let (group, lane) = (UNIT_POS_PLANE / together, UNIT_POS_PLANE % together);
    // Planes that have no part have nothing to do.
    let plane_start = ABSOLUTE_POS as u32 - UNIT_POS_PLANE;
    for start in step_range(plane_start, now[PARTS], CUBE_COUNT as u32 * CUBE_DIM) {
        let mut edges = Array::<u32>::new(EDGES_EACH);
        let mut ends = Array::<u32>::new(EDGES_EACH);
        let mut labels = Array::<u32>::new(EDGES_EACH);
        let mut goes_on = false;
        #[unroll]
        for item in 0..EDGES_EACH {
            let part = start + comptime!(item as u32) * (PLANE_DIM / together) + group;
            edges[item] = 0u32;
            ends[item] = 0u32;
            labels[item] = 0u32;
            if part < now[PARTS] {
                let begin = list.begin(this, part);
                edges[item] = begin + lane;
                ends[item] = begin + list.length(this, part);
                labels[item] = visitor.leave(list.vertex(this, part), now);
            }
            goes_on = goes_on || edges[item] < ends[item];
        }
        while plane_any(goes_on) {
            let mut reached = Reached::new(EDGES_EACH);
            goes_on = false;
            #[unroll]
            for item in 0..EDGES_EACH {
                let edge = edges[item];
                reached.vertices[item] = 0u32;
                reached.labels[item] = u32::MAX;
                if edge < ends[item] {
                    reached.vertices[item] = rows.targets[edge as usize];
                    reached.labels[item] = visitor.offer(labels[item], edge);
                }
                reached.kinds[item] = u32::cast_from(edge < ends[item]);
                edges[item] = edge + together;
                goes_on = goes_on || edges[item] < ends[item];
            }
            let candidates = reach::<V>(rows, visitor, &mut reached, counts, slot, now);
            list.add(&candidates, counts, found, slot, next, EDGES_EACH);
            visitor.put_aside(&reached, counts, found, slot, now, EDGES_EACH);
        }
    }
}

/// As [`walk`], where parts may have many edges: the units of a cube share those of as many parts
/// as the cube takes at a time.
#[cube]
fn walk_many<V: Visit>(
    rows: &Rows,
    visitor: &mut V,
    list: &mut Parts,
    counts: &Counts,
    found: &mut Array<Atomic<u32>>,
    slot: u32,
    now: &Array<u32>,
    #[comptime] units: u32,
) {
    let room = comptime!(PARTS_EACH * units);
    let mut ends = SharedMemory::<u32>::new(comptime!(room as usize));
    let mut begins = SharedMemory::<u32>::new(comptime!(room as usize));
    let mut labels = SharedMemory::<u32>::new(comptime!(room as usize));
    let this = list.half(now[HALF]);
    let next = list.half(1 - now[HALF]);
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
                    length = list.length(this, index);
                    begins[place as usize] = list.begin(this, index);
                    labels[place as usize] = visitor.leave(list.vertex(this, index), now);
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
            let mut reached = Reached::new(EDGES_EACH);
            let owners = owners_of(&ends, used, start, edges);
            #[unroll]
            for item in 0..EDGES_EACH {
                let place = start + comptime!(item as u32) * PLANE_DIM + UNIT_POS_PLANE;
                let owner = owners[item] as usize;
                let edge = begins[owner] + min(place, edges - 1);
                reached.vertices[item] = rows.targets[edge as usize];
                reached.labels[item] = visitor.offer(labels[owner], edge);
                reached.kinds[item] = u32::cast_from(place < edges);
            }
            let candidates = reach::<V>(rows, visitor, &mut reached, counts, slot, now);
            list.add(&candidates, counts, found, slot, next, EDGES_EACH);
            visitor.put_aside(&reached, counts, found, slot, now, EDGES_EACH);
        }
        // Nobody stages the next chunk before all are done with this one.
        sync_cube();
    }
}

/// Improves the labels of vertices, of whom `kinds` says which are there: afterwards, what becomes
/// of them. Gives those to be listed.
#[cube]
fn reach<V: Visit>(
    rows: &Rows,
    visitor: &mut V,
    reached: &mut Reached,
    counts: &Counts,
    slot: u32,
    now: &Array<u32>,
) -> Candidates {
    let mut candidates = Candidates::new(EDGES_EACH);
    let mut old = Array::<u32>::new(EDGES_EACH);
    // One loop for each access to memory, so that all of a loop are under way together.
    #[unroll]
    for item in 0..EDGES_EACH {
        old[item] = visitor.seen(reached.vertices[item]);
    }
    #[unroll]
    for item in 0..EDGES_EACH {
        if reached.kinds[item] == 1 && reached.labels[item] < old[item] {
            // Where its edges are is asked before it is known whether it is listed: that takes as
            // long as to find out.
            candidates.note(rows, reached.vertices[item], item);
            old[item] = visitor.improve(reached.vertices[item], reached.labels[item]);
        } else {
            old[item] = 0u32;
        }
    }
    #[unroll]
    for item in 0..EDGES_EACH {
        let mut kind = NOTHING.runtime();
        if reached.labels[item] < old[item] {
            kind = visitor.reached(reached.vertices[item], reached.labels[item], now);
        }
        if kind == NEXT {
            candidates.listed[item] = 1u32;
            visitor.listed(reached.vertices[item], counts, slot);
        }
        reached.kinds[item] = kind;
    }
    candidates
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
