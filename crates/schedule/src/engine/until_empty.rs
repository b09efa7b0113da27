//! A loop under any schedule.

use std::marker::PhantomData;

use super::{
    DeviceGraph, EdgeOp, Frontier, LoopBatch, Operation,
    advance::advance,
    device_loop::LoopBuffers,
    order::{AtOnce, AtOnceLaunch},
};
use crate::{Error, Result, ScheduleName, device::Gpu, plan::ScheduleOptions};

/// How the edges of a frontier are spread over a GPU.
///
/// ```
/// use equipoise_schedule::{ScheduleName, engine::Spread};
///
/// assert_eq!(Spread::default(), Spread::Parts);
/// assert_eq!(Spread::from(ScheduleName::MergePath).to_string(), "merge-path");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Spread {
    /// In parts of at most 256 edges of a vertex, which are listed when a vertex joins the frontier.
    /// The device goes from iteration to iteration by itself.
    #[default]
    Parts,
    /// By a schedule of the model, over the vertices of the frontier. The host waits after each
    /// iteration.
    Schedule(ScheduleOptions),
}

impl Spread {
    /// In parts, and by every schedule.
    pub fn all() -> impl Iterator<Item = Self> {
        let schedules = ScheduleName::ALL.iter().map(|&name| name.into());
        std::iter::once(Self::Parts).chain(schedules)
    }

    /// Its name: `parts`, or the schedule's.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Parts => "parts",
            Self::Schedule(options) => options.schedule.name(),
        }
    }
}

impl From<ScheduleOptions> for Spread {
    fn from(options: ScheduleOptions) -> Self {
        Self::Schedule(options)
    }
}

impl From<ScheduleName> for Spread {
    fn from(name: ScheduleName) -> Self {
        Self::Schedule(name.into())
    }
}

impl std::fmt::Display for Spread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// Relaxes the edges that leave a frontier, then those that leave the vertices which joined, and so
/// on until none does. The number of iterations.
///
/// The operation must not rely on which iteration it is in: where that matters, labels say so, as a
/// level is one more than that of the source. Edges of an iteration may be relaxed after others of
/// it have changed what they read.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{atomics::*, device::{Device, OpenDevice}, engine::*};
///
/// /// Breadth-first search: a level is one more than that of the vertex it was found from.
/// #[derive(CubeType, CubeLaunch)]
/// struct Discover {
///     levels: AtomicArray,
/// }
///
/// impl EdgeOpKind for Discover {}
///
/// #[cube]
/// impl EdgeOp for Discover {
///     fn label(&self, source: u32) -> u32 {
///         self.levels.get(source)
///     }
///     fn along(&self, label: u32, _edge: u32) -> u32 {
///         label + 1
///     }
///     fn improves(&self, target: u32, label: u32) -> bool {
///         label < self.levels.get(target)
///     }
///     fn relax(&mut self, target: u32, label: u32) -> bool {
///         label < self.levels.fetch_min(target, label)
///     }
/// }
///
/// # fn main() -> equipoise_schedule::Result<()> {
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let path = DeviceGraph::from_rows(&gpu, &[0, 1, 2, 3, 3], &[1, 2, 3])?;
/// let levels = gpu.upload(&[0, u32::MAX, u32::MAX, u32::MAX])?;
/// let discover =
///     Operation::<Discover>::checked(|| DiscoverLaunch::new(AtomicArray::of(&gpu, &levels)));
/// let source = Frontier::of(&path, &[0])?;
/// assert_eq!(until_empty(source, Spread::Parts, &discover)?, 4);
/// assert_eq!(gpu.download(&levels)?, [0, 1, 2, 3]);
/// # Ok(())
/// # }
/// ```
pub fn until_empty<Op: EdgeOp>(
    frontier: Frontier,
    spread: impl Into<Spread>,
    op: &Operation<Op>,
) -> Result<u32> {
    match spread.into() {
        Spread::Parts => {
            let batches = FrontierLoop::new(frontier.graph())?.run(&frontier, op)?;
            Ok(batches.iter().map(|batch| batch.iterations).sum())
        }
        Spread::Schedule(options) => {
            let (mut frontier, mut iterations) = (frontier, 0);
            while !frontier.is_empty() {
                frontier = advance(&frontier, options, op)?;
                iterations += 1;
            }
            Ok(iterations)
        }
    }
}

/// Loops of an operation [in parts](Spread::Parts), which take their memory once.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{atomics::*, device::{Device, OpenDevice}, engine::*};
///
/// /// Connected components: every vertex takes the smallest label in its reach.
/// #[derive(CubeType, CubeLaunch)]
/// struct Smallest {
///     labels: AtomicArray,
/// }
///
/// impl EdgeOpKind for Smallest {}
///
/// #[cube]
/// impl EdgeOp for Smallest {
///     fn label(&self, source: u32) -> u32 {
///         self.labels.get(source)
///     }
///     fn along(&self, label: u32, _edge: u32) -> u32 {
///         label
///     }
///     fn improves(&self, target: u32, label: u32) -> bool {
///         label < self.labels.get(target)
///     }
///     fn relax(&mut self, target: u32, label: u32) -> bool {
///         label < self.labels.fetch_min(target, label)
///     }
/// }
///
/// # fn main() -> equipoise_schedule::Result<()> {
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let graph = DeviceGraph::from_rows(&gpu, &[0, 1, 2, 2], &[1, 0])?;
/// let memory = FrontierLoop::new(&graph)?;
/// let all = Frontier::all(&graph)?;
/// for (first, smallest) in [([5, 7, 2], [5, 5, 2]), ([9, 1, 4], [1, 1, 4])] {
///     let labels = gpu.upload(&first)?;
///     let arg = || SmallestLaunch::new(AtomicArray::of(&gpu, &labels));
///     memory.run(&all, &Operation::<Smallest>::checked(arg))?;
///     assert_eq!(gpu.download(&labels)?, smallest);
/// }
/// # Ok(())
/// # }
/// ```
pub struct FrontierLoop<'g, Op: EdgeOp> {
    memory: LoopBuffers<'g>,
    op: PhantomData<fn(Op)>,
}

impl<'g, Op: EdgeOp> FrontierLoop<'g, Op> {
    /// Makes room for loops on a graph.
    ///
    /// Fails where it has more vertices than a list can have, or there is no memory.
    pub fn new(graph: &'g DeviceGraph) -> Result<Self> {
        Ok(Self { memory: LoopBuffers::new::<Op>(graph, &[])?, op: PhantomData })
    }

    /// The bytes that it takes of a GPU's memory, for a graph of so many vertices and edges.
    pub fn bytes(gpu: &Gpu, vertices: u64, edges: u64) -> u64 {
        LoopBuffers::bytes::<Op>(gpu, vertices, edges)
    }

    /// Relaxes edges from a frontier on, as [`until_empty`] does; what happened between host
    /// synchronisations.
    ///
    /// Fails where the frontier is one of another graph, or the device does.
    pub fn run(&self, frontier: &Frontier, op: &Operation<Op>) -> Result<Vec<LoopBatch>> {
        if !std::ptr::eq(frontier.graph(), self.memory.graph) {
            let problem = "a loop whose frontier is of another graph than its memory";
            return Err(Error::Schedule(problem.into()));
        }
        if frontier.is_empty() {
            return Ok(Vec::new());
        }
        let first = self.memory.start_with(&frontier.list, frontier.len())?;
        self.memory.run::<Op, AtOnce>(op, |_| Ok(AtOnceLaunch::new()), first)
    }
}
