//! Triangles on a GPU: a gather over the ranked edges, each of which finds out what the rows of its ends share.
//!
//! A triangle is credited to the two edges that its last vertex keeps, so that hubs, which are in most triangles, are
//! not what all units write to. Credits are summed up for vertices afterwards.
#![allow(clippy::collapsible_if, reason = "a kernel does both sides of `&&`")]

use cubecl::prelude::*;
use equipoise_schedule::{
    ScheduleName,
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
    input::Input,
    ranges::{grid_stride_range, step_range},
};

use super::{Triangles, TrianglesOptions, TrianglesStrategy, ranked::KeptRanked};
use crate::{
    Error, Result, Times,
    gpu_graph::GraphOnGpu,
    neighbors::Neighbors,
    times::{empty_wait, finished, less_wait, timed_on},
};

/// Units of a cube.
const UNITS: u32 = 256;
/// Units that share the rows of an edge. Planes are no smaller, which WebGPU promises.
const LANES: u32 = 4;
/// A row that is so many times as long as another is searched rather than gone through.
const FAR_LONGER: u32 = 4;

/// How an edge finds out what two rows share, in a kernel.
const BY_LENGTH: u32 = 0;
const MERGE: u32 = 1;
const SEARCH: u32 = 2;

/// As [`triangles`](super::triangles()), on a GPU.
pub(super) fn triangles(
    there: &GraphOnGpu,
    neighbors: &Neighbors,
    kept: &KeptRanked,
    options: &TrianglesOptions,
) -> Result<Triangles> {
    let method = method(options.strategy)?;
    let (neighbors, finding) = neighbors.of(there.graph)?;
    let (ranked, ranking) = kept.of(neighbors)?;
    let (gpu, vertices) = (&there.gpu, u64::from(neighbors.rows()));
    // A credit for each edge; for each vertex a count of two words, and what its schedule makes of it.
    let credits = gpu.held_by(4 * ranked.rows.entries().max(1));
    let counts = gpu.held_by(4 * vertices.max(1)).saturating_mul(8);
    let bytes = kept.bytes_missing(there, ranked).saturating_add(credits).saturating_add(counts);
    gpu.require(&format!("the triangles of {vertices} vertices"), bytes)?;
    let (rows, upload) = kept.on_gpu(there, ranked)?;
    gpu.wake();
    let wait = empty_wait(gpu)?;
    let stopwatch = gpu.stopwatch();
    let (counts, time) = finished(gpu, || Counts::found(gpu, rows, method))?;
    let compile = stopwatch.compiled();
    let (counts, download) = timed_on(gpu, || counts.download(gpu));
    let prepare = finding + ranking;
    let times = Times { upload, prepare, compile, download, ..Times::default() };
    let times = less_wait(times, time, wait);
    Ok(Triangles::of(ranked.by_vertex(&counts?), neighbors, options.strategy, times))
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

/// How many triangles each rank is in: numbers of two words.
struct Counts {
    low: Buffer<u32>,
    high: Buffer<u32>,
}

impl Counts {
    fn found(gpu: &Gpu, rows: &DeviceRows, method: u32) -> Result<Self> {
        let ranks = rows.offsets.len() - 1;
        let counts = Self { low: gpu.filled(ranks, 0)?, high: gpu.filled(ranks, 0)? };
        if rows.edges() > 0 {
            counts.add_all(gpu, rows, method)?;
        }
        Ok(counts)
    }

    fn add_all(&self, gpu: &Gpu, rows: &DeviceRows, method: u32) -> Result<()> {
        let edges = rows.edges();
        let credits = gpu.filled(edges as usize, 0u32)?;
        let intersect = || IntersectLaunch::new(rows.arg(), credits.arg(), self.low.arg(), method);
        // SAFETY: there is a credit for each edge and a count for each rank; edges lead to ranks.
        let intersect = unsafe { Operation::<Intersect>::unchecked(intersect) };
        RowsGather::new(gpu, rows, ScheduleName::Binned.into())?.run(&intersect)?;
        self.add_credits(gpu, &rows.targets, &credits);
        Ok(())
    }

    /// Adds the credit of each edge to the count of the rank that it leads to.
    fn add_credits(&self, gpu: &Gpu, targets: &Buffer<u32>, credits: &Buffer<u32>) {
        let edges = targets.len() as u32;
        let enough = edges.div_ceil(UNITS).min(gpu.properties().cubes_at_work());
        // SAFETY: there is a credit for each edge and a count for each rank; edges lead to ranks.
        unsafe {
            credit_corners::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                gpu.cubes(enough.into()),
                CubeDim::new_1d(UNITS),
                targets.arg(),
                credits.arg(),
                self.low.arg(),
                self.high.arg(),
                edges,
            );
        }
    }

    fn download(&self, gpu: &Gpu) -> Result<Vec<u64>> {
        let (low, high) = (gpu.download(&self.low)?, gpu.download(&self.high)?);
        let words = low.into_iter().zip(high);
        Ok(words.map(|(low, high)| u64::from(high) << 32 | u64::from(low)).collect())
    }
}

/// Finds what the rows of an edge's ends have in common.
///
/// All numbers fit 32 bits. A vertex that keeps `d` edges has `d` neighbours with at least `d` neighbours each: there
/// are at least `d (d + 1) / 2` edges, which 32 bits number, and it is the last of at most `d (d - 1) / 2` triangles.
#[derive(CubeType, CubeLaunch)]
struct Intersect {
    rows: Rows,
    /// For each edge, the triangles with it whose last vertex keeps it.
    credits: Array<Atomic<u32>>,
    /// For each rank, the triangles of which it is the last.
    lasts: Array<Atomic<u32>>,
    method: u32,
}

/// Two parts of the rows' entries.
#[derive(CubeType, Clone, Copy)]
struct Pair {
    /// Where the edges of the triangle's last vertex start and end that come before this one.
    begin: u32,
    end: u32,
    /// Where those of its other end do.
    other_begin: u32,
    other_end: u32,
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
        };
        let length = pair.end - pair.begin;
        let other_length = pair.other_end - pair.other_begin;
        let short = min(length, other_length);
        let long = max(length, other_length);
        let mut merges = self.method == MERGE;
        if self.method == BY_LENGTH {
            merges = long / FAR_LONGER < short;
        }
        let mut common = 0u32;
        if short > 0 {
            if merges {
                common = merge(&self.rows.targets, &mut self.credits, pair);
            } else if length <= other_length {
                common = search(&self.rows.targets, &mut self.credits, pair, true);
            } else {
                common = search(&self.rows.targets, &mut self.credits, pair, false);
            }
        }
        if common > 0 {
            self.credits[edge as usize].fetch_add(common);
        }
        common
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

/// Goes through both rows side by side, each lane with a part of the first; how many entries are in both.
#[cube]
fn merge(targets: &Input<u32>, credits: &mut Array<Atomic<u32>>, pair: Pair) -> u32 {
    let part = (pair.end - pair.begin).div_ceil(LANES);
    let mut a = min(pair.begin + UNIT_POS % LANES * part, pair.end);
    let end = min(a + part, pair.end);
    let mut common = 0u32;
    if a < end {
        let mut b = first_not_below(targets, targets[a as usize], pair.other_begin, pair.other_end);
        while a < end && b < pair.other_end {
            let x = targets[a as usize];
            let y = targets[b as usize];
            if x == y {
                credits[a as usize].fetch_add(1u32);
                common += 1;
            }
            a += u32::cast_from(x <= y);
            b += u32::cast_from(y <= x);
        }
    }
    common
}

/// Looks up each entry of the shorter row in the longer one, the lanes taking turns; how many are there.
#[cube]
fn search(
    targets: &Input<u32>,
    credits: &mut Array<Atomic<u32>>,
    pair: Pair,
    #[comptime] first_is_shorter: bool,
) -> u32 {
    let (mut begin, mut end) = (pair.other_begin, pair.other_end);
    let (mut at, mut long_end) = (pair.begin, pair.end);
    if first_is_shorter {
        begin = pair.begin;
        end = pair.end;
        at = pair.other_begin;
        long_end = pair.other_end;
    }
    let mut common = 0u32;
    for entry in step_range(begin + UNIT_POS % LANES, end, LANES) {
        let wanted = targets[entry as usize];
        // The next one is not before this one.
        at = first_not_below(targets, wanted, at, long_end);
        if at < long_end {
            if targets[at as usize] == wanted {
                let edge = if comptime!(first_is_shorter) { entry } else { at };
                credits[edge as usize].fetch_add(1u32);
                common += 1;
            }
        }
    }
    common
}

/// The first of some ascending entries that is not below a rank, or their end.
#[cube]
fn first_not_below(targets: &Input<u32>, rank: u32, begin: u32, end: u32) -> u32 {
    let mut low = begin;
    let mut high = end;
    while low < high {
        let middle = low + (high - low) / 2;
        if targets[middle as usize] < rank {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Adds the credits of edges to the counts of the ranks that they lead to, with a carry.
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

#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod tests {
    use equipoise_graph::Csr;
    use equipoise_schedule::lower::{self, Nvrtc};

    use super::*;

    #[test]
    fn every_kernel_compiles_for_cuda() {
        let gpu = lower::gpu();
        let rows = Csr::new(3, vec![0, 0, 1, 3], vec![0, 0, 1]).unwrap();
        let rows = DeviceRows::upload(&gpu, &rows).unwrap();
        Counts::found(&gpu, &rows, BY_LENGTH).unwrap();
        let kernels = lower::kernels(&gpu).unwrap();
        for name in ["Intersect", "CreditCorners"] {
            assert!(kernels.iter().any(|kernel| kernel.name.contains(name)), "{name}");
        }
        Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels)).unwrap();
    }
}

#[cfg(all(test, feature = "wgpu"))]
mod tests_of_counts {
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
