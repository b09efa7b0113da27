//! A level from the side of those not reached: each looks for a neighbour in the frontier.

use cubecl::prelude::*;

use super::{counts::*, edge::*, graph::*, levels::*, parts::*, relax::*, state::*};
use crate::ranges::*;

/// Vertices of a word of a bitmap.
pub(super) const WORD: u32 = 32;
/// Vertices that a unit takes at a time, so that it waits once for all of them.
const VERTICES_EACH: usize = 4;
/// Neighbours of each that it looks at at a time.
const EDGES_EACH: usize = 2;
const LOOKS: usize = VERTICES_EACH * EDGES_EACH;
/// How often a unit looks before its plane looks with it. A vertex that thousands of edges enter,
/// none of them from the frontier, would keep one unit busy long after all others are done.
const LOOKS_ALONE: u32 = 32;
/// Neighbours of one vertex that each unit of a plane looks at at a time.
const EDGES_TOGETHER: usize = 4;

/// What pulling takes.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Pull {
    /// The edges by the vertices that they enter, where they are not those that leave.
    pub entering: ComptimeOption<Rows>,
    /// The frontiers of levels that were pulled: two bitmaps, of which each has a half.
    pub bitmaps: Array<u32>,
    /// The vertices of the graph.
    pub vertices: u32,
    /// The vertex at whose level the search stops.
    pub target: u32,
}

#[cube]
impl Pull {
    /// Where the edges that enter a vertex start.
    fn offset(&self, leaving: &Rows, vertex: u32) -> u32 {
        #[comptime]
        match &self.entering {
            ComptimeOption::Some(entering) => entering.offsets[vertex as usize],
            ComptimeOption::None => leaving.offsets[vertex as usize],
        }
    }

    /// Where an edge that enters a vertex comes from.
    fn neighbor(&self, leaving: &Rows, edge: u32) -> u32 {
        #[comptime]
        match &self.entering {
            ComptimeOption::Some(entering) => entering.targets[edge as usize],
            ComptimeOption::None => leaving.targets[edge as usize],
        }
    }
}

/// Does a level. All units of all cubes call it together; `units` are those of a cube.
///
/// The first such level reads the frontier from its labels, the others from a bitmap, which takes a
/// thirty-second of the memory.
#[cube]
pub(super) fn pull_level<Op: PullOp>(
    op: &mut Op,
    pull: &mut Pull,
    lists: &mut Worklists,
    counts: &Counts,
    slot: u32,
    now: &Array<u32>,
    #[comptime] units: u32,
) {
    // Vertices that a cube takes at a time, and the words for them.
    let chunk_size = comptime!(units * VERTICES_EACH as u32);
    let words_each = comptime!(chunk_size / WORD);
    let vertices = pull.vertices;
    let words = vertices.div_ceil(WORD);
    let next_bits = (1 - now[HALF]) * words;
    let mut looked = Array::<u32>::new(1usize);
    looked[0] = 0u32;
    // Two sets, so that one is written out while the next is filled.
    let bits = SharedMemory::<Atomic<u32>>::new(comptime!(2 * words_each as usize));
    if UNIT_POS < comptime!(2 * words_each) {
        bits[UNIT_POS as usize].store(0u32);
    }
    sync_cube();
    let mut set = 0u32;
    for chunk in step_range(CUBE_POS as u32, vertices.div_ceil(chunk_size), CUBE_COUNT as u32) {
        let mut edges = Array::<u32>::new(VERTICES_EACH);
        let mut ends = Array::<u32>::new(VERTICES_EACH);
        #[unroll]
        for item in 0..VERTICES_EACH {
            let vertex = chunk * chunk_size + comptime!(item as u32 * units) + UNIT_POS;
            edges[item] = 0u32;
            ends[item] = 0u32;
            // Both sides of an `and` are read: never beyond the last vertex.
            if vertex < vertices && op.is_open(min(vertex, vertices - 1)) {
                edges[item] = pull.offset(&lists.rows, vertex);
                ends[item] = pull.offset(&lists.rows, vertex + 1);
            }
        }
        let hits = look::<Op>(op, pull, &lists.rows, &mut edges, &ends, now, &mut looked);
        let mut candidates = Candidates::new(VERTICES_EACH);
        #[unroll]
        for item in 0..VERTICES_EACH {
            if hits[item] != u32::MAX {
                let in_chunk = comptime!(item as u32 * units) + UNIT_POS;
                let vertex = chunk * chunk_size + in_chunk;
                // Others look for the frontier's level only: they may see this or not.
                op.pull(vertex, now[ITERATION], hits[item]);
                let word = set * words_each + in_chunk / WORD;
                bits[word as usize].fetch_or(1u32 << (in_chunk % WORD));
                candidates.read(&lists.rows, vertex, item);
                candidates.listed[item] = 1u32;
                count_target(pull.target, vertex, counts, slot);
            }
        }
        lists.list(&candidates, counts, slot, now, VERTICES_EACH);
        sync_cube();
        let word = chunk * words_each + UNIT_POS;
        if UNIT_POS < words_each && word < words {
            let place = (set * words_each + UNIT_POS) as usize;
            pull.bitmaps[(next_bits + word) as usize] = bits[place].load();
            bits[place].store(0u32);
        }
        set = 1 - set;
    }
    counts.add(slot, looked[0], LOOKED);
}

/// Looks along the edges of each vertex until one leads to the frontier. Where it does to;
/// [`u32::MAX`] if none does.
#[cube]
fn look<Op: PullOp>(
    op: &Op,
    pull: &Pull,
    leaving: &Rows,
    edges: &mut Array<u32>,
    ends: &Array<u32>,
    now: &Array<u32>,
    looked: &mut Array<u32>,
) -> Array<u32> {
    let mut hits = Array::<u32>::new(VERTICES_EACH);
    let mut goes_on = false;
    #[unroll]
    for item in 0..VERTICES_EACH {
        hits[item] = u32::MAX;
        goes_on = goes_on || edges[item] < ends[item];
    }
    let mut turn = 0u32;
    while goes_on && turn < LOOKS_ALONE {
        turn += 1;
        goes_on = false;
        // One loop for each access to memory, so that all of a loop are under way together.
        let mut others = Array::<u32>::new(LOOKS);
        let mut valid = Array::<u32>::new(LOOKS);
        #[unroll]
        for look in 0..LOOKS {
            let edge = edges[look / EDGES_EACH] + comptime!((look % EDGES_EACH) as u32);
            others[look] = 0u32;
            valid[look] = 0u32;
            if edge < ends[look / EDGES_EACH] {
                others[look] = pull.neighbor(leaving, edge);
                valid[look] = 1u32;
                looked[0] += 1u32;
            }
        }
        #[unroll]
        for look in 0..LOOKS {
            if is_in_frontier::<Op>(op, pull, others[look], now) && valid[look] == 1 {
                hits[look / EDGES_EACH] = others[look];
            }
        }
        #[unroll]
        for item in 0..VERTICES_EACH {
            edges[item] += comptime!(EDGES_EACH as u32);
            if hits[item] != u32::MAX {
                edges[item] = ends[item];
            }
            goes_on = goes_on || edges[item] < ends[item];
        }
    }
    look_together::<Op>(op, pull, leaving, edges, ends, &mut hits, now, looked);
    hits
}

/// Has all units of a plane look along the edges that are left, one vertex after the other.
#[cube]
fn look_together<Op: PullOp>(
    op: &Op,
    pull: &Pull,
    leaving: &Rows,
    edges: &mut Array<u32>,
    ends: &Array<u32>,
    hits: &mut Array<u32>,
    now: &Array<u32>,
    looked: &mut Array<u32>,
) {
    let mut left = first_left(edges, ends);
    while plane_any(left < VERTICES_EACH as u32) {
        let mut lane = u32::MAX.runtime();
        if left < VERTICES_EACH as u32 {
            lane = UNIT_POS_PLANE;
        }
        let chosen = plane_min(lane);
        let mut edge = 0u32;
        let mut end = 0u32;
        #[unroll]
        for item in 0..VERTICES_EACH {
            if left == item as u32 {
                edge = edges[item];
                end = ends[item];
            }
        }
        edge = plane_shuffle(edge, chosen);
        end = plane_shuffle(end, chosen);
        let mut hit = u32::MAX.runtime();
        while edge < end && hit == u32::MAX {
            hit = plane_min(look_at_one::<Op>(op, pull, leaving, edge, end, now, looked));
            edge += comptime!(EDGES_TOGETHER as u32) * PLANE_DIM;
        }
        if UNIT_POS_PLANE == chosen {
            #[unroll]
            for item in 0..VERTICES_EACH {
                if left == item as u32 {
                    hits[item] = hit;
                    edges[item] = ends[item];
                }
            }
        }
        left = first_left(edges, ends);
    }
}

/// The first of a unit's vertices with edges left; how many it has if there is none.
#[cube]
fn first_left(edges: &Array<u32>, ends: &Array<u32>) -> u32 {
    let mut left = comptime!(VERTICES_EACH as u32).runtime();
    #[unroll]
    for item in 0..VERTICES_EACH {
        if edges[item] < ends[item] && left == VERTICES_EACH as u32 {
            left = item as u32;
        }
    }
    left
}

/// Looks at this unit's share of the next edges of a vertex. One that is in the frontier;
/// [`u32::MAX`] if none is.
#[cube]
fn look_at_one<Op: PullOp>(
    op: &Op,
    pull: &Pull,
    leaving: &Rows,
    first: u32,
    end: u32,
    now: &Array<u32>,
    looked: &mut Array<u32>,
) -> u32 {
    let mut others = Array::<u32>::new(EDGES_TOGETHER);
    #[unroll]
    for look in 0..EDGES_TOGETHER {
        let edge = first + comptime!(look as u32) * PLANE_DIM + UNIT_POS_PLANE;
        others[look] = u32::MAX;
        if edge < end {
            others[look] = pull.neighbor(leaving, edge);
            looked[0] += 1u32;
        }
    }
    let mut hit = u32::MAX.runtime();
    #[unroll]
    for look in 0..EDGES_TOGETHER {
        let other = others[look];
        // Both sides of an `and` are read: never beyond the last vertex.
        if other != u32::MAX && is_in_frontier::<Op>(op, pull, min(other, pull.vertices - 1), now) {
            hit = other;
        }
    }
    hit
}

/// Whether a vertex is in the frontier.
#[cube]
fn is_in_frontier<Op: PullOp>(op: &Op, pull: &Pull, vertex: u32, now: &Array<u32>) -> bool {
    if now[HAS_BITMAP] == 1 {
        let half = now[HALF] * pull.vertices.div_ceil(WORD);
        let word = pull.bitmaps[(half + vertex / WORD) as usize];
        (word >> (vertex % WORD)) & 1 == 1
    } else {
        op.is_at(vertex, now[ITERATION])
    }
}
