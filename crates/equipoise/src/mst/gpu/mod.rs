//! Spanning forests on a GPU: rounds shorten the list of edges on the device.

mod kernels;

use std::ops::RangeInclusive;

use cubecl::prelude::*;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, GpuRuntime},
    engine::*,
};

use self::kernels::*;
use super::{Keys, MstOptions, SpanningForest};
use crate::{
    NONE, Result, Step, Times, Trace,
    gpu_graph::{DeviceWeights, GpuGraph, WeightedRows},
    kernels::{UNITS, concurrent_cubes},
    run::{buffer_bytes, run_on},
    times::timed_on,
};

/// Rounds that are enqueued before the host waits.
const BATCH: u32 = 3;
/// An upper bound on the rounds of a phase: each halves the number of trees that an edge leaves.
const MOST_ROUNDS: u32 = 33 + BATCH;

/// Runs [`mst`](super::mst()) on a GPU.
pub(super) fn mst(graph: &GpuGraph, options: &MstOptions) -> Result<SpanningForest> {
    let gpu = &graph.gpu;
    let (vertices, edges) = (u64::from(graph.vertices()), graph.graph.csr().entries());
    // Two arrays of trees, keys, chosen edges, joining edges and the frontier; sources of edges, and two lists of half of
    // the edges.
    let buffers = [(vertices, 6), (edges, 1), (edges.div_ceil(2), 2)];
    let bytes = buffers.map(|(len, count)| buffer_bytes(gpu, len, count));
    let bytes = bytes.into_iter().fold(graph.bytes_missing(true), u64::saturating_add);
    gpu.require(&format!("a spanning forest of {vertices} vertices"), bytes)?;
    let strategy = options.strategy.resolved(graph.graph);
    let phases = Keys::new(graph.graph).phases(graph.graph, strategy);
    let rows = graph.leaving_with_weights()?;
    let (origins, prepare) = timed_on(gpu, || rows.origins(gpu, graph.graph));
    let origins = origins?;
    let grow = || {
        let mut boruvka = Boruvka::new(graph, rows, origins)?;
        phases.into_iter().try_for_each(|keys| boruvka.run_phase(keys))?;
        Ok(boruvka)
    };
    let run = run_on(gpu, grow, |boruvka| {
        Ok((gpu.download(&boruvka.joined_by)?, boruvka.edges, boruvka.rounds))
    })?;
    let (joined_by, edges, sub_steps) = run.result;
    let chosen: Vec<u32> = joined_by.into_iter().filter(|&edge| edge != NONE).collect();
    let times = Times { upload: graph.upload_time(true), prepare, ..run.times };
    let (frontier, found, time) = (vertices, chosen.len() as u64, run.time);
    let step = Step { frontier, edges, found, time, sub_steps, ..Step::new(0, "all rounds") };
    Ok(SpanningForest::new(graph.graph, chosen, strategy, Trace { steps: vec![step] }, times))
}

/// A forest that grows round by round.
struct Boruvka<'g> {
    graph: &'g GpuGraph<'g>,
    rows: &'g WeightedRows,
    origins: &'g Buffer<u32>,
    all: Frontier<'g>,
    /// The root of each vertex before and after a round; swapped after each round.
    trees: [Buffer<u32>; 2],
    /// By root: the smallest key of the edges that leave the tree, and the first edge with this key.
    keys: Buffer<u32>,
    first: Buffer<u32>,
    /// The edge that joined the tree of a former root to another tree.
    joined_by: Buffer<u32>,
    /// The edges between two trees before and after a round; swapped after each round.
    lists: [Buffer<u32>; 2],
    /// The number of rounds so far, and of edges that they visited.
    rounds: u32,
    edges: u64,
}

impl<'g> Boruvka<'g> {
    fn new(
        graph: &'g GpuGraph<'g>,
        rows: &'g WeightedRows,
        origins: &'g Buffer<u32>,
    ) -> Result<Self> {
        let (gpu, vertices) = (&graph.gpu, graph.vertices() as usize);
        // An edge is listed in one of its two directions.
        let room = graph.edges().div_ceil(2) as usize;
        let boruvka = Self {
            graph,
            rows,
            origins,
            all: Frontier::all(graph.engine_graph()?)?,
            trees: [gpu.empty(vertices)?, gpu.empty(vertices)?],
            keys: gpu.filled(vertices, u32::MAX)?,
            first: gpu.filled(vertices, NONE)?,
            joined_by: gpu.filled(vertices, NONE)?,
            lists: [gpu.empty(room)?, gpu.empty(room)?],
            rounds: 0,
            edges: 0,
        };
        let plant = || PlantLaunch::new(boruvka.trees[0].arg());
        // SAFETY: each vertex has a tree.
        for_each(&boruvka.all, &unsafe { Operation::<Plant>::unchecked(plant) });
        Ok(boruvka)
    }

    /// Adds the edges of the forest whose keys are in a range.
    fn run_phase(&mut self, keys: RangeInclusive<u32>) -> Result<()> {
        let gpu = &self.graph.gpu;
        // The number of edges before each round, and after the last.
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
        let problem = format!("{first} rounds, and edges are left that join two trees");
        Err(equipoise_schedule::Error::Schedule(problem).into())
    }

    /// Enqueues a round; the first round of a phase visits all edges.
    fn round(&mut self, round: u32, counts: &Buffer<u32>, keys: &RangeInclusive<u32>) {
        self.shrink(round, counts, keys);
        self.elect(round, counts);
        self.join();
        self.trees.swap(0, 1);
        self.lists.swap(0, 1);
    }

    /// The edges of the graph; weights are bound by their bits.
    fn pairs(&self) -> PairsLaunch<GpuRuntime> {
        let weights = match self.rows.weights() {
            Some(DeviceWeights::U32(weights)) => weights.arg(),
            Some(DeviceWeights::F32(weights)) => weights.arg(),
            None => unreachable!("weights are uploaded before the first round"),
        };
        PairsLaunch::new(self.origins.arg(), self.rows.targets.arg(), weights)
    }

    fn is_real(&self) -> bool {
        Keys::new(self.graph.graph).are_real()
    }

    fn shrink(&self, round: u32, counts: &Buffer<u32>, keys: &RangeInclusive<u32>) {
        let gpu = &self.graph.gpu;
        let all = if round == 0 { self.graph.edges() } else { 0 };
        // SAFETY: each edge has a source, a target and a weight, each vertex a tree and a key; lists hold one direction of
        // each edge, and this round and the next have counters.
        unsafe {
            shrink::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                concurrent_cubes(gpu),
                CubeDim::new_1d(UNITS),
                self.pairs(),
                self.trees[0].arg(),
                AtomicArray::bind(gpu, &self.keys),
                self.lists[0].arg(),
                self.lists[1].arg(),
                AtomicArray::bind(gpu, counts),
                RangeLaunch::new(*keys.start(), *keys.end(), all, round),
                self.is_real(),
            );
        }
    }

    fn elect(&self, round: u32, counts: &Buffer<u32>) {
        let gpu = &self.graph.gpu;
        // SAFETY: as above, and the counter of the next round is the length of the list.
        unsafe {
            elect::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                concurrent_cubes(gpu),
                CubeDim::new_1d(UNITS),
                self.pairs(),
                self.trees[0].arg(),
                self.keys.arg(),
                AtomicArray::bind(gpu, &self.first),
                self.lists[1].arg(),
                counts.arg(),
                round,
                self.is_real(),
            );
        }
    }

    /// Joins trees, and points each vertex to the root of its tree.
    fn join(&self) {
        let gpu = &self.graph.gpu;
        let join = || {
            JoinLaunch::new(
                self.origins.arg(),
                self.rows.targets.arg(),
                self.trees[0].arg(),
                self.first.arg(),
                self.trees[1].arg(),
                self.joined_by.arg(),
            )
        };
        // SAFETY: each vertex has two trees, a chosen edge and a joining edge; each edge has a source and a target.
        for_each(&self.all, &unsafe { Operation::<Join>::unchecked(join) });
        let compress = || {
            let trees = AtomicArray::bind(gpu, &self.trees[1]);
            CompressLaunch::new(trees, self.keys.arg(), self.first.arg())
        };
        // SAFETY: each vertex has a tree, a key and a chosen edge.
        let compress = unsafe { Operation::<Compress>::unchecked(compress) };
        // Each launch multiplies the distance that a pointer spans by `STEPS`, until it reaches the root.
        let bits = u32::BITS - self.graph.vertices().leading_zeros();
        for _ in 0..bits.div_ceil(STEPS.ilog2()) {
            for_each(&self.all, &compress);
        }
    }
}
