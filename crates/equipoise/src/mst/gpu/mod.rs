//! Spanning forests on a GPU: lists of edges that get shorter, and trees that get fewer, without the host.

mod kernels;

use std::ops::RangeInclusive;

use cubecl::prelude::*;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
};

use self::kernels::*;
use super::{Keys, MstOptions, MstStrategy, SpanningForest};
use crate::{
    NONE, Result, Step, Times, Trace,
    gpu_graph::{DeviceWeights, GpuGraph, GraphOnGpu},
    times::{empty_wait, finished, less_wait, timed_on},
};

/// Rounds that are enqueued before the host waits.
const BATCH: u32 = 3;
/// More than the rounds with one list: each halves the trees that an edge leaves.
const MOST_ROUNDS: u32 = 33 + BATCH;

/// As [`mst`](super::mst()), on a GPU.
pub(super) fn mst(there: &GraphOnGpu, options: &MstOptions) -> Result<SpanningForest> {
    let (gpu, graph) = (&there.gpu, there.graph);
    let (vertices, edges) = (u64::from(graph.vertices()), graph.csr().entries());
    let words = |count: u64| gpu.held_by(4 * count.max(1));
    // Of each vertex its tree twice, its lightest edge with the key of that, the edge that it was joined by, and its
    // place in a list of all; where each edge starts, and two lists of half of the edges.
    let of_vertices = words(vertices).saturating_mul(6);
    let of_edges = words(edges).saturating_add(words(edges.div_ceil(2)).saturating_mul(2));
    let bytes = there.bytes_missing(true).saturating_add(of_vertices).saturating_add(of_edges);
    gpu.require(&format!("a spanning forest of {vertices} vertices"), bytes)?;
    let graph = there.get()?;
    graph.upload_weights()?;
    let (origins, prepare) = timed_on(gpu, || graph.leaving.origins(gpu, there.graph));
    let found = run(graph, origins?, options.strategy.chosen(there.graph))?;
    Ok(SpanningForest { times: Times { prepare, ..found.times }, ..found })
}

fn run(graph: &GpuGraph, origins: &Buffer<u32>, strategy: MstStrategy) -> Result<SpanningForest> {
    let gpu = &graph.gpu;
    gpu.wake();
    let wait = empty_wait(gpu)?;
    let stopwatch = gpu.stopwatch();
    let (growing, time) = finished(gpu, || {
        let mut growing = Growing::new(graph, origins)?;
        for keys in Keys::of(graph.graph).phases(graph.graph, strategy) {
            growing.take(keys)?;
        }
        Ok(growing)
    })?;
    let compile = stopwatch.compiled();
    let (joined_by, download) = timed_on(gpu, || gpu.download(&growing.joined_by));
    let places: Vec<u32> = joined_by?.into_iter().filter(|&edge| edge != NONE).collect();
    let upload = graph.upload_time(true);
    let times = Times { upload, compile, download, ..Times::default() };
    let times = less_wait(times, time, wait);
    let (frontier, found) = (graph.vertices().into(), places.len() as u64);
    let Growing { edges, rounds, .. } = growing;
    let step =
        Step { frontier, edges, found, time, sub_steps: rounds, ..Step::new(0, "all rounds") };
    Ok(SpanningForest::of(graph.graph, places, strategy, Trace { steps: vec![step] }, times))
}

/// A forest that grows from round to round.
struct Growing<'g> {
    graph: &'g GpuGraph<'g>,
    origins: &'g Buffer<u32>,
    all: Frontier<'g>,
    /// The root of each vertex' tree, at the start of a round and at its end, by turns.
    trees: [Buffer<u32>; 2],
    /// Of each root, the smallest key of the edges that leave its tree, and of those with this key the first edge.
    keys: Buffer<u32>,
    first: Buffer<u32>,
    /// The edge that each vertex which is a root no more was joined with another tree by.
    joined_by: Buffer<u32>,
    /// Edges between two trees, by turns.
    lists: [Buffer<u32>; 2],
    /// How many rounds there were, and how many edges they looked at.
    rounds: u32,
    edges: u64,
}

impl<'g> Growing<'g> {
    fn new(graph: &'g GpuGraph<'g>, origins: &'g Buffer<u32>) -> Result<Self> {
        let (gpu, vertices) = (&graph.gpu, graph.vertices() as usize);
        // An edge is listed in one of its two directions.
        let room = graph.edges().div_ceil(2) as usize;
        let growing = Self {
            graph,
            origins,
            all: Frontier::all(&graph.there)?,
            trees: [gpu.empty(vertices)?, gpu.empty(vertices)?],
            keys: gpu.filled(vertices, u32::MAX)?,
            first: gpu.filled(vertices, NONE)?,
            joined_by: gpu.filled(vertices, NONE)?,
            lists: [gpu.empty(room)?, gpu.empty(room)?],
            rounds: 0,
            edges: 0,
        };
        let plant = || PlantLaunch::new(growing.trees[0].arg());
        // SAFETY: there is a tree for each vertex.
        for_each(&growing.all, &unsafe { Operation::<Plant>::unchecked(plant) });
        Ok(growing)
    }

    /// Adds the edges with these keys that belong to the forest.
    fn take(&mut self, keys: RangeInclusive<u32>) -> Result<()> {
        let gpu = &self.graph.gpu;
        // How many edges each round starts with, and one more.
        let counts = gpu.filled(MOST_ROUNDS as usize + 1, 0u32)?;
        self.edges += u64::from(self.graph.edges());
        let mut first = 0;
        while first + BATCH <= MOST_ROUNDS {
            for round in first..first + BATCH {
                self.round(round, &counts, &keys);
            }
            let left = gpu.download(&counts)?;
            for round in first..first + BATCH {
                let left = left[round as usize + 1];
                if left == 0 {
                    return Ok(());
                }
                self.rounds += 1;
                self.edges += u64::from(left);
            }
            first += BATCH;
        }
        let problem = format!("{first} rounds, and there are edges left that join two trees");
        Err(equipoise_schedule::Error::Schedule(problem).into())
    }

    /// Enqueues a round; the first one of a phase looks at all edges.
    fn round(&mut self, round: u32, counts: &Buffer<u32>, keys: &RangeInclusive<u32>) {
        self.shrink(round, counts, keys);
        self.elect(round, counts);
        self.join();
        self.trees.swap(0, 1);
        self.lists.swap(0, 1);
    }

    fn gpu(&self) -> &Gpu {
        &self.graph.gpu
    }

    fn cubes(&self) -> CubeCount {
        self.gpu().cubes(self.gpu().properties().cubes_at_work().into())
    }

    /// The edges of the graph; weights are bound by their bits.
    fn pairs(&self) -> PairsLaunch<GpuRuntime> {
        let weights = match self.graph.leaving.weights() {
            Some(DeviceWeights::U32(weights)) => weights.arg(),
            Some(DeviceWeights::F32(weights)) => weights.arg(),
            None => unreachable!("weights are copied before the first round"),
        };
        PairsLaunch::new(self.origins.arg(), self.graph.leaving.targets.arg(), weights)
    }

    fn is_real(&self) -> bool {
        Keys::of(self.graph.graph).are_real()
    }

    fn shrink(&self, round: u32, counts: &Buffer<u32>, keys: &RangeInclusive<u32>) {
        let gpu = self.gpu();
        let all = if round == 0 { self.graph.edges() } else { 0 };
        // SAFETY: there are a start, a target and a weight for each edge, a tree and a key for each vertex, room in a list
        // for one direction of each edge, and counts for the round and the next one.
        unsafe {
            shrink::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                self.cubes(),
                CubeDim::new_1d(UNITS),
                self.pairs(),
                self.trees[0].arg(),
                AtomicArray::of(gpu, &self.keys),
                self.lists[0].arg(),
                self.lists[1].arg(),
                AtomicArray::of(gpu, counts),
                RangeLaunch::new(*keys.start(), *keys.end(), all, round),
                self.is_real(),
            );
        }
    }

    fn elect(&self, round: u32, counts: &Buffer<u32>) {
        let gpu = self.gpu();
        // SAFETY: as above, and the list has as many edges as the count of the next round says.
        unsafe {
            elect::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                self.cubes(),
                CubeDim::new_1d(UNITS),
                self.pairs(),
                self.trees[0].arg(),
                self.keys.arg(),
                AtomicArray::of(gpu, &self.first),
                self.lists[1].arg(),
                counts.arg(),
                round,
                self.is_real(),
            );
        }
    }

    /// Joins trees, and lets each vertex point to the root of its tree.
    fn join(&self) {
        let gpu = self.gpu();
        let join = || {
            JoinLaunch::new(
                self.origins.arg(),
                self.graph.leaving.targets.arg(),
                self.trees[0].arg(),
                self.first.arg(),
                self.trees[1].arg(),
                self.joined_by.arg(),
            )
        };
        // SAFETY: there are two trees, a first edge and an edge to be joined by for each vertex, and a start and a target
        // for each edge.
        for_each(&self.all, &unsafe { Operation::<Join>::unchecked(join) });
        let compress = || {
            let trees = AtomicArray::of(gpu, &self.trees[1]);
            CompressLaunch::new(trees, self.keys.arg(), self.first.arg())
        };
        // SAFETY: there are a tree, a key and a first edge for each vertex.
        let compress = unsafe { Operation::<Compress>::unchecked(compress) };
        // Each time, what a vertex points to is `STEPS` times as far away, or the root.
        let bits = u32::BITS - self.graph.vertices().leading_zeros();
        for _ in 0..bits.div_ceil(STEPS.ilog2()) {
            for_each(&self.all, &compress);
        }
    }
}

#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod tests {
    use equipoise_graph::{Edges, GraphBuilder};
    use equipoise_schedule::lower::{self, Nvrtc};

    use super::*;

    #[test]
    fn every_kernel_compiles_for_cuda() {
        let gpu = lower::gpu();
        let builder = GraphBuilder::new().undirected(true);
        let whole = builder.clone().build(Edges::from(vec![(0, 1, 2u32), (1, 2, 3)])).unwrap();
        let real = builder.build(Edges::from(vec![(0, 1, 0.5f32), (1, 2, 1.0)])).unwrap();
        for graph in [&whole, &real] {
            // Nothing runs here, so that it does not end as it should: what is launched until then counts.
            let _ = mst(&GraphOnGpu::new(&gpu, graph), &MstOptions::default());
        }
        let kernels = lower::kernels(&gpu).unwrap();
        for name in ["shrink", "elect", "Join", "Compress", "Plant"] {
            assert!(kernels.iter().any(|kernel| kernel.name.contains(name)), "{name}");
        }
        Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels)).unwrap();
    }
}
