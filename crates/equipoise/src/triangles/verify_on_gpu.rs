//! Whether triangles are those of a graph, on the GPU that holds it.
//!
//! Of each edge, the end of smaller degree keeps the other one; ends of equal degree are ordered by their numbers. So each
//! triangle is seen once, from the edge between the two of its vertices that keep the most, as a third vertex that both
//! of them keep. The longer of two rows is searched for each entry of the shorter one.
#![allow(clippy::collapsible_if, reason = "a kernel evaluates both sides of `&&`")]

use cubecl::prelude::*;
use equipoise_graph::parallel::*;
use equipoise_schedule::{
    ScheduleName,
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
    primitives::offsets,
    ranges::{grid_stride_range, step_range},
};

use super::Triangles;
use crate::{
    Result,
    device_check::{DeviceCheck, Wrong},
    gpu_graph::GpuGraph,
    kernels::{UNITS, concurrent_cubes, cubes_for},
    run::buffer_bytes,
};

/// Units that share the rows of an edge. WebGPU guarantees planes of at least this size.
const SHARING: u32 = 4;

impl Triangles {
    /// Whether the counts keep the rules of [`verify`](Self::verify); `None` if only the host can check them.
    pub(crate) fn pass_on(&self, graph: &GpuGraph) -> Result<Option<bool>> {
        // Kept edges, and how many triangles each closes: half of the edges each.
        let bytes = buffer_bytes(&graph.gpu, graph.graph.edges() / 2, 2);
        if graph.gpu.require("verifying triangles", bytes).is_err() {
            return Ok(None);
        }
        // Rows, counts of two words, and those that were claimed.
        let Some(check) = DeviceCheck::of_simple(graph, 6)? else { return Ok(None) };
        self.check_numbers(graph.graph, |vertex| graph.graph.degree(vertex) as u32)?;
        let gpu = check.gpu();
        let kept = keep_larger(&check)?;
        let counts = count(gpu, &kept)?;
        let half = |shift: u32| -> Vec<u32> {
            self.counts.par_iter().map(|&count| (count >> shift) as u32).collect()
        };
        let claimed = [gpu.upload(&half(0))?, gpu.upload(&half(32))?];
        let vertices = graph.vertices();
        // SAFETY: every array has an element per vertex.
        unsafe {
            compare::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes_for(gpu, vertices),
                CubeDim::new_1d(UNITS),
                counts[0].arg(),
                counts[1].arg(),
                claimed[0].arg(),
                claimed[1].arg(),
                check.wrong(),
                vertices,
            );
        }
        check.passed().map(Some)
    }
}

/// The edges that each vertex keeps.
fn keep_larger(check: &DeviceCheck) -> Result<DeviceRows> {
    let (gpu, graph) = (check.gpu(), check.graph);
    let lengths = gpu.empty(graph.vertices() as usize)?;
    let count = || KeptLaunch::new(graph.rows(), lengths.arg());
    // SAFETY: each vertex has a length, and edges lead to vertices.
    check.gather(&unsafe { Operation::<Kept>::unchecked(count) })?;
    // One end of each edge keeps it.
    let targets = gpu.empty((graph.edges() as usize / 2).max(1))?;
    let rows = DeviceRows { offsets: offsets(gpu, &lengths)?, targets };
    // SAFETY: as above; the first pass counted the edges that this one keeps.
    unsafe {
        keep::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            concurrent_cubes(gpu),
            CubeDim::new_1d(UNITS),
            graph.rows(),
            rows.offsets.arg(),
            rows.targets.arg(),
            graph.vertices(),
        );
    }
    Ok(rows)
}

/// The triangles of each vertex, in two words, low and high.
fn count(gpu: &Gpu, kept: &DeviceRows) -> Result<[Buffer<u32>; 2]> {
    let vertices = kept.offsets.len() - 1;
    let counts = [gpu.filled(vertices, 0)?, gpu.filled(vertices, 0)?];
    let edges = kept.targets.len();
    let closed = gpu.filled(edges, 0u32)?;
    let close = || {
        let [closed, low] = [&closed, &counts[0]].map(|buffer| AtomicArray::bind(gpu, buffer));
        CloseLaunch::new(kept.arg(), closed, low)
    };
    // SAFETY: each kept edge has a number and leads to a vertex, and each vertex has a count.
    unsafe {
        let close = Operation::<Close>::unchecked(close);
        gather_rows(gpu, kept, ScheduleName::Binned.into(), &close)?;
        add_to_targets::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            cubes_for(gpu, edges as u32),
            CubeDim::new_1d(UNITS),
            kept.targets.arg(),
            closed.arg(),
            AtomicArray::bind(gpu, &counts[0]),
            AtomicArray::bind(gpu, &counts[1]),
            kept.offsets.arg(),
            vertices as u32,
        );
    }
    Ok(counts)
}

/// Whether `vertex` keeps the edge to `other`.
#[cube]
fn keeps(rows: &Rows, vertex: u32, other: u32) -> bool {
    let degree = rows.offsets[vertex as usize + 1] - rows.offsets[vertex as usize];
    let of_other = rows.offsets[other as usize + 1] - rows.offsets[other as usize];
    of_other > degree || (of_other == degree && other > vertex)
}

/// Counts the edges that each vertex keeps.
#[derive(CubeType, CubeLaunch)]
struct Kept {
    rows: Rows,
    lengths: Array<u32>,
}

impl GatherOpKind for Kept {}

#[cube]
impl GatherOp for Kept {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, vertex: u32, neighbour: u32, _edge: u32) -> u32 {
        u32::cast_from(keeps(&self.rows, vertex, neighbour))
    }

    fn combine(a: u32, b: u32) -> u32 {
        a + b
    }

    fn apply(&mut self, vertex: u32, total: u32) {
        self.lengths[vertex as usize] = total;
    }
}

/// Copies the edges that each vertex keeps, in their order; a plane takes a vertex at a time.
#[cube(launch_unchecked)]
fn keep(rows: &Rows, offsets: &Array<u32>, kept: &mut Array<u32>, vertices: u32) {
    let planes = CUBE_DIM / PLANE_DIM;
    let first = CUBE_POS as u32 * planes + UNIT_POS / PLANE_DIM;
    for vertex in step_range(first, vertices, CUBE_COUNT as u32 * planes) {
        let begin = rows.offsets[vertex as usize];
        let end = rows.offsets[vertex as usize + 1];
        let mut to = offsets[vertex as usize];
        for start in step_range(begin, end, PLANE_DIM) {
            let edge = start + UNIT_POS_PLANE;
            let mut other = 0u32;
            let mut is_kept = 0u32;
            if edge < end {
                other = rows.targets[edge as usize];
                is_kept = u32::cast_from(keeps(rows, vertex, other));
            }
            let before = plane_exclusive_sum(is_kept);
            if is_kept == 1 {
                kept[(to + before) as usize] = other;
            }
            to += plane_sum(is_kept);
        }
    }
}

/// Finds the vertices that both ends of an edge keep.
///
/// A vertex is the smallest of no more triangles than 32 bits count: each is an edge between two larger neighbours.
#[derive(CubeType, CubeLaunch)]
struct Close {
    kept: Rows,
    /// Per kept edge, the triangles that it is in and whose smallest vertex keeps it.
    closed: AtomicArray,
    /// Per vertex, the triangles of which it is the smallest.
    counts: AtomicArray,
}

impl GatherOpKind for Close {
    const LANES: u32 = SHARING;
}

#[cube]
impl GatherOp for Close {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, vertex: u32, other: u32, edge: u32) -> u32 {
        let begin = self.kept.offsets[vertex as usize];
        let end = self.kept.offsets[vertex as usize + 1];
        let other_begin = self.kept.offsets[other as usize];
        let other_end = self.kept.offsets[other as usize + 1];
        let is_short = end - begin <= other_end - other_begin;
        let short = select(is_short, begin, other_begin);
        let short_end = select(is_short, end, other_end);
        let long = select(is_short, other_begin, begin);
        let long_end = select(is_short, other_end, end);
        let mut common = 0u32;
        let mut low = long;
        for entry in step_range(short + UNIT_POS % SHARING, short_end, SHARING) {
            let third = self.kept.targets[entry as usize];
            let mut high = long_end;
            while low < high {
                let middle = low + (high - low) / 2;
                if self.kept.targets[middle as usize] < third {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            // Rows ascend: what comes next is not before `low`.
            if low < long_end {
                if self.kept.targets[low as usize] == third {
                    self.closed.fetch_add(select(is_short, entry, low), 1u32);
                    common += 1;
                }
            }
        }
        if common > 0 {
            self.closed.fetch_add(edge, common);
        }
        common
    }

    fn combine(a: u32, b: u32) -> u32 {
        a + b
    }

    fn apply(&mut self, vertex: u32, total: u32) {
        if total > 0 {
            self.counts.fetch_add(vertex, total);
        }
    }
}

/// Adds the triangles of kept edges to the counts of the vertices that they lead to, with a carry.
#[cube(launch_unchecked)]
fn add_to_targets(
    targets: &Array<u32>,
    closed: &Array<u32>,
    low: &mut AtomicArray,
    high: &mut AtomicArray,
    offsets: &Array<u32>,
    vertices: u32,
) {
    for edge in grid_stride_range(0, offsets[vertices as usize]) {
        let more = closed[edge as usize];
        if more > 0 {
            let vertex = targets[edge as usize];
            if low.fetch_add(vertex, more) > u32::MAX.runtime() - more {
                high.fetch_add(vertex, 1u32);
            }
        }
    }
}

/// Compares the counts of vertices with those that were claimed.
#[cube(launch_unchecked)]
fn compare(
    low: &Array<u32>,
    high: &Array<u32>,
    claimed_low: &Array<u32>,
    claimed_high: &Array<u32>,
    wrong: &mut Wrong,
    vertices: u32,
) {
    for vertex in grid_stride_range(0, vertices) {
        let at = vertex as usize;
        if low[at] != claimed_low[at] || high[at] != claimed_high[at] {
            wrong[0].fetch_min(vertex);
        }
    }
}
