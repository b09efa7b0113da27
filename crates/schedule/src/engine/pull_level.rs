//! A pulled level: each unreached vertex looks for a neighbour in the frontier.

use cubecl::prelude::*;

use super::{counts::*, operation::*, rows::*, state::*, worklists::*};
use crate::ranges::*;

/// Vertices per word of a bitmap.
pub(super) const WORD: u32 = 32;
/// Vertices per unit at a time, so that their loads overlap.
const VERTICES_EACH: usize = 4;
/// Neighbours of each vertex at a time.
const EDGES_EACH: usize = 2;
const LOOKS: usize = VERTICES_EACH * EDGES_EACH;
/// Rounds of a unit before its plane helps. A vertex with thousands of incoming edges, none from the frontier, would
/// keep one unit busy long after all others.
const LOOKS_ALONE: u32 = 32;
/// Neighbours of one vertex per unit of a plane at a time.
const EDGES_TOGETHER: usize = 4;

/// The order's word that is 1 if the frontier has a bitmap: the previous level pulled.
pub(super) const HAS_BITMAP: usize = 2;

#[derive(CubeType, CubeLaunch)]
pub(crate) struct Pull {
    /// The incoming edges, unless they equal the outgoing ones.
    pub entering: ComptimeOption<Rows>,
    /// The frontiers of pulled levels: two bitmaps, one per half.
    pub bitmaps: Array<u32>,
    pub vertices: u32,
    /// The vertex at whose level the search stops.
    pub target: u32,
}

#[cube]
impl Pull {
    /// Where the incoming edges of a vertex start.
    fn offset(&self, leaving: &Rows, vertex: u32) -> u32 {
        #[comptime]
        match &self.entering {
            ComptimeOption::Some(entering) => entering.offsets[vertex as usize],
            ComptimeOption::None => leaving.offsets[vertex as usize],
        }
    }

    /// The source of an incoming edge.
    fn neighbor(&self, leaving: &Rows, edge: u32) -> u32 {
        #[comptime]
        match &self.entering {
            ComptimeOption::Some(entering) => entering.targets[edge as usize],
            ComptimeOption::None => leaving.targets[edge as usize],
        }
    }
}

/// Counts a found vertex if it is the target.
#[cube]
pub(super) fn count_target(target: u32, vertex: u32, counts: &Counts) {
    if vertex == target {
        counts.add_alone(1u32, OWN_SUM);
    }
}

/// Runs a level. All units of all cubes call it together.
///
/// The first pulled level reads the frontier from its labels, later ones from a bitmap, which takes a thirty-second of
/// the memory.
#[cube]
pub(super) fn pull_level<Op: PullOp>(
    op: &mut Op,
    pull: &mut Pull,
    lists: &mut Worklists,
    iteration: &Iteration,
) {
    let units = comptime!(iteration.units);
    let state = &iteration.state;
    // Vertices of a cube at a time, and their words.
    let chunk_size = comptime!(units * VERTICES_EACH as u32);
    let words_each = comptime!(chunk_size / WORD);
    let vertices = pull.vertices;
    let words = vertices.div_ceil(WORD);
    let next_bits = (1 - state.half) * words;
    let mut looked = 0u32;
    // Two sets: one is written out while the next is filled.
    let bits = SharedMemory::<Atomic<u32>>::new(comptime!(2 * words_each as usize));
    if UNIT_POS < comptime!(2 * words_each) {
        bits[UNIT_POS as usize].store(0u32);
    }
    sync_cube();
    let mut set = 0u32;
    for chunk in step_range(CUBE_POS as u32, vertices.div_ceil(chunk_size), CUBE_COUNT as u32) {
        let mut scan = Scan::new();
        #[unroll]
        for item in 0..VERTICES_EACH {
            let vertex = chunk * chunk_size + comptime!(item as u32 * units) + UNIT_POS;
            // A kernel evaluates both sides of an `and`, so the index must be valid.
            if vertex < vertices && op.is_open(min(vertex, vertices - 1)) {
                scan.edges[item] = pull.offset(&lists.rows, vertex);
                scan.ends[item] = pull.offset(&lists.rows, vertex + 1);
            }
        }
        look::<Op>(op, pull, &lists.rows, &mut scan, state);
        looked += scan.looked;
        let mut candidates = Candidates::new(VERTICES_EACH);
        #[unroll]
        for item in 0..VERTICES_EACH {
            if scan.hits[item] != u32::MAX {
                let in_chunk = comptime!(item as u32 * units) + UNIT_POS;
                let vertex = chunk * chunk_size + in_chunk;
                // Other units search for the frontier's level only, so that they may see this write or not.
                op.pull(vertex, state.iteration, scan.hits[item]);
                let word = set * words_each + in_chunk / WORD;
                bits[word as usize].fetch_or(1u32 << (in_chunk % WORD));
                candidates.read(&lists.rows, vertex, item);
                candidates.listed[item] = 1u32;
                count_target(pull.target, vertex, &iteration.counts);
            }
        }
        lists.list(&candidates, iteration, VERTICES_EACH);
        sync_cube();
        let word = chunk * words_each + UNIT_POS;
        if UNIT_POS < words_each && word < words {
            let slot = (set * words_each + UNIT_POS) as usize;
            pull.bitmaps[(next_bits + word) as usize] = bits[slot].load();
            bits[slot].store(0u32);
        }
        set = 1 - set;
    }
    iteration.counts.add(looked, LOOKED);
}

/// The progress of a unit along the edges of its vertices.
#[derive(CubeType)]
struct Scan {
    /// The next edge of each vertex.
    edges: Array<u32>,
    /// The end of the edges of each.
    ends: Array<u32>,
    /// A neighbour of each in the frontier; [`u32::MAX`] until one is found.
    hits: Array<u32>,
    /// The edges examined.
    looked: u32,
}

#[cube]
impl Scan {
    /// Vertices without edges.
    fn new() -> Scan {
        let mut edges = Array::<u32>::new(VERTICES_EACH);
        let mut ends = Array::<u32>::new(VERTICES_EACH);
        let mut hits = Array::<u32>::new(VERTICES_EACH);
        #[unroll]
        for item in 0..VERTICES_EACH {
            edges[item] = 0u32;
            ends[item] = 0u32;
            hits[item] = u32::MAX;
        }
        Scan { edges, ends, hits, looked: 0u32.runtime() }
    }

    /// The first vertex with edges left; [`VERTICES_EACH`] if none has any.
    fn first_left(&self) -> u32 {
        let mut left = comptime!(VERTICES_EACH as u32).runtime();
        #[unroll]
        for item in 0..VERTICES_EACH {
            if self.edges[item] < self.ends[item] && left == VERTICES_EACH as u32 {
                left = item as u32;
            }
        }
        left
    }
}

/// Follows the edges of each vertex until one leads to the frontier.
#[cube]
fn look<Op: PullOp>(op: &Op, pull: &Pull, leaving: &Rows, scan: &mut Scan, state: &LoopState) {
    let mut continues = false;
    #[unroll]
    for item in 0..VERTICES_EACH {
        continues = continues || scan.edges[item] < scan.ends[item];
    }
    let mut turn = 0u32;
    while continues && turn < LOOKS_ALONE {
        turn += 1;
        continues = false;
        // One loop per memory access, so that the accesses of a loop overlap.
        let mut others = Array::<u32>::new(LOOKS);
        let mut valid = Array::<u32>::new(LOOKS);
        #[unroll]
        for look in 0..LOOKS {
            let edge = scan.edges[look / EDGES_EACH] + comptime!((look % EDGES_EACH) as u32);
            others[look] = 0u32;
            valid[look] = 0u32;
            if edge < scan.ends[look / EDGES_EACH] {
                others[look] = pull.neighbor(leaving, edge);
                valid[look] = 1u32;
                scan.looked += 1u32;
            }
        }
        #[unroll]
        for look in 0..LOOKS {
            if is_in_frontier::<Op>(op, pull, others[look], state) && valid[look] == 1 {
                scan.hits[look / EDGES_EACH] = others[look];
            }
        }
        #[unroll]
        for item in 0..VERTICES_EACH {
            scan.edges[item] += comptime!(EDGES_EACH as u32);
            if scan.hits[item] != u32::MAX {
                scan.edges[item] = scan.ends[item];
            }
            continues = continues || scan.edges[item] < scan.ends[item];
        }
    }
    look_together::<Op>(op, pull, leaving, scan, state);
}

/// All units of a plane follow the remaining edges, one vertex after the other.
#[cube]
fn look_together<Op: PullOp>(
    op: &Op,
    pull: &Pull,
    leaving: &Rows,
    scan: &mut Scan,
    state: &LoopState,
) {
    let mut left = scan.first_left();
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
                edge = scan.edges[item];
                end = scan.ends[item];
            }
        }
        edge = plane_shuffle(edge, chosen);
        end = plane_shuffle(end, chosen);
        let mut hit = u32::MAX.runtime();
        while edge < end && hit == u32::MAX {
            hit = plane_min(look_at_one::<Op>(op, pull, leaving, edge, end, scan, state));
            edge += comptime!(EDGES_TOGETHER as u32) * PLANE_DIM;
        }
        if UNIT_POS_PLANE == chosen {
            #[unroll]
            for item in 0..VERTICES_EACH {
                if left == item as u32 {
                    scan.hits[item] = hit;
                    scan.edges[item] = scan.ends[item];
                }
            }
        }
        left = scan.first_left();
    }
}

/// Examines this unit's share of the next edges of a vertex. Returns a neighbour in the frontier, or [`u32::MAX`].
#[cube]
fn look_at_one<Op: PullOp>(
    op: &Op,
    pull: &Pull,
    leaving: &Rows,
    first: u32,
    end: u32,
    scan: &mut Scan,
    state: &LoopState,
) -> u32 {
    let mut others = Array::<u32>::new(EDGES_TOGETHER);
    #[unroll]
    for look in 0..EDGES_TOGETHER {
        let edge = first + comptime!(look as u32) * PLANE_DIM + UNIT_POS_PLANE;
        others[look] = u32::MAX;
        if edge < end {
            others[look] = pull.neighbor(leaving, edge);
            scan.looked += 1u32;
        }
    }
    let mut hit = u32::MAX.runtime();
    #[unroll]
    for look in 0..EDGES_TOGETHER {
        let other = others[look];
        // A kernel evaluates both sides of an `and`, so the index must be valid.
        if other != u32::MAX && is_in_frontier::<Op>(op, pull, min(other, pull.vertices - 1), state)
        {
            hit = other;
        }
    }
    hit
}

#[cube]
fn is_in_frontier<Op: PullOp>(op: &Op, pull: &Pull, vertex: u32, state: &LoopState) -> bool {
    if state.own[HAS_BITMAP] == 1 {
        let half = state.half * pull.vertices.div_ceil(WORD);
        let word = pull.bitmaps[(half + vertex / WORD) as usize];
        (word >> (vertex % WORD)) & 1 == 1
    } else {
        op.is_at(vertex, state.iteration)
    }
}
