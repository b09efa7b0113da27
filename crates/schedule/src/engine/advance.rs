//! Advance: an operation on every edge that leaves a frontier.
#![allow(clippy::collapsible_if, reason = "a kernel does both sides of `&&`")]

use cubecl::prelude::*;

use super::{
    Frontier, Operation, Spread,
    collect::{Collect, CollectLaunch},
    device_loop::LoopBuffers,
    edge::*,
    next::{NextBuffers, NextFrontier},
    pace::Launch,
};
use crate::{
    Result,
    input::Input,
    plan::{Plan, ScheduleOptions},
    tiles::ListedRows,
    work::*,
};

/// An operation on edges as a work of the model: a tile is a vertex, an atom an edge of it.
#[derive(CubeType, CubeLaunch)]
struct Advance<Op: EdgeOp> {
    op: Op,
    targets: Input<u32>,
    next: NextFrontier,
    iteration: u32,
}

impl<Op: EdgeOp> WorkKind for Advance<Op> {
    const REDUCES: bool = false;
}

#[cube]
impl<Op: EdgeOp> Work for Advance<Op> {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn atom(&mut self, source: u32, edge: u32) -> u32 {
        let target = self.targets[edge as usize];
        let label = self.op.along(self.op.label(source), edge);
        // Not by `&&`, of which a kernel does both sides.
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

/// Applies an operation to every edge that leaves a frontier, in parts or under a schedule. The next
/// frontier is made of the far ends for which it said so.
///
/// The host waits until that is known.
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
/// # fn main() -> equipoise_schedule::Result<()> {
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let graph = DeviceGraph::from_rows(&gpu, &[0, 2, 3, 3], &[1, 2, 2])?;
/// let visited = gpu.upload(&[1u32, 0, 0])?;
/// let visit = Operation::<Visit>::checked(|| VisitLaunch::new(AtomicArray::of(&gpu, &visited)));
/// let source = Frontier::of(&graph, &[0])?;
/// let neighbours = advance(&source, ScheduleName::ThreadMapped, &visit)?;
/// assert_eq!(neighbours.len(), 2);
/// # Ok(())
/// # }
/// ```
pub fn advance<'g, Op: EdgeOp + EdgeOpKind>(
    frontier: &Frontier<'g>,
    spread: impl Into<Spread>,
    op: &Operation<Op>,
) -> Result<Frontier<'g>> {
    let next = NextBuffers::new(frontier.graph())?;
    if frontier.edges() > 0 {
        match spread.into() {
            Spread::Parts => in_parts(frontier, op, &next)?,
            Spread::Schedule(schedule) => by_schedule(frontier, schedule, op, &next)?,
        }
    }
    next.read()
}

/// As [`advance`] in [parts](Spread::Parts).
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{atomics::*, device::{Device, OpenDevice}, engine::*};
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
/// # fn main() -> equipoise_schedule::Result<()> {
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let graph = DeviceGraph::from_rows(&gpu, &[0, 2, 3, 3], &[1, 2, 2])?;
/// let visited = gpu.upload(&[1u32, 0, 0])?;
/// let visit = Operation::<Visit>::checked(|| VisitLaunch::new(AtomicArray::of(&gpu, &visited)));
/// assert_eq!(advance_in_parts(&Frontier::of(&graph, &[0])?, &visit)?.len(), 2);
/// # Ok(())
/// # }
/// ```
pub fn advance_in_parts<'g, Op: EdgeOp + EdgeOpKind>(
    frontier: &Frontier<'g>,
    op: &Operation<Op>,
) -> Result<Frontier<'g>> {
    let next = NextBuffers::new(frontier.graph())?;
    if frontier.edges() > 0 {
        in_parts(frontier, op, &next)?;
    }
    next.read()
}

/// One iteration of the loop on the device, which collects who joins.
fn in_parts<Op: EdgeOp + EdgeOpKind>(
    frontier: &Frontier,
    op: &Operation<Op>,
    next: &NextBuffers,
) -> Result<()> {
    let graph = frontier.graph();
    let op = op.as_edge_op();
    let memory = LoopBuffers::new(graph, op.kind, &[])?;
    let launch = memory.start_with(op.kind, &frontier.list, frontier.len())?;
    let (marks, iteration) = graph.marks(1)?;
    let collect = CollectLaunch::new(next.arg(marks), iteration);
    memory.enqueue::<_, Collect>(&op, collect, launch, Launch::Wide);
    Ok(())
}

fn by_schedule<Op: EdgeOp + EdgeOpKind>(
    frontier: &Frontier,
    schedule: ScheduleOptions,
    op: &Operation<Op>,
    next: &NextBuffers,
) -> Result<()> {
    let graph = frontier.graph();
    let (marks, iteration) = graph.marks(1)?;
    let list = frontier.as_rows()?;
    let tiles = list.tiles(frontier.edges())?;
    let plan = Plan::<ListedRows, Advance<Op>>::new(graph.gpu(), schedule, &tiles)?;
    let work = || AdvanceLaunch::new(op.arg(), graph.targets().arg(), next.arg(marks), iteration);
    // SAFETY: there is a target for each edge, and a mark, an offset and room in the list for each
    // vertex, which is listed once; operations that are not checked keep within theirs.
    unsafe { op.run(&plan, &tiles, work) };
    Ok(())
}
