//! Advance: an operation on every edge that leaves a frontier.
#![allow(clippy::collapsible_if, reason = "a kernel does both sides of `&&`")]

use cubecl::prelude::*;

use super::{DeviceGraph, Frontier, Operation, edge::*};
use crate::{
    Result,
    device::{Buffer, GpuRuntime},
    input::Input,
    plan::{Plan, ScheduleOptions},
    tiles::{ListedRows, VertexList},
    work::*,
};

/// The frontier that is being made: vertices that are listed once in an iteration.
#[derive(CubeType, CubeLaunch)]
pub(super) struct NextFrontier {
    list: Array<u32>,
    /// How many vertices are listed, and how many edges leave them.
    counts: Array<Atomic<u32>>,
    /// For each vertex, the last iteration that listed it.
    marks: Array<Atomic<u32>>,
    offsets: Input<u32>,
}

#[cube]
impl NextFrontier {
    /// Lists a vertex unless it is listed.
    pub fn add(&mut self, vertex: u32, iteration: u32) {
        if self.marks[vertex as usize].fetch_max(iteration) < iteration {
            let degree = self.offsets[vertex as usize + 1] - self.offsets[vertex as usize];
            let place = self.counts[0].fetch_add(1u32);
            self.counts[1].fetch_add(degree);
            self.list[place as usize] = vertex;
        }
    }
}

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
            if self.op.relax(target, label) {
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

/// Room for a frontier that is being made.
pub(super) struct NextBuffers<'g> {
    graph: &'g DeviceGraph,
    pub list: Buffer<u32>,
    pub counts: Buffer<u32>,
}

impl<'g> NextBuffers<'g> {
    pub fn new(graph: &'g DeviceGraph) -> Result<Self> {
        let gpu = graph.gpu();
        let list = gpu.empty(graph.vertices() as usize)?;
        Ok(Self { graph, list, counts: gpu.filled(2, 0)? })
    }

    pub fn arg(&self, marks: &Buffer<u32>) -> NextFrontierLaunch<GpuRuntime> {
        NextFrontierLaunch::new(
            self.list.arg(),
            self.counts.arg(),
            marks.arg(),
            self.graph.offsets().arg(),
        )
    }

    pub fn read(self) -> Result<Frontier<'g>> {
        Frontier::read(self.graph, self.list, self.counts)
    }
}

/// Applies an operation to every edge that leaves a frontier, under a schedule. The next frontier is
/// made of the far ends for which it said so.
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
///     fn relax(&mut self, target: u32, label: u32) -> bool {
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
/// let neighbours = advance(&source, ScheduleName::ThreadMapped.into(), &visit)?;
/// assert_eq!(neighbours.len(), 2);
/// # Ok(())
/// # }
/// ```
pub fn advance<'g, Op: EdgeOp>(
    frontier: &Frontier<'g>,
    schedule: ScheduleOptions,
    op: &Operation<Op>,
) -> Result<Frontier<'g>> {
    let graph = frontier.graph();
    let next = NextBuffers::new(graph)?;
    if frontier.edges() > 0 {
        let (marks, iteration) = graph.marks(1)?;
        let list = VertexList::with_room(
            graph.gpu(),
            graph.offsets(),
            frontier.list.clone(),
            frontier.counts.clone(),
            frontier.len() as usize,
        )?;
        let tiles = list.tiles(frontier.edges())?;
        let plan = Plan::<ListedRows, Advance<Op>>::new(graph.gpu(), schedule, &tiles)?;
        let work =
            || AdvanceLaunch::new(op.arg(), graph.targets().arg(), next.arg(marks), iteration);
        // SAFETY: there is a target for each edge, and a mark, an offset and room in the list for
        // each vertex, which is listed once; operations that are not checked keep within theirs.
        unsafe { op.run(&plan, &tiles, work) };
    }
    next.read()
}
