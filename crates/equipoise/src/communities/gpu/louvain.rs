//! Louvain on a GPU.
//!
//! The vertices of a piece of a color move at the same time. One pass over their edges adds up the weights to each community
//! around them, a second finds how much modularity is gained by the best of these, a third which one that is; then those move
//! that gain. Weights are whole numbers, scaled to 32 bits where they are not, and sums of them exact: the result does not
//! depend on the order of additions. The host colors the vertices of each level and makes the graph of the next.

use equipoise_schedule::{
    ScheduleName,
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
};

use super::{
    super::{
        Communities, CommunitiesOptions,
        classes::Classes,
        cpu,
        louvain::{Moved, PIECES, levels},
        weighted::{Scaled, Weighted},
    },
    moves::*,
    table::*,
};
use crate::{
    LoadedGraph, Result, Times,
    gpu_graph::GraphOnGpu,
    times::{empty_wait, finished, less_wait, timed},
};

/// The fewest vertices of a piece: fewer leave a GPU without work.
const FEWEST_OF_PIECE: usize = 1 << 8;

/// Moves vertices; on the cpu where there are too many edges.
pub(in super::super) fn louvain(
    loaded: &LoadedGraph,
    there: &GraphOnGpu,
    options: &CommunitiesOptions,
) -> Result<Communities> {
    let (weighted, prepare) = timed(|| Weighted::of(loaded.graph));
    let weighted = weighted?;
    if weighted.neighbors.entries() > MOST_EDGES {
        return cpu::communities_of(&weighted, options, prepare);
    }
    let gpu = &there.gpu;
    let missing = loaded.neighbors.bytes_missing(there)?;
    require_memory(gpu, &weighted, missing)?;
    let (graph, upload) = loaded.neighbors.on_gpu(there)?;
    gpu.wake();
    let wait = empty_wait(gpu)?;
    let stopwatch = gpu.stopwatch();
    let mut is_first = true;
    let (found, time) = finished(gpu, || {
        levels(&weighted, options, |level| match std::mem::take(&mut is_first) {
            true => moved(level, graph, options),
            false => {
                require_memory(gpu, level, DeviceRows::bytes_of(gpu, &level.neighbors))?;
                // SAFETY: they were made by `Csr::new`.
                let graph = unsafe { DeviceGraph::from_neighbors(gpu, &level.neighbors) }?;
                moved(level, &graph, options)
            }
        })
    })?;
    let times = Times { upload, prepare, compile: stopwatch.compiled(), ..Times::default() };
    let times = less_wait(times, time, wait);
    Ok(Communities { on_gpu: true, ..Communities::of(&weighted, found, options, times) })
}

fn require_memory(gpu: &Gpu, level: &Weighted, missing: u64) -> Result<()> {
    let vertices = u64::from(level.neighbors.rows());
    // Keys, sums and weights; of vertices communities, their totals, strengths, gains, targets, what is inside, and lists of
    // pieces with what schedules prepare for them.
    let edges = gpu.held_by(4 * level.neighbors.entries().max(1)).saturating_mul(5);
    let each = gpu.held_by(4 * vertices.max(1)).saturating_mul(22);
    let bytes = missing.saturating_add(edges).saturating_add(each);
    Ok(gpu.require(&format!("louvain among {vertices} vertices"), bytes)?)
}

/// Lets every vertex, which starts as a community of its own, move again and again.
fn moved(level: &Weighted, graph: &DeviceGraph, options: &CommunitiesOptions) -> Result<Moved> {
    let start = Moved::none(level, options.resolution);
    let scaled = level.scaled();
    let alone: Vec<u64> = scaled.strengths.iter().map(|&strength| strength.into()).collect();
    let total = alone.iter().sum::<u64>() as f64;
    if total == 0.0 {
        return Ok(Moved { converged: true, ..start });
    }
    let movers = Movers::new(graph, &scaled, options.resolution / total)?;
    let pieces = pieces(graph, &Classes::of(&level.neighbors, options.seed)?)?;
    let within = scaled.within as f64;
    let modularity = |totals: &[u64], inside: u64| {
        let by_chance: f64 = totals.iter().map(|&all| (all as f64 / total).powi(2)).sum();
        (within + inside as f64) / total - options.resolution * by_chance
    };
    let mut best = Moved { modularity: modularity(&alone, 0), ..start.clone() };
    while !best.converged && best.sweeps < options.max_iterations {
        let moves = movers.sweep(&pieces)?;
        let rises_to = modularity(&movers.totals()?, movers.inside()?);
        best.sweeps += 1;
        best.converged = moves == 0 || rises_to <= best.modularity + options.tolerance;
        if rises_to > best.modularity {
            best.modularity = rises_to;
            best.communities = graph.gpu().download(&movers.communities)?;
        }
    }
    // By the weights as they are, which were rounded if they are no whole numbers.
    let modularity = level.modularity(&best.communities, options.resolution);
    Ok(match modularity >= start.modularity {
        true => Moved { modularity, ..best },
        false => Moved { sweeps: best.sweeps, converged: best.converged, ..start },
    })
}

/// The passes over vertices that move at the same time.
struct Piece<'g> {
    vertices: Frontier<'g>,
    count: FrontierGather<'g, Count>,
    gain: FrontierGather<'g, FindGain>,
    target: FrontierGather<'g, FindTarget>,
}

impl<'g> Piece<'g> {
    fn new(vertices: Frontier<'g>) -> Result<Self> {
        let schedule = || ScheduleName::MergePath.into();
        let count = FrontierGather::new(&vertices, schedule())?;
        let gain = FrontierGather::new(&vertices, schedule())?;
        let target = FrontierGather::new(&vertices, schedule())?;
        Ok(Self { vertices, count, gain, target })
    }
}

fn pieces<'g>(graph: &'g DeviceGraph, classes: &Classes) -> Result<Vec<Piece<'g>>> {
    let mut pieces = Vec::new();
    for class in classes.iter() {
        for piece in class.chunks(class.len().div_ceil(PIECES).max(FEWEST_OF_PIECE)) {
            let vertices = Frontier::of(graph, piece)?;
            // Vertices without neighbours stay.
            if vertices.edges() > 0 {
                pieces.push(Piece::new(vertices)?);
            }
        }
    }
    Ok(pieces)
}

/// Communities, and what their vertices move by.
struct Movers<'g> {
    gpu: &'g Gpu,
    graph: &'g DeviceGraph,
    weights: Buffer<u32>,
    strengths: Buffer<u32>,
    communities: Buffer<u32>,
    /// The strengths of the vertices of each community together, the lower half first.
    totals: Buffer<u32>,
    table: Table,
    targets: Buffer<u32>,
    inside: Buffer<u32>,
    /// How many vertices moved in this sweep.
    moves: Buffer<u32>,
    /// The resolution over the strengths of all vertices.
    scale: f32,
}

impl<'g> Movers<'g> {
    fn new(graph: &'g DeviceGraph, scaled: &Scaled, scale: f64) -> Result<Self> {
        let (gpu, vertices) = (graph.gpu(), graph.vertices());
        let totals: Vec<u32> =
            scaled.strengths.iter().flat_map(|&strength| [strength, 0]).collect();
        Ok(Self {
            gpu,
            graph,
            weights: gpu.upload(&scaled.weights)?,
            strengths: gpu.upload(&scaled.strengths)?,
            communities: gpu.upload(&(0..vertices).collect::<Vec<u32>>())?,
            totals: gpu.upload(&totals)?,
            table: Table::new(graph)?,
            targets: gpu.empty(vertices as usize)?,
            inside: gpu.empty(vertices as usize)?,
            moves: gpu.empty(1)?,
            scale: scale as f32,
        })
    }

    /// Moves each vertex once, if that is for the better. How many moved.
    fn sweep(&self, pieces: &[Piece]) -> Result<u32> {
        self.table.clear()?;
        self.gpu.fill(&self.moves, 0)?;
        let array = |buffer| AtomicArray::of(self.gpu, buffer);
        let count = self.table.count(self.graph, &self.communities, &self.weights);
        let gain = || FindGainLaunch::new(self.around(), self.table.best.arg());
        // SAFETY: there are a community, its total, a strength and a gain for each vertex, and a table with a free place for
        // each that has neighbours.
        let gain = unsafe { Operation::<FindGain>::unchecked(gain) };
        let target =
            || FindTargetLaunch::new(self.around(), self.table.best.arg(), self.targets.arg());
        // SAFETY: as above, and a target.
        let target = unsafe { Operation::<FindTarget>::unchecked(target) };
        let go = || {
            GoLaunch::new(
                self.targets.arg(),
                self.strengths.arg(),
                self.communities.arg(),
                array(&self.totals),
                array(&self.moves),
            )
        };
        // SAFETY: as above; targets are communities.
        let go = unsafe { Operation::<Go>::unchecked(go) };
        for piece in pieces {
            piece.count.run(&count)?;
            piece.gain.run(&gain)?;
            piece.target.run(&target)?;
            for_each(&piece.vertices, &go);
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

    /// The strengths of the vertices of each community together.
    fn totals(&self) -> Result<Vec<u64>> {
        let halves = self.gpu.download(&self.totals)?;
        let (halves, _) = halves.as_chunks::<2>();
        Ok(halves.iter().map(|&[low, high]| u64::from(low) | u64::from(high) << 32).collect())
    }

    /// The weight of the edges within communities, each seen from both ends.
    fn inside(&self) -> Result<u64> {
        let inside =
            || InsideLaunch::new(self.communities.arg(), self.weights.arg(), self.inside.arg());
        // SAFETY: there are a community and a sum for each vertex, and a weight for each edge.
        let inside = unsafe { Operation::<Inside>::unchecked(inside) };
        gather(self.graph, ScheduleName::MergePath.into(), &inside)?;
        Ok(self.gpu.download(&self.inside)?.into_iter().map(u64::from).sum())
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
        let scaled = Scaled { weights: vec![1, 1], within: 0, strengths: vec![1, 1] };
        let movers = Movers::new(&graph, &scaled, 0.5).unwrap();
        let piece = Piece::new(Frontier::assumed(&graph, 2, 2).unwrap()).unwrap();
        // What nothing has written cannot be read.
        let _ = (movers.sweep(&[piece]), movers.inside());
        let kernels = lower::kernels(&gpu).unwrap();
        for name in ["Count", "FindGain", "FindTarget", "Go", "Inside"] {
            assert!(kernels.iter().any(|kernel| kernel.name.contains(name)), "{name}");
        }
        Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels)).unwrap();
    }
}
