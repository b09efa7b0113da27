//! Label propagation on a GPU.
//!
//! Each vertex has a table of twice as many places as it has neighbours, in which the weights of their labels are added
//! up: those of all vertices of a color at the same time. A second pass over the edges finds the label that is taken.
//! Weights are whole numbers, so that the order of the sums does not matter and labels are those of the cpu.

use cubecl::prelude::*;
use equipoise_schedule::{
    ScheduleName,
    atomics::*,
    device::{Buffer, Gpu},
    engine::*,
    input::Input,
};

use super::{
    Communities, CommunitiesOptions, classes::Classes, cpu, found::Found,
    random_order::RandomOrder, weighted::Weighted,
};
use crate::{
    LoadedGraph, NONE, Result, Step, Times,
    gpu_graph::GraphOnGpu,
    times::{empty_wait, finished, less_wait, prepared, timed},
};

/// Propagates labels; on the cpu where weights are not whole numbers or too many.
pub(super) fn label_propagation(
    loaded: &LoadedGraph,
    there: &GraphOnGpu,
    options: &CommunitiesOptions,
) -> Result<Communities> {
    let (weighted, weighing) = timed(|| Weighted::of(loaded.graph));
    let weighted = weighted?;
    let entries = weighted.neighbors.entries();
    let Some((weights, loops)) = weighted.whole_weights().filter(|_| entries < PLACES / 2) else {
        return cpu::communities_of(&weighted, options, weighing);
    };
    require_memory(loaded, there, &weighted)?;
    let gpu = &there.gpu;
    let (graph, upload) = loaded.neighbors.on_gpu(there)?;
    let (tables, preparing) = prepared(gpu, || Tables::new(graph, &weights, &loops, options.seed))?;
    let (gathers, coloring) =
        prepared(gpu, || gathers(graph, &Classes::of(&weighted.neighbors, options.seed)?))?;
    gpu.wake();
    let wait = empty_wait(gpu)?;
    let stopwatch = gpu.stopwatch();
    let (found, time) = finished(gpu, || run(&tables, &gathers, options))?;
    let compile = preparing.compile + coloring.compile + stopwatch.compiled();
    let prepare = weighing + preparing.prepare;
    let times = less_wait(Times { upload, compile, prepare, ..Times::default() }, time, wait);
    // The host colors vertices in each run, as the cpu does.
    let times = Times { overhead: times.overhead + coloring.prepare, ..times };
    Ok(Communities { on_gpu: true, ..Communities::of(&weighted, found, options, times) })
}

/// The most places that tables have together: as many as 32 bits number.
const PLACES: u64 = u32::MAX as u64;

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

fn run(tables: &Tables, gathers: &[ClassGathers], options: &CommunitiesOptions) -> Result<Found> {
    let (mut steps, mut converged) = (Vec::new(), false);
    while !converged && (steps.len() as u64) < u64::from(options.max_iterations) {
        let stopwatch = tables.gpu.stopwatch();
        tables.sweep(gathers)?;
        let found = tables.gpu.download(&tables.changed)?[0].into();
        converged = found == 0;
        let (frontier, edges) = (tables.graph.vertices().into(), tables.graph.edges().into());
        let step = Step::new(steps.len() as u32, "label-propagation");
        steps.push(Step { frontier, edges, found, time: stopwatch.elapsed(), ..step });
    }
    let labels = tables.gpu.download(&tables.labels)?;
    Ok(Found { labels, levels: Vec::new(), converged, steps })
}

/// Labels, and the weights of labels among the neighbours of each vertex.
struct Tables<'g> {
    gpu: &'g Gpu,
    graph: &'g DeviceGraph,
    weights: Buffer<u32>,
    loops: Buffer<u32>,
    labels: Buffer<u32>,
    keys: Buffer<u32>,
    sums: Buffer<u32>,
    /// The largest sum of each vertex.
    best: Buffer<u32>,
    /// How many vertices took another label in this sweep.
    changed: Buffer<u32>,
    order: RandomOrder,
}

impl<'g> Tables<'g> {
    fn new(graph: &'g DeviceGraph, weights: &[u32], loops: &[u32], seed: u64) -> Result<Self> {
        let (gpu, vertices) = (graph.gpu(), graph.vertices());
        let places = 2 * graph.edges() as usize;
        Ok(Self {
            gpu,
            graph,
            weights: gpu.upload(weights)?,
            loops: gpu.upload(loops)?,
            labels: gpu.upload(&(0..vertices).collect::<Vec<u32>>())?,
            keys: gpu.empty(places)?,
            sums: gpu.empty(places)?,
            best: gpu.empty(vertices as usize)?,
            changed: gpu.empty(1)?,
            order: RandomOrder::new(seed),
        })
    }

    /// Lets the vertices of one color after the other take labels.
    fn sweep(&self, gathers: &[ClassGathers]) -> Result<()> {
        self.gpu.fill(&self.keys, NONE)?;
        self.gpu.fill(&self.sums, 0)?;
        self.gpu.fill(&self.changed, 0)?;
        let array = |buffer| AtomicArray::of(self.gpu, buffer);
        let count = || {
            CountLaunch::new(
                self.graph.offsets().arg(),
                self.labels.arg(),
                self.weights.arg(),
                array(&self.keys),
                array(&self.sums),
                self.best.arg(),
            )
        };
        // SAFETY: there are a label and a best sum for each vertex, a weight for each edge, and twice as many places as
        // edges, of which those of a vertex are not all taken by the labels of its neighbours.
        let count = unsafe { Operation::<Count>::unchecked(count) };
        let (to_rank, to_label) = self.order.multipliers();
        let choose = || {
            ChooseLaunch::new(
                self.graph.offsets().arg(),
                array(&self.labels),
                self.loops.arg(),
                self.keys.arg(),
                self.sums.arg(),
                self.best.arg(),
                array(&self.changed),
                to_rank,
                to_label,
            )
        };
        // SAFETY: as above, and a count of changes.
        let choose = unsafe { Operation::<Choose>::unchecked(choose) };
        for class in gathers {
            class.count.run(&count)?;
            class.choose.run(&choose)?;
        }
        Ok(())
    }
}

/// Where the search for a label starts in a table of so many places.
#[cube]
fn first_place(label: u32, places: u32) -> u32 {
    (label * 0x9e37_79b9u32) % places
}

/// Adds up the weights of labels among the neighbours of a vertex, and finds the largest sum.
#[derive(CubeType, CubeLaunch)]
struct Count {
    offsets: Input<u32>,
    labels: Input<u32>,
    weights: Input<u32>,
    keys: AtomicArray,
    sums: AtomicArray,
    best: Array<u32>,
}

impl GatherOpKind for Count {}

#[cube]
impl GatherOp for Count {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    /// The sum so far of the label: the largest that any edge sees is that of the most frequent one.
    fn gather(&mut self, vertex: u32, neighbour: u32, edge: u32) -> u32 {
        let label = self.labels[neighbour as usize];
        let start = 2 * self.offsets[vertex as usize];
        let places = 2 * self.offsets[vertex as usize + 1] - start;
        let mut place = first_place(label, places);
        let mut is_found = false;
        while !is_found {
            let mut there = self.keys.get(start + place);
            if there == NONE {
                there = self.keys.compare_exchange_weak(start + place, NONE.runtime(), label);
            }
            is_found = there == label;
            // Where it was free it is looked at once more: the exchange may have failed for no reason.
            if there != label && there != NONE {
                place = (place + 1) % places;
            }
        }
        let weight = self.weights[edge as usize];
        self.sums.fetch_add(start + place, weight) + weight
    }

    fn combine(a: u32, b: u32) -> u32 {
        max(a, b)
    }

    fn apply(&mut self, vertex: u32, total: u32) {
        self.best[vertex as usize] = total;
    }
}

/// Lets a vertex take the most frequent label of the highest rank, unless its own is as frequent.
#[derive(CubeType, CubeLaunch)]
struct Choose {
    offsets: Input<u32>,
    labels: AtomicArray,
    loops: Input<u32>,
    keys: Input<u32>,
    sums: Input<u32>,
    best: Input<u32>,
    changed: AtomicArray,
    to_rank: u32,
    to_label: u32,
}

impl GatherOpKind for Choose {}

#[cube]
impl Choose {
    /// The weight of a label among the neighbours of a vertex that has some.
    fn sum_of(&self, vertex: u32, label: u32) -> u32 {
        let start = 2 * self.offsets[vertex as usize];
        let places = 2 * self.offsets[vertex as usize + 1] - start;
        let mut place = first_place(label, places);
        let mut there = self.keys[(start + place) as usize];
        while there != label && there != NONE {
            place = (place + 1) % places;
            there = self.keys[(start + place) as usize];
        }
        // Free places have a sum of zero.
        self.sums[(start + place) as usize]
    }
}

#[cube]
impl GatherOp for Choose {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, vertex: u32, neighbour: u32, _edge: u32) -> u32 {
        let label = self.labels.get(neighbour);
        let is_best = self.sum_of(vertex, label) == self.best[vertex as usize];
        select(is_best, label * self.to_rank, 0u32.runtime())
    }

    fn combine(a: u32, b: u32) -> u32 {
        max(a, b)
    }

    fn apply(&mut self, vertex: u32, rank: u32) {
        if self.offsets[vertex as usize + 1] > self.offsets[vertex as usize] {
            let own = self.labels.get(vertex);
            // A vertex with a loop is its own neighbour.
            let held = self.sum_of(vertex, own) + self.loops[vertex as usize];
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
        let tables = Tables::new(&graph, &[1, 1], &[0, 0], 1).unwrap();
        let class = Frontier::assumed(&graph, 2, 2).unwrap();
        let schedule = || ScheduleName::MergePath.into();
        let count = FrontierGather::new(&class, schedule()).unwrap();
        let choose = FrontierGather::new(&class, schedule()).unwrap();
        tables.sweep(&[ClassGathers { count, choose }]).unwrap();
        let kernels = lower::kernels(&gpu).unwrap();
        for name in ["Count", "Choose"] {
            assert!(kernels.iter().any(|kernel| kernel.name.contains(name)), "{name}");
        }
        Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels)).unwrap();
    }
}
