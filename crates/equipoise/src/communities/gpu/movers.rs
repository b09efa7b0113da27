//! The sweeps of a level on the GPU.

use equipoise_schedule::{
    ScheduleName,
    atomics::*,
    device::{Buffer, GpuRuntime},
    engine::*,
    primitives::{Sum, reduce},
};

use super::{super::random_order::RandomOrder, level::Level, moves::*, table::*};
use crate::Result;

/// The most batches per sweep: each takes over a dozen launches.
const BATCHES: u32 = 32;
/// The fewest vertices per batch: smaller ones do not fill a GPU.
const FEWEST_PER_BATCH: u32 = 1 << 8;

/// The passes over the vertices of a batch.
pub(super) struct Batch<'g> {
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

pub(super) fn batches(graph: &DeviceGraph, seed: u64) -> Result<Vec<Batch<'_>>> {
    let (to_rank, _) = RandomOrder::new(seed).multipliers();
    let count = graph.vertices().div_ceil(FEWEST_PER_BATCH).min(BATCHES);
    let (all, mut batches) = (Frontier::all(graph)?, Vec::new());
    for batch in 0..count {
        let is_in = || InBatchLaunch::new(graph.offsets().arg(), to_rank, count, batch);
        // SAFETY: each vertex has a row.
        let members = filter(&all, &unsafe { Operation::<InBatch>::unchecked(is_in) })?;
        if !members.is_empty() {
            batches.push(Batch::new(members)?);
        }
    }
    Ok(batches)
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
    /// What each vertex gained in this sweep.
    gains: Buffer<f32>,
    /// The resolution divided by the sum of all strengths.
    scale: f32,
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
            gains: gpu.filled(vertices, 0.0)?,
            scale: scale as f32,
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

    /// Chooses the vertices to visit in the next sweep.
    fn activate(&self) -> Result<()> {
        let activate = || {
            let (communities, gains) = (self.communities.arg(), self.gains.arg());
            ActivateLaunch::new(communities, gains, self.waits.arg(), self.active.arg())
        };
        // SAFETY: each vertex has a community, a gain and two flags.
        let activate = unsafe { Operation::<Activate>::unchecked(activate) };
        Ok(gather(&self.level.graph, ScheduleName::MergePath.into(), &activate)?)
    }

    /// Moves each active vertex once if that increases modularity. Returns what all gained, in units of weight.
    pub fn sweep(&self, batches: &[Batch]) -> Result<f64> {
        let (gpu, graph) = (self.level.gpu(), &self.level.graph);
        self.table.clear()?;
        gpu.fill(&self.gains, 0.0)?;
        let count =
            self.table.count(graph, &self.communities, &self.level.weights, Some(&self.active));
        let gain = || FindGainLaunch::new(self.around(), self.active.arg(), self.table.best.arg());
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
        for batch in batches {
            batch.count.run(&count)?;
            batch.gain.run(&gain)?;
            batch.target.run(&target)?;
            batch.wait.run(&wait)?;
            for_each(&batch.vertices, &go);
        }
        self.activate()?;
        self.all_gains()
    }

    fn around(&self) -> AroundLaunch<GpuRuntime> {
        AroundLaunch::new(
            self.table.sums(&self.level.graph),
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
        let batch = Batch::new(Frontier::assumed(&graph, 2, 2).unwrap()).unwrap();
        // This backend only compiles, and reading from it may fail.
        let _ =
            (movers.first_gains(), movers.sweep(&[batch]), level.aggregated(&movers.communities));
        assert_compiles(&gpu, "Count FirstGain FindGain FindTarget FindWaiting Go Activate");
    }
}
