//! Label propagation on a GPU.
//!
//! The vertices of a color sum the weights of the labels around them. A second pass over their edges chooses the new
//! labels. Weights are whole, so the order of the sums does not matter, and labels equal those of the cpu.

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
        Communities, CommunitiesOptions, classes::Classes, cpu, partition::Partition,
        random_order::RandomOrder, undirected::UndirectedGraph,
    },
    require_memory,
    slots::MOST_EDGES,
    table::*,
};
use crate::{
    Result, Step, Times,
    gpu_graph::GpuGraph,
    run::run_on,
    times::{prepared, timed},
};

/// Propagates labels; on the cpu if weights are not whole, or edges are too many.
pub(in super::super) fn label_propagation(
    graph: &GpuGraph,
    options: &CommunitiesOptions,
) -> Result<Communities> {
    let (undirected, build_time) = timed(|| UndirectedGraph::new(graph.graph));
    let undirected = undirected?;
    let neighbors = &undirected.neighbors;
    let whole_weights = undirected.whole_weights().filter(|_| neighbors.entries() <= MOST_EDGES);
    let Some((weights, loops)) = whole_weights else {
        return cpu::run(&undirected, options, build_time);
    };
    let gpu = &graph.gpu;
    // Per edge: keys, sums and weights. Per vertex: labels, loops, the best sums, and the lists of colors with the buffers of
    // their schedules.
    require_memory(gpu, "label propagation", neighbors, [5, 12], graph.bytes_missing_simple()?)?;
    let (simple, upload) = graph.simple()?;
    let new_labels = || Labels::new(simple, &weights, &loops, options.seed);
    let (labels, preparing) = prepared(gpu, new_labels)?;
    let (gathers, coloring) =
        prepared(gpu, || gathers(simple, &Classes::new(neighbors, options.seed)?))?;
    let run = run_on(gpu, || run(&labels, &gathers, options), Ok)?;
    let compile = preparing.compile + coloring.compile + run.times.compile;
    let prepare = build_time + preparing.prepare;
    // The host colors the vertices in each run, as the cpu does.
    let overhead = run.times.overhead + coloring.prepare;
    let times = Times { upload, prepare, compile, overhead, ..run.times };
    Ok(Communities { on_gpu: true, ..Communities::new(&undirected, run.result, options, times) })
}

/// A pass over the vertices of each color.
fn gathers<'g>(graph: &'g DeviceGraph, classes: &Classes) -> Result<Vec<FrontierGather<'g, u32>>> {
    let mut gathers = Vec::new();
    for class in classes.iter() {
        let class = Frontier::from_vertices(graph, class)?;
        // Vertices without neighbours keep their labels.
        if class.edges() > 0 {
            gathers.push(FrontierGather::new(&class, ScheduleName::MergePath.into())?);
        }
    }
    Ok(gathers)
}

fn run(
    labels: &Labels,
    gathers: &[FrontierGather<u32>],
    options: &CommunitiesOptions,
) -> Result<Partition> {
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
    Ok(Partition { labels, levels: Vec::new(), converged, steps })
}

/// The buffers of label propagation.
struct Labels<'g> {
    gpu: &'g Gpu,
    graph: &'g DeviceGraph,
    weights: Buffer<u32>,
    loops: Buffer<u32>,
    labels: Buffer<u32>,
    table: Table,
    /// The number of labels changed in this sweep.
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

    /// Updates the labels, color by color.
    fn sweep(&self, gathers: &[FrontierGather<u32>]) -> Result<()> {
        self.table.clear()?;
        self.gpu.fill(&self.changed, 0)?;
        let array = |buffer| AtomicArray::bind(self.gpu, buffer);
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
        // SAFETY: each vertex has a label, a loop and a best sum, each with neighbours a table with a free slot; `changed`
        // has one word.
        let choose = unsafe { Operation::<Choose>::unchecked(choose) };
        for class in gathers {
            class.run(&count)?;
            class.run(&choose)?;
        }
        Ok(())
    }
}

/// Sets the label of a vertex to the most frequent one of the highest rank, unless its own is as frequent.
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
        let is_best = self.sums.sum_of(vertex, label) == self.best[vertex as usize];
        select(is_best, label * self.to_rank, 0u32.runtime())
    }

    fn combine(a: u32, b: u32) -> u32 {
        max(a, b)
    }

    fn apply(&mut self, vertex: u32, rank: u32) {
        if self.sums.has_any(vertex) {
            let own = self.labels.get(vertex);
            // A vertex with a loop is a neighbour of itself.
            let own_sum = self.sums.sum_of(vertex, own) + self.loops[vertex as usize];
            if own_sum < self.best[vertex as usize] {
                self.labels.set(vertex, rank * self.to_label);
                self.changed.fetch_add(0u32, 1u32);
            }
        }
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
        let labels = Labels::new(&graph, &[1, 1], &[0, 0], 1).unwrap();
        let class = Frontier::assumed(&graph, 2, 2).unwrap();
        let class = FrontierGather::new(&class, ScheduleName::MergePath.into()).unwrap();
        labels.sweep(&[class]).unwrap();
        assert_compiles(&gpu, "Count Choose");
    }
}
