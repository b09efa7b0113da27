//! Triangles on a GPU: a gather over the ranked edges that intersects the rows of both ends of each edge.
//!
//! A triangle is credited to the two edges of its last vertex rather than to its vertices, so that writes to hubs, which
//! are in most triangles, do not contend. A second kernel sums the credits per vertex.
#![allow(clippy::collapsible_if, reason = "a kernel does both sides of `&&`")]

use cubecl::prelude::*;
use equipoise_graph::parallel::*;
use equipoise_schedule::{
    ScheduleName,
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
    input::Input,
    ranges::{grid_stride_range, step_range},
};

use super::{Triangles, TrianglesOptions, TrianglesStrategy, ranked_on_gpu::RankedCache};
use crate::{
    Error, Result, Times,
    gpu_graph::GpuGraph,
    kernels::{UNITS, cubes_for, lower_bound},
    permute::look_up,
    run::{buffer_bytes, run_on},
    times::prepared,
};

/// Units that share the rows of an edge. WebGPU guarantees planes of at least this size.
const LANES: u32 = 4;
/// A row that is this many times as long as another is searched rather than merged.
const FAR_LONGER: u32 = 4;

/// How a kernel intersects two rows.
const BY_LENGTH: u32 = 0;
const MERGE: u32 = 1;
const SEARCH: u32 = 2;

/// Runs [`triangles`](super::triangles()) on a GPU.
pub(crate) fn triangles(
    graph: &GpuGraph,
    ranked: &RankedCache,
    options: &TrianglesOptions,
) -> Result<Triangles> {
    let method = method(options.strategy)?;
    let (neighbors, merge_time) = graph.neighbors()?;
    let (gpu, vertices) = (&graph.gpu, u64::from(graph.vertices()));
    let bytes = Counts::bytes_needed(graph, ranked)?;
    gpu.require(&format!("the triangles of {vertices} vertices"), bytes)?;
    let (simple, upload) = graph.simple()?;
    let (ranked, ranking) = prepared(gpu, || ranked.get(simple))?;
    let run = run_on(
        gpu,
        || Counts::count(gpu, &ranked.rows, method)?.by_vertex(gpu, &ranked.ranks),
        |counts| counts.download(gpu),
    )?;
    let prepare = merge_time + ranking.prepare;
    let compile = ranking.compile + run.times.compile;
    let times = Times { upload, prepare, compile, ..run.times };
    Ok(Triangles::new(run.result, neighbors, options.strategy, times))
}

fn method(strategy: TrianglesStrategy) -> Result<u32> {
    match strategy {
        TrianglesStrategy::Auto => Ok(BY_LENGTH),
        TrianglesStrategy::Merge => Ok(MERGE),
        TrianglesStrategy::BinarySearch => Ok(SEARCH),
        TrianglesStrategy::Bitmap => Err(Error::Option(format!(
            "the strategy `{strategy}` is for the cpu only: a GPU has `merge` and `binary-search`"
        ))),
    }
}

/// The number of triangles of each rank or vertex, in two words.
pub(crate) struct Counts {
    low: Buffer<u32>,
    high: Buffer<u32>,
}

impl Counts {
    /// The bytes that counting takes, with those of ranked edges that are missing.
    pub(crate) fn bytes_needed(graph: &GpuGraph, ranked: &RankedCache) -> Result<u64> {
        let (neighbors, _) = graph.neighbors()?;
        // A credit per edge; per vertex a count of two words by rank and by vertex, and the buffers of a schedule.
        let credits = buffer_bytes(&graph.gpu, neighbors.entries() / 2, 1);
        let counts = buffer_bytes(&graph.gpu, graph.vertices().into(), 10);
        Ok(ranked.bytes_missing(graph)?.saturating_add(credits).saturating_add(counts))
    }

    fn count(gpu: &Gpu, rows: &DeviceRows, method: u32) -> Result<Self> {
        Self::new(gpu, rows, None, method)
    }

    /// Per rank, the sum of the weights of the sides opposite of it, of all triangles. Each ranked edge has a weight of 1 or 2.
    pub(crate) fn weighted(gpu: &Gpu, rows: &DeviceRows, weights: &Buffer<u32>) -> Result<Self> {
        Self::new(gpu, rows, Some(weights), BY_LENGTH)
    }

    fn new(
        gpu: &Gpu,
        rows: &DeviceRows,
        weights: Option<&Buffer<u32>>,
        method: u32,
    ) -> Result<Self> {
        let ranks = rows.offsets.len() - 1;
        let counts = Self { low: gpu.filled(ranks, 0)?, high: gpu.filled(ranks, 0)? };
        let edges = rows.edges();
        if edges > 0 {
            let credits = gpu.filled(edges as usize, 0u32)?;
            let args = || {
                // Without weights, the kernel reads none.
                let weights_arg = weights.unwrap_or(&rows.targets).arg();
                let (credits, lasts) = (credits.arg(), counts.low.arg());
                let is_weighted = weights.is_some();
                IntersectLaunch::new(rows.arg(), weights_arg, credits, lasts, method, is_weighted)
            };
            // SAFETY: each edge has a credit and a weight and leads to a rank, and each rank has a count.
            let intersect = unsafe { Operation::<Intersect>::unchecked(args) };
            gather_rows(gpu, rows, ScheduleName::Binned.into(), &intersect)?;
            counts.add_credits(gpu, &rows.targets, &credits);
        }
        Ok(counts)
    }

    /// Adds the credit of each edge to the count of its target.
    fn add_credits(&self, gpu: &Gpu, targets: &Buffer<u32>, credits: &Buffer<u32>) {
        let edges = targets.len() as u32;
        // SAFETY: each edge has a credit and leads to a rank, and each rank has a count.
        unsafe {
            credit_corners::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes_for(gpu, edges),
                CubeDim::new_1d(UNITS),
                targets.arg(),
                credits.arg(),
                self.low.arg(),
                self.high.arg(),
                edges,
            );
        }
    }

    /// The counts of vertices, from those of their ranks.
    pub(crate) fn by_vertex(&self, gpu: &Gpu, ranks: &Buffer<u32>) -> Result<Self> {
        // SAFETY: each rank has a count.
        unsafe {
            Ok(Self {
                low: look_up(gpu, &self.low, ranks)?,
                high: look_up(gpu, &self.high, ranks)?,
            })
        }
    }

    pub(crate) fn download(&self, gpu: &Gpu) -> Result<Vec<u64>> {
        let (low, high) = (gpu.download(&self.low)?, gpu.download(&self.high)?);
        let words = low.par_iter().zip(&high);
        Ok(words.map(|(&low, &high)| u64::from(high) << 32 | u64::from(low)).collect())
    }
}

/// Intersects the rows of both ends of an edge.
///
/// Credits fit 32 bits: a vertex with `d` ranked edges has `d` neighbours of degree at least `d`. So the graph has at
/// least `d (d + 1) / 2` edges, which 32 bits number in both directions, and the vertex is the last of at most
/// `d (d - 1) / 2` triangles; a side weighs 2 at most.
#[derive(CubeType, CubeLaunch)]
struct Intersect {
    rows: Rows,
    /// The weight of each edge, where edges have weights; otherwise each counts 1.
    weights: Input<u32>,
    /// Per edge, of the triangles that contain it and whose last vertex is its source, the weights opposite of its target.
    credits: Array<Atomic<u32>>,
    /// Per rank, of the triangles of which it is the last, the weights opposite of it.
    lasts: Array<Atomic<u32>>,
    method: u32,
    #[cube(comptime)]
    is_weighted: bool,
}

/// Two ranges of entries to intersect.
#[derive(CubeType, Clone, Copy)]
struct Pair {
    /// The edges of the last vertex before the current one.
    begin: u32,
    end: u32,
    /// The edges of the current edge's target.
    other_begin: u32,
    other_end: u32,
    /// The weight of the current edge.
    weight: u32,
}

/// The weights opposite of two corners of the triangles of an edge.
#[derive(CubeType)]
struct Closed {
    at_target: u32,
    at_last: u32,
}

#[cube]
impl Closed {
    fn new() -> Closed {
        Closed { at_target: 0u32.runtime(), at_last: 0u32.runtime() }
    }

    /// Adds a triangle, whose other edges lead from the last vertex and from the target to the third corner.
    fn add(
        &mut self,
        weights: &Input<u32>,
        from_last: u32,
        from_target: u32,
        #[comptime] is_weighted: bool,
    ) {
        self.at_target += weight_of(weights, from_last, is_weighted);
        self.at_last += weight_of(weights, from_target, is_weighted);
    }
}

/// The weight of an edge.
#[cube]
fn weight_of(weights: &Input<u32>, edge: u32, #[comptime] is_weighted: bool) -> u32 {
    if comptime!(is_weighted) { weights[edge as usize] } else { 1u32.runtime() }
}

impl GatherOpKind for Intersect {
    const LANES: u32 = LANES;
}

#[cube]
impl GatherOp for Intersect {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, last: u32, other: u32, edge: u32) -> u32 {
        let pair = Pair {
            begin: self.rows.offsets[last as usize],
            end: edge,
            other_begin: self.rows.offsets[other as usize],
            other_end: self.rows.offsets[other as usize + 1],
            weight: weight_of(&self.weights, edge, self.is_weighted),
        };
        let length = pair.end - pair.begin;
        let other_length = pair.other_end - pair.other_begin;
        let short = min(length, other_length);
        let long = max(length, other_length);
        let mut merges = self.method == MERGE;
        if self.method == BY_LENGTH {
            merges = long / FAR_LONGER < short;
        }
        let mut closed = Closed::new();
        if short > 0 {
            if merges {
                self.merge(&mut closed, pair);
            } else if length <= other_length {
                self.search(&mut closed, pair, true);
            } else {
                self.search(&mut closed, pair, false);
            }
        }
        if closed.at_target > 0 {
            self.credits[edge as usize].fetch_add(closed.at_target);
        }
        closed.at_last
    }

    fn combine(a: u32, b: u32) -> u32 {
        a + b
    }

    fn apply(&mut self, last: u32, total: u32) {
        if total > 0 {
            self.lasts[last as usize].fetch_add(total);
        }
    }
}

#[cube]
impl Intersect {
    /// Merges both rows, each lane with a part of the first.
    fn merge(&mut self, closed: &mut Closed, pair: Pair) {
        let targets = &self.rows.targets;
        let part = (pair.end - pair.begin).div_ceil(LANES);
        let mut a = min(pair.begin + UNIT_POS % LANES * part, pair.end);
        let end = min(a + part, pair.end);
        if a < end {
            let mut b = lower_bound(targets, targets[a as usize], pair.other_begin, pair.other_end);
            while a < end && b < pair.other_end {
                let x = targets[a as usize];
                let y = targets[b as usize];
                if x == y {
                    self.credits[a as usize].fetch_add(pair.weight);
                    closed.add(&self.weights, a, b, self.is_weighted);
                }
                a += u32::cast_from(x <= y);
                b += u32::cast_from(y <= x);
            }
        }
    }

    /// Searches the longer row for each entry of the shorter one; the lanes take turns.
    fn search(&mut self, closed: &mut Closed, pair: Pair, #[comptime] first_is_shorter: bool) {
        let targets = &self.rows.targets;
        let (mut begin, mut end) = (pair.other_begin, pair.other_end);
        let (mut at, mut long_end) = (pair.begin, pair.end);
        if first_is_shorter {
            begin = pair.begin;
            end = pair.end;
            at = pair.other_begin;
            long_end = pair.other_end;
        }
        for entry in step_range(begin + UNIT_POS % LANES, end, LANES) {
            let wanted = targets[entry as usize];
            // Both rows ascend.
            at = lower_bound(targets, wanted, at, long_end);
            if at < long_end {
                if targets[at as usize] == wanted {
                    let from_last = if comptime!(first_is_shorter) { entry } else { at };
                    let from_target = if comptime!(first_is_shorter) { at } else { entry };
                    self.credits[from_last as usize].fetch_add(pair.weight);
                    closed.add(&self.weights, from_last, from_target, self.is_weighted);
                }
            }
        }
    }
}

/// Adds the credits of edges to the counts of their targets, with a carry.
#[cube(launch_unchecked)]
fn credit_corners(
    targets: &Array<u32>,
    credits: &Array<u32>,
    low: &mut Array<Atomic<u32>>,
    high: &mut Array<Atomic<u32>>,
    edges: u32,
) {
    for edge in grid_stride_range(0, edges) {
        let credit = credits[edge as usize];
        if credit > 0 {
            let rank = targets[edge as usize];
            let old = low[rank as usize].fetch_add(credit);
            if old > u32::MAX.runtime() - credit {
                high[rank as usize].fetch_add(1u32);
            }
        }
    }
}

#[cfg(all(test, feature = "wgpu"))]
mod tests {
    use equipoise_schedule::device::{Device, OpenDevice};

    use super::*;

    #[test]
    fn counts_beyond_32_bits_are_carried() {
        let OpenDevice::Gpu(gpu) = Device::Wgpu(0).open().unwrap() else { unreachable!() };
        let targets = gpu.upload(&[0u32, 1, 1, 2]).unwrap();
        let credits = gpu.upload(&[1u32, 2, u32::MAX, 0]).unwrap();
        let words = |low: &[u32]| (gpu.upload(low).unwrap(), gpu.filled(3, 0).unwrap());
        let (low, high) = words(&[u32::MAX, u32::MAX - 1, 7]);
        let counts = Counts { low, high };
        counts.add_credits(&gpu, &targets, &credits);
        let expected = [1 << 32, (1 << 33) - 1, 7];
        assert_eq!(counts.download(&gpu).unwrap(), expected);
    }
}
