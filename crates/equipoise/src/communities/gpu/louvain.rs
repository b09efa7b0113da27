//! Louvain on a GPU.
//!
//! The vertices of a [batch](super::super::local_moves) choose at the same time. The first pass over their edges sums the weights to
//! each community around them, the second finds the largest gain of modularity, the third the community with that gain, and the
//! fourth which vertices wait for a neighbour. Then the others with a gain move. Weights are whole or scaled to 32 bits, and their
//! sums exact, so the result does not depend on the order of additions. The host builds the graph of the next level.

use equipoise_graph::Csr;
use equipoise_schedule::{
    ScheduleName,
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
};

use super::{
    super::{
        Communities, CommunitiesOptions, cpu,
        groups::Groups,
        local_moves::{BATCHES, LITTLE},
        louvain::{Moved, levels},
        random_order::RandomOrder,
        undirected::{ScaledWeights, UndirectedGraph},
    },
    moves::*,
    require_memory,
    table::*,
};
use crate::{Result, Times, gpu_graph::GpuGraph, run::run_on, times::timed};

/// The fewest vertices per batch: smaller ones do not fill a GPU.
const FEWEST_PER_BATCH: u32 = 1 << 8;
/// Words per vertex: communities, their totals, strengths, gains, targets, waiting flags, inner weights, and the lists of batches
/// with the buffers of their schedules.
const WORDS_PER_VERTEX: u64 = 25;

/// Runs Louvain; on the cpu if there are too many edges.
pub(in super::super) fn louvain(
    graph: &GpuGraph,
    options: &CommunitiesOptions,
) -> Result<Communities> {
    let (undirected, prepare) = timed(|| UndirectedGraph::new(graph.graph));
    let undirected = undirected?;
    if undirected.neighbors.entries() > MOST_EDGES {
        return cpu::run(&undirected, options, prepare);
    }
    let gpu = &graph.gpu;
    let require_memory =
        |rows: &Csr, missing| require_memory(gpu, "louvain", rows, WORDS_PER_VERTEX, missing);
    require_memory(&undirected.neighbors, graph.bytes_missing_simple()?)?;
    let (simple, upload) = graph.simple()?;
    let mut is_first = true;
    let all_levels = || {
        levels(&undirected, options, |level| {
            if std::mem::take(&mut is_first) {
                return move_all(level, simple, options);
            }
            require_memory(&level.neighbors, DeviceRows::bytes_of(gpu, &level.neighbors))?;
            // SAFETY: `Csr::new` built the rows.
            let graph = unsafe { DeviceGraph::from_neighbors(gpu, &level.neighbors) }?;
            move_all(level, &graph, options)
        })
    };
    let run = run_on(gpu, all_levels, Ok)?;
    let times = Times { upload, prepare, ..run.times };
    Ok(Communities { on_gpu: true, ..Communities::new(&undirected, run.result, options, times) })
}

/// Sweeps over the vertices, each of which starts as a community, until modularity converges.
fn move_all(
    level: &UndirectedGraph,
    graph: &DeviceGraph,
    options: &CommunitiesOptions,
) -> Result<Moved> {
    let start = Moved::none(level, options.resolution);
    let scaled = level.scaled();
    let singletons: Vec<u64> = scaled.strengths.iter().map(|&strength| strength.into()).collect();
    let total = singletons.iter().sum::<u64>() as f64;
    if total == 0.0 {
        return Ok(Moved { converged: true, ..start });
    }
    let movers = Movers::new(graph, &scaled, options.resolution / total)?;
    let batches = batches(graph, options.seed)?;
    let within = scaled.within as f64;
    let modularity = |totals: &[u64], inside: u64| {
        let expected: f64 = totals.iter().map(|&all| (all as f64 / total).powi(2)).sum();
        (within + inside as f64) / total - options.resolution * expected
    };
    let first = modularity(&singletons, 0);
    let mut best = Moved { modularity: first, ..start.clone() };
    while !best.converged && best.sweeps < options.max_iterations {
        let moves = movers.sweep(&batches)?;
        let new_modularity = modularity(&movers.totals()?, movers.inside()?);
        best.sweeps += 1;
        let enough = options.tolerance.max(LITTLE * (new_modularity - first));
        best.converged = moves == 0 || new_modularity <= best.modularity + enough;
        if new_modularity > best.modularity {
            best.modularity = new_modularity;
            best.communities = graph.gpu().download(&movers.communities)?;
        }
    }
    // With the exact weights, rather than the rounded ones.
    let modularity = level.modularity(&best.communities, options.resolution);
    Ok(if modularity >= start.modularity {
        Moved { modularity, ..best }
    } else {
        Moved { sweeps: best.sweeps, converged: best.converged, ..start }
    })
}

/// The passes over the vertices of a batch.
struct Batch<'g> {
    vertices: Frontier<'g>,
    count: FrontierGather<'g, Count>,
    gain: FrontierGather<'g, FindGain>,
    target: FrontierGather<'g, FindTarget>,
    wait: FrontierGather<'g, FindWaiting>,
}

impl<'g> Batch<'g> {
    fn new(vertices: Frontier<'g>) -> Result<Self> {
        let schedule = || ScheduleName::MergePath.into();
        let count = FrontierGather::new(&vertices, schedule())?;
        let gain = FrontierGather::new(&vertices, schedule())?;
        let target = FrontierGather::new(&vertices, schedule())?;
        let wait = FrontierGather::new(&vertices, schedule())?;
        Ok(Self { vertices, count, gain, target, wait })
    }
}

fn batches(graph: &DeviceGraph, seed: u64) -> Result<Vec<Batch<'_>>> {
    let (vertices, order) = (graph.vertices(), RandomOrder::new(seed));
    let count = vertices.div_ceil(FEWEST_PER_BATCH).min(BATCHES);
    let batch_of: Vec<u32> = (0..vertices).map(|vertex| order.part(vertex, count)).collect();
    let mut batches = Vec::new();
    for members in Groups::new(&batch_of, count).iter() {
        let vertices = Frontier::from_vertices(graph, members)?;
        // Vertices without neighbours stay.
        if vertices.edges() > 0 {
            batches.push(Batch::new(vertices)?);
        }
    }
    Ok(batches)
}

/// The buffers of a level.
struct Movers<'g> {
    gpu: &'g Gpu,
    graph: &'g DeviceGraph,
    weights: Buffer<u32>,
    strengths: Buffer<u32>,
    communities: Buffer<u32>,
    /// The total strength of each community in two words, the lower one first.
    totals: Buffer<u32>,
    table: Table,
    /// The community that each vertex of a batch wants to join; everywhere else its own.
    targets: Buffer<u32>,
    /// Whether each vertex waits.
    waits: Buffer<u32>,
    inside: Buffer<u32>,
    /// The number of moves in this sweep.
    moves: Buffer<u32>,
    /// The resolution divided by the sum of all strengths.
    scale: f32,
}

impl<'g> Movers<'g> {
    fn new(graph: &'g DeviceGraph, scaled: &ScaledWeights, scale: f64) -> Result<Self> {
        let (gpu, vertices) = (graph.gpu(), graph.vertices());
        let totals: Vec<u32> =
            scaled.strengths.iter().flat_map(|&strength| [strength, 0]).collect();
        let own: Vec<u32> = (0..vertices).collect();
        Ok(Self {
            gpu,
            graph,
            weights: gpu.upload(&scaled.weights)?,
            strengths: gpu.upload(&scaled.strengths)?,
            communities: gpu.upload(&own)?,
            totals: gpu.upload(&totals)?,
            table: Table::new(graph)?,
            targets: gpu.upload(&own)?,
            waits: gpu.empty(vertices as usize)?,
            inside: gpu.empty(vertices as usize)?,
            moves: gpu.empty(1)?,
            scale: scale as f32,
        })
    }

    /// Moves each vertex once if that increases modularity. Returns the number of moves.
    fn sweep(&self, batches: &[Batch]) -> Result<u32> {
        self.table.clear()?;
        self.gpu.fill(&self.moves, 0)?;
        let array = |buffer| AtomicArray::bind(self.gpu, buffer);
        let count = self.table.count(self.graph, &self.communities, &self.weights);
        let gain = || FindGainLaunch::new(self.around(), self.table.best.arg());
        // SAFETY: each vertex has a community with a total, a strength and a gain, each with neighbours a table with a free
        // slot.
        let gain = unsafe { Operation::<FindGain>::unchecked(gain) };
        let target =
            || FindTargetLaunch::new(self.around(), self.table.best.arg(), self.targets.arg());
        // SAFETY: as above, and a target.
        let target = unsafe { Operation::<FindTarget>::unchecked(target) };
        let wait =
            || FindWaitingLaunch::new(self.communities.arg(), self.targets.arg(), self.waits.arg());
        // SAFETY: as above.
        let wait = unsafe { Operation::<FindWaiting>::unchecked(wait) };
        let go = || {
            GoLaunch::new(
                self.waits.arg(),
                self.targets.arg(),
                self.strengths.arg(),
                self.communities.arg(),
                array(&self.totals),
                array(&self.moves),
            )
        };
        // SAFETY: as above; targets are communities.
        let go = unsafe { Operation::<Go>::unchecked(go) };
        for batch in batches {
            batch.count.run(&count)?;
            batch.gain.run(&gain)?;
            batch.target.run(&target)?;
            batch.wait.run(&wait)?;
            for_each(&batch.vertices, &go);
        }
        Ok(self.gpu.download(&self.moves)?[0])
    }

    fn around(&self) -> AroundLaunch<GpuRuntime> {
        AroundLaunch::new(
            self.table.sums(self.graph),
            self.communities.arg(),
            self.totals.arg(),
            self.strengths.arg(),
            self.scale,
        )
    }

    /// The total strength of each community.
    fn totals(&self) -> Result<Vec<u64>> {
        let halves = self.gpu.download(&self.totals)?;
        let (halves, _) = halves.as_chunks::<2>();
        Ok(halves.iter().map(|&[low, high]| u64::from(low) | u64::from(high) << 32).collect())
    }

    /// Twice the weight of the edges within communities.
    fn inside(&self) -> Result<u64> {
        let inside =
            || InsideLaunch::new(self.communities.arg(), self.weights.arg(), self.inside.arg());
        // SAFETY: each vertex has a community and a sum, and each edge a weight.
        let inside = unsafe { Operation::<Inside>::unchecked(inside) };
        gather(self.graph, ScheduleName::MergePath.into(), &inside)?;
        Ok(self.gpu.download(&self.inside)?.into_iter().map(u64::from).sum())
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
        let scaled = ScaledWeights { weights: vec![1, 1], within: 0, strengths: vec![1, 1] };
        let movers = Movers::new(&graph, &scaled, 0.5).unwrap();
        let batch = Batch::new(Frontier::assumed(&graph, 2, 2).unwrap()).unwrap();
        // This backend only compiles, and reading from it may fail.
        let _ = (movers.sweep(&[batch]), movers.inside());
        assert_compiles(&gpu, "Count FindGain FindTarget FindWaiting Go Inside");
    }
}
