//! Operators on vertices: for each of a frontier, those of a frontier that an operation keeps, and unreached ones.

use cubecl::prelude::*;

use super::{
    Frontier,
    frontier::{NextBuffers, NextFrontier},
    operation::*,
    pull_level::WORD,
    rows::*,
};
use crate::{
    Result,
    device::GpuRuntime,
    erase::{Erased, ErasedArg},
    model::launch::launch_with_bounds,
    ranges::grid_stride_range,
};

const UNITS: u32 = 256;

/// An erased operation on vertices, for a launch.
type AnyVertexArg = ErasedArg<dyn VertexObject, GpuRuntime>;

/// Applies an operation to every vertex of a frontier, one unit each.
///
/// Returns at once.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{device::{Device, OpenDevice}, engine::*};
///
/// #[derive(CubeType, CubeLaunch)]
/// struct Count {
///     counts: Array<u32>,
/// }
///
/// #[cube]
/// impl VertexOp for Count {
///     fn apply(&mut self, vertex: u32) -> bool {
///         self.counts[vertex as usize] += 1;
///         true.runtime()
///     }
/// }
///
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let graph = DeviceGraph::from_rows(&gpu, &[0, 0, 0, 0], &[])?;
/// let counts = gpu.filled(3, 0u32)?;
/// let count = Operation::<Count>::checked(|| CountLaunch::new(counts.arg()));
/// for_each(&Frontier::from_vertices(&graph, &[0, 2])?, &count);
/// assert_eq!(gpu.download(&counts)?, [1, 0, 1]);
/// # Ok::<(), equipoise_schedule::Error>(())
/// ```
pub fn for_each<Op: VertexOp>(frontier: &Frontier, op: &Operation<Op>) {
    apply_any(frontier, op.is_checked(), op.vertex_arg());
}

/// The same for erased operations.
fn apply_any(frontier: &Frontier, checked: bool, op: AnyVertexArg) {
    if frontier.is_empty() {
        return;
    }
    let gpu = frontier.graph().gpu();
    let cubes = gpu.cubes(u64::from(frontier.len()).div_ceil(UNITS.into()));
    let units = CubeDim::new_1d(UNITS);
    // SAFETY: the list has `len` vertices; an unchecked operation accesses only its buffers.
    launch_with_bounds!(
        checked,
        apply_to_all(gpu.client(), cubes, units, op, frontier.list.arg(), frontier.len(),)
    );
}

/// Applies an operation to every vertex of a frontier, and keeps those that it selects. The host waits for their
/// number.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{device::{Device, OpenDevice}, engine::*};
///
/// #[derive(CubeType, CubeLaunch)]
/// struct Odd {}
///
/// #[cube]
/// impl VertexOp for Odd {
///     fn apply(&mut self, vertex: u32) -> bool {
///         vertex % 2 == 1
///     }
/// }
///
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let graph = DeviceGraph::from_rows(&gpu, &[0, 0, 0, 0], &[])?;
/// let odd = filter(&Frontier::all(&graph)?, &Operation::<Odd>::checked(OddLaunch::new))?;
/// assert_eq!(odd.vertices()?, [1]);
/// # Ok::<(), equipoise_schedule::Error>(())
/// ```
pub fn filter<'g, Op: VertexOp>(
    frontier: &Frontier<'g>,
    op: &Operation<Op>,
) -> Result<Frontier<'g>> {
    filter_by_any(frontier, op.is_checked(), op.vertex_arg())
}

/// The same for erased operations.
fn filter_by_any<'g>(
    frontier: &Frontier<'g>,
    checked: bool,
    op: AnyVertexArg,
) -> Result<Frontier<'g>> {
    let graph = frontier.graph();
    let next = NextBuffers::new(graph)?;
    if !frontier.is_empty() {
        let gpu = graph.gpu();
        let (marks, iteration) = graph.marks(1)?;
        let cubes = gpu.cubes(u64::from(frontier.len()).div_ceil(UNITS.into()));
        let units = CubeDim::new_1d(UNITS);
        // SAFETY: the list has `len` vertices, the other one has space for all, and an unchecked operation accesses
        // only its buffers.
        launch_with_bounds!(
            checked,
            keep(
                gpu.client(),
                cubes,
                units,
                op,
                frontier.list.arg(),
                next.arg(marks),
                frontier.len(),
                iteration,
            )
        );
    }
    next.read()
}

#[cube(launch, launch_unchecked)]
fn apply_to_all(op: &mut AnyVertexOp, list: &Array<u32>, len: u32) {
    for index in grid_stride_range(0, len) {
        op.apply(list[index as usize]);
    }
}

#[cube(launch, launch_unchecked)]
fn keep(
    op: &mut AnyVertexOp,
    list: &Array<u32>,
    next: &mut NextFrontier,
    len: u32,
    iteration: u32,
) {
    for index in grid_stride_range(0, len) {
        let vertex = list[index as usize];
        if op.apply(vertex) {
            next.add(vertex, iteration);
        }
    }
}

type AnyVertexOp = Erased<dyn VertexObject>;

/// Lets every unreached vertex look for one neighbour in the frontier among its incoming edges, and sets those that
/// find one to the level after `level`. They are the next frontier. [`LevelSearch`](super::LevelSearch) has an example
/// of an operation.
///
/// The incoming edges must have been [uploaded](super::DeviceGraph::upload_entering), unless the graph is undirected.
/// The host waits for the number of found vertices.
pub fn pull<'g, Op: PullOp + EdgeOpKind>(
    frontier: &Frontier<'g>,
    level: u32,
    op: &Operation<Op>,
) -> Result<Frontier<'g>> {
    pull_any(frontier, level, &op.as_pull_op())
}

/// The same for erased operations.
fn pull_any<'g>(
    frontier: &Frontier<'g>,
    level: u32,
    op: &AnyOperation<dyn PullObject>,
) -> Result<Frontier<'g>> {
    let graph = frontier.graph();
    let next = NextBuffers::new(graph)?;
    let entering = graph.entering()?;
    if !frontier.is_empty() {
        let gpu = graph.gpu();
        let bitmap = frontier.bitmap()?;
        let (marks, iteration) = graph.marks(1)?;
        let cubes = gpu.cubes(u64::from(graph.vertices()).div_ceil(UNITS.into()));
        let units = CubeDim::new_1d(UNITS);
        // SAFETY: each vertex has a bit, a mark, offsets and an element of the list, and one unit processes
        // it; an unchecked operation accesses only its buffers.
        launch_with_bounds!(
            op.checked,
            pull_all(
                gpu.client(),
                cubes,
                units,
                op.arg(),
                entering.arg(),
                bitmap.arg(),
                next.arg(marks),
                graph.vertices(),
                level,
                iteration,
            )
        );
    }
    next.read()
}

/// One unit per vertex follows its edges until one comes from the frontier.
#[cube(launch, launch_unchecked)]
fn pull_all(
    op: &mut Erased<dyn PullObject>,
    entering: &Rows,
    bitmap: &Array<u32>,
    next: &mut NextFrontier,
    vertices: u32,
    level: u32,
    iteration: u32,
) {
    for vertex in grid_stride_range(0, vertices) {
        if op.is_open(vertex) {
            let mut edge = entering.offsets[vertex as usize];
            let end = entering.offsets[vertex as usize + 1];
            let mut parent = u32::MAX.runtime();
            while edge < end {
                let other = entering.targets[edge as usize];
                edge += 1u32;
                if (bitmap[(other / WORD) as usize] >> (other % WORD)) & 1u32 == 1u32 {
                    parent = other;
                    edge = end;
                }
            }
            if parent != u32::MAX {
                op.pull(vertex, level, parent);
                next.add(vertex, iteration);
            }
        }
    }
}
