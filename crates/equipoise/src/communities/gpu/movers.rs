//! The sweeps of a level on a GPU.

use std::ops::Range;

use cubecl::prelude::*;
use equipoise_graph::cancel;
use equipoise_schedule::{
    ScheduleName,
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
    primitives::{Sum, reduce},
    ranges::grid_stride_range,
};

use super::{
    super::{CommunitiesOptions, random_order::RandomOrder},
    arithmetic::*,
    choose::*,
    level::Level,
    moves::*,
    row_op::*,
    visits::*,
};
use crate::{
    Result,
    kernels::{UNITS, cubes_for},
    permute::identity,
};

/// The labels of vertices, and the masses of labels, while vertices move.
pub(super) struct Movers<'g> {
    pub level: &'g Level<'g>,
    pub chooser: Chooser<'g>,
    /// Communities, or parts of them, labelled with vertices.
    pub labels: Buffer<u32>,
    /// The total strength of each label.
    pub totals: WideSums,
    /// Whether each vertex is visited in the next sweep.
    active: Buffer<u32>,
    /// The resolution divided by the sum of all strengths.
    pub scale: f32,
}

impl<'g> Movers<'g> {
    /// Starts from labels, or from each vertex alone.
    pub fn new(level: &'g Level<'g>, scale: f32, start: Option<&Buffer<u32>>) -> Result<Self> {
        let (gpu, vertices) = (level.gpu(), level.graph.vertices() as usize);
        let labels = match start {
            Some(start) => copy(gpu, start)?,
            None => identity(gpu, vertices)?,
        };
        let totals = WideSums::zeros(gpu, vertices)?;
        // SAFETY: each vertex has a label and a strength, and each label a total.
        unsafe {
            add_up::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes_for(gpu, vertices as u32),
                CubeDim::new_1d(UNITS),
                labels.arg(),
                level.strengths.arg(),
                totals.atomic(gpu),
                vertices as u32,
            );
        }
        Ok(Self {
            level,
            chooser: Chooser::new(&level.graph, &level.weights)?,
            labels,
            totals,
            active: gpu.filled(vertices, 1)?,
            scale,
        })
    }

    /// What vertices gain that each alone join their best neighbours, in units of weight.
    pub fn first_gains(&self) -> Result<f64> {
        let (level, gains) = (self.level, &self.chooser.wishes.gains);
        let gain = || {
            let (weights, strengths) = (level.weights.arg(), level.strengths.arg());
            FirstGainLaunch::new(weights, strengths, gains.arg(), self.scale)
        };
        // SAFETY: each vertex has a strength and a gain, and each edge a weight.
        let gain = unsafe { Operation::<FirstGain>::unchecked(gain) };
        gather(&level.graph, ScheduleName::MergePath.into(), &gain)?;
        self.all_gains()
    }

    fn all_gains(&self) -> Result<f64> {
        let gpu = self.level.gpu();
        Ok(gpu.download(&reduce::<Sum<f32>>(gpu, &self.chooser.wishes.gains)?)?[0].into())
    }

    /// The weight of the edges between labels, from both ends, if one word holds it.
    pub fn weight_between(&self) -> Result<f64> {
        let (level, gpu) = (self.level, self.level.gpu());
        let sums = gpu.empty(level.graph.vertices() as usize)?;
        let leaving =
            || LeavingWeightLaunch::new(self.labels.arg(), level.weights.arg(), sums.arg());
        // SAFETY: each vertex has a label and a sum, and each edge a weight.
        let leaving = unsafe { Operation::<LeavingWeight>::unchecked(leaving) };
        gather(&level.graph, ScheduleName::MergePath.into(), &leaving)?;
        Ok(gpu.download(&reduce::<Sum<u32>>(gpu, &sums)?)?[0].into())
    }

    /// The active vertices, which become inactive.
    pub fn visits(&self, order: RandomOrder) -> Result<Visits> {
        let (graph, wishes) = (&self.level.graph, &self.chooser.wishes);
        Visits::new(graph, &self.active, &self.labels, wishes, order)
    }

    /// Moves each active vertex once if that increases modularity. Returns what all gained, in units of weight.
    pub fn sweep(&self, order: RandomOrder) -> Result<f64> {
        let visits = self.visits(order)?;
        if visits.is_empty() { Ok(0.0) } else { self.sweep_over(&visits) }
    }

    fn sweep_over(&self, visits: &Visits) -> Result<f64> {
        for parts in visits.batches(self.level.graph.vertices()) {
            for listed in visits.listed(parts.clone()) {
                // SAFETY: each vertex has a community with a total, and a strength.
                unsafe { self.chooser.choose::<Moving>(&listed, self.rule())? };
            }
            self.settle(visits, &parts);
        }
        for listed in visits.all() {
            let gains = self.chooser.wishes.gains.arg();
            let op = ActivateLaunch::new(self.labels.arg(), gains, self.active.arg());
            // SAFETY: each vertex has a community, a gain and a flag.
            unsafe { for_rows::<Activate>(&self.level.graph, &listed, op) };
        }
        self.all_gains()
    }

    /// Lets the vertices of a batch take the labels that they want.
    pub fn settle(&self, visits: &Visits, parts: &Range<u32>) {
        let wishes = &self.chooser.wishes;
        for listed in visits.listed(parts.clone()) {
            let op = SettleLaunch::new(
                visits.batch(parts),
                wishes.from.arg(),
                wishes.wanted.arg(),
                self.level.strengths.arg(),
                self.labels.arg(),
                self.totals.atomic(self.level.gpu()),
                wishes.gains.arg(),
                self.active.arg(),
            );
            // SAFETY: each vertex has labels, which have totals, a strength, a gain and a flag.
            unsafe { for_rows::<Settle>(&self.level.graph, &listed, op) };
        }
    }

    fn rule(&self) -> MovingLaunch<GpuRuntime> {
        let strengths = self.level.strengths.arg();
        MovingLaunch::new(self.labels.arg(), self.totals.arg(), strengths, self.scale)
    }
}

/// The sweeps of a level.
pub(super) struct MovedOnGpu<'g> {
    pub movers: Movers<'g>,
    /// By how much modularity rose.
    pub rise: f64,
    pub sweeps: u32,
    pub converged: bool,
}

/// Sweeps over the vertices, until modularity hardly rises; `None` if they start alone and nothing can be gained.
pub(super) fn move_all<'g>(
    level: &'g Level<'g>,
    options: &CommunitiesOptions,
    start: Option<&Buffer<u32>>,
    little: f64,
) -> Result<Option<MovedOnGpu<'g>>> {
    if level.total == 0.0 || level.graph.edges() == 0 {
        return Ok(None);
    }
    let movers = Movers::new(level, scale_of(level, options), start)?;
    let rise = |gain: f64| 2.0 * gain / level.total;
    if start.is_none() && rise(movers.first_gains()?) <= options.tolerance {
        return Ok(None);
    }
    let order = RandomOrder::new(options.seed);
    let (mut sweeps, mut converged, mut all) = (0, false, 0.0);
    while !converged && sweeps < options.max_iterations {
        cancel::poll();
        let last = rise(movers.sweep(order)?);
        all += last;
        converged = last <= options.tolerance.max(little * all);
        sweeps += 1;
    }
    Ok(Some(MovedOnGpu { movers, rise: 0.0, sweeps, converged }))
}

/// The resolution divided by the sum of all strengths.
pub(super) fn scale_of(level: &Level, options: &CommunitiesOptions) -> f32 {
    (options.resolution / level.total) as f32
}

/// A copy of numbers.
fn copy(gpu: &Gpu, numbers: &Buffer<u32>) -> Result<Buffer<u32>> {
    let (count, copy) = (numbers.len() as u32, gpu.empty(numbers.len())?);
    // SAFETY: both have as many numbers.
    unsafe {
        copy_each::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            cubes_for(gpu, count),
            CubeDim::new_1d(UNITS),
            numbers.arg(),
            copy.arg(),
            count,
        );
    }
    Ok(copy)
}

#[cube(launch_unchecked)]
fn copy_each(from: &Array<u32>, to: &mut Array<u32>, count: u32) {
    for index in grid_stride_range(0, count) {
        to[index as usize] = from[index as usize];
    }
}

#[cube(launch_unchecked)]
fn add_up(labels: &Array<u32>, strengths: &Array<u32>, totals: &mut AtomicWide, vertices: u32) {
    for vertex in grid_stride_range(0, vertices) {
        totals.add(labels[vertex as usize], strengths[vertex as usize]);
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
        let movers = Movers::new(&level, 0.5, None).unwrap();
        let visits = Visits::assumed(&gpu).unwrap();
        // This backend only compiles, and reading from it may fail.
        let _ = (
            movers.first_gains(),
            movers.weight_between(),
            movers.visits(RandomOrder::new(1)),
            movers.sweep_over(&visits),
            level.aggregated(&movers.labels),
        );
        assert_compiles(
            &gpu,
            "classify place choose_alone choose_together visit_rows FirstGain add_up",
        );
    }
}
