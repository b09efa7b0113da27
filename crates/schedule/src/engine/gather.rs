//! Gather: a reduction over the edges of every vertex.

use std::marker::PhantomData;

use cubecl::prelude::*;

use super::{DeviceGraph, DeviceRows, Frontier, Operation};
use crate::{
    Result,
    device::{Buffer, Gpu},
    input::Input,
    plan::{AnyPlan, ScheduleOptions, ValueShape},
    tiles::{CsrRows, TileSet, Tiles, VertexList},
    work::*,
};

/// The properties of a [`GatherOp`] when its kernels are compiled, with the common defaults.
pub trait GatherOpKind: 'static + Send + Sync {
    /// Whether the value of an edge depends on the vertex that it leaves. If not, the vertex is arbitrary, and some
    /// schedules save a search.
    const NEEDS_VERTEX: bool = true;
    /// The number of neighbouring units that process an edge together, each the part `UNIT_POS % LANES`: a power of
    /// two, at most the plane size. Each applies the total of its parts.
    const LANES: u32 = 1;
}

/// What a vertex computes from its neighbours. [`gather`] has an example.
// The macro adds functions without documentation.
#[allow(missing_docs)]
#[cube]
pub trait GatherOp: GatherOpKind + LaunchArg {
    /// The value of an edge, and of the total of a vertex.
    type Value: CubePrimitive;

    /// The neutral element of `combine`.
    fn identity() -> Self::Value;
    /// The value of the edge from `vertex` to `neighbour`.
    fn gather(&mut self, vertex: u32, neighbour: u32, edge: u32) -> Self::Value;
    /// Combines two values. Order and grouping must not matter, except for rounding.
    fn combine(a: Self::Value, b: Self::Value) -> Self::Value;
    /// Processes a vertex with the total of its edges.
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

/// Reduces over the edges that leave each vertex of a graph, under a schedule; for incoming edges, upload the
/// transpose.
///
/// Returns at once, except for the preparation of schedules.
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
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let graph = DeviceGraph::from_rows(&gpu, &[0, 2, 2, 3], &[1, 2, 0])?;
/// let largest = gpu.filled(3, 7u32)?;
/// let op = Operation::<Largest>::checked(|| LargestLaunch::new(largest.arg()));
/// gather(&graph, ScheduleName::MergePath.into(), &op)?;
/// assert_eq!(gpu.download(&largest)?, [2, 0, 0]);
/// # Ok::<(), equipoise_schedule::Error>(())
/// ```
pub fn gather<Op: GatherOp>(
    graph: &DeviceGraph,
    schedule: ScheduleOptions,
    op: &Operation<Op>,
) -> Result<()> {
    gather_rows(graph.gpu(), graph.leaving(), schedule, op)
}

/// The same over other rows.
pub fn gather_rows<Op: GatherOp>(
    gpu: &Gpu,
    rows: &DeviceRows,
    schedule: ScheduleOptions,
    op: &Operation<Op>,
) -> Result<()> {
    let tiles = CsrRows::from_offsets(&rows.offsets, rows.edges())?;
    let shape = ValueShape::new::<Gather<Op>>()?;
    Gathers::new(gpu, schedule, &tiles, shape)?.run(&tiles, &rows.targets, op);
    Ok(())
}

/// A schedule prepared for operations with this value.
struct Gathers<V> {
    plan: AnyPlan,
    value: PhantomData<fn() -> V>,
}

impl<V: CubePrimitive> Gathers<V> {
    fn new<T: TileSet>(
        gpu: &Gpu,
        schedule: ScheduleOptions,
        tiles: &Tiles<T>,
        shape: ValueShape,
    ) -> Result<Self> {
        let plan = AnyPlan::new(gpu, schedule, &tiles.erased(), shape)?;
        Ok(Self { plan, value: PhantomData })
    }

    fn run<T: TileSet, Op: GatherOp<Value = V>>(
        &self,
        tiles: &Tiles<T>,
        targets: &Buffer<u32>,
        op: &Operation<Op>,
    ) {
        let work = || erase_work::<T, Gather<Op>>(GatherLaunch::new(op.arg(), targets.arg()));
        // SAFETY: each edge has a target, unchecked operations access only their buffers, and the tiles are those of the plan.
        unsafe { self.plan.run(op.is_checked(), &tiles.erased(), &work) };
    }
}

/// A reduction over the outgoing or incoming edges of every vertex, prepared for several runs of operations with the value `V`
/// and one unit per edge. Used as [`gather`].
pub struct RowsGather<'g, V: CubePrimitive> {
    rows: &'g DeviceRows,
    gathers: Gathers<V>,
}

impl<'g, V: CubePrimitive> RowsGather<'g, V> {
    /// Prepares a schedule for rows.
    pub fn new(gpu: &Gpu, rows: &'g DeviceRows, schedule: ScheduleOptions) -> Result<Self> {
        let tiles = CsrRows::from_offsets(&rows.offsets, rows.edges())?;
        let shape = ValueShape::totals_of::<V>()?;
        Ok(Self { rows, gathers: Gathers::new(gpu, schedule, &tiles, shape)? })
    }

    /// Reduces over the edges of every vertex. Returns at once.
    pub fn run<Op: GatherOp<Value = V>>(&self, op: &Operation<Op>) -> Result<()> {
        const { assert!(Op::LANES == 1, "each edge is one unit's") };
        let DeviceRows { offsets, targets } = self.rows;
        self.gathers.run(&CsrRows::from_offsets(offsets, self.rows.edges())?, targets, op);
        Ok(())
    }
}

impl<V: CubePrimitive> std::fmt::Debug for RowsGather<'_, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RowsGather").field("edges", &self.rows.edges()).finish_non_exhaustive()
    }
}

/// A reduction over the edges that leave the vertices of a frontier, prepared for several runs of operations with the value `V`
/// and one unit per edge. Used as [`gather`].
pub struct FrontierGather<'g, V: CubePrimitive> {
    frontier: Frontier<'g>,
    list: VertexList,
    gathers: Gathers<V>,
}

impl<'g, V: CubePrimitive> FrontierGather<'g, V> {
    /// Prepares a schedule for a frontier.
    pub fn new(frontier: &Frontier<'g>, schedule: ScheduleOptions) -> Result<Self> {
        let list = frontier.as_rows()?;
        let gpu = frontier.graph().gpu();
        let shape = ValueShape::totals_of::<V>()?;
        let gathers = Gathers::new(gpu, schedule, &list.tiles(frontier.edges())?, shape)?;
        Ok(Self { frontier: frontier.clone(), list, gathers })
    }

    /// The frontier.
    pub fn frontier(&self) -> &Frontier<'g> {
        &self.frontier
    }

    /// Reduces over the edges of its vertices. Returns at once.
    pub fn run<Op: GatherOp<Value = V>>(&self, op: &Operation<Op>) -> Result<()> {
        const { assert!(Op::LANES == 1, "each edge is one unit's") };
        let tiles = self.list.tiles(self.frontier.edges())?;
        self.gathers.run(&tiles, self.frontier.graph().targets(), op);
        Ok(())
    }
}

impl<V: CubePrimitive> std::fmt::Debug for FrontierGather<'_, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FrontierGather").field("frontier", &self.frontier).finish_non_exhaustive()
    }
}
