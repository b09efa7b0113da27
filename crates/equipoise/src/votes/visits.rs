//! The vertices that a sweep visits: in batches, and by the number of units that take a vertex.

use std::ops::Range;

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, Gpu, GpuRuntime},
    engine::DeviceGraph,
    primitives::histogram,
    ranges::*,
};

use super::choose::*;
use crate::{
    Result,
    kernels::{UNITS, cubes_for},
    random_order::RandomOrder,
};

/// The finest division of vertices: a batch is a range of these parts.
const PARTS: u32 = 32;
/// The upper bits of a rank are the part.
const PART_SHIFT: u32 = u32::BITS - PARTS.trailing_zeros();
/// The fewest batches.
const FEWEST_BATCHES: u32 = 4;
/// The fewest vertices per batch: smaller ones do not fill a GPU.
const FEWEST_PER_BATCH: u32 = 1 << 8;

/// Vertices with about as many edges: each class is visited by another number of units per vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DegreeClass {
    /// One unit per vertex.
    Few,
    /// A [group](super::choose::GROUP) of units, or a plane, per vertex.
    Some,
    /// A cube per vertex.
    Many,
    /// A large cube per vertex, and a table in global memory.
    Hub,
}

impl DegreeClass {
    pub const ALL: [Self; 4] = [Self::Few, Self::Some, Self::Many, Self::Hub];

    /// The most edges of a vertex of each class but the last.
    const MOST_EDGES: [u32; 3] = [8, 128, 1024];

    /// The most edges of a vertex of this class.
    pub const fn most_edges(self) -> u32 {
        match self {
            Self::Hub => u32::MAX,
            _ => Self::MOST_EDGES[self as usize],
        }
    }
}

const CLASSES: u32 = DegreeClass::ALL.len() as u32;
/// Classes and parts, as one number; a vertex that is not visited has a larger one.
const KEYS: u32 = CLASSES * PARTS;
/// Vertices that a cube places at once.
const PLACED_AT_ONCE: u32 = UNITS * 8;

/// The parts of all vertices that are a batch, for kernels.
#[derive(CubeType, CubeLaunch, Clone, Copy)]
pub(crate) struct Batch {
    to_rank: u32,
    first_part: u32,
    end_part: u32,
}

#[cube]
impl Batch {
    /// Whether a vertex is in the batch if it is visited.
    pub fn has(&self, vertex: u32) -> bool {
        let part = part_of(vertex, self.to_rank);
        part >= self.first_part && part < self.end_part
    }
}

#[cube]
fn part_of(vertex: u32, to_rank: u32) -> u32 {
    (vertex * to_rank) >> PART_SHIFT
}

/// Visited vertices of one class, in the order of their parts.
pub(crate) struct Listed<'v> {
    pub list: &'v Buffer<u32>,
    pub class: DegreeClass,
    pub range: Range<u32>,
}

/// The vertices that a sweep visits.
pub(crate) struct Visits {
    to_rank: u32,
    /// The vertices by class, and of each class by part.
    list: Buffer<u32>,
    /// Where each class and part starts, and where the last one ends.
    starts: Vec<u32>,
}

impl Visits {
    /// Lists the active vertices that have neighbours. All become inactive, and want to stay.
    pub fn new(
        graph: &DeviceGraph,
        active: &Buffer<u32>,
        labels: &Buffer<u32>,
        wishes: &Wishes,
        order: RandomOrder,
    ) -> Result<Self> {
        let (gpu, vertices) = (graph.gpu(), graph.vertices());
        let (to_rank, _) = order.multipliers();
        let keys = gpu.empty(vertices as usize)?;
        // SAFETY: each vertex has a row, a flag, a label, wishes and a key.
        unsafe {
            classify::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes_for(gpu, vertices),
                CubeDim::new_1d(UNITS),
                graph.offsets().arg(),
                active.arg(),
                labels.arg(),
                wishes.written(),
                keys.arg(),
                to_rank,
                vertices,
            );
        }
        let counts = gpu.download(&histogram(gpu, &keys, KEYS)?)?;
        let starts = starts_of(&counts);
        let list = placed(gpu, &keys, &starts)?;
        Ok(Self { to_rank, list, starts })
    }

    /// A vertex of each class, on a device that runs nothing.
    #[cfg(all(test, feature = "lower", target_os = "linux"))]
    pub fn assumed(gpu: &Gpu) -> Result<Self> {
        let starts = (0..=KEYS).collect();
        Ok(Self { to_rank: 1, list: gpu.empty(KEYS as usize)?, starts })
    }

    fn len(&self) -> u32 {
        self.starts[KEYS as usize]
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The batches of a sweep: in proportion to the visited vertices, so that as many of a neighbourhood move at once as in a
    /// sweep over all.
    pub fn batches(&self, vertices: u32) -> impl Iterator<Item = Range<u32>> + use<> {
        let share = u64::from(PARTS) * u64::from(self.len()) / u64::from(vertices.max(1));
        let wanted = (share as u32).min(vertices / FEWEST_PER_BATCH).next_power_of_two();
        let width = PARTS / wanted.clamp(FEWEST_BATCHES, PARTS);
        (0..PARTS).step_by(width as usize).map(move |first| first..first + width)
    }

    /// The argument that binds a batch.
    pub fn batch(&self, parts: &Range<u32>) -> BatchLaunch<GpuRuntime> {
        BatchLaunch::new(self.to_rank, parts.start, parts.end)
    }

    /// The vertices of some parts, of each class that has any.
    pub fn listed(&self, parts: Range<u32>) -> impl Iterator<Item = Listed<'_>> {
        DegreeClass::ALL.into_iter().filter_map(move |class| {
            let at = |part: u32| self.starts[(class as u32 * PARTS + part) as usize];
            let range = at(parts.start)..at(parts.end);
            (!range.is_empty()).then_some(Listed { list: &self.list, class, range })
        })
    }

    /// All visited vertices, of each class that has any.
    pub fn all(&self) -> impl Iterator<Item = Listed<'_>> {
        self.listed(0..PARTS)
    }
}

/// Where each key starts, and where the last one ends.
fn starts_of(counts: &[u32]) -> Vec<u32> {
    let before = |sum: &mut u32, &count: &u32| {
        *sum += count;
        Some(*sum)
    };
    std::iter::once(0).chain(counts.iter().scan(0, before)).collect()
}

/// The indices of keys, sorted by key; those of one key are in any order.
fn placed(gpu: &Gpu, keys: &Buffer<u32>, starts: &[u32]) -> Result<Buffer<u32>> {
    let count = keys.len() as u32;
    let list = gpu.empty(starts.last().copied().unwrap_or(0) as usize)?;
    let next = gpu.upload(&starts[..KEYS as usize])?;
    // SAFETY: the list has room for as many indices as have a key below `KEYS`, in the ranges that start at `next`.
    unsafe {
        place::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            gpu.cubes(u64::from(count.div_ceil(PLACED_AT_ONCE))),
            CubeDim::new_1d(UNITS),
            keys.arg(),
            next.arg(),
            list.arg(),
            count,
        );
    }
    Ok(list)
}

/// Writes the class and part of each active vertex with neighbours as one number, and a larger one for the others.
#[cube(launch_unchecked)]
#[allow(clippy::too_many_arguments)]
fn classify(
    offsets: &Array<u32>,
    active: &mut Array<u32>,
    labels: &Array<u32>,
    wishes: &mut WrittenWishes,
    keys: &mut Array<u32>,
    to_rank: u32,
    vertices: u32,
) {
    for vertex in grid_stride_range(0, vertices) {
        let edges = offsets[vertex as usize + 1] - offsets[vertex as usize];
        let mut key = KEYS.runtime();
        if active[vertex as usize] != 0 && edges > 0 {
            let mut class = 0u32;
            #[unroll]
            for limit in 0..CLASSES - 1 {
                let most = comptime!(DegreeClass::MOST_EDGES[limit as usize]);
                class += u32::cast_from(edges > most);
            }
            key = class * PARTS + part_of(vertex, to_rank);
        }
        keys[vertex as usize] = key;
        active[vertex as usize] = 0u32;
        wishes.clear(vertex, labels[vertex as usize]);
    }
}

/// Writes indices where those of their keys start. Each cube takes room for several at once: few keys would be contended.
#[cube(launch_unchecked)]
fn place(keys: &Array<u32>, next: &mut Array<Atomic<u32>>, list: &mut Array<u32>, count: u32) {
    let counts = SharedMemory::<Atomic<u32>>::new(comptime!(KEYS as usize));
    let mut firsts = SharedMemory::<u32>::new(comptime!(KEYS as usize));
    let blocks = count.div_ceil(PLACED_AT_ONCE);
    for block in step_range(CUBE_POS as u32, blocks, CUBE_COUNT as u32) {
        for key in step_range(UNIT_POS, KEYS.runtime(), UNITS.runtime()) {
            counts[key as usize].store(0u32);
        }
        sync_cube();
        let begin = block * PLACED_AT_ONCE + UNIT_POS;
        let end = min(count, (block + 1) * PLACED_AT_ONCE);
        for index in step_range(begin, end, UNITS.runtime()) {
            let key = keys[index as usize];
            if key < KEYS {
                counts[key as usize].fetch_add(1u32);
            }
        }
        sync_cube();
        for key in step_range(UNIT_POS, KEYS.runtime(), UNITS.runtime()) {
            let own = counts[key as usize].load();
            if own > 0 {
                firsts[key as usize] = next[key as usize].fetch_add(own);
            }
            counts[key as usize].store(0u32);
        }
        sync_cube();
        for index in step_range(begin, end, UNITS.runtime()) {
            let key = keys[index as usize];
            if key < KEYS {
                let position = firsts[key as usize] + counts[key as usize].fetch_add(1u32);
                list[position as usize] = index;
            }
        }
        sync_cube();
    }
}
