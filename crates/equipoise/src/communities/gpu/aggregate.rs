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
    level::{Level, LevelGraph},
    moves::add_wide,
    table::slot_of,
};
use crate::{
    NONE, Result,
    kernels::{UNITS, concurrent_cubes, cubes_for},
};

/// The graph of communities, and what is known of it.
pub(super) struct Aggregated {
    pub level: Level<'static>,
    /// The weight of the edges within communities, from both ends, if 32 bits hold it.
    pub inside: u32,
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
        let inside = gpu.download(&reduce::<Sum<u32>>(gpu, &tables.inside)?)?[0];
        let (strengths, total, shift) = members.strengths(gpu)?;
        let (rows, weights) = tables.rows(gpu, &members.starts, count, shift)?;
        // SAFETY: the rows are of communities, and weights between two are added for both.
        let graph = unsafe { DeviceGraph::from_device_rows(gpu, rows) }?;
        let graph = LevelGraph::Other(graph.into());
        let level = Level { graph, weights, strengths, total };
        Ok(Aggregated { level, inside, into })
    }
}

/// The number of each vertex's community, and how many communities exist.
fn numbered(gpu: &Gpu, communities: &Buffer<u32>) -> Result<(Buffer<u32>, u32)> {
    let vertices = communities.len() as u32;
    let used = gpu.filled(communities.len(), 0u32)?;
    let into = gpu.empty(communities.len())?;
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
    look_up(gpu, &numbers, communities, &into);
    Ok((into, gpu.download(&reduce::<Sum<u32>>(gpu, &used)?)?[0]))
}

/// Finds the value at each index.
pub(super) fn look_up(gpu: &Gpu, values: &Buffer<u32>, indices: &Buffer<u32>, found: &Buffer<u32>) {
    let count = indices.len() as u32;
    // SAFETY: callers pass indices of values, and as many results.
    unsafe {
        look_up_each::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            cubes_for(gpu, count),
            CubeDim::new_1d(UNITS),
            values.arg(),
            indices.arg(),
            found.arg(),
            count,
        );
    }
}

/// What the vertices of each community have in all.
struct Members {
    /// Where the table of each community starts, in pairs of slots.
    starts: Buffer<u32>,
    low: Buffer<u32>,
    high: Buffer<u32>,
}

impl Members {
    fn new(level: &Level, into: &Buffer<u32>, count: u32) -> Result<Self> {
        let (gpu, count) = (level.gpu(), count as usize);
        let (edges, low, high) =
            (gpu.filled(count, 0)?, gpu.filled(count, 0)?, gpu.filled(count, 0)?);
        let array = |buffer| AtomicArray::bind(gpu, buffer);
        // SAFETY: each vertex has a strength and a community, and each community three sums.
        unsafe {
            collect::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes_for(gpu, level.graph.vertices()),
                CubeDim::new_1d(UNITS),
                level.graph.offsets().arg(),
                level.strengths.arg(),
                into.arg(),
                array(&edges),
                array(&low),
                array(&high),
                level.graph.vertices(),
            );
        }
        Ok(Self { starts: offsets(gpu, &edges)?, low, high })
    }

    /// The strengths of communities, their sum, and the bits by which they were shortened to fit 32.
    fn strengths(&self, gpu: &Gpu) -> Result<(Buffer<u32>, f64, u32)> {
        let (low, high) = (gpu.download(&self.low)?, gpu.download(&self.high)?);
        let wide = |(&low, &high): (&u32, &u32)| u64::from(high) << 32 | u64::from(low);
        let strengths: Vec<u64> = low.par_iter().zip(&high).map(wide).collect();
        let most = strengths.par_iter().max().copied().unwrap_or(0);
        let shift = (u64::BITS - most.leading_zeros()).saturating_sub(u32::BITS);
        let short = |strength: &u64| (strength >> shift) as u32;
        let strengths: Vec<u32> = strengths.par_iter().map(short).collect();
        let total: u64 = strengths.par_iter().map(|&strength| u64::from(strength)).sum();
        let strengths = if shift == 0 { self.low.clone() } else { gpu.upload(&strengths)? };
        Ok((strengths, total as f64, shift))
    }
}

/// The sums of weights by pairs of communities.
struct Tables {
    keys: Buffer<u32>,
    low: Buffer<u32>,
    high: Buffer<u32>,
    /// Per vertex, the weight of its edges within its community.
    inside: Buffer<u32>,
}

impl Tables {
    fn new(level: &Level, into: &Buffer<u32>, members: &Members) -> Result<Self> {
        let gpu = level.gpu();
        let slots = 2 * level.graph.edges() as usize;
        let (keys, low) = (gpu.filled(slots, NONE)?, gpu.filled(slots, 0u32)?);
        let high = gpu.filled(slots, 0u32)?;
        let inside = gpu.filled(level.graph.vertices() as usize, 0u32)?;
        let merge = || {
            MergeEdgesLaunch::new(
                into.arg(),
                level.weights.arg(),
                members.starts.arg(),
                AtomicArray::bind(gpu, &keys),
                AtomicArray::bind(gpu, &low),
                AtomicArray::bind(gpu, &high),
                inside.arg(),
            )
        };
        // SAFETY: vertices have communities, and communities twice as many slots as edges.
        gather(&level.graph, ScheduleName::MergePath.into(), &unsafe {
            Operation::<MergeEdges>::unchecked(merge)
        })?;
        Ok(Self { keys, low, high, inside })
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
                self.low.arg(),
                self.high.arg(),
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
fn look_up_each(values: &Array<u32>, indices: &Array<u32>, found: &mut Array<u32>, count: u32) {
    for index in grid_stride_range(0, count) {
        let value = values[indices[index as usize] as usize];
        found[index as usize] = value;
    }
}

#[cube(launch_unchecked)]
#[allow(clippy::too_many_arguments)]
fn collect(
    offsets: &Array<u32>,
    strengths: &Array<u32>,
    into: &Array<u32>,
    edges: &mut AtomicArray,
    low: &mut AtomicArray,
    high: &mut AtomicArray,
    vertices: u32,
) {
    for vertex in grid_stride_range(0, vertices) {
        let community = into[vertex as usize];
        edges.fetch_add(community, offsets[vertex as usize + 1] - offsets[vertex as usize]);
        add_wide(low, high, community, strengths[vertex as usize]);
    }
}

/// Adds the weight of each edge to the table of its community, or to what is inside of it.
#[derive(CubeType, CubeLaunch)]
struct MergeEdges {
    into: Input<u32>,
    weights: Input<u32>,
    starts: Input<u32>,
    keys: AtomicArray,
    low: AtomicArray,
    high: AtomicArray,
    inside: Array<u32>,
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
        let mut inside = weight;
        if own != other {
            let start = 2 * self.starts[own as usize];
            let end = 2 * self.starts[own as usize + 1];
            let slot = slot_of(&mut self.keys, start, end, other);
            add_wide(&mut self.low, &mut self.high, slot, weight);
            inside = 0u32.runtime();
        }
        inside
    }

    fn combine(a: u32, b: u32) -> u32 {
        a + b
    }

    fn apply(&mut self, vertex: u32, total: u32) {
        self.inside[vertex as usize] = total;
    }
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
