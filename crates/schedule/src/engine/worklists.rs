//! The worklists of a loop: frontiers as lists of parts of at most 256 edges of a vertex, so that equal numbers of
//! parts are about equal work.

use cubecl::prelude::*;

use super::{counts::*, graph::*, operation::EdgeKind, rows::*, state::*};
use crate::{
    Error, Result,
    atomics::*,
    device::{Buffer, GpuRuntime},
    ranges::*,
};

/// The most edges of a part.
pub(crate) const PART: u32 = 256;
/// A part with more edges is long for a few units.
pub(super) const FEW: u32 = 16;
/// The most parts that a unit lists alone.
const SOME: u32 = 16;
/// Words per part: its vertex, its first edge, its number of edges.
const PART_WORDS: u32 = 3;

/// Parts of vertices' edges: of this iteration and of the next, each in one half.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Parts {
    /// For each half, the vertices of all parts, then their first edges, then their numbers of edges.
    pub parts: Array<u32>,
    /// The capacity of a half, in parts.
    pub room: u32,
}

#[cube]
impl Parts {
    /// The start of a half.
    pub fn half(&self, half: u32) -> u32 {
        half * (PART_WORDS * self.room)
    }

    /// The vertex of a part of the half at `half`.
    pub fn vertex(&self, half: u32, part: u32) -> u32 {
        self.parts[(half + part) as usize]
    }

    /// The first edge of a part.
    pub fn begin(&self, half: u32, part: u32) -> u32 {
        self.parts[(half + self.room + part) as usize]
    }

    /// The number of edges of a part.
    pub fn length(&self, half: u32, part: u32) -> u32 {
        self.parts[(half + 2 * self.room + part) as usize]
    }

    fn put(&mut self, position: u32, vertex: u32, begin: u32, length: u32) {
        self.parts[position as usize] = vertex;
        self.parts[(position + self.room) as usize] = begin;
        self.parts[(position + 2 * self.room) as usize] = length;
    }

    /// Lists the parts of a vertex from `start` on. `units` units call it together, each with its number `unit`.
    pub fn put_all(
        &mut self,
        start: u32,
        vertex: u32,
        begin: u32,
        degree: u32,
        unit: u32,
        units: u32,
    ) {
        for part in step_range(unit, degree.div_ceil(PART), units) {
            let done = part * PART;
            self.put(start + part, vertex, begin + done, min(degree - done, PART.runtime()));
        }
    }

    /// Lists vertices in the half at `next`, and counts them. All units of a plane call it together.
    pub fn add(
        &mut self,
        candidates: &Candidates,
        counts: &Counts,
        words: &mut AtomicArray,
        next: u32,
        #[comptime] count: usize,
    ) {
        // Vertices with one part: their number, and in the lower bits their edges, which fit for a plane.
        let mut single = 0u32;
        let mut is_long = false;
        let mut is_other = false;
        #[unroll]
        for item in 0..count {
            if candidates.listed[item] == 1 {
                let degree = candidates.degrees[item];
                is_long = is_long || degree > FEW;
                if degree > 0 && degree <= PART {
                    single += comptime!(1u32 << SINGLE_BITS) + degree;
                } else {
                    is_other = true;
                }
            }
        }
        if plane_any(single > 0) {
            let up_to = counts.sum_up_to(single);
            let mut start = 0u32;
            if UNIT_POS_PLANE == PLANE_DIM - 1 {
                let singles = up_to >> SINGLE_BITS;
                start = counts.reserve(words, singles, FOUND_PARTS);
                counts.add_alone(singles, FOUND);
                counts.add_alone(up_to % comptime!(1u32 << SINGLE_BITS), FOUND_EDGES);
            }
            let before = (up_to >> SINGLE_BITS) - (single >> SINGLE_BITS);
            let mut position = next + plane_shuffle(start, PLANE_DIM - 1) + before;
            #[unroll]
            for item in 0..count {
                let degree = candidates.degrees[item];
                if candidates.listed[item] == 1 && degree > 0 && degree <= PART {
                    self.put(position, candidates.vertices[item], candidates.begins[item], degree);
                    position += 1;
                }
            }
            if plane_any(is_long) && UNIT_POS_PLANE == 0 {
                counts.add_alone(1u32, FOUND_LONG);
            }
        }
        if plane_any(is_other) {
            self.add_others(candidates, counts, words, next, count);
        }
    }

    /// Like [`add`](Self::add), for vertices with no part or several.
    fn add_others(
        &mut self,
        candidates: &Candidates,
        counts: &Counts,
        words: &mut AtomicArray,
        next: u32,
        #[comptime] count: usize,
    ) {
        let mut degrees = Array::<u32>::new(count);
        let mut parts = 0u32;
        let mut edges = 0u32;
        let mut vertices = 0u32;
        #[unroll]
        for item in 0..count {
            let degree = candidates.degrees[item];
            degrees[item] = 0u32;
            if candidates.listed[item] == 1 && (degree == 0 || degree > PART) {
                degrees[item] = degree;
                parts += degree.div_ceil(PART);
                edges += degree;
                vertices += 1;
            }
        }
        counts.add(vertices, FOUND);
        counts.add(edges, FOUND_EDGES);
        counts.add(parts, FOUND_LONG);
        let mut position = next + counts.reserve_together(words, parts, FOUND_PARTS);
        #[unroll]
        for item in 0..count {
            let (vertex, begin) = (candidates.vertices[item], candidates.begins[item]);
            self.put_long(position, vertex, begin, degrees[item]);
            position += degrees[item].div_ceil(PART);
        }
    }

    /// Lists the parts of a vertex with several, one vertex or none per unit. Those of many parts are listed by all
    /// units of a plane, one vertex after the other.
    fn put_long(&mut self, position: u32, vertex: u32, begin: u32, degree: u32) {
        let mut waits = degree > comptime!(PART * SOME);
        if !waits {
            self.put_all(position, vertex, begin, degree, 0u32, 1u32);
        }
        while plane_any(waits) {
            let mut lane = u32::MAX.runtime();
            if waits {
                lane = UNIT_POS_PLANE;
            }
            let chosen = plane_min(lane);
            self.put_all(
                plane_shuffle(position, chosen),
                plane_shuffle(vertex, chosen),
                plane_shuffle(begin, chosen),
                plane_shuffle(degree, chosen),
                UNIT_POS_PLANE,
                PLANE_DIM,
            );
            waits = waits && UNIT_POS_PLANE != chosen;
        }
    }
}

/// Bits for the edges of single-part vertices that a plane lists at a time: 64 units with four each.
const SINGLE_BITS: u32 = 20;

/// Vertices that a unit may list.
#[derive(CubeType)]
pub(crate) struct Candidates {
    pub vertices: Array<u32>,
    pub begins: Array<u32>,
    pub degrees: Array<u32>,
    /// Whether each is listed: 0 or 1.
    pub listed: Array<u32>,
}

#[cube]
impl Candidates {
    /// `count` candidates, none of which is listed.
    pub fn new(#[comptime] count: usize) -> Candidates {
        let mut listed = Array::<u32>::new(count);
        #[unroll]
        for item in 0..count {
            listed[item] = 0u32;
        }
        Candidates {
            vertices: Array::<u32>::new(count),
            begins: Array::<u32>::new(count),
            degrees: Array::<u32>::new(count),
            listed,
        }
    }

    /// Reads the location of a vertex' edges.
    pub fn read(&mut self, rows: &Rows, vertex: u32, #[comptime] item: usize) {
        let begin = rows.offsets[vertex as usize];
        self.vertices[item] = vertex;
        self.begins[item] = begin;
        self.degrees[item] = rows.offsets[vertex as usize + 1] - begin;
    }
}

// The treatment of a vertex whose label improved.

/// It is neither listed nor deferred.
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
    /// The iteration in which each vertex last joined a frontier, from 1; absent if vertices join once anyway.
    pub joined: ComptimeOption<Array<Atomic<u32>>>,
    /// The properties of the operation.
    #[cube(comptime)]
    pub kind: EdgeKind,
}

/// Vertices to which a unit offers labels, and their treatment.
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

#[cube]
impl Worklists {
    /// Lists vertices for the next iteration. All units of a plane call it together.
    pub fn list(
        &mut self,
        candidates: &Candidates,
        iteration: &Iteration,
        #[comptime] count: usize,
    ) {
        let next = self.parts.half(1 - iteration.state.half);
        self.parts.add(candidates, &iteration.counts, &mut self.words, next, count);
    }

    /// Whether an improved vertex joins: once per iteration.
    pub fn joins(&self, vertex: u32, iteration: u32) -> bool {
        let number = iteration + 1;
        #[comptime]
        match &self.joined {
            ComptimeOption::Some(joined) => joined[vertex as usize].fetch_max(number) < number,
            ComptimeOption::None => true.runtime(),
        }
    }
}

pub(crate) struct PartBuffer {
    parts: Buffer<u32>,
    room: u32,
}

impl PartBuffer {
    pub fn new(graph: &DeviceGraph) -> Result<Self> {
        let (vertices, edges) = (graph.vertices().into(), graph.edges().into());
        let words = parts_words(vertices, edges);
        if words > u64::from(u32::MAX) {
            let what = "a list of vertices and parts of vertices".into();
            return Err(Error::TooMany { what, count: words, limit: u32::MAX.into() });
        }
        let room = most_parts(vertices, edges) as u32;
        Ok(Self { parts: graph.gpu().empty(words as usize)?, room })
    }

    pub fn arg(&self) -> PartsLaunch<GpuRuntime> {
        PartsLaunch::new(self.parts.arg(), self.room)
    }
}

/// The parts of all vertices: each has at most one part that is not full.
fn most_parts(vertices: u64, edges: u64) -> u64 {
    vertices + edges / u64::from(PART)
}

/// The words of GPU memory of a frontier in [parts](super::Spread::Parts), for a graph of this size.
///
/// ```
/// use equipoise_schedule::engine::parts_words;
///
/// // Three words per part, for this iteration and the next.
/// assert_eq!(parts_words(10, 512), 2 * 3 * 12);
/// ```
pub fn parts_words(vertices: u64, edges: u64) -> u64 {
    2 * u64::from(PART_WORDS) * most_parts(vertices, edges)
}
