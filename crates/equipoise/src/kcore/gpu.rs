//! Cores on a GPU: peeling, as the engine does it.

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, device::Buffer, engine::*, input::Input};

use super::KCore;
use crate::{
    NONE, Result, Step, Times, Trace,
    gpu_graph::GraphOnGpu,
    neighbors::Neighbors,
    times::{empty_wait, finished, less_wait, timed_on},
};

/// As [`kcore`](super::kcore()), on a GPU.
pub(super) fn kcore(there: &GraphOnGpu, kept: &Neighbors) -> Result<KCore> {
    let (neighbors, prepare) = kept.of(there.graph)?;
    let (gpu, vertices) = (&there.gpu, u64::from(neighbors.rows()));
    // What each has left, its core, the rest and a list; and parts of rows.
    let words = 6 * vertices + parts_words(vertices, neighbors.entries());
    let beside = gpu.held_by(words.saturating_mul(4).max(4));
    let bytes = kept.bytes_missing(there)?.saturating_add(beside);
    gpu.require(&format!("the cores of {vertices} vertices"), bytes)?;
    let (graph, upload) = kept.on_gpu(there)?;
    gpu.wake();
    let wait = empty_wait(gpu)?;
    let stopwatch = gpu.stopwatch();
    let ((cores, iterations), time) = finished(gpu, || peeled(graph))?;
    let compile = stopwatch.compiled();
    let (cores, download) = timed_on(gpu, || gpu.download(&cores));
    let times = Times { upload, prepare, compile, download, ..Times::default() };
    let step = Step {
        frontier: vertices,
        edges: neighbors.entries(),
        sub_steps: iterations,
        time,
        ..Step::new(0, "peel")
    };
    let trace = Trace { steps: vec![step] };
    Ok(KCore::of(cores?, trace, less_wait(times, time, wait)))
}

/// The core of each vertex, and after how many iterations.
fn peeled(graph: &DeviceGraph) -> Result<(Buffer<u32>, u32)> {
    let (gpu, vertices) = (graph.gpu(), graph.vertices() as usize);
    let (left, cores) = (gpu.empty(vertices)?, gpu.filled(vertices, NONE)?);
    let count = || CountLaunch::new(graph.offsets().arg(), left.arg());
    // SAFETY: there is an offset and a number for each vertex.
    let count = unsafe { Operation::<Count>::unchecked(count) };
    for_each(&Frontier::all(graph)?, &count);
    let cores_of = || CoresLaunch::new(AtomicArray::of(gpu, &left), AtomicArray::of(gpu, &cores));
    // SAFETY: there is a number of each kind for each vertex, and edges lead to vertices; of those that take away the
    // neighbours of a vertex, one sees it reach the level.
    let batches = peel(graph, &unsafe { Operation::<Cores>::unchecked(cores_of) })?;
    Ok((cores.clone(), batches.iter().map(|batch| batch.iterations).sum()))
}

/// Counts the neighbours of vertices.
#[derive(CubeType, CubeLaunch)]
struct Count {
    offsets: Input<u32>,
    left: Array<u32>,
}

#[cube]
impl VertexOp for Count {
    fn apply(&mut self, vertex: u32) -> bool {
        let place = vertex as usize;
        self.left[place] = self.offsets[place + 1] - self.offsets[place];
        true.runtime()
    }
}

/// Takes neighbours from vertices.
#[derive(CubeType, CubeLaunch)]
struct Cores {
    /// How many neighbours a vertex has left; of one that is peeled, they go on to fall.
    left: AtomicArray,
    /// The level that a vertex was peeled at; none for one that was not.
    cores: AtomicArray,
}

impl EdgeOpKind for Cores {
    const JOINS_ONCE: bool = true;
}

#[cube]
impl EdgeOp for Cores {
    fn label(&self, source: u32) -> u32 {
        self.cores.get(source)
    }

    fn along(&self, label: u32, _edge: u32) -> u32 {
        label
    }

    /// A number that is out of date is larger than it is, and never one that is reached.
    fn improves(&self, target: u32, label: u32) -> bool {
        self.left.get(target) > label
    }

    fn relax(&mut self, target: u32, label: u32, _source: u32) -> bool {
        // One less, modulo 2³².
        let joins = self.left.fetch_add(target, u32::MAX.runtime()) == label + 1;
        if joins {
            self.cores.set(target, label);
        }
        joins
    }
}

#[cube]
impl PeelOp for Cores {
    fn is_peeled(&self, vertex: u32) -> bool {
        self.cores.get(vertex) != NONE
    }

    fn left(&self, vertex: u32) -> u32 {
        self.left.get(vertex)
    }

    fn peel(&mut self, vertex: u32, level: u32) {
        self.cores.set(vertex, level);
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
        let rows = Csr::new(2, vec![0, 1, 2], vec![1, 0]).unwrap();
        // SAFETY: they were made by `Csr::new`.
        let graph = unsafe { DeviceGraph::from_neighbors(&gpu, &rows) }.unwrap();
        // Nothing runs there, so that the loop is seen not to go on.
        peeled(&graph).unwrap_err();
        let kernels = lower::kernels(&gpu).unwrap();
        for name in ["Count", "StartPeeling", "Cores"] {
            assert!(kernels.iter().any(|kernel| kernel.name.contains(name)), "{name}");
        }
        Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels)).unwrap();
    }
}
