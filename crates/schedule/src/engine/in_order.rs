//! Gather class after class: the vertices of a class see what those of the classes before it have
//! become.

use cubecl::prelude::*;

use super::{
    DeviceGraph, LoopMode, Operation,
    barrier::{self, BARRIER_WORDS, Barrier, FIRST_LOOKS, Outcome},
    device_loop::large_cube,
    gather::*,
    graph::*,
};
use crate::{
    Error, Result,
    atomics::AtomicArray,
    device::{Buffer, GpuRuntime},
    plan::launch_with_bounds,
    primitives::ByClass,
    ranges::*,
};

/// Units of a cube where each class is a launch.
const UNITS: u32 = 256;

/// Gathers over the neighbours of vertices, class after class: a unit takes a vertex, so that this is
/// for graphs whose vertices have few neighbours each.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{
///     device::{Device, OpenDevice},
///     engine::*,
///     primitives::sort_by_class,
/// };
///
/// /// One more than the largest number of the neighbours that have one.
/// #[derive(CubeType, CubeLaunch)]
/// struct Number {
///     numbers: Array<u32>,
/// }
///
/// impl GatherOpKind for Number {}
///
/// #[cube]
/// impl GatherOp for Number {
///     type Value = u32;
///
///     fn identity() -> u32 {
///         0u32.runtime()
///     }
///
///     fn gather(&mut self, _vertex: u32, neighbour: u32, _edge: u32) -> u32 {
///         self.numbers[neighbour as usize]
///     }
///
///     fn combine(a: u32, b: u32) -> u32 {
///         max(a, b)
///     }
///
///     fn apply(&mut self, vertex: u32, largest: u32) {
///         self.numbers[vertex as usize] = largest + 1;
///     }
/// }
///
/// # fn main() -> equipoise_schedule::Result<()> {
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// // A path of three vertices; those at the ends come last.
/// let path = DeviceGraph::from_rows(&gpu, &[0, 1, 3, 4], &[1, 0, 2, 1])?;
/// let sorted = sort_by_class(&gpu, &gpu.upload(&[1, 0, 1])?, 2)?;
/// let numbers = gpu.filled(3, 0u32)?;
/// let op = Operation::<Number>::checked(|| NumberLaunch::new(numbers.arg()));
/// GatherInOrder::new(&path, &sorted).run(&op, &[0, 1])?;
/// assert_eq!(gpu.download(&numbers)?, [2, 1, 2]);
/// # Ok(())
/// # }
/// ```
pub struct GatherInOrder<'g> {
    graph: &'g DeviceGraph,
    sorted: &'g ByClass,
    mode: LoopMode,
}

impl<'g> GatherInOrder<'g> {
    /// For the vertices of a graph, which are sorted by their classes.
    pub fn new(graph: &'g DeviceGraph, sorted: &'g ByClass) -> Self {
        Self { graph, sorted, mode: LoopMode::of(graph.gpu()) }
    }

    /// The same, with its loop run in another way than the one that suits the device.
    pub fn in_mode(self, mode: LoopMode) -> Self {
        Self { mode, ..self }
    }

    /// Gathers in the order of these classes. Vertices of one class must not be neighbours, unless the
    /// operation allows for neighbours that change meanwhile.
    ///
    /// Fails where a class is none of those that vertices are sorted by, or the device does.
    pub fn run<Op: GatherOp>(&self, op: &Operation<Op>, classes: &[u32]) -> Result<()> {
        let count = self.sorted.offsets.len().saturating_sub(1);
        if let Some(class) = classes.iter().find(|&&class| class as usize >= count) {
            return Err(Error::Schedule(format!("class {class} of {count} classes, from 0 on")));
        }
        if let (LoopMode::OneLaunch { cubes }, true) = (self.mode, self.graph.cubes_can_wait()) {
            if classes.is_empty() || self.run_at_once(op, classes, cubes)? {
                return Ok(());
            }
            self.graph.cubes_cannot_wait();
        }
        classes.iter().for_each(|&class| self.enqueue(op, class));
        Ok(())
    }

    /// Does all classes in one launch; whether its cubes could wait for each other. Otherwise nothing
    /// was done.
    fn run_at_once<Op: GatherOp>(
        &self,
        op: &Operation<Op>,
        classes: &[u32],
        cubes: u32,
    ) -> Result<bool> {
        let gpu = self.graph.gpu();
        let words: Buffer<u32> = gpu.filled(BARRIER_WORDS, 0)?;
        let classes = gpu.upload(classes)?;
        let fences = gpu.takes_cuda_source();
        // SAFETY: the order has all vertices, there is a start for each class and one more, and offsets
        // and targets are those of the graph; a barrier has its words; an operation that is not checked
        // keeps within its buffers.
        launch_with_bounds!(
            op.is_checked(),
            gather_classes::<Op>(
                gpu.client(),
                gpu.cubes(cubes.into()),
                CubeDim::new_1d(large_cube(gpu)),
                op.arg(),
                self.graph.rows(),
                self.sorted.order.arg(),
                self.sorted.offsets.arg(),
                classes.arg(),
                AtomicArray::of(gpu, &words),
                if fences { FIRST_LOOKS } else { 0 },
                fences,
            )
        );
        match barrier::outcome(&gpu.download(&words)?) {
            Outcome::Complete => Ok(true),
            Outcome::NotStarted => Ok(false),
            Outcome::GivenUp => {
                let problem = "cubes waited for each other in vain, in the middle of a loop";
                Err(Error::Device(problem.into()))
            }
        }
    }

    fn enqueue<Op: GatherOp>(&self, op: &Operation<Op>, class: u32) {
        let gpu = self.graph.gpu();
        // SAFETY: as above.
        launch_with_bounds!(
            op.is_checked(),
            gather_class::<Op>(
                gpu.client(),
                gpu.cubes(gpu.properties().cubes_at_work().into()),
                CubeDim::new_1d(UNITS),
                op.arg(),
                self.graph.rows(),
                self.sorted.order.arg(),
                self.sorted.offsets.arg(),
                class,
            )
        );
    }
}

/// All classes; cubes wait for each other after each.
#[cube(launch, launch_unchecked)]
fn gather_classes<Op: GatherOp>(
    op: &mut Op,
    rows: &Rows,
    order: &Array<u32>,
    starts: &Array<u32>,
    classes: &Array<u32>,
    words: &mut AtomicArray,
    looks: u32,
    #[comptime] fences: bool,
) {
    let mut barrier = Barrier::new(words, 0u32, fences);
    let mut goes_on = barrier.start(words, looks);
    let mut place = 0u32;
    while goes_on {
        let class = classes[place as usize] as usize;
        for index in grid_stride_range(starts[class], starts[class + 1]) {
            gather_alone::<Op>(op, rows, order[index as usize]);
        }
        place += 1;
        goes_on = barrier.wait(words) && place < classes.len() as u32;
    }
}

/// One class.
#[cube(launch, launch_unchecked)]
fn gather_class<Op: GatherOp>(
    op: &mut Op,
    rows: &Rows,
    order: &Array<u32>,
    starts: &Array<u32>,
    class: u32,
) {
    for index in grid_stride_range(starts[class as usize], starts[class as usize + 1]) {
        gather_alone::<Op>(op, rows, order[index as usize]);
    }
}

/// Gathers over the neighbours of a vertex, by one unit.
#[cube]
pub fn gather_alone<Op: GatherOp>(op: &mut Op, rows: &Rows, vertex: u32) {
    let mut total = Op::identity();
    for edge in rows.offsets[vertex as usize]..rows.offsets[vertex as usize + 1] {
        total = Op::combine(total, op.gather(vertex, rows.targets[edge as usize], edge));
    }
    op.apply(vertex, total);
}
