//! A loop under any schedule.

use super::{
    EdgeOp, EdgeOpKind, Frontier, Operation,
    advance::advance,
    device_loop::LoopBuffers,
    order::{AtOnce, AtOnceLaunch},
};
use crate::{Result, ScheduleName, plan::ScheduleOptions};

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
///     fn relax(&mut self, target: u32, label: u32, _source: u32) -> bool {
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
pub fn until_empty<Op: EdgeOp + EdgeOpKind>(
    frontier: Frontier,
    spread: impl Into<Spread>,
    op: &Operation<Op>,
) -> Result<u32> {
    match spread.into() {
        Spread::Parts => until_empty_in_parts(&frontier, op),
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

/// As [`until_empty`] in [parts](Spread::Parts). Who needs no other spread has no kernels of the schedules in the program.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{atomics::*, device::{Device, OpenDevice}, engine::*};
///
/// #[derive(CubeType, CubeLaunch)]
/// struct Reach {
///     reached: AtomicArray,
/// }
///
/// impl EdgeOpKind for Reach {
///     const JOINS_ONCE: bool = true;
/// }
///
/// #[cube]
/// impl EdgeOp for Reach {
///     fn label(&self, _source: u32) -> u32 {
///         1u32.runtime()
///     }
///     fn along(&self, label: u32, _edge: u32) -> u32 {
///         label
///     }
///     fn improves(&self, target: u32, _label: u32) -> bool {
///         self.reached.get(target) == 0
///     }
///     fn relax(&mut self, target: u32, label: u32, _source: u32) -> bool {
///         self.reached.fetch_max(target, label) == 0
///     }
/// }
///
/// # fn main() -> equipoise_schedule::Result<()> {
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let path = DeviceGraph::from_rows(&gpu, &[0, 1, 2, 2], &[1, 2])?;
/// let reached = gpu.upload(&[0, 1, 0])?;
/// let reach = Operation::<Reach>::checked(|| ReachLaunch::new(AtomicArray::of(&gpu, &reached)));
/// until_empty_in_parts(&Frontier::of(&path, &[1])?, &reach)?;
/// assert_eq!(gpu.download(&reached)?, [0, 1, 1]);
/// # Ok(())
/// # }
/// ```
pub fn until_empty_in_parts<Op: EdgeOp + EdgeOpKind>(
    frontier: &Frontier,
    op: &Operation<Op>,
) -> Result<u32> {
    if frontier.is_empty() {
        return Ok(0);
    }
    let op = op.as_edge_op();
    let memory = LoopBuffers::new(frontier.graph(), op.kind, &[])?;
    let first = memory.start_with(op.kind, &frontier.list, frontier.len())?;
    let order = |_| Ok(AtOnceLaunch::new());
    let (batches, _) = memory.run::<_, AtOnce>(&op, order, first)?;
    Ok(batches.iter().map(|batch| batch.iterations).sum())
}
