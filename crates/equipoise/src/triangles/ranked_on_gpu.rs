//! The [ranked](super::ranked) edges of a graph, made on the GPU that holds it.
//!
//! Vertices are sorted by their degrees, and edges by their ends, with stable sorts of few bits at a time.

use std::sync::OnceLock;

use cubecl::prelude::*;
use equipoise_schedule::{
    ScheduleName,
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
    input::Input,
    primitives::{MAX_CLASSES, Max, offsets, reduce, sort_by_class},
    ranges::{grid_stride_range, step_range},
};

use crate::{
    Result,
    gpu_graph::GpuGraph,
    kernels::{UNITS, concurrent_cubes, cubes_for},
    once::get_or_try_init,
    permute::{identity, look_up, scatter},
    run::buffer_bytes,
};

/// The bits of a number that one pass sorts by.
const DIGIT_BITS: u32 = MAX_CLASSES.trailing_zeros();
/// Words per ranked edge while edges are sorted: both ends before and after, a digit, and the order.
const WORDS_PER_EDGE: u64 = 6;
/// Words per vertex: ranks, degrees, keys, lengths and starts of rows, and those of the ranked rows.
const WORDS_PER_VERTEX: u64 = 12;

/// Vertices ranked by descending degree, and for each rank its neighbours of smaller rank, ascending.
pub(crate) struct RankedOnGpu {
    pub ranks: Buffer<u32>,
    pub rows: DeviceRows,
}

/// Ranked edges on a GPU, made on first use.
#[derive(Default)]
pub(crate) struct RankedCache(OnceLock<RankedOnGpu>);

impl RankedCache {
    /// The bytes that [`get`](Self::get) will take.
    pub fn bytes_missing(&self, graph: &GpuGraph) -> Result<u64> {
        if self.0.get().is_some() {
            return Ok(0);
        }
        let (neighbors, _) = graph.neighbors()?;
        let edges = buffer_bytes(&graph.gpu, neighbors.entries() / 2, WORDS_PER_EDGE);
        let vertices = buffer_bytes(&graph.gpu, graph.vertices().into(), WORDS_PER_VERTEX);
        Ok(graph.bytes_missing_simple()?.saturating_add(edges).saturating_add(vertices))
    }

    /// The ranked edges, made on first use.
    pub fn get(&self, graph: &DeviceGraph) -> Result<&RankedOnGpu> {
        get_or_try_init(&self.0, || RankedOnGpu::new(graph))
    }
}

impl RankedOnGpu {
    /// Ranks the vertices of a simple undirected graph.
    pub fn new(graph: &DeviceGraph) -> Result<Self> {
        let (gpu, vertices) = (graph.gpu(), graph.vertices() as usize);
        let degrees = degrees(graph)?;
        let order = by_descending(gpu, &degrees)?;
        // SAFETY: the order has each vertex once.
        let ranks = unsafe { scatter(gpu, &identity(gpu, vertices)?, &order, vertices)? };
        let larger = Larger::new(graph, &order, &ranks)?;
        let lengths = smaller_lengths(gpu, &order, &degrees, &larger)?;
        let offsets = offsets(gpu, &lengths)?;
        let targets = larger.sorted(gpu, vertices as u32)?;
        Ok(Self { ranks, rows: DeviceRows { offsets, targets } })
    }
}

/// By rank, the number of neighbours of smaller rank.
fn smaller_lengths(
    gpu: &Gpu,
    order: &Buffer<u32>,
    degrees: &Buffer<u32>,
    larger: &Larger,
) -> Result<Buffer<u32>> {
    let (count, lengths) = (order.len() as u32, gpu.empty(order.len())?);
    // SAFETY: each rank has a vertex with a degree, a row of larger ranks, and a length.
    unsafe {
        smaller_ones::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            cubes_for(gpu, count),
            CubeDim::new_1d(UNITS),
            order.arg(),
            degrees.arg(),
            larger.starts.arg(),
            lengths.arg(),
            count,
        );
    }
    Ok(lengths)
}

fn degrees(graph: &DeviceGraph) -> Result<Buffer<u32>> {
    let (gpu, vertices) = (graph.gpu(), graph.vertices());
    let degrees = gpu.empty(vertices as usize)?;
    // SAFETY: each vertex has a row and a degree.
    unsafe {
        count_neighbors::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            cubes_for(gpu, vertices),
            CubeDim::new_1d(UNITS),
            graph.offsets().arg(),
            degrees.arg(),
            vertices,
        );
    }
    Ok(degrees)
}

/// The indices of numbers, from the largest number on; ascending for equal ones.
fn by_descending(gpu: &Gpu, numbers: &Buffer<u32>) -> Result<Buffer<u32>> {
    let most = gpu.download(&reduce::<Max<u32>>(gpu, numbers)?)?.first().copied().unwrap_or(0);
    let mut order = identity(gpu, numbers.len())?;
    for shift in shifts(most) {
        // SAFETY: the order has indices of numbers.
        let keys = unsafe { look_up(gpu, numbers, &order)? };
        let sorted = by_digit(gpu, &keys, shift, most)?;
        // SAFETY: the sorted order has indices of the order before.
        order = unsafe { look_up(gpu, &order, &sorted)? };
    }
    Ok(order)
}

/// The shifts that lead to the digits of numbers up to `most`, the last digit first.
fn shifts(most: u32) -> impl Iterator<Item = u32> {
    (0..u32::BITS - most.leading_zeros()).step_by(DIGIT_BITS as usize)
}

/// The stable order of keys by one digit of their differences from `most`, or, if that is [`ASCENDING`], by their own.
fn by_digit(gpu: &Gpu, keys: &Buffer<u32>, shift: u32, most: u32) -> Result<Buffer<u32>> {
    let (count, classes) = (keys.len() as u32, gpu.empty(keys.len())?);
    // SAFETY: each key has a class.
    unsafe {
        digits::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            cubes_for(gpu, count),
            CubeDim::new_1d(UNITS),
            keys.arg(),
            classes.arg(),
            shift,
            most,
            count,
        );
    }
    Ok(sort_by_class(gpu, &classes, MAX_CLASSES)?.order)
}

/// In place of a largest number: keys are sorted by themselves.
const ASCENDING: u32 = 0;

/// Each edge from its end of smaller rank, in the order of these ends.
struct Larger {
    /// Where the edges of each rank start.
    starts: Buffer<u32>,
    smaller: Buffer<u32>,
    larger: Buffer<u32>,
}

impl Larger {
    fn new(graph: &DeviceGraph, order: &Buffer<u32>, ranks: &Buffer<u32>) -> Result<Self> {
        let (gpu, vertices) = (graph.gpu(), graph.vertices());
        let lengths = gpu.empty(vertices as usize)?;
        let count = || CountLargerLaunch::new(ranks.arg(), lengths.arg());
        // SAFETY: each vertex has a rank, and each rank a length.
        let count = unsafe { Operation::<CountLarger>::unchecked(count) };
        gather(graph, ScheduleName::MergePath.into(), &count)?;
        let starts = offsets(gpu, &lengths)?;
        let edges = graph.edges() as usize / 2;
        let (smaller, larger) = (gpu.empty(edges)?, gpu.empty(edges)?);
        // SAFETY: one end of each edge has the smaller rank; the gather counted the edges of each.
        unsafe {
            list_larger::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                concurrent_cubes(gpu),
                CubeDim::new_1d(UNITS),
                graph.rows(),
                order.arg(),
                ranks.arg(),
                starts.arg(),
                smaller.arg(),
                larger.arg(),
                vertices,
            );
        }
        Ok(Self { starts, smaller, larger })
    }

    /// The smaller ends in the order of the larger ends, and ascending for each.
    fn sorted(self, gpu: &Gpu, vertices: u32) -> Result<Buffer<u32>> {
        let Self { mut smaller, mut larger, .. } = self;
        for shift in shifts(vertices.saturating_sub(1)) {
            let order = by_digit(gpu, &larger, shift, ASCENDING)?;
            // SAFETY: the order has the index of each edge.
            unsafe {
                smaller = look_up(gpu, &smaller, &order)?;
                larger = look_up(gpu, &larger, &order)?;
            }
        }
        Ok(smaller)
    }
}

#[cube(launch_unchecked)]
fn count_neighbors(offsets: &Array<u32>, degrees: &mut Array<u32>, vertices: u32) {
    for vertex in grid_stride_range(0, vertices) {
        degrees[vertex as usize] = offsets[vertex as usize + 1] - offsets[vertex as usize];
    }
}

#[cube(launch_unchecked)]
fn digits(keys: &Array<u32>, classes: &mut Array<u32>, shift: u32, most: u32, count: u32) {
    for index in grid_stride_range(0, count) {
        let mut key = keys[index as usize];
        if most != ASCENDING {
            key = most - key;
        }
        classes[index as usize] = (key >> shift) % MAX_CLASSES;
    }
}

/// Counts the neighbours of larger rank.
#[derive(CubeType, CubeLaunch)]
struct CountLarger {
    ranks: Input<u32>,
    /// By rank.
    lengths: Array<u32>,
}

impl GatherOpKind for CountLarger {}

#[cube]
impl GatherOp for CountLarger {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, vertex: u32, neighbour: u32, _edge: u32) -> u32 {
        u32::cast_from(self.ranks[neighbour as usize] > self.ranks[vertex as usize])
    }

    fn combine(a: u32, b: u32) -> u32 {
        a + b
    }

    fn apply(&mut self, vertex: u32, total: u32) {
        let rank = self.ranks[vertex as usize];
        self.lengths[rank as usize] = total;
    }
}

/// Lists the neighbours of larger rank of each rank, in any order; a plane takes a rank at a time.
#[cube(launch_unchecked)]
#[allow(clippy::too_many_arguments)]
fn list_larger(
    rows: &Rows,
    order: &Array<u32>,
    ranks: &Array<u32>,
    starts: &Array<u32>,
    smaller: &mut Array<u32>,
    larger: &mut Array<u32>,
    vertices: u32,
) {
    let planes = CUBE_DIM / PLANE_DIM;
    let first = CUBE_POS as u32 * planes + UNIT_POS / PLANE_DIM;
    for rank in step_range(first, vertices, CUBE_COUNT as u32 * planes) {
        let vertex = order[rank as usize];
        let end = rows.offsets[vertex as usize + 1];
        let mut to = starts[rank as usize];
        for start in step_range(rows.offsets[vertex as usize], end, PLANE_DIM) {
            let edge = start + UNIT_POS_PLANE;
            let mut other = 0u32;
            if edge < end {
                other = ranks[rows.targets[edge as usize] as usize];
            }
            let is_larger = u32::cast_from(edge < end && other > rank);
            let before = plane_exclusive_sum(is_larger);
            if is_larger == 1 {
                smaller[(to + before) as usize] = rank;
                larger[(to + before) as usize] = other;
            }
            to += plane_sum(is_larger);
        }
    }
}

/// Counts the neighbours of smaller rank: those that are not of larger rank.
#[cube(launch_unchecked)]
fn smaller_ones(
    order: &Array<u32>,
    degrees: &Array<u32>,
    starts_of_larger: &Array<u32>,
    lengths: &mut Array<u32>,
    vertices: u32,
) {
    for rank in grid_stride_range(0, vertices) {
        let at = rank as usize;
        let larger = starts_of_larger[at + 1] - starts_of_larger[at];
        lengths[at] = degrees[order[at] as usize] - larger;
    }
}

#[cfg(all(test, feature = "wgpu"))]
mod tests {
    use equipoise_graph::{io::ReadOptions, load};
    use equipoise_schedule::device::{Device, OpenDevice};

    use super::*;
    use crate::triangles::ranked::Ranked;

    #[test]
    fn edges_are_ranked_as_on_the_cpu() {
        let OpenDevice::Gpu(gpu) = Device::Wgpu(0).open().unwrap() else { unreachable!() };
        for spec in ["rmat:scale=9,edge-factor=8", "star:n=70", "grid:width=9,height=7", "path:n=1"]
        {
            let graph = load(spec, &ReadOptions::default()).unwrap();
            let device = DeviceGraph::upload(&gpu, &graph).unwrap();
            let ranked = RankedOnGpu::new(&device).unwrap();
            let expected = Ranked::new(graph.csr()).unwrap();
            let ranks = gpu.download(&ranked.ranks).unwrap();
            for (rank, &vertex) in (0..).zip(&expected.order) {
                assert_eq!(ranks[vertex as usize], rank, "{spec}");
            }
            let offsets = gpu.download(&ranked.rows.offsets).unwrap();
            let offsets: Vec<u64> = offsets.into_iter().map(u64::from).collect();
            assert_eq!(offsets, expected.rows.offsets(), "{spec}");
            let edges = expected.rows.entries() as usize;
            let targets = gpu.download_first(&ranked.rows.targets, edges).unwrap();
            assert_eq!(targets, expected.rows.indices(), "{spec}");
        }
    }
}

#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod lower_tests {
    use equipoise_schedule::lower;

    use super::*;
    use crate::lower::assert_compiles;

    #[test]
    fn every_kernel_compiles_for_cuda() {
        let gpu = lower::gpu();
        let graph = DeviceGraph::from_rows(&gpu, &[0, 1, 2], &[1, 0]).unwrap();
        let ranks = identity(&gpu, 2).unwrap();
        let larger = Larger::new(&graph, &ranks, &ranks).unwrap();
        degrees(&graph).unwrap();
        smaller_lengths(&gpu, &ranks, &ranks, &larger).unwrap();
        larger.sorted(&gpu, 2).unwrap();
        assert_compiles(
            &gpu,
            "count_neighbors CountLarger list_larger smaller_ones digits look_up_each",
        );
    }
}
