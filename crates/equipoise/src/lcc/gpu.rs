//! Local clustering coefficients on a GPU: triangles, found as [`triangles`](mod@crate::triangles) finds them there.

use cubecl::prelude::*;
use equipoise_graph::parallel::*;
use equipoise_schedule::{ScheduleName, device::Buffer, engine::*, input::Input};

use super::Lcc;
use crate::{
    Result, Times,
    gpu_graph::GpuGraph,
    kernels::lower_bound,
    permute::{identity, scatter},
    run::{buffer_bytes, run_on},
    times::prepared,
    triangles::{self, Counts, RankedOnGpu, RankedOnGpuCache, TrianglesOptions},
};

/// Vertices per task where each takes little time.
const VERTICES_AT_ONCE: usize = 1 << 14;

/// Finds the coefficients of a sound graph.
pub(super) fn lcc(graph: &GpuGraph, cached_ranked: &RankedOnGpuCache) -> Result<Lcc> {
    if graph.graph.is_undirected() {
        let options = TrianglesOptions::default();
        return Ok(Lcc::from_triangles(triangles::on_gpu(graph, cached_ranked, &options)?));
    }
    let (neighbors, merge_time) = graph.neighbors()?;
    let (gpu, vertices) = (&graph.gpu, graph.vertices());
    // The directions of each edge; the vertex of each rank, twice.
    let edge_bytes = buffer_bytes(gpu, neighbors.entries() / 2, 1);
    let vertex_bytes = buffer_bytes(gpu, vertices.into(), 2);
    let bytes = Counts::bytes_needed(graph, cached_ranked)?
        .saturating_add(graph.bytes_missing(false))
        .saturating_add(edge_bytes)
        .saturating_add(vertex_bytes);
    gpu.require(&format!("the clustering of {vertices} vertices"), bytes)?;
    let (simple, upload) = graph.simple()?;
    let directed = graph.engine_graph()?;
    let (ranked, ranking) = prepared(gpu, || cached_ranked.get(simple))?;
    let (directions, directing) = prepared(gpu, || directions(directed, ranked))?;
    let run = run_on(
        gpu,
        || Counts::weighted(gpu, &ranked.rows, &directions)?.by_vertex(gpu, &ranked.ranks),
        |counts| counts.download(gpu),
    )?;
    let degrees = (0..vertices).into_par_iter().with_min_len(VERTICES_AT_ONCE);
    let degrees = degrees.map(|vertex| neighbors.row_len(vertex) as u32).collect();
    let prepare = merge_time + ranking.prepare + directing.prepare;
    let compile = ranking.compile + directing.compile + run.times.compile;
    let upload = upload + graph.upload_time(false);
    let times = Times { upload, prepare, compile, ..run.times };
    Ok(Lcc::new(run.result, degrees, neighbors.entries() / 2, times))
}

/// In how many directions, 1 or 2, a directed graph has each ranked edge.
fn directions(graph: &DeviceGraph, ranked: &RankedOnGpu) -> Result<Buffer<u32>> {
    let gpu = graph.gpu();
    let vertices = ranked.ranks.len();
    let directions = gpu.empty(ranked.rows.targets.len())?;
    // SAFETY: each vertex has one rank, and there are as many ranks as vertices.
    let order = unsafe { scatter(gpu, &identity(gpu, vertices)?, &ranked.ranks, vertices)? };
    if ranked.rows.edges() > 0 {
        let direct = || DirectLaunch::new(graph.rows(), order.arg(), directions.arg());
        // SAFETY: each rank has a vertex with a row, and each ranked edge its directions.
        let direct = unsafe { Operation::<Direct>::unchecked(direct) };
        gather_rows(gpu, &ranked.rows, ScheduleName::MergePath.into(), &direct)?;
    }
    Ok(directions)
}

/// Looks up ranked edges in both directions.
#[derive(CubeType, CubeLaunch)]
struct Direct {
    rows: Rows,
    /// The vertex of each rank.
    order: Input<u32>,
    directions: Array<u32>,
}

impl GatherOpKind for Direct {}

#[cube]
impl GatherOp for Direct {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, rank: u32, other: u32, edge: u32) -> u32 {
        let a = self.order[rank as usize];
        let b = self.order[other as usize];
        self.directions[edge as usize] = leads(&self.rows, a, b) + leads(&self.rows, b, a);
        0u32.runtime()
    }

    fn combine(a: u32, b: u32) -> u32 {
        a + b
    }

    fn apply(&mut self, _rank: u32, _total: u32) {}
}

/// 1 if an edge leads from one vertex to another, otherwise 0. Rows ascend.
#[cube]
fn leads(rows: &Rows, from: u32, to: u32) -> u32 {
    let end = rows.offsets[from as usize + 1];
    let at = lower_bound(&rows.targets, to, rows.offsets[from as usize], end);
    let mut found = 0u32;
    if at < end {
        found = u32::cast_from(rows.targets[at as usize] == to);
    }
    found
}

#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod tests {
    use equipoise_schedule::lower;

    use super::*;
    use crate::lower::assert_compiles;

    #[test]
    fn every_kernel_compiles_for_cuda() {
        let gpu = lower::gpu();
        let graph = DeviceGraph::from_rows(&gpu, &[0, 1, 2], &[1, 0]).unwrap();
        let rows = DeviceRows {
            offsets: gpu.upload(&[0, 0, 1]).unwrap(),
            targets: gpu.upload(&[0]).unwrap(),
        };
        let ranked = RankedOnGpu { ranks: identity(&gpu, 2).unwrap(), rows };
        let directions = directions(&graph, &ranked).unwrap();
        Counts::weighted(&gpu, &ranked.rows, &directions).unwrap();
        assert_compiles(&gpu, "Direct Intersect");
    }
}
