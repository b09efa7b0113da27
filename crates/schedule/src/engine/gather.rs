//! Gather: a reduction over the edges of every vertex.

use cubecl::prelude::*;

use super::{DeviceGraph, DeviceRows, Frontier, Operation};
use crate::{
    Result,
    device::Gpu,
    input::Input,
    plan::{Plan, ScheduleOptions},
    tiles::{CsrRows, ListedRows, VertexList},
    work::*,
};

/// What is known of a [`GatherOp`] when its kernels are compiled. The default suits most.
pub trait GatherOpKind: 'static + Send + Sync {
    /// Whether what an edge gives depends on the vertex that it leaves. An operation that says no is
    /// given any vertex, and some schedules save a search.
    const NEEDS_VERTEX: bool = true;
    /// How many neighbouring units do an edge together, each its part of it, as `UNIT_POS % LANES` says: a power of
    /// two, at most the plane size. Each of them applies the total of its parts.
    const LANES: u32 = 1;
}

/// What a vertex makes of its neighbours.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{engine::*, input::Input};
///
/// /// The mean of the neighbours' values.
/// #[derive(CubeType, CubeLaunch)]
/// struct Mean {
///     values: Input<f32>,
///     degrees: Input<u32>,
///     means: Array<f32>,
/// }
///
/// impl GatherOpKind for Mean {}
///
/// #[cube]
/// impl GatherOp for Mean {
///     type Value = f32;
///
///     fn identity() -> f32 {
///         0.0f32.runtime()
///     }
///
///     fn gather(&mut self, _vertex: u32, neighbour: u32, _edge: u32) -> f32 {
///         self.values[neighbour as usize]
///     }
///
///     fn combine(a: f32, b: f32) -> f32 {
///         a + b
///     }
///
///     fn apply(&mut self, vertex: u32, total: f32) {
///         let degree = max(self.degrees[vertex as usize], 1u32);
///         self.means[vertex as usize] = total / f32::cast_from(degree);
///     }
/// }
/// ```
// The macro adds functions without documentation.
#[allow(missing_docs)]
#[cube]
pub trait GatherOp: GatherOpKind + LaunchArg {
    /// What an edge gives and a vertex adds up to.
    type Value: CubePrimitive;

    /// What `combine` leaves unchanged.
    fn identity() -> Self::Value;
    /// What the edge from `vertex` to `neighbour` gives.
    fn gather(&mut self, vertex: u32, neighbour: u32, edge: u32) -> Self::Value;
    /// Combines two. The order and the grouping must not matter, but for rounding.
    fn combine(a: Self::Value, b: Self::Value) -> Self::Value;
    /// Does something with a vertex and the total of its edges.
    fn apply(&mut self, vertex: u32, total: Self::Value);
}

/// An operation on a vertex and its neighbours as a work of the model.
#[derive(CubeType, CubeLaunch)]
struct Gather<Op: GatherOp> {
    op: Op,
    targets: Input<u32>,
}

impl<Op: GatherOp> WorkKind for Gather<Op> {
    const ATOM_NEEDS_TILE: bool = Op::NEEDS_VERTEX;
    const LANES: u32 = Op::LANES;
}

#[cube]
impl<Op: GatherOp> Work for Gather<Op> {
    type Value = Op::Value;

    fn identity() -> Op::Value {
        Op::identity()
    }

    fn atom(&mut self, vertex: u32, edge: u32) -> Op::Value {
        self.op.gather(vertex, self.targets[edge as usize], edge)
    }

    fn combine(a: Op::Value, b: Op::Value) -> Op::Value {
        Op::combine(a, b)
    }

    fn end(&mut self, vertex: u32, total: Op::Value) {
        self.op.apply(vertex, total);
    }
}

/// Reduces over the edges that leave each vertex of a graph, under a schedule. Over those that enter
/// it, upload the transpose.
///
/// Returns at once, but for what schedules prepare.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{
///     ScheduleName,
///     device::{Device, OpenDevice},
///     engine::*,
/// };
///
/// #[derive(CubeType, CubeLaunch)]
/// struct Largest {
///     largest: Array<u32>,
/// }
///
/// impl GatherOpKind for Largest {}
///
/// #[cube]
/// impl GatherOp for Largest {
///     type Value = u32;
///
///     fn identity() -> u32 {
///         0u32.runtime()
///     }
///     fn gather(&mut self, _vertex: u32, neighbour: u32, _edge: u32) -> u32 {
///         neighbour
///     }
///     fn combine(a: u32, b: u32) -> u32 {
///         max(a, b)
///     }
///     fn apply(&mut self, vertex: u32, total: u32) {
///         self.largest[vertex as usize] = total;
///     }
/// }
///
/// # fn main() -> equipoise_schedule::Result<()> {
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let graph = DeviceGraph::from_rows(&gpu, &[0, 2, 2, 3], &[1, 2, 0])?;
/// let largest = gpu.filled(3, 7u32)?;
/// let op = Operation::<Largest>::checked(|| LargestLaunch::new(largest.arg()));
/// gather(&graph, ScheduleName::MergePath.into(), &op)?;
/// assert_eq!(gpu.download(&largest)?, [2, 0, 0]);
/// # Ok(())
/// # }
/// ```
pub fn gather<Op: GatherOp>(
    graph: &DeviceGraph,
    schedule: ScheduleOptions,
    op: &Operation<Op>,
) -> Result<()> {
    RowsGather::new(graph.gpu(), graph.leaving(), schedule)?.run(op)
}

/// A reduction over the edges of every vertex, prepared to be done several times: over those that leave it, or over
/// those that enter it.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{
///     ScheduleName,
///     device::{Device, OpenDevice},
///     engine::*,
/// };
///
/// #[derive(CubeType, CubeLaunch)]
/// struct CountEdges {
///     degrees: Array<u32>,
/// }
///
/// impl GatherOpKind for CountEdges {}
///
/// #[cube]
/// impl GatherOp for CountEdges {
///     type Value = u32;
///
///     fn identity() -> u32 {
///         0u32.runtime()
///     }
///     fn gather(&mut self, _vertex: u32, _neighbour: u32, _edge: u32) -> u32 {
///         1u32.runtime()
///     }
///     fn combine(a: u32, b: u32) -> u32 {
///         a + b
///     }
///     fn apply(&mut self, vertex: u32, total: u32) {
///         self.degrees[vertex as usize] = total;
///     }
/// }
///
/// # fn main() -> equipoise_schedule::Result<()> {
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let graph = DeviceGraph::from_rows(&gpu, &[0, 2, 2, 3], &[1, 2, 0])?;
/// let degrees = gpu.filled(3, 7u32)?;
/// let count = Operation::<CountEdges>::checked(|| CountEdgesLaunch::new(degrees.arg()));
/// let gather = RowsGather::new(&gpu, graph.leaving(), ScheduleName::MergePath.into())?;
/// gather.run(&count)?;
/// assert_eq!(gpu.download(&degrees)?, [2, 0, 1]);
/// # Ok(())
/// # }
/// ```
pub struct RowsGather<'g, Op: GatherOp> {
    rows: &'g DeviceRows,
    plan: Plan<CsrRows, Gather<Op>>,
}

impl<'g, Op: GatherOp> RowsGather<'g, Op> {
    /// Prepares a schedule for rows.
    pub fn new(gpu: &Gpu, rows: &'g DeviceRows, schedule: ScheduleOptions) -> Result<Self> {
        let plan = Plan::new(gpu, schedule, &CsrRows::of(&rows.offsets, rows.edges())?)?;
        Ok(Self { rows, plan })
    }

    /// Reduces over the edges of every vertex. Returns at once.
    pub fn run(&self, op: &Operation<Op>) -> Result<()> {
        let DeviceRows { offsets, targets } = self.rows;
        let tiles = CsrRows::of(offsets, self.rows.edges())?;
        // SAFETY: there is a target for each edge; operations that are not checked keep within their
        // buffers.
        unsafe { op.run(&self.plan, &tiles, || GatherLaunch::new(op.arg(), targets.arg())) };
        Ok(())
    }
}

impl<Op: GatherOp> std::fmt::Debug for RowsGather<'_, Op> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RowsGather").field("edges", &self.rows.edges()).finish_non_exhaustive()
    }
}

/// A reduction over the edges that leave the vertices of a frontier, prepared to be done several
/// times.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{
///     ScheduleName,
///     device::{Device, OpenDevice},
///     engine::*,
/// };
///
/// #[derive(CubeType, CubeLaunch)]
/// struct CountEdges {
///     degrees: Array<u32>,
/// }
///
/// impl GatherOpKind for CountEdges {}
///
/// #[cube]
/// impl GatherOp for CountEdges {
///     type Value = u32;
///
///     fn identity() -> u32 {
///         0u32.runtime()
///     }
///     fn gather(&mut self, _vertex: u32, _neighbour: u32, _edge: u32) -> u32 {
///         1u32.runtime()
///     }
///     fn combine(a: u32, b: u32) -> u32 {
///         a + b
///     }
///     fn apply(&mut self, vertex: u32, total: u32) {
///         self.degrees[vertex as usize] = total;
///     }
/// }
///
/// # fn main() -> equipoise_schedule::Result<()> {
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let graph = DeviceGraph::from_rows(&gpu, &[0, 2, 2, 3], &[1, 2, 0])?;
/// let degrees = gpu.filled(3, 7u32)?;
/// let count = Operation::<CountEdges>::checked(|| CountEdgesLaunch::new(degrees.arg()));
/// let some = Frontier::of(&graph, &[2, 1])?;
/// FrontierGather::new(&some, ScheduleName::GroupMapped.into())?.run(&count)?;
/// assert_eq!(gpu.download(&degrees)?, [7, 0, 1]);
/// # Ok(())
/// # }
/// ```
pub struct FrontierGather<'g, Op: GatherOp> {
    frontier: Frontier<'g>,
    list: VertexList,
    plan: Plan<ListedRows, Gather<Op>>,
}

impl<'g, Op: GatherOp> FrontierGather<'g, Op> {
    /// Prepares a schedule for a frontier.
    pub fn new(frontier: &Frontier<'g>, schedule: ScheduleOptions) -> Result<Self> {
        let list = frontier.as_rows()?;
        let plan = Plan::new(frontier.graph().gpu(), schedule, &list.tiles(frontier.edges())?)?;
        Ok(Self { frontier: frontier.clone(), list, plan })
    }

    /// The frontier.
    pub fn frontier(&self) -> &Frontier<'g> {
        &self.frontier
    }

    /// Reduces over the edges of its vertices. Returns at once.
    pub fn run(&self, op: &Operation<Op>) -> Result<()> {
        let tiles = self.list.tiles(self.frontier.edges())?;
        let targets = self.frontier.graph().targets();
        // SAFETY: there is a target for each edge; operations that are not checked keep within their
        // buffers.
        unsafe { op.run(&self.plan, &tiles, || GatherLaunch::new(op.arg(), targets.arg())) };
        Ok(())
    }
}

impl<Op: GatherOp> std::fmt::Debug for FrontierGather<'_, Op> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FrontierGather").field("frontier", &self.frontier).finish_non_exhaustive()
    }
}
