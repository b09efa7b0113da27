//! CDLP on a GPU: vertices vote for the labels around them, in classes by degree.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, Gpu, GpuRuntime},
    engine::DeviceGraph,
    input::Input,
    ranges::grid_stride_range,
};

use super::{Cdlp, CdlpOptions, cpu};
use crate::{
    NONE, Result, Step, Times, Trace,
    gpu_graph::GpuGraph,
    kernels::{UNITS, concurrent_cubes, cubes_for},
    neighbors::EdgeCounts,
    permute::identity,
    random_order::RandomOrder,
    run::{buffer_bytes, run_on},
    times::prepared,
    votes::{
        choose::*,
        slots::MOST_EDGES,
        visits::{DegreeClass, Visits},
    },
};

/// Propagates labels; on the cpu if edges are too many for the slots of tables.
pub(super) fn cdlp(
    graph: &GpuGraph,
    cached_counts: &EdgeCounts,
    options: &CdlpOptions,
) -> Result<Cdlp> {
    let (neighbors, merge_time) = graph.neighbors()?;
    if neighbors.entries() > MOST_EDGES {
        return cpu::cdlp(graph.graph, &graph.neighbors, cached_counts, options);
    }
    let (counts, count_time) = cached_counts.get(graph.graph, neighbors)?;
    let gpu = &graph.gpu;
    let vertices = u64::from(graph.vertices());
    // Per edge: its count and, if a vertex is a hub, the labels and the sums of two slots. Per vertex: two labels, three
    // words of wishes, its activity, its key and its place in the list.
    let largest = graph.neighbors.max_degree(graph.graph)?;
    let has_hub = largest > DegreeClass::Many.most_edges() as usize;
    let edge_bytes = buffer_bytes(gpu, neighbors.entries(), if has_hub { 5 } else { 1 });
    let bytes = edge_bytes.saturating_add(buffer_bytes(gpu, vertices, 8));
    let bytes = bytes.saturating_add(graph.bytes_missing_simple()?);
    gpu.require(&format!("propagating the labels of {vertices} vertices"), bytes)?;
    let (simple, upload) = graph.simple()?;
    let (weights, preparing) = prepared(gpu, || weights(gpu, simple, counts))?;
    let is_simple = counts.is_none();
    let run = run_on(
        gpu,
        || propagate(simple, &weights, is_simple, options),
        |(labels, steps)| Ok((gpu.download(&labels)?, steps)),
    )?;
    let (labels, steps) = run.result;
    let prepare = merge_time + count_time + preparing.prepare;
    let compile = preparing.compile + run.times.compile;
    let times = Times { upload, prepare, compile, ..run.times };
    Ok(Cdlp::new(labels, Trace { steps }, times))
}

/// The number of edges to each neighbour.
fn weights(gpu: &Gpu, graph: &DeviceGraph, counts: Option<&[u32]>) -> Result<Buffer<u32>> {
    Ok(match counts {
        Some(counts) => gpu.upload(counts)?,
        None => gpu.filled(graph.edges() as usize, 1)?,
    })
}

/// The labels, and a step per iteration. `is_simple`: each neighbour counts once.
fn propagate(
    graph: &DeviceGraph,
    weights: &Buffer<u32>,
    is_simple: bool,
    options: &CdlpOptions,
) -> Result<(Buffer<u32>, Vec<Step>)> {
    let (gpu, vertices) = (graph.gpu(), graph.vertices());
    let mut labels = identity(gpu, vertices as usize)?;
    let mut chooser = Chooser::new(graph, weights)?;
    let active = gpu.filled(vertices as usize, 1)?;
    // Writes the labels as wishes, too, which vertices without neighbours keep. All vertices are visited at once, so that any
    // order will do.
    let visits = Visits::new(graph, &active, &labels, &chooser.wishes, RandomOrder::new(0))?;
    let changed = gpu.empty(1)?;
    let mut steps = Vec::new();
    for index in 0..options.max_iterations {
        let stopwatch = gpu.stopwatch();
        if index == 0 && is_simple {
            choose_first(graph, &chooser.wishes.wanted);
        } else {
            for listed in visits.all() {
                // SAFETY: each vertex has a label.
                unsafe { chooser.choose::<Frequent>(&listed, FrequentLaunch::new(labels.arg()))? };
            }
        }
        gpu.fill(&changed, 0)?;
        count_changes(gpu, &labels, &chooser.wishes.wanted, &changed);
        std::mem::swap(&mut labels, &mut chooser.wishes.wanted);
        let found = u64::from(gpu.download(&changed)?.first().copied().unwrap_or(0));
        let (frontier, edges) = (vertices.into(), graph.edges().into());
        let step = Step::new(index, "label-propagation");
        steps.push(Step { frontier, edges, found, time: stopwatch.elapsed(), ..step });
        if found == 0 {
            break;
        }
    }
    Ok((labels, steps))
}

/// The first iteration where each neighbour counts once: all labels are distinct, so that the smallest neighbour wins.
fn choose_first(graph: &DeviceGraph, next: &Buffer<u32>) {
    let (gpu, vertices) = (graph.gpu(), graph.vertices());
    // SAFETY: each vertex has a row and a label.
    unsafe {
        first_neighbors::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            cubes_for(gpu, vertices),
            CubeDim::new_1d(UNITS),
            graph.offsets().arg(),
            graph.targets().arg(),
            next.arg(),
            vertices,
        );
    }
}

fn count_changes(gpu: &Gpu, labels: &Buffer<u32>, next: &Buffer<u32>, changed: &Buffer<u32>) {
    // SAFETY: both have a label per vertex, and `changed` has one word.
    unsafe {
        count_different::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            concurrent_cubes(gpu),
            CubeDim::new_1d(UNITS),
            labels.arg(),
            next.arg(),
            changed.arg(),
            labels.len() as u32,
        );
    }
}

/// Vertices take the most frequent label, the smallest of several.
#[derive(CubeType, CubeLaunch)]
struct Frequent {
    labels: Input<u32>,
}

#[cube]
impl Rule for Frequent {
    /// The own label counts only as often as neighbours have it.
    fn own(&self, _vertex: u32) -> u32 {
        NONE.runtime()
    }

    fn may_leave(&self, _vertex: u32) -> bool {
        true.runtime()
    }

    fn around(&self, _vertex: u32, neighbour: u32) -> u32 {
        self.labels[neighbour as usize]
    }

    fn gain(&self, _vertex: u32, _to_own: u32, _label: u32, to_label: u32) -> u32 {
        to_label
    }
}

/// Writes the first neighbour of each vertex that has any; rows ascend.
#[cube(launch_unchecked)]
fn first_neighbors(
    offsets: &Array<u32>,
    targets: &Array<u32>,
    next: &mut Array<u32>,
    vertices: u32,
) {
    for vertex in grid_stride_range(0, vertices) {
        let begin = offsets[vertex as usize];
        if begin < offsets[vertex as usize + 1] {
            next[vertex as usize] = targets[begin as usize];
        }
    }
}

/// Adds the number of positions at which both arrays differ.
#[cube(launch_unchecked)]
fn count_different(a: &Array<u32>, b: &Array<u32>, total: &mut Array<Atomic<u32>>, len: u32) {
    let mut different = 0u32;
    for index in grid_stride_range(0, len) {
        different += u32::cast_from(a[index as usize] != b[index as usize]);
    }
    if different > 0 {
        total[0].fetch_add(different);
    }
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
        let (labels, weights) = (identity(&gpu, 2).unwrap(), gpu.filled(2, 1).unwrap());
        let chooser = Chooser::new(&graph, &weights).unwrap();
        for listed in Visits::assumed(&gpu).unwrap().all() {
            // SAFETY: this backend only compiles.
            unsafe {
                chooser.choose::<Frequent>(&listed, FrequentLaunch::new(labels.arg())).unwrap();
            }
        }
        choose_first(&graph, &labels);
        count_changes(&gpu, &labels, &labels, &weights);
        assert_compiles(&gpu, "choose_alone choose_together first_neighbors count_different");
    }
}
