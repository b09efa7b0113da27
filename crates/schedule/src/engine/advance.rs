//! Advance: an operation on every edge that leaves a frontier, once or until the frontier is empty.
#![allow(clippy::collapsible_if, reason = "a kernel evaluates both sides of `&&`")]

use cubecl::prelude::*;

use super::{
    Frontier,
    counts::*,
    device_loop::LoopBuffers,
    frontier::{NextBuffers, NextFrontier},
    operation::*,
    order::*,
    pace::Launch,
    state::*,
    worklists::*,
};
use crate::{
    Result, ScheduleName,
    atomics::*,
    erase::Erased,
    input::Input,
    plan::{Plan, ScheduleOptions},
    tiles::ListedRows,
    work::*,
};

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
    /// In parts of at most 256 edges of a vertex, listed when a vertex joins the frontier. The device runs all
    /// iterations by itself.
    #[default]
    Parts,
    /// By a schedule of the model, over the vertices of the frontier. The host waits after each iteration.
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

/// An operation on edges as a work of the model: tiles are vertices, atoms their edges.
#[derive(CubeType, CubeLaunch)]
struct Advance {
    op: Erased<dyn EdgeObject>,
    targets: Input<u32>,
    next: NextFrontier,
    iteration: u32,
}

impl WorkKind for Advance {
    const REDUCES: bool = false;
}

#[cube]
impl Work for Advance {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn atom(&mut self, source: u32, edge: u32) -> u32 {
        let target = self.targets[edge as usize];
        let label = self.op.along(self.op.label(source), edge);
        // Not `&&`, since a kernel evaluates both sides.
        if self.op.improves(target, label) {
            if self.op.relax(target, label, source) {
                self.next.add(target, self.iteration);
            }
        }
        0u32.runtime()
    }

    fn combine(a: u32, _b: u32) -> u32 {
        a
    }

    fn end(&mut self, _source: u32, _total: u32) {}
}

/// Applies an operation to every edge that leaves a frontier, in parts or under a schedule. The targets that it selects
/// are the next frontier, for which the host waits.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{
///     ScheduleName,
///     atomics::*,
///     device::{Device, OpenDevice},
///     engine::*,
/// };
///
/// #[derive(CubeType, CubeLaunch)]
/// struct Visit {
///     visited: AtomicArray,
/// }
///
/// impl EdgeOpKind for Visit {}
///
/// #[cube]
/// impl EdgeOp for Visit {
///     fn label(&self, _source: u32) -> u32 {
///         1u32.runtime()
///     }
///     fn along(&self, label: u32, _edge: u32) -> u32 {
///         label
///     }
///     fn improves(&self, target: u32, _label: u32) -> bool {
///         self.visited.get(target) == 0
///     }
///     fn relax(&mut self, target: u32, label: u32, _source: u32) -> bool {
///         self.visited.fetch_max(target, label) == 0
///     }
/// }
///
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let graph = DeviceGraph::from_rows(&gpu, &[0, 2, 3, 3], &[1, 2, 2])?;
/// let visited = gpu.upload(&[1u32, 0, 0])?;
/// let visit = Operation::<Visit>::checked(|| VisitLaunch::new(AtomicArray::bind(&gpu, &visited)));
/// let source = Frontier::from_vertices(&graph, &[0])?;
/// let neighbours = advance(&source, ScheduleName::ThreadMapped, &visit)?;
/// assert_eq!(neighbours.len(), 2);
/// # Ok::<(), equipoise_schedule::Error>(())
/// ```
pub fn advance<'g, Op: EdgeOp + EdgeOpKind>(
    frontier: &Frontier<'g>,
    spread: impl Into<Spread>,
    op: &Operation<Op>,
) -> Result<Frontier<'g>> {
    advance_any(frontier, spread.into(), &op.as_edge_op())
}

/// The same for erased operations.
pub(super) fn advance_any<'g>(
    frontier: &Frontier<'g>,
    spread: Spread,
    op: &AnyOperation<dyn EdgeObject>,
) -> Result<Frontier<'g>> {
    let next = NextBuffers::new(frontier.graph())?;
    if frontier.edges() > 0 {
        match spread {
            Spread::Parts => in_parts(frontier, op, &next)?,
            Spread::Schedule(schedule) => by_schedule(frontier, schedule, op, &next)?,
        }
    }
    next.read()
}

/// One iteration of the loop on the device, which collects the vertices that join.
fn in_parts(
    frontier: &Frontier,
    op: &AnyOperation<dyn EdgeObject>,
    next: &NextBuffers,
) -> Result<()> {
    let graph = frontier.graph();
    let memory = LoopBuffers::new(graph, op.kind, &[])?;
    let launch = memory.start_with(op.kind, &frontier.list, frontier.len())?;
    let (marks, iteration) = graph.marks(1)?;
    let collect = CollectLaunch::new(next.arg(marks), iteration);
    memory.enqueue::<_, Collect>(op, collect, launch, Launch::Wide);
    Ok(())
}

fn by_schedule(
    frontier: &Frontier,
    schedule: ScheduleOptions,
    op: &AnyOperation<dyn EdgeObject>,
    next: &NextBuffers,
) -> Result<()> {
    let graph = frontier.graph();
    let (marks, iteration) = graph.marks(1)?;
    let list = frontier.as_rows()?;
    let tiles = list.tiles(frontier.edges())?;
    let plan = Plan::<ListedRows, Advance>::new(graph.gpu(), schedule, &tiles)?;
    let work = || AdvanceLaunch::new(op.arg(), graph.targets().arg(), next.arg(marks), iteration);
    // SAFETY: each edge has a target, and each vertex a mark, an offset and an element of the list, in which it is
    // once; unchecked operations access only their buffers.
    unsafe { plan.run_with(op.checked, &tiles, work) };
    Ok(())
}

/// Collects every vertex that joins in a frontier.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Collect {
    next: NextFrontier,
    /// The number of the iteration among all that have made a frontier of the graph.
    number: u32,
}

impl OrderKind for Collect {}

#[cube]
impl Admission for Collect {
    fn leave(&mut self, _vertex: u32, _label: u32) {}

    fn kind(&self, _label: u32, _state: &LoopState) -> u32 {
        LATER.runtime()
    }

    fn listed(&self, _vertex: u32, _counts: &Counts) {}

    fn defer(
        &mut self,
        offers: &Offers,
        _words: &mut AtomicArray,
        _iteration: &Iteration,
        #[comptime] count: usize,
    ) {
        #[unroll]
        for item in 0..count {
            if offers.kinds[item] == LATER {
                self.next.add(offers.vertices[item], self.number);
            }
        }
    }
}

#[cube]
impl<Op: EdgeOp> Order<Op> for Collect {
    fn other(&mut self, _op: &mut Op, _lists: &mut Worklists, _iteration: &Iteration) {}

    fn next(&self, _op: &Op, _words: &AtomicArray, state: &mut LoopState, counted: &Counted) {
        state.advance(counted);
        state.mode = PUSH.runtime();
    }

    fn enter(&self, _state: &mut LoopState) {}

    fn is_for_one(&self, _state: &LoopState) -> bool {
        false.runtime()
    }

    fn is_wide(&self, _state: &LoopState) -> bool {
        false.runtime()
    }
}

/// Relaxes the edges that leave a frontier, then those that leave the vertices that joined, and so on until none joins.
/// Returns the number of iterations. The [module](super) has an example.
///
/// The operation must not depend on the number of the iteration; labels can express it, as a level is one more than
/// that of its source. Edges of an iteration may be relaxed after others of it have changed what they read.
pub fn until_empty<Op: EdgeOp + EdgeOpKind>(
    frontier: &Frontier,
    spread: impl Into<Spread>,
    op: &Operation<Op>,
) -> Result<u32> {
    until_any_is_empty(frontier, spread.into(), &op.as_edge_op())
}

/// The same for erased operations.
fn until_any_is_empty(
    frontier: &Frontier,
    spread: Spread,
    op: &AnyOperation<dyn EdgeObject>,
) -> Result<u32> {
    if frontier.is_empty() {
        return Ok(0);
    }
    if spread == Spread::Parts {
        let memory = LoopBuffers::new(frontier.graph(), op.kind, &[])?;
        let first = memory.start_with(op.kind, &frontier.list, frontier.len())?;
        let (batches, _) = memory.run::<_, AtOnce>(op, |_| Ok(AtOnceLaunch::new()), first)?;
        return Ok(batches.iter().map(|batch| batch.iterations).sum());
    }
    let mut next = advance_any(frontier, spread, op)?;
    let mut iterations = 1;
    while !next.is_empty() {
        next = advance_any(&next, spread, op)?;
        iterations += 1;
    }
    Ok(iterations)
}
