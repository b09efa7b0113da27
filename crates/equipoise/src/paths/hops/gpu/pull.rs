//! Levels in which each vertex pulls the bits of its neighbours, until it has those of all searches.
//!
//! A unit pulls for a vertex with few edges, a plane for one with more, and several cubes for a hub.

use cubecl::prelude::*;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    engine::{DeviceRows, Rows},
    input::Input,
    primitives::{ByClass, sort_by_class},
    ranges::*,
};

use super::{bits::*, counters::*, sums::*};
use crate::{
    Result,
    kernels::{UNITS, concurrent_cubes, cubes_for},
};

/// The most edges of a vertex for which one unit pulls.
const MOST_OF_UNIT: u32 = 24;
/// The most edges of a vertex for which one plane pulls.
const MOST_OF_PLANE: u32 = 2048;
/// The cubes that pull for a hub, each along a part of its edges.
const CUBES_PER_HUB: u32 = 8;
/// Edges that a unit of a plane examines before the plane compares what is missing.
const AT_ONCE: u32 = 4;

/// The classes of vertices that are listed.
const PLANE_CLASS: u32 = 0;
const HUB_CLASS: u32 = 1;
const CLASSES: u32 = 2;

/// The vertices for which more than one unit pulls.
pub(super) struct Pulls {
    lists: ByClass,
}

/// The arguments of a level.
pub(super) struct PulledLevel<'l> {
    pub gpu: &'l Gpu,
    /// The edges that enter each vertex.
    pub entering: &'l DeviceRows,
    /// The searches that reached each vertex so far, and those after this level.
    pub reached: &'l Buffer<u32>,
    pub written: &'l Buffer<u32>,
    pub sums: &'l Buffer<u32>,
    pub counters: &'l Counters,
    pub hops: u32,
    pub slot: u32,
    /// A bit for each search.
    pub all: u64,
}

/// What each vertex looks at.
#[derive(CubeType, CubeLaunch)]
struct Pull {
    rows: Rows,
    /// The searches that reached each vertex so far.
    reached: Input<Bits>,
    /// A bit for each search.
    all_low: u32,
    all_high: u32,
    distance: Distance,
    slot: u32,
}

impl PulledLevel<'_> {
    fn arg(&self) -> PullLaunch<GpuRuntime> {
        PullLaunch::new(
            self.entering.arg(),
            self.reached.vector_arg(2),
            self.all as u32,
            (self.all >> 32) as u32,
            distance_arg(self.hops),
            self.slot,
        )
    }
}

impl Pulls {
    /// The words that they take, with those of sorting.
    pub fn words(vertices: u64) -> u64 {
        3 * vertices
    }

    pub fn new(gpu: &Gpu, entering: &DeviceRows, vertices: u32) -> Result<Self> {
        let classes = gpu.empty(vertices as usize)?;
        // SAFETY: each vertex has a row and a class.
        unsafe {
            classify::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes_for(gpu, vertices),
                CubeDim::new_1d(UNITS),
                entering.offsets.arg(),
                classes.arg(),
                vertices,
            );
        }
        Ok(Self { lists: sort_by_class(gpu, &classes, CLASSES)? })
    }

    /// Pulls for all vertices.
    pub fn pull(&self, level: &PulledLevel) {
        let (gpu, units) = (level.gpu, CubeDim::new_1d(UNITS));
        let vertices = level.entering.offsets.len() as u32 - 1;
        let (order, starts) = (&self.lists.order, &self.lists.offsets);
        // SAFETY: each vertex has a row, sums and two words in both arrays, the targets of edges are vertices, and listed
        // vertices are below the starts of their classes.
        unsafe {
            pull_alone::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes_for(gpu, vertices),
                units,
                level.arg(),
                level.written.vector_arg(2),
                level.sums.arg(),
                level.counters.arg(),
                vertices,
            );
            pull_by_plane::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                concurrent_cubes(gpu),
                units,
                level.arg(),
                order.arg(),
                starts.arg(),
                level.written.vector_arg(2),
                level.sums.arg(),
                level.counters.arg(),
            );
            pull_by_cubes::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                concurrent_cubes(gpu),
                units,
                level.arg(),
                order.arg(),
                starts.arg(),
                AtomicArray::bind(gpu, level.written),
                AtomicArray::bind(gpu, level.sums),
                level.counters.arg(),
            );
        }
    }
}

#[cube(launch_unchecked)]
fn classify(offsets: &Array<u32>, classes: &mut Array<u32>, vertices: u32) {
    for vertex in grid_stride_range(0, vertices) {
        let edges = offsets[vertex as usize + 1] - offsets[vertex as usize];
        let mut class = CLASSES.runtime();
        if edges > MOST_OF_PLANE {
            class = HUB_CLASS.runtime();
        } else if edges > MOST_OF_UNIT {
            class = PLANE_CLASS.runtime();
        }
        classes[vertex as usize] = class;
    }
}

#[cube]
impl Pull {
    /// The bits of the neighbour at the other end of an edge.
    fn bits_at(&self, edge: u32) -> Bits {
        self.reached[self.rows.targets[edge as usize] as usize]
    }
}

/// Copies the bits of hubs; writes those of vertices with few edges.
#[cube(launch_unchecked)]
fn pull_alone(
    pull: &Pull,
    written: &mut Array<Bits>,
    sums: &mut Array<u32>,
    counters: &mut AtomicArray,
    vertices: u32,
) {
    let mut tally = Tally::new();
    for vertex in grid_stride_range(0u32, vertices) {
        let before = pull.reached[vertex as usize];
        let missing_low = pull.all_low & !before[0];
        let missing_high = pull.all_high & !before[1];
        let mut low = 0u32;
        let mut high = 0u32;
        let begin = pull.rows.offsets[vertex as usize];
        let end = pull.rows.offsets[vertex as usize + 1];
        if end - begin <= MOST_OF_UNIT {
            let mut edge = begin;
            while edge < end && ((missing_low & !low) | (missing_high & !high)) != 0 {
                let more = pull.bits_at(edge);
                low |= more[0] & missing_low;
                high |= more[1] & missing_high;
                edge += 1;
            }
        }
        // Planes write those of other vertices, after this launch.
        written[vertex as usize] = bits(before[0] | low, before[1] | high);
        if (low | high) != 0 {
            let searches = tally.add(vertex, low, high, end - begin);
            add_distance(sums, vertex, searches, pull.distance);
        }
    }
    tally.store(counters, pull.slot);
}

/// A plane pulls for each listed vertex.
#[cube(launch_unchecked)]
fn pull_by_plane(
    pull: &Pull,
    list: &Array<u32>,
    starts: &Array<u32>,
    written: &mut Array<Bits>,
    sums: &mut Array<u32>,
    counters: &mut AtomicArray,
) {
    let mut tally = Tally::new();
    let first = starts[comptime!(PLANE_CLASS as usize)];
    let last = starts[comptime!(PLANE_CLASS as usize + 1)];
    for index in plane_grid_stride_range(first, last) {
        let vertex = list[index as usize];
        let before = pull.reached[vertex as usize];
        let missing_low = pull.all_low & !before[0];
        let missing_high = pull.all_high & !before[1];
        let mut low = 0u32;
        let mut high = 0u32;
        let begin = pull.rows.offsets[vertex as usize];
        let end = pull.rows.offsets[vertex as usize + 1];
        let mut edge = begin;
        // The same for all units of the plane, which have the same bits after each iteration.
        while edge < end && ((missing_low & !low) | (missing_high & !high)) != 0 {
            #[unroll]
            for _ in 0..AT_ONCE {
                let own = edge + UNIT_POS_PLANE;
                if own < end {
                    let more = pull.bits_at(own);
                    low |= more[0];
                    high |= more[1];
                }
                edge += PLANE_DIM;
            }
            low = plane_or(low) & missing_low;
            high = plane_or(high) & missing_high;
        }
        if UNIT_POS_PLANE == 0 && (low | high) != 0 {
            written[vertex as usize] = bits(before[0] | low, before[1] | high);
            let searches = tally.add(vertex, low, high, end - begin);
            add_distance(sums, vertex, searches, pull.distance);
        }
    }
    tally.store(counters, pull.slot);
}

/// Several cubes pull for each hub.
#[cube(launch_unchecked)]
fn pull_by_cubes(
    pull: &Pull,
    list: &Array<u32>,
    starts: &Array<u32>,
    written: &mut AtomicArray,
    sums: &mut AtomicArray,
    counters: &mut AtomicArray,
) {
    let mut tally = Tally::new();
    let found = SharedMemory::<Atomic<u32>>::new(2usize);
    let first = starts[comptime!(HUB_CLASS as usize)] * CUBES_PER_HUB;
    let last = starts[comptime!(HUB_CLASS as usize + 1)] * CUBES_PER_HUB;
    // The same number of iterations for all units of a cube, because they synchronise.
    for part in cube_grid_stride_range(first, last) {
        if UNIT_POS < 2 {
            found[UNIT_POS as usize].store(0u32);
        }
        sync_cube();
        let vertex = list[(part / CUBES_PER_HUB) as usize];
        let begin = pull.rows.offsets[vertex as usize];
        let edges = pull.rows.offsets[vertex as usize + 1] - begin;
        let own_edges = edges.div_ceil(CUBES_PER_HUB);
        let own_begin = min(part % CUBES_PER_HUB * own_edges, edges);
        let own_end = begin + min(own_begin + own_edges, edges);
        let before = pull.reached[vertex as usize];
        // What other cubes have found is not missing any more.
        let missing_low = pull.all_low & !(before[0] | written.get(2 * vertex));
        let missing_high = pull.all_high & !(before[1] | written.get(2 * vertex + 1));
        let mut low = 0u32;
        let mut high = 0u32;
        let mut edge = begin + own_begin + UNIT_POS;
        while edge < own_end && ((missing_low & !low) | (missing_high & !high)) != 0 {
            let more = pull.bits_at(edge);
            low |= more[0] & missing_low;
            high |= more[1] & missing_high;
            edge += CUBE_DIM;
        }
        if low != 0 {
            found[0].fetch_or(low);
        }
        if high != 0 {
            found[1].fetch_or(high);
        }
        sync_cube();
        if UNIT_POS == 0 {
            let all_low = found[0].load();
            let all_high = found[1].load();
            if (all_low | all_high) != 0 {
                let old_low = written.fetch_or(2 * vertex, all_low);
                let old_high = written.fetch_or(2 * vertex + 1, all_high);
                let new_low = all_low & !old_low;
                let new_high = all_high & !old_high;
                if (new_low | new_high) != 0 {
                    // The edges count once, for the first cube that finds something.
                    let mut counted = 0u32;
                    if old_low == before[0] && old_high == before[1] {
                        counted = edges;
                    }
                    let searches = tally.add(vertex, new_low, new_high, counted);
                    add_distance_atomically(sums, vertex, searches, pull.distance);
                }
            }
        }
        sync_cube();
    }
    tally.store(counters, pull.slot);
}
