//! The graph of communities, made on the GPU.
//!
//! Communities are numbered. Each gets a table with two slots per edge of its vertices, in which all edges at once sum their
//! weights by the community that they lead to. What is in the tables are the edges of the next level.

use cubecl::prelude::*;
use equipoise_graph::parallel::*;
use equipoise_schedule::{
    ScheduleName,
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
    input::Input,
    primitives::{Sum, exclusive_scan, offsets, reduce},
    ranges::grid_stride_range,
};

use super::{
    arithmetic::*,
    level::{Level, LevelGraph},
    slots::slot_of,
};
use crate::{
    NONE, Result,
    kernels::{UNITS, concurrent_cubes, cubes_for},
    permute::look_up,
};

/// The graph of communities.
pub(super) struct Aggregated {
    pub level: Level<'static>,
    /// The vertex of the new level of each vertex.
    pub into: Buffer<u32>,
}

impl Level<'_> {
    /// The graph of communities, which are labelled with vertices.
    pub fn aggregated(&self, communities: &Buffer<u32>) -> Result<Aggregated> {
        let gpu = self.gpu();
        let (into, count) = numbered(gpu, communities)?;
        let members = Members::new(self, &into, count)?;
        let tables = Tables::new(self, &into, &members)?;
        let (strengths, total, shift) = members.strengths(gpu)?;
        let (rows, weights) = tables.rows(gpu, &members.starts, count, shift)?;
        // SAFETY: the rows are of communities, and weights between two are added for both.
        let graph = unsafe { DeviceGraph::from_device_rows(gpu, rows) }?;
        let graph = LevelGraph::Other(graph.into());
        let level = Level { graph, weights, strengths, total };
        Ok(Aggregated { level, into })
    }
}

/// The number of each vertex's community, and how many communities exist.
pub(super) fn numbered(gpu: &Gpu, communities: &Buffer<u32>) -> Result<(Buffer<u32>, u32)> {
    let vertices = communities.len() as u32;
    let used = gpu.filled(communities.len(), 0u32)?;
    // SAFETY: communities are labelled with vertices, and each array has an element per vertex.
    unsafe {
        mark::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            cubes_for(gpu, vertices),
            CubeDim::new_1d(UNITS),
            communities.arg(),
            used.arg(),
            vertices,
        );
    }
    let numbers = exclusive_scan(gpu, &used)?;
    // SAFETY: communities are labelled with vertices, of which each has a number.
    let into = unsafe { look_up(gpu, &numbers, communities)? };
    Ok((into, gpu.download(&reduce::<Sum<u32>>(gpu, &used)?)?[0]))
}

/// What the vertices of each community have in all.
struct Members {
    /// Where the table of each community starts, in pairs of slots.
    starts: Buffer<u32>,
    strengths: WideSums,
}

impl Members {
    fn new(level: &Level, into: &Buffer<u32>, count: u32) -> Result<Self> {
        let (gpu, count) = (level.gpu(), count as usize);
        let (edges, strengths) = (gpu.filled(count, 0)?, WideSums::zeros(gpu, count)?);
        // SAFETY: each vertex has a strength and a community, and each community three sums.
        unsafe {
            collect::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes_for(gpu, level.graph.vertices()),
                CubeDim::new_1d(UNITS),
                level.graph.offsets().arg(),
                level.strengths.arg(),
                into.arg(),
                AtomicArray::bind(gpu, &edges),
                strengths.atomic(gpu),
                level.graph.vertices(),
            );
        }
        Ok(Self { starts: offsets(gpu, &edges)?, strengths })
    }

    /// The strengths of communities, their sum, and the bits by which they were shortened to fit 32.
    fn strengths(&self, gpu: &Gpu) -> Result<(Buffer<u32>, f64, u32)> {
        let WideSums { low, high } = &self.strengths;
        let [low_words, high_words] = [gpu.download(low)?, gpu.download(high)?];
        let wide = |(&low, &high): (&u32, &u32)| u64::from(high) << 32 | u64::from(low);
        let strengths: Vec<u64> = low_words.par_iter().zip(&high_words).map(wide).collect();
        let most = strengths.par_iter().max().copied().unwrap_or(0);
        let shift = (u64::BITS - most.leading_zeros()).saturating_sub(u32::BITS);
        let short = |strength: &u64| (strength >> shift) as u32;
        let strengths: Vec<u32> = strengths.par_iter().map(short).collect();
        let total: u64 = strengths.par_iter().map(|&strength| u64::from(strength)).sum();
        let strengths = if shift == 0 { low.clone() } else { gpu.upload(&strengths)? };
        Ok((strengths, total as f64, shift))
    }
}

/// The sums of weights by pairs of communities.
struct Tables {
    keys: Buffer<u32>,
    sums: WideSums,
}

impl Tables {
    fn new(level: &Level, into: &Buffer<u32>, members: &Members) -> Result<Self> {
        let gpu = level.gpu();
        let slots = 2 * level.graph.edges() as usize;
        let (keys, sums) = (gpu.filled(slots, NONE)?, WideSums::zeros(gpu, slots)?);
        let merge = || {
            MergeEdgesLaunch::new(
                into.arg(),
                level.weights.arg(),
                members.starts.arg(),
                AtomicArray::bind(gpu, &keys),
                sums.atomic(gpu),
            )
        };
        // SAFETY: vertices have communities, and communities twice as many slots as edges.
        gather(&level.graph, ScheduleName::MergePath.into(), &unsafe {
            Operation::<MergeEdges>::unchecked(merge)
        })?;
        Ok(Self { keys, sums })
    }

    /// The rows of the new graph, and the weights of its edges without their last `shift` bits.
    fn rows(
        &self,
        gpu: &Gpu,
        starts: &Buffer<u32>,
        count: u32,
        shift: u32,
    ) -> Result<(DeviceRows, Buffer<u32>)> {
        let slots = self.keys.len() as u32;
        let used = gpu.filled(self.keys.len(), 0u32)?;
        // SAFETY: each slot has a flag.
        unsafe {
            mark_used::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                concurrent_cubes(gpu),
                CubeDim::new_1d(UNITS),
                self.keys.arg(),
                used.arg(),
                slots,
            );
        }
        let places = offsets(gpu, &used)?;
        let edges = gpu.download(&reduce::<Sum<u32>>(gpu, &used)?)?[0] as usize;
        let (targets, weights) = (gpu.empty(edges)?, gpu.empty(edges)?);
        let rows = DeviceRows { offsets: gpu.empty(count as usize + 1)?, targets };
        // SAFETY: each used slot has a place among the edges, and tables start and end at slots.
        unsafe {
            move_used::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                concurrent_cubes(gpu),
                CubeDim::new_1d(UNITS),
                self.keys.arg(),
                self.sums.low.arg(),
                self.sums.high.arg(),
                places.arg(),
                rows.targets.arg(),
                weights.arg(),
                slots,
                shift,
            );
            start_rows::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes_for(gpu, count + 1),
                CubeDim::new_1d(UNITS),
                starts.arg(),
                places.arg(),
                rows.offsets.arg(),
                count + 1,
            );
        }
        Ok((rows, weights))
    }
}

#[cube(launch_unchecked)]
fn mark(communities: &Array<u32>, used: &mut Array<u32>, vertices: u32) {
    for vertex in grid_stride_range(0, vertices) {
        let community = communities[vertex as usize];
        used[community as usize] = 1u32;
    }
}

#[cube(launch_unchecked)]
#[allow(clippy::too_many_arguments)]
fn collect(
    offsets: &Array<u32>,
    strengths: &Array<u32>,
    into: &Array<u32>,
    edges: &mut AtomicArray,
    sums: &mut AtomicWide,
    vertices: u32,
) {
    for vertex in grid_stride_range(0, vertices) {
        let community = into[vertex as usize];
        edges.fetch_add(community, offsets[vertex as usize + 1] - offsets[vertex as usize]);
        sums.add(community, strengths[vertex as usize]);
    }
}

/// Adds the weight of each edge between communities to the table of one of them.
#[derive(CubeType, CubeLaunch)]
struct MergeEdges {
    into: Input<u32>,
    weights: Input<u32>,
    starts: Input<u32>,
    keys: AtomicArray,
    sums: AtomicWide,
}

impl GatherOpKind for MergeEdges {}

#[cube]
impl GatherOp for MergeEdges {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, vertex: u32, neighbour: u32, edge: u32) -> u32 {
        let own = self.into[vertex as usize];
        let other = self.into[neighbour as usize];
        let weight = self.weights[edge as usize];
        if own != other {
            let start = 2 * self.starts[own as usize];
            let end = 2 * self.starts[own as usize + 1];
            let slot = slot_of(&mut self.keys, start, end, other);
            self.sums.add(slot, weight);
        }
        0u32.runtime()
    }

    fn combine(a: u32, b: u32) -> u32 {
        a + b
    }

    fn apply(&mut self, _vertex: u32, _total: u32) {}
}

#[cube(launch_unchecked)]
fn mark_used(keys: &Array<u32>, used: &mut Array<u32>, slots: u32) {
    for slot in grid_stride_range(0, slots) {
        used[slot as usize] = u32::cast_from(keys[slot as usize] != NONE);
    }
}

#[cube(launch_unchecked)]
#[allow(clippy::too_many_arguments)]
fn move_used(
    keys: &Array<u32>,
    low: &Array<u32>,
    high: &Array<u32>,
    places: &Array<u32>,
    targets: &mut Array<u32>,
    weights: &mut Array<u32>,
    slots: u32,
    #[comptime] shift: u32,
) {
    for slot in grid_stride_range(0, slots) {
        let key = keys[slot as usize];
        if key != NONE {
            let place = places[slot as usize] as usize;
            let mut weight = low[slot as usize];
            if comptime!(shift > 0) {
                weight = (weight >> shift) | (high[slot as usize] << (32 - shift));
            }
            targets[place] = key;
            weights[place] = weight;
        }
    }
}

#[cube(launch_unchecked)]
fn start_rows(starts: &Array<u32>, places: &Array<u32>, offsets: &mut Array<u32>, count: u32) {
    for row in grid_stride_range(0, count) {
        let place = places[2 * starts[row as usize] as usize];
        offsets[row as usize] = place;
    }
}
