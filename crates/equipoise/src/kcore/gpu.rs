//! Core numbers on a GPU, with the engine's peeling.

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, device::Buffer, engine::*, input::Input};

use super::KCore;
use crate::{
    NONE, Result, Step, Times, Trace,
    gpu_graph::GpuGraph,
    run::{buffer_bytes, run_on},
};

pub(super) fn kcore(graph: &GpuGraph) -> Result<KCore> {
    let (neighbors, prepare) = graph.neighbors()?;
    let (gpu, vertices) = (&graph.gpu, u64::from(graph.vertices()));
    // Degrees, cores, the remaining vertices and a list; and parts of rows.
    let words = 6 * vertices + parts_words(vertices, neighbors.entries());
    let bytes = graph.bytes_missing_simple()?.saturating_add(buffer_bytes(gpu, words, 1));
    gpu.require(&format!("the cores of {vertices} vertices"), bytes)?;
    let (simple, upload) = graph.simple()?;
    let read = |(cores, iterations): (Buffer<u32>, u32)| Ok((gpu.download(&cores)?, iterations));
    let run = run_on(gpu, || peeled(simple), read)?;
    let (cores, sub_steps) = run.result;
    let step = Step {
        frontier: vertices,
        edges: neighbors.entries(),
        sub_steps,
        time: run.time,
        ..Step::new(0, "peel")
    };
    Ok(KCore::new(cores, Trace { steps: vec![step] }, Times { upload, prepare, ..run.times }))
}

/// The core number of each vertex, and the number of iterations.
fn peeled(graph: &DeviceGraph) -> Result<(Buffer<u32>, u32)> {
    let (gpu, vertices) = (graph.gpu(), graph.vertices() as usize);
    let (left, cores) = (gpu.empty(vertices)?, gpu.filled(vertices, NONE)?);
    let count = || CountLaunch::new(graph.offsets().arg(), left.arg());
    // SAFETY: each vertex has an offset and a degree.
    let count = unsafe { Operation::<Count>::unchecked(count) };
    for_each(&Frontier::all(graph)?, &count);
    let cores_of =
        || CoresLaunch::new(AtomicArray::bind(gpu, &left), AtomicArray::bind(gpu, &cores));
    // SAFETY: each vertex has a degree and a core, and edges lead to vertices; one unit lowers a degree to the level.
    let batches = peel(graph, &unsafe { Operation::<Cores>::unchecked(cores_of) })?;
    Ok((cores.clone(), batches.iter().map(|batch| batch.iterations).sum()))
}

/// Sets the degrees of vertices.
#[derive(CubeType, CubeLaunch)]
struct Count {
    offsets: Input<u32>,
    left: Array<u32>,
}

#[cube]
impl VertexOp for Count {
    fn apply(&mut self, vertex: u32) -> bool {
        let index = vertex as usize;
        self.left[index] = self.offsets[index + 1] - self.offsets[index];
        true.runtime()
    }
}

/// Lowers the degrees of vertices.
#[derive(CubeType, CubeLaunch)]
struct Cores {
    /// The remaining degree of each vertex. It continues to fall after the vertex is peeled.
    left: AtomicArray,
    /// The level at which a vertex was peeled, `NONE` before.
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

    /// A stale degree is too large, so it never hides a vertex that is to be peeled.
    fn improves(&self, target: u32, label: u32) -> bool {
        self.left.get(target) > label
    }

    fn relax(&mut self, target: u32, label: u32, _source: u32) -> bool {
        // Adding `u32::MAX` subtracts 1.
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
