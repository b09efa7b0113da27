//! A frontier as a list of parts: at most 256 edges of a vertex each, so that cubes which take the
//! same number of parts have about the same to do.

use cubecl::prelude::*;

use super::{counts::*, graph::*};
use crate::{
    Error, Result,
    atomics::*,
    device::{Buffer, GpuRuntime},
    ranges::*,
};

/// The most edges of a part.
pub(crate) const PART: u32 = 256;
/// A part with more edges is long, for a few units alone.
pub(super) const FEW: u32 = 16;
/// The most parts that a unit puts alone.
const SOME: u32 = 16;
/// Words of a part: its vertex, its first edge, how many edges it has.
const PART_WORDS: u32 = 3;

/// Parts of vertices' edges: those of this iteration, and those of the next, each in one half.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Parts {
    /// For each half, the vertices of all parts, then their first edges, then how many they have.
    pub parts: Array<u32>,
    /// The parts that a half has room for.
    pub room: u32,
}

#[cube]
impl Parts {
    /// Where a half starts.
    pub fn half(&self, half: u32) -> u32 {
        half * (PART_WORDS * self.room)
    }

    /// The vertex of a part, of the half that starts there.
    pub fn vertex(&self, half: u32, part: u32) -> u32 {
        self.parts[(half + part) as usize]
    }

    /// The first edge of a part.
    pub fn begin(&self, half: u32, part: u32) -> u32 {
        self.parts[(half + self.room + part) as usize]
    }

    /// How many edges a part has.
    pub fn length(&self, half: u32, part: u32) -> u32 {
        self.parts[(half + 2 * self.room + part) as usize]
    }

    fn put(&mut self, place: u32, vertex: u32, begin: u32, length: u32) {
        self.parts[place as usize] = vertex;
        self.parts[(place + self.room) as usize] = begin;
        self.parts[(place + 2 * self.room) as usize] = length;
    }

    /// Puts the parts of a vertex from `start` on. Units that count as one, of so many, call it
    /// together.
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

    /// Lists vertices in the half that starts at `next`, and counts them. All units of a plane call
    /// it together.
    pub fn add(
        &mut self,
        candidates: &Candidates,
        counts: &Counts,
        words: &mut AtomicArray,
        slot: u32,
        next: u32,
        #[comptime] count: usize,
    ) {
        // Those with one part: how many, and their edges in the lower bits, which have room for
        // those of a plane.
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
                start = counts.reserve(words, slot, singles, FOUND_PARTS);
                counts.add_alone(slot, singles, FOUND);
                counts.add_alone(slot, up_to % comptime!(1u32 << SINGLE_BITS), FOUND_EDGES);
            }
            let before = (up_to >> SINGLE_BITS) - (single >> SINGLE_BITS);
            let mut place = next + plane_shuffle(start, PLANE_DIM - 1) + before;
            #[unroll]
            for item in 0..count {
                let degree = candidates.degrees[item];
                if candidates.listed[item] == 1 && degree > 0 && degree <= PART {
                    self.put(place, candidates.vertices[item], candidates.begins[item], degree);
                    place += 1;
                }
            }
            if plane_any(is_long) && UNIT_POS_PLANE == 0 {
                counts.add_alone(slot, 1u32, FOUND_LONG);
            }
        }
        if plane_any(is_other) {
            self.add_others(candidates, counts, words, slot, next, count);
        }
    }

    /// As [`add`](Self::add), those that have no part, or several.
    fn add_others(
        &mut self,
        candidates: &Candidates,
        counts: &Counts,
        words: &mut AtomicArray,
        slot: u32,
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
        counts.add(slot, vertices, FOUND);
        counts.add(slot, edges, FOUND_EDGES);
        counts.add(slot, parts, FOUND_LONG);
        let mut place = next + counts.reserve_together(words, slot, parts, FOUND_PARTS);
        #[unroll]
        for item in 0..count {
            let (vertex, begin) = (candidates.vertices[item], candidates.begins[item]);
            self.put_long(place, vertex, begin, degrees[item]);
            place += degrees[item].div_ceil(PART);
        }
    }

    /// Puts the parts of vertices that have several: of each unit one vertex, or none. Those of
    /// many parts all units of a plane put together, one vertex after the other.
    fn put_long(&mut self, place: u32, vertex: u32, begin: u32, degree: u32) {
        let mut waits = degree > comptime!(PART * SOME);
        if !waits {
            self.put_all(place, vertex, begin, degree, 0u32, 1u32);
        }
        while plane_any(waits) {
            let mut lane = u32::MAX.runtime();
            if waits {
                lane = UNIT_POS_PLANE;
            }
            let chosen = plane_min(lane);
            self.put_all(
                plane_shuffle(place, chosen),
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

/// Bits for the edges of vertices of one part that a plane lists at a time: of 64 units, four each.
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
    /// None of so many is listed.
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

    /// Reads where the edges of a vertex are.
    pub fn read(&mut self, rows: &Rows, vertex: u32, #[comptime] item: usize) {
        let begin = rows.offsets[vertex as usize];
        self.vertices[item] = vertex;
        self.begins[item] = begin;
        self.degrees[item] = rows.offsets[vertex as usize + 1] - begin;
    }
}

/// The memory of [`Parts`].
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

/// The parts of all vertices: each has one part that is not full, at most.
fn most_parts(vertices: u64, edges: u64) -> u64 {
    vertices + edges / u64::from(PART)
}

/// The words of a GPU's memory that a frontier in [parts](super::Spread::Parts) takes, for a graph of
/// so many vertices and edges.
///
/// ```
/// use equipoise_schedule::engine::parts_words;
///
/// // Three words for each part, of this iteration and of the next.
/// assert_eq!(parts_words(10, 512), 2 * 3 * 12);
/// ```
pub fn parts_words(vertices: u64, edges: u64) -> u64 {
    2 * u64::from(PART_WORDS) * most_parts(vertices, edges)
}
