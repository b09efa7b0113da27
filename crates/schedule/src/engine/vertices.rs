//! Operations on the vertices of a frontier.

use cubecl::{prelude::*, unexpanded};

use super::{
    Frontier, Operation,
    next::{NextBuffers, NextFrontier},
};
use crate::{
    Result,
    device::GpuRuntime,
    erase::{Erased, ErasedExpand, erasable},
    plan::launch_with_bounds,
    ranges::grid_stride_range,
};

const UNITS: u32 = 256;

/// What happens to a vertex.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{engine::*, input::Input};
///
/// /// Keeps the vertices of few neighbours.
/// #[derive(CubeType, CubeLaunch)]
/// struct OfDegree {
///     degrees: Input<u32>,
///     most: u32,
/// }
///
/// #[cube]
/// impl VertexOp for OfDegree {
///     fn apply(&mut self, vertex: u32) -> bool {
///         self.degrees[vertex as usize] <= self.most
///     }
/// }
/// ```
// The macro adds functions without documentation.
#[allow(missing_docs)]
#[cube]
pub trait VertexOp: LaunchArg {
    /// Does something with a vertex. Whether [`filter`] keeps it.
    fn apply(&mut self, vertex: u32) -> bool;
}

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
/// # fn main() -> equipoise_schedule::Result<()> {
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let graph = DeviceGraph::from_rows(&gpu, &[0, 0, 0, 0], &[])?;
/// let counts = gpu.filled(3, 0u32)?;
/// let count = Operation::<Count>::checked(|| CountLaunch::new(counts.arg()));
/// for_each(&Frontier::of(&graph, &[0, 2])?, &count);
/// assert_eq!(gpu.download(&counts)?, [1, 0, 1]);
/// # Ok(())
/// # }
/// ```
pub fn for_each<Op: VertexOp>(frontier: &Frontier, op: &Operation<Op>) {
    if frontier.is_empty() {
        return;
    }
    let gpu = frontier.graph().gpu();
    let cubes = gpu.cubes(u64::from(frontier.len()).div_ceil(UNITS.into()));
    let units = CubeDim::new_1d(UNITS);
    // SAFETY: the list has as many vertices; an operation that is not checked keeps within its buffers.
    launch_with_bounds!(
        op.is_checked(),
        apply_to_all(
            gpu.client(),
            cubes,
            units,
            op.vertex_arg(),
            frontier.list.arg(),
            frontier.len(),
        )
    );
}

/// Applies an operation to every vertex of a frontier, and keeps those for which it says so.
///
/// The host waits until it is known how many they are.
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
/// # fn main() -> equipoise_schedule::Result<()> {
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let graph = DeviceGraph::from_rows(&gpu, &[0, 0, 0, 0], &[])?;
/// let odd = filter(&Frontier::all(&graph)?, &Operation::<Odd>::checked(OddLaunch::new))?;
/// assert_eq!(odd.vertices()?, [1]);
/// # Ok(())
/// # }
/// ```
pub fn filter<'g, Op: VertexOp>(
    frontier: &Frontier<'g>,
    op: &Operation<Op>,
) -> Result<Frontier<'g>> {
    let graph = frontier.graph();
    let kept = NextBuffers::new(graph)?;
    if !frontier.is_empty() {
        let gpu = graph.gpu();
        let (marks, iteration) = graph.marks(1)?;
        let cubes = gpu.cubes(u64::from(frontier.len()).div_ceil(UNITS.into()));
        let units = CubeDim::new_1d(UNITS);
        // SAFETY: the list has as many vertices, there is room for all of them in the other, and an
        // operation that is not checked keeps within its buffers.
        launch_with_bounds!(
            op.is_checked(),
            keep(
                gpu.client(),
                cubes,
                units,
                op.vertex_arg(),
                frontier.list.arg(),
                kept.arg(marks),
                frontier.len(),
                iteration,
            )
        );
    }
    kept.read()
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
    kept: &mut NextFrontier,
    len: u32,
    iteration: u32,
) {
    for index in grid_stride_range(0, len) {
        let vertex = list[index as usize];
        if op.apply(vertex) {
            kept.add(vertex, iteration);
        }
    }
}

erasable! {
    /// What kernels call of a [`VertexOp`].
    VertexOp / VertexOpExpand as VertexObject {
        apply / __expand_apply_method [mut] (vertex: u32) -> bool;
    }
}

type AnyVertexOp = Erased<dyn VertexObject>;
