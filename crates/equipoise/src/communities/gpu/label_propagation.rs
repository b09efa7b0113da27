//! Label propagation on a GPU.
//!
//! The vertices of a color add up the weights of the labels of their neighbours at the same time. A second pass over their
//! edges finds the label that is taken. Weights are whole numbers, so that the order of the sums does not matter and labels are those of the cpu.

use cubecl::prelude::*;
use equipoise_schedule::{
    ScheduleName,
    atomics::*,
    device::{Buffer, Gpu},
    engine::*,
    input::Input,
};

use super::{
    super::{
        Communities, CommunitiesOptions, classes::Classes, cpu, found::Found,
        random_order::RandomOrder, weighted::Weighted,
    },
    table::*,
};
use crate::{
    LoadedGraph, Result, Step, Times,
    gpu_graph::GraphOnGpu,
    times::{empty_wait, finished, less_wait, prepared, timed},
};

/// Propagates labels; on the cpu where weights are not whole numbers or too many.
pub(in super::super) fn label_propagation(
    loaded: &LoadedGraph,
    there: &GraphOnGpu,
    options: &CommunitiesOptions,
) -> Result<Communities> {
    let (weighted, weighing) = timed(|| Weighted::of(loaded.graph));
    let weighted = weighted?;
    let entries = weighted.neighbors.entries();
    let Some((weights, loops)) = weighted.whole_weights().filter(|_| entries <= MOST_EDGES) else {
        return cpu::communities_of(&weighted, options, weighing);
    };
    require_memory(loaded, there, &weighted)?;
    let gpu = &there.gpu;
    let (graph, upload) = loaded.neighbors.on_gpu(there)?;
    let (labels, preparing) = prepared(gpu, || Labels::new(graph, &weights, &loops, options.seed))?;
    let (gathers, coloring) =
        prepared(gpu, || gathers(graph, &Classes::of(&weighted.neighbors, options.seed)?))?;
    gpu.wake();
    let wait = empty_wait(gpu)?;
    let stopwatch = gpu.stopwatch();
    let (found, time) = finished(gpu, || run(&labels, &gathers, options))?;
    let compile = preparing.compile + coloring.compile + stopwatch.compiled();
    let prepare = weighing + preparing.prepare;
    let times = less_wait(Times { upload, compile, prepare, ..Times::default() }, time, wait);
    // The host colors vertices in each run, as the cpu does.
    let times = Times { overhead: times.overhead + coloring.prepare, ..times };
    Ok(Communities { on_gpu: true, ..Communities::of(&weighted, found, options, times) })
}

fn require_memory(loaded: &LoadedGraph, there: &GraphOnGpu, weighted: &Weighted) -> Result<()> {
    let (gpu, vertices) = (&there.gpu, u64::from(weighted.neighbors.rows()));
    // Keys, sums and weights; of vertices labels, loops, the best sums, and the lists of colors with what schedules
    // prepare for them.
    let edges = gpu.held_by(4 * weighted.neighbors.entries().max(1)).saturating_mul(5);
    let each = gpu.held_by(4 * vertices.max(1)).saturating_mul(12);
    let missing = loaded.neighbors.bytes_missing(there)?;
    let bytes = missing.saturating_add(edges).saturating_add(each);
    Ok(gpu.require(&format!("label propagation among {vertices} vertices"), bytes)?)
}

/// The passes over the vertices of a color.
struct ClassGathers<'g> {
    count: FrontierGather<'g, Count>,
    choose: FrontierGather<'g, Choose>,
}

fn gathers<'g>(graph: &'g DeviceGraph, classes: &Classes) -> Result<Vec<ClassGathers<'g>>> {
    let mut gathers = Vec::new();
    for class in classes.iter() {
        let class = Frontier::of(graph, class)?;
        // Vertices without neighbours keep their labels.
        if class.edges() > 0 {
            let schedule = || ScheduleName::MergePath.into();
            let count = FrontierGather::new(&class, schedule())?;
            gathers.push(ClassGathers { count, choose: FrontierGather::new(&class, schedule())? });
        }
    }
    Ok(gathers)
}

fn run(labels: &Labels, gathers: &[ClassGathers], options: &CommunitiesOptions) -> Result<Found> {
    let (mut steps, mut converged) = (Vec::new(), false);
    while !converged && (steps.len() as u64) < u64::from(options.max_iterations) {
        let stopwatch = labels.gpu.stopwatch();
        labels.sweep(gathers)?;
        let found = labels.gpu.download(&labels.changed)?[0].into();
        converged = found == 0;
        let (frontier, edges) = (labels.graph.vertices().into(), labels.graph.edges().into());
        let step = Step::new(steps.len() as u32, "label-propagation");
        steps.push(Step { frontier, edges, found, time: stopwatch.elapsed(), ..step });
    }
    let labels = labels.gpu.download(&labels.labels)?;
    Ok(Found { labels, levels: Vec::new(), converged, steps })
}

/// Labels, and the weights of labels among the neighbours of each vertex.
struct Labels<'g> {
    gpu: &'g Gpu,
    graph: &'g DeviceGraph,
    weights: Buffer<u32>,
    loops: Buffer<u32>,
    labels: Buffer<u32>,
    table: Table,
    /// How many vertices took another label in this sweep.
    changed: Buffer<u32>,
    order: RandomOrder,
}

impl<'g> Labels<'g> {
    fn new(graph: &'g DeviceGraph, weights: &[u32], loops: &[u32], seed: u64) -> Result<Self> {
        let (gpu, vertices) = (graph.gpu(), graph.vertices());
        Ok(Self {
            gpu,
            graph,
            weights: gpu.upload(weights)?,
            loops: gpu.upload(loops)?,
            labels: gpu.upload(&(0..vertices).collect::<Vec<u32>>())?,
            table: Table::new(graph)?,
            changed: gpu.empty(1)?,
            order: RandomOrder::new(seed),
        })
    }

    /// Lets the vertices of one color after the other take labels.
    fn sweep(&self, gathers: &[ClassGathers]) -> Result<()> {
        self.table.clear()?;
        self.gpu.fill(&self.changed, 0)?;
        let array = |buffer| AtomicArray::of(self.gpu, buffer);
        let count = self.table.count(self.graph, &self.labels, &self.weights);
        let (to_rank, to_label) = self.order.multipliers();
        let choose = || {
            ChooseLaunch::new(
                self.table.sums(self.graph),
                array(&self.labels),
                self.loops.arg(),
                self.table.best.arg(),
                array(&self.changed),
                to_rank,
                to_label,
            )
        };
        // SAFETY: there are a label, a loop and a best sum for each vertex, a table with a free place for each that has
        // neighbours, and a count of changes.
        let choose = unsafe { Operation::<Choose>::unchecked(choose) };
        for class in gathers {
            class.count.run(&count)?;
            class.choose.run(&choose)?;
        }
        Ok(())
    }
}

/// Lets a vertex take the most frequent label of the highest rank, unless its own is as frequent.
#[derive(CubeType, CubeLaunch)]
struct Choose {
    sums: Sums,
    labels: AtomicArray,
    loops: Input<u32>,
    best: Input<u32>,
    changed: AtomicArray,
    to_rank: u32,
    to_label: u32,
}

impl GatherOpKind for Choose {}

#[cube]
impl GatherOp for Choose {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, vertex: u32, neighbour: u32, _edge: u32) -> u32 {
        let label = self.labels.get(neighbour);
        let is_best = self.sums.of(vertex, label) == self.best[vertex as usize];
        select(is_best, label * self.to_rank, 0u32.runtime())
    }

    fn combine(a: u32, b: u32) -> u32 {
        max(a, b)
    }

    fn apply(&mut self, vertex: u32, rank: u32) {
        if self.sums.has_any(vertex) {
            let own = self.labels.get(vertex);
            // A vertex with a loop is its own neighbour.
            let held = self.sums.of(vertex, own) + self.loops[vertex as usize];
            if held < self.best[vertex as usize] {
                self.labels.set(vertex, rank * self.to_label);
                self.changed.fetch_add(0u32, 1u32);
            }
        }
    }
}

#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod tests {
    use equipoise_schedule::lower::{self, Nvrtc};

    use super::*;

    #[test]
    fn every_kernel_compiles_for_cuda() {
        let gpu = lower::gpu();
        let graph = DeviceGraph::from_rows(&gpu, &[0, 1, 2], &[1, 0]).unwrap();
        let labels = Labels::new(&graph, &[1, 1], &[0, 0], 1).unwrap();
        let class = Frontier::assumed(&graph, 2, 2).unwrap();
        let schedule = || ScheduleName::MergePath.into();
        let count = FrontierGather::new(&class, schedule()).unwrap();
        let choose = FrontierGather::new(&class, schedule()).unwrap();
        labels.sweep(&[ClassGathers { count, choose }]).unwrap();
        let kernels = lower::kernels(&gpu).unwrap();
        for name in ["Count", "Choose"] {
            assert!(kernels.iter().any(|kernel| kernel.name.contains(name)), "{name}");
        }
        Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels)).unwrap();
    }
}
