//! The loop: iterations on the device until nothing is left to do.
//!
//! An iteration is one launch: all cubes read the same state and the same counts of the iteration
//! before, so that each decides alike, and none waits for another. Narrow iterations, which would be
//! over before a launch has begun, are done by one cube, many in a launch. The host enqueues several
//! launches before it waits and reads whether the loop is over ([`pace`]).

use cubecl::prelude::*;

use super::{
    DeviceGraph, Operation,
    counts::*,
    edge::*,
    order::*,
    pace::{self, Launch, LoopBatch},
    parts::*,
    relax::*,
    start::*,
    state::*,
};
use crate::{
    Result,
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    plan::launch_with_bounds,
};

/// Units of a cube of wide iterations.
pub(super) const WIDE_UNITS: u32 = 256;
/// Units of the cube of narrow iterations, if the device allows as many.
const NARROW_UNITS: u32 = 1024;
/// Narrow iterations of one launch: software devices end loops that go on for long.
const MOST_ITERATIONS: u32 = 128;

/// The memory of a loop.
pub(super) struct LoopBuffers<'g> {
    pub graph: &'g DeviceGraph,
    parts: PartBuffer,
    pub words: Buffer<u32>,
    /// When each vertex joined a frontier, where it can do so more than once.
    joined: Option<Buffer<u32>>,
}

impl<'g> LoopBuffers<'g> {
    /// For loops of this operation; `behind` are words for the order of the loop.
    pub fn new<Op: EdgeOp>(graph: &'g DeviceGraph, behind: &[u32]) -> Result<Self> {
        let gpu = graph.gpu();
        let mut words = vec![0; ALL_WORDS];
        words.extend(behind);
        let joined = match Op::JOINS_ONCE {
            true => None,
            false => Some(gpu.empty(graph.vertices() as usize)?),
        };
        Ok(Self { graph, parts: PartBuffer::new(graph)?, words: gpu.upload(&words)?, joined })
    }

    fn lists(&self) -> WorklistsLaunch<GpuRuntime> {
        WorklistsLaunch::new(
            self.graph.rows(),
            self.parts.arg(),
            AtomicArray::of(self.graph.gpu(), &self.words),
            self.joined.as_ref().map(Buffer::arg).into(),
        )
    }

    /// Resets the labels of all vertices, and makes the source the frontier.
    pub fn start<Op: SearchOp, O: Order<Op>>(
        &self,
        op: &Operation<Op>,
        order: O::RuntimeArg<GpuRuntime>,
        source: u32,
    ) -> Result<()> {
        self.graph.check_vertex(source)?;
        let gpu = self.graph.gpu();
        let (cubes, units) = wide_cubes(gpu);
        // SAFETY: the source is a vertex, and the list has room for its parts. There are as many
        // words as are written, and an order has one for each vertex; an operation that is not
        // checked keeps within its buffers.
        launch_with_bounds!(
            op.is_checked(),
            start_search::<Op, O>(
                gpu.client(),
                cubes,
                units,
                op.arg(),
                order,
                self.graph.offsets().arg(),
                self.parts.arg(),
                AtomicArray::of(gpu, &self.words),
                JoinedLaunch::new(self.joined.as_ref().map(Buffer::arg).into()),
                source,
                self.graph.vertices(),
            )
        );
        Ok(())
    }

    /// Makes the first `len` vertices of a list the frontier. The number of the next launch.
    pub fn start_with(&self, list: &Buffer<u32>, len: u32) -> Result<u32> {
        let gpu = self.graph.gpu();
        gpu.fill(&self.words, 0)?;
        self.joined.iter().try_for_each(|joined| gpu.fill(joined, 0))?;
        let (cubes, units) = wide_cubes(gpu);
        // SAFETY: the list has at least `len` vertices of the graph, each once, and that of parts
        // has room for all; there are as many words as are written.
        unsafe {
            list_vertices::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes,
                units,
                self.lists(),
                list.arg(),
                len,
                halvings(gpu),
            );
        }
        Ok(LISTING + 1)
    }

    /// Makes the vertices of a level the frontier. The number of the next launch.
    pub fn start_at<Op: PullOp>(&self, op: &Operation<Op>, level: u32) -> Result<u32> {
        let gpu = self.graph.gpu();
        gpu.fill(&self.words, 0)?;
        let (cubes, units) = wide_cubes(gpu);
        // SAFETY: the list of parts has room for all vertices, and there are as many words as are
        // written; an operation that is not checked keeps within its buffers.
        launch_with_bounds!(
            op.is_checked(),
            list_level::<Op>(
                gpu.client(),
                cubes,
                units,
                op.arg(),
                self.lists(),
                level,
                self.graph.vertices(),
                halvings(gpu),
            )
        );
        Ok(LISTING + 1)
    }

    /// Runs to the end, from the launch of this number on.
    pub fn run<Op: EdgeOp, O: Order<Op>>(
        &self,
        op: &Operation<Op>,
        order: impl Fn(Launch) -> Result<O::RuntimeArg<GpuRuntime>>,
        first_launch: u32,
    ) -> Result<Vec<LoopBatch>> {
        pace::run(self.graph.gpu(), &self.words, first_launch, |number, launch| {
            self.enqueue::<Op, O>(op, order(launch)?, number, launch);
            Ok(())
        })
    }

    /// Enqueues a launch.
    pub fn enqueue<Op: EdgeOp, O: Order<Op>>(
        &self,
        op: &Operation<Op>,
        order: O::RuntimeArg<GpuRuntime>,
        number: u32,
        launch: Launch,
    ) {
        let gpu = self.graph.gpu();
        // SAFETY: there is an offset for each vertex and a target for each edge. Both halves of the
        // list have room for the parts of all vertices, each of which is listed once; there are as
        // many words as are read and written; an order keeps within its own arrays, and an operation
        // that is not checked within its buffers.
        match launch {
            Launch::Narrow => {
                let units = narrow_units(gpu);
                launch_with_bounds!(
                    op.is_checked(),
                    narrow_iterations::<Op, O>(
                        gpu.client(),
                        CubeCount::new_single(),
                        CubeDim::new_1d(units),
                        op.arg(),
                        order,
                        self.lists(),
                        number,
                        units,
                        halvings(gpu),
                    )
                );
            }
            Launch::Wide => {
                let (cubes, units) = wide_cubes(gpu);
                launch_with_bounds!(
                    op.is_checked(),
                    wide_iteration::<Op, O>(
                        gpu.client(),
                        cubes,
                        units,
                        op.arg(),
                        order,
                        self.lists(),
                        number,
                        halvings(gpu),
                    )
                );
            }
        }
    }
}

/// The cubes of a wide iteration, and their units.
fn wide_cubes(gpu: &Gpu) -> (CubeCount, CubeDim) {
    (gpu.cubes(gpu.properties().cubes_at_work().into()), CubeDim::new_1d(WIDE_UNITS))
}

/// Steps in which the units of the largest planes of a device come down to one by halves.
fn halvings(gpu: &Gpu) -> u32 {
    gpu.properties().plane_size.max.max(1).ilog2()
}

/// The units of the cube of narrow iterations: a power of two.
fn narrow_units(gpu: &Gpu) -> u32 {
    let most = gpu.properties().max_units.max(1);
    NARROW_UNITS.min(1 << most.ilog2())
}

/// The state of an iteration that is about to be done.
#[cube]
fn enter<Op: EdgeOp, O: Order<Op>>(order: &O, words: &AtomicArray, launch: u32) -> Array<u32> {
    let mut now = read_state(words, launch);
    if now[PENDING] == 1 {
        let counted = counted_before(words, launch);
        order.next(words, &mut now, &counted);
        now[PENDING] = 0u32;
    }
    order.limit(&mut now);
    now
}

/// Does iterations as long as they are narrow.
#[cube(launch, launch_unchecked)]
fn narrow_iterations<Op: EdgeOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    lists: &mut Worklists,
    launch: u32,
    #[comptime] units: u32,
    #[comptime] halvings: u32,
) {
    let counts = Counts::new(true, halvings);
    let mut now = enter::<Op, O>(order, &lists.words, launch);
    let mut done = 0u32;
    while order.is_for_one(&now) && done < MOST_ITERATIONS {
        let slot = done % SLOTS;
        counts.clear((done + 1) % SLOTS);
        iterate::<Op, O>(op, order, lists, &counts, slot, &now, units);
        sync_storage();
        let counted = counts.counted(slot);
        order.next(&lists.words, &mut now, &counted);
        now[NARROW_ITERATIONS] += 1u32;
        done += 1;
    }
    if UNIT_POS == 0 {
        write_state(&mut lists.words, &now, launch);
    }
}

/// Does an iteration, if there is one.
#[cube(launch, launch_unchecked)]
fn wide_iteration<Op: EdgeOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    lists: &mut Worklists,
    launch: u32,
    #[comptime] halvings: u32,
) {
    let counts = Counts::new(false, halvings);
    let mut now = enter::<Op, O>(order, &lists.words, launch);
    let slot = (launch + 1) % SLOTS;
    if now[MODE] != DONE {
        iterate::<Op, O>(op, order, lists, &counts, slot, &now, WIDE_UNITS);
        counts.share(&mut lists.words, slot);
        now[PENDING] = 1u32;
    }
    if ABSOLUTE_POS == 0 {
        write_state(&mut lists.words, &now, launch);
    }
}

#[cube]
fn iterate<Op: EdgeOp, O: Order<Op>>(
    op: &mut Op,
    order: &mut O,
    lists: &mut Worklists,
    counts: &Counts,
    slot: u32,
    now: &Array<u32>,
    #[comptime] units: u32,
) {
    if now[MODE] == OTHER {
        order.other(op, lists, counts, slot, now);
    } else {
        relax_frontier::<Op, O>(op, order, lists, counts, slot, now, units);
    }
}
