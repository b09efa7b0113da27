//! Pull: an operation on every vertex that is not reached and has a neighbour in a frontier.

use cubecl::prelude::*;

use super::{
    Frontier, Operation,
    edge::*,
    graph::*,
    next::{NextBuffers, NextFrontier},
    pull::WORD,
};
use crate::{
    Result, device::GpuRuntime, erase::Erased, plan::launch_with_bounds, ranges::grid_stride_range,
};

const UNITS: u32 = 256;

/// Lets every vertex that is not reached look for a neighbour in the frontier among the edges that
/// enter it, up to the first, and gives those that find one the level after `level`. They are the
/// next frontier.
///
/// The edges that enter vertices must have been [copied](super::DeviceGraph::upload_entering), unless
/// the graph is undirected. The host waits until it is known how many vertices found one.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_graph::{Edges, GraphBuilder};
/// use equipoise_schedule::{atomics::*, device::{Device, OpenDevice}, engine::*};
///
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
/// #[cube]
/// impl SearchOp for Discover {
///     fn reset(&mut self, vertex: u32, is_source: bool) {
///         self.levels.set(vertex, if is_source { 0u32.runtime() } else { u32::MAX.runtime() });
///     }
///     fn is_at(&self, vertex: u32, level: u32) -> bool {
///         self.levels.get(vertex) == level
///     }
/// }
///
/// #[cube]
/// impl PullOp for Discover {
///     fn is_open(&self, vertex: u32) -> bool {
///         self.levels.get(vertex) == u32::MAX
///     }
///     fn pull(&mut self, vertex: u32, level: u32, _parent: u32) {
///         self.levels.set(vertex, level + 1);
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (0, 2), (2, 3)]))?;
/// let there = DeviceGraph::upload(&gpu, &graph)?;
/// there.upload_entering(graph.transpose()?)?;
/// let levels = gpu.upload(&[0, u32::MAX, u32::MAX, u32::MAX])?;
/// let discover =
///     Operation::<Discover>::checked(|| DiscoverLaunch::new(AtomicArray::of(&gpu, &levels)));
/// let found = pull(&Frontier::of(&there, &[0])?, 0, &discover)?;
/// assert_eq!(found.len(), 2);
/// assert_eq!(gpu.download(&levels)?, [0, 1, 1, u32::MAX]);
/// # Ok(())
/// # }
/// ```
pub fn pull<'g, Op: PullOp + EdgeOpKind>(
    frontier: &Frontier<'g>,
    level: u32,
    op: &Operation<Op>,
) -> Result<Frontier<'g>> {
    let op = op.as_pull_op();
    let graph = frontier.graph();
    let next = NextBuffers::new(graph)?;
    let entering = graph.entering()?;
    if !frontier.is_empty() {
        let gpu = graph.gpu();
        let bitmap = frontier.bitmap()?;
        let (marks, iteration) = graph.marks(1)?;
        let cubes = gpu.cubes(u64::from(graph.vertices()).div_ceil(UNITS.into()));
        let units = CubeDim::new_1d(UNITS);
        // SAFETY: there is a bit, a mark, offsets and room in the list for each vertex, and each is
        // taken by one unit; an operation that is not checked keeps within its buffers.
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

/// A unit takes a vertex, and looks along its edges until one comes from the frontier.
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
