//! The sweeps of a level on the GPU.

use equipoise_schedule::{
    ScheduleName,
    atomics::*,
    device::{Buffer, GpuRuntime},
    engine::*,
    primitives::{Max, Sum, reduce},
};

use super::{
    super::random_order::RandomOrder,
    level::{Level, write_degrees},
    moves::*,
    table::*,
};
use crate::Result;

/// Batches of a sweep over all vertices: each takes nine launches.
const BATCHES: u32 = 32;
/// The fewest batches.
const FEWEST_BATCHES: u32 = 4;
/// The fewest vertices per batch: smaller ones do not fill a GPU.
const FEWEST_PER_BATCH: u32 = 1 << 8;

/// The most edges per vertex, on average and of any, for which one unit per vertex is enough to fill a GPU.
const FEW_EDGES: u32 = 8;
const MANY_EDGES: u32 = 1 << 12;

/// The vertices of a level in batches.
pub(super) struct Batches<'g> {
    graph: &'g DeviceGraph,
    seed: u64,
    schedule: ScheduleName,
    batches: Vec<FrontierGather<'g, u32>>,
}

impl<'g> Batches<'g> {
    pub fn new(graph: &'g DeviceGraph, seed: u64) -> Result<Self> {
        let count = graph.vertices() / FEWEST_PER_BATCH;
        let schedule = schedule_for(graph)?;
        let mut new = Self { graph, seed, schedule, batches: Vec::new() };
        new.divide(count.clamp(FEWEST_BATCHES, BATCHES))?;
        Ok(new)
    }

    /// Divides the vertices into fewer batches if no more than some are to be visited: in proportion, so that as many vertices of
    /// a neighbourhood move at once as in a sweep over all.
    pub fn fit(&mut self, active: u32) -> Result<()> {
        let share =
            u64::from(BATCHES) * u64::from(active) / u64::from(self.graph.vertices().max(1));
        let count = (share as u32).next_power_of_two().max(FEWEST_BATCHES);
        if count < self.batches.len() as u32 { self.divide(count) } else { Ok(()) }
    }

    fn divide(&mut self, count: u32) -> Result<()> {
        self.batches.clear();
        let (to_rank, _) = RandomOrder::new(self.seed).multipliers();
        let all = Frontier::all(self.graph)?;
        for batch in 0..count {
            let is_in = || InBatchLaunch::new(self.graph.offsets().arg(), to_rank, count, batch);
            // SAFETY: each vertex has a row.
            let members = filter(&all, &unsafe { Operation::<InBatch>::unchecked(is_in) })?;
            if !members.is_empty() {
                self.batches.push(FrontierGather::new(&members, self.schedule.into())?);
            }
        }
        Ok(())
    }
}

/// The schedule of passes over the edges of some vertices. Where all have few edges, it is one of a single launch per pass.
fn schedule_for(graph: &DeviceGraph) -> Result<ScheduleName> {
    let gpu = graph.gpu();
    if graph.edges() / graph.vertices().max(1) > FEW_EDGES {
        return Ok(ScheduleName::MergePath);
    }
    let degrees = gpu.empty(graph.vertices() as usize)?;
    write_degrees(graph, &degrees);
    let most = gpu.download(&reduce::<Max<u32>>(gpu, &degrees)?)?[0];
    Ok(if most <= MANY_EDGES { ScheduleName::GroupMapped } else { ScheduleName::MergePath })
}

/// The buffers of a level.
pub(super) struct Movers<'g> {
    level: &'g Level<'g>,
    pub communities: Buffer<u32>,
    /// The total strength of each community in two words.
    totals: Buffer<u32>,
    high_totals: Buffer<u32>,
    table: Table,
    /// The community that each vertex of a batch wants to join; everywhere else its own.
    targets: Buffer<u32>,
    /// Whether each vertex waits, and whether it is visited in this sweep.
    waits: Buffer<u32>,
    active: Buffer<u32>,
    /// The weight from each vertex to its own community, and what it would gain by each edge.
    to_own: Buffer<u32>,
    edge_gains: Buffer<u32>,
    /// What each vertex gained in this sweep.
    gains: Buffer<f32>,
    /// The resolution divided by the sum of all strengths.
    scale: f32,
    /// The pass over all vertices between sweeps.
    around_all: RowsGather<'g, u32>,
}

impl<'g> Movers<'g> {
    pub fn new(level: &'g Level<'g>, scale: f64) -> Result<Self> {
        let (gpu, vertices) = (level.gpu(), level.graph.vertices() as usize);
        let new = Self {
            level,
            communities: gpu.empty(vertices)?,
            totals: gpu.empty(vertices)?,
            high_totals: gpu.filled(vertices, 0)?,
            table: Table::new(&level.graph)?,
            targets: gpu.empty(vertices)?,
            waits: gpu.filled(vertices, 0)?,
            active: gpu.filled(vertices, 1)?,
            to_own: gpu.empty(vertices)?,
            edge_gains: gpu.empty(level.graph.edges() as usize)?,
            gains: gpu.filled(vertices, 0.0)?,
            scale: scale as f32,
            around_all: RowsGather::new(
                gpu,
                level.graph.leaving(),
                ScheduleName::MergePath.into(),
            )?,
        };
        new.start()?;
        Ok(new)
    }

    /// Makes each vertex a community.
    fn start(&self) -> Result<()> {
        let (graph, strengths) = (&self.level.graph, &self.level.strengths);
        let become_communities = || {
            let (communities, targets) = (self.communities.arg(), self.targets.arg());
            BecomeCommunitiesLaunch::new(communities, targets, strengths.arg(), self.totals.arg())
        };
        // SAFETY: each vertex has a community, a target, a strength and a total.
        let start = unsafe { Operation::<BecomeCommunities>::unchecked(become_communities) };
        for_each(&Frontier::all(graph)?, &start);
        Ok(())
    }

    /// What vertices gain that each alone join their best neighbours.
    pub fn first_gains(&self) -> Result<f64> {
        let level = self.level;
        let gain = || {
            let (weights, strengths) = (level.weights.arg(), level.strengths.arg());
            FirstGainLaunch::new(weights, strengths, self.gains.arg(), self.scale)
        };
        // SAFETY: each vertex has a strength and a gain, and each edge a weight.
        let gain = unsafe { Operation::<FirstGain>::unchecked(gain) };
        gather(&level.graph, ScheduleName::MergePath.into(), &gain)?;
        self.all_gains()
    }

    fn all_gains(&self) -> Result<f64> {
        let gpu = self.level.gpu();
        Ok(gpu.download(&reduce::<Sum<f32>>(gpu, &self.gains)?)?[0].into())
    }

    /// Chooses the vertices to visit in the next sweep, and counts them.
    pub fn activate(&self) -> Result<u32> {
        let activate = || {
            let (communities, gains) = (self.communities.arg(), self.gains.arg());
            ActivateLaunch::new(communities, gains, self.waits.arg(), self.active.arg())
        };
        // SAFETY: each vertex has a community, a gain and two flags.
        let activate = unsafe { Operation::<Activate>::unchecked(activate) };
        self.around_all.run(&activate)?;
        let gpu = self.level.gpu();
        Ok(gpu.download(&reduce::<Sum<u32>>(gpu, &self.active)?)?[0])
    }

    /// Moves each active vertex once if that increases modularity. Returns what all gained, in units of weight.
    pub fn sweep(&self, batches: &Batches) -> Result<f64> {
        let (gpu, graph) = (self.level.gpu(), &self.level.graph);
        self.table.clear()?;
        gpu.fill(&self.gains, 0.0)?;
        let sum = || {
            SumWeightsLaunch::new(
                self.table.filling(graph),
                self.communities.arg(),
                self.level.weights.arg(),
                self.active.arg(),
                self.to_own.arg(),
            )
        };
        // SAFETY: each vertex has a community, a flag and a weight, each edge a weight, and each table two slots per edge.
        let sum = unsafe { Operation::<SumWeights>::unchecked(sum) };
        let gain = || {
            let (active, gains) = (self.active.arg(), self.edge_gains.arg());
            FindGainLaunch::new(self.around(), active, gains, self.table.best.arg())
        };
        // SAFETY: each vertex has a community with a total, a strength and a gain, each edge a gain, and each vertex with
        // neighbours a table with a free slot.
        let gain = unsafe { Operation::<FindGain>::unchecked(gain) };
        let target = || {
            let (communities, gains) = (self.communities.arg(), self.edge_gains.arg());
            FindTargetLaunch::new(communities, gains, self.table.best.arg(), self.targets.arg())
        };
        // SAFETY: as above, and a target.
        let target = unsafe { Operation::<FindTarget>::unchecked(target) };
        let wait =
            || FindWaitingLaunch::new(self.communities.arg(), self.targets.arg(), self.waits.arg());
        // SAFETY: as above.
        let wait = unsafe { Operation::<FindWaiting>::unchecked(wait) };
        let go = || {
            GoLaunch::new(
                self.waits.arg(),
                self.table.best.arg(),
                self.targets.arg(),
                self.level.strengths.arg(),
                self.communities.arg(),
                AtomicArray::bind(gpu, &self.totals),
                AtomicArray::bind(gpu, &self.high_totals),
                self.gains.arg(),
            )
        };
        // SAFETY: as above; targets are communities.
        let go = unsafe { Operation::<Go>::unchecked(go) };
        for batch in &batches.batches {
            batch.run(&sum)?;
            batch.run(&gain)?;
            batch.run(&target)?;
            batch.run(&wait)?;
            for_each(batch.frontier(), &go);
        }
        self.all_gains()
    }

    fn around(&self) -> AroundLaunch<GpuRuntime> {
        AroundLaunch::new(
            self.table.sums(&self.level.graph),
            self.to_own.arg(),
            self.communities.arg(),
            self.totals.arg(),
            self.high_totals.arg(),
            self.level.strengths.arg(),
            self.scale,
        )
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
        let level = Level::of_ones(&graph).unwrap();
        let movers = Movers::new(&level, 0.5).unwrap();
        let frontier = Frontier::assumed(&graph, 2, 2).unwrap();
        let batch = FrontierGather::new(&frontier, ScheduleName::MergePath.into()).unwrap();
        let batches = Batches {
            graph: &graph,
            seed: 1,
            schedule: ScheduleName::MergePath,
            batches: vec![batch],
        };
        // This backend only compiles, and reading from it may fail.
        let _ = (
            movers.first_gains(),
            movers.sweep(&batches),
            movers.activate(),
            level.aggregated(&movers.communities),
        );
        assert_compiles(&gpu, "SumWeights FirstGain FindGain FindTarget FindWaiting Go Activate");
    }
}
