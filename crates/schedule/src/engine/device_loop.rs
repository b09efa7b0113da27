//! The loop: iterations on the device until no vertex is left.
//!
//! All cubes read the same state and the same counts of the previous iteration, so that they decide uniformly. On CUDA
//! a loop is one launch, in which cubes wait for each other after each iteration ([`barrier`](super::barrier)).
//! Elsewhere an iteration is one launch, and no cube waits for another. One cube runs many narrow iterations in one
//! launch, since each would be shorter than a launch, and the host enqueues several launches before it waits and reads
//! whether the loop is over ([`pace`]).

use std::sync::OnceLock;

use cubecl::prelude::*;

use super::{
    DeviceGraph, LoopMode,
    barrier::{self, FIRST_LOOKS, MOST_BARRIERS, MOST_CUBES, Outcome},
    kernels::*,
    operation::*,
    order::*,
    pace::{self, Launch, LoopBatch, Progress},
    state::*,
    worklists::*,
};
use crate::{
    Error, Result,
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    erase::Erased,
    model::launch::launch_with_bounds,
};

/// Units of the cube of narrow iterations, and of cubes that wait for each other, if the device allows it.
const LARGE_CUBE: u32 = 1024;
/// Wide iterations before the next launch in which cubes wait for each other, and the most such rounds before the host
/// waits.
const WIDE_AT_A_TIME: u32 = 4;
const MOST_ROUNDS: u32 = 4;
/// Iterations per launch in which cubes wait for each other.
const MOST_OF_ALL: u32 = MOST_BARRIERS - 2;
/// Deep rounds per narrow iteration, and on devices that end long loops.
const ROUNDS: u32 = 64;
const FEW_ROUNDS: u32 = 8;

pub(super) struct LoopBuffers<'g> {
    pub graph: &'g DeviceGraph,
    parts: PartBuffer,
    pub words: Buffer<u32>,
    /// When each vertex joined a frontier, if it can do so more than once.
    joined: OnceLock<Buffer<u32>>,
    pub mode: LoopMode,
}

impl<'g> LoopBuffers<'g> {
    /// Allocates the memory for loops of an operation; `behind` are words of the order.
    pub fn new(graph: &'g DeviceGraph, kind: EdgeKind, behind: &[u32]) -> Result<Self> {
        let gpu = graph.gpu();
        let mut words = vec![0; ALL_WORDS];
        words.extend(behind);
        let (parts, words) = (PartBuffer::new(graph)?, gpu.upload(&words)?);
        let (joined, mode) = (OnceLock::new(), graph.mode().unwrap_or(LoopMode::best_for(gpu)));
        if !kind.joins_once {
            let _ = joined.set(gpu.empty(graph.vertices() as usize)?);
        }
        Ok(Self { graph, parts, words, joined, mode })
    }

    /// When each vertex joined a frontier, for an operation that can let it do so more than once.
    fn joined(&self, kind: EdgeKind) -> Option<&Buffer<u32>> {
        self.joined.get().filter(|_| !kind.joins_once)
    }

    /// Clears when vertices joined, for an operation other than that of the loop so far.
    pub fn forget_joined(&self) -> Result<()> {
        let gpu = self.graph.gpu();
        match self.joined.get() {
            Some(joined) => gpu.fill(joined, 0),
            None => {
                let _ = self.joined.set(gpu.filled(self.graph.vertices() as usize, 0)?);
                Ok(())
            }
        }
    }

    fn lists(&self, kind: EdgeKind) -> WorklistsLaunch<GpuRuntime> {
        WorklistsLaunch::new(
            self.graph.rows(),
            self.parts.arg(),
            AtomicArray::bind(self.graph.gpu(), &self.words),
            self.joined(kind).map(Buffer::arg).into(),
            kind,
        )
    }

    /// Resets the labels of all vertices, and makes the source the frontier.
    pub fn start<Op: ?Sized + SearchObject + 'static, O: SourceOrder<Erased<Op>>>(
        &self,
        op: &AnyOperation<Op>,
        order: O::RuntimeArg<GpuRuntime>,
        source: u32,
    ) -> Result<()> {
        self.graph.check_vertex(source)?;
        let gpu = self.graph.gpu();
        let (cubes, units) = wide_cubes(gpu);
        // SAFETY: the source is a vertex, and the list has space for its parts. All words are allocated, an order has
        // one per vertex, and an unchecked operation accesses only its buffers.
        launch_with_bounds!(
            op.checked,
            start_search::<Erased<Op>, O>(
                gpu.client(),
                cubes,
                units,
                op.arg(),
                order,
                self.graph.offsets().arg(),
                self.parts.arg(),
                AtomicArray::bind(gpu, &self.words),
                JoinedLaunch::new(self.joined(op.kind).map(Buffer::arg).into()),
                source,
                self.graph.vertices(),
            )
        );
        Ok(())
    }

    /// Makes the first `len` vertices of a list the frontier. Returns the number of the next launch.
    pub fn start_with(&self, kind: EdgeKind, list: &Buffer<u32>, len: u32) -> Result<u32> {
        let gpu = self.graph.gpu();
        gpu.fill(&self.words, 0)?;
        self.joined(kind).map_or(Ok(()), |joined| gpu.fill(joined, 0))?;
        let (cubes, units) = wide_cubes(gpu);
        // SAFETY: the list has at least `len` distinct vertices of the graph, the list of parts has space for all, and
        // all words are allocated.
        unsafe {
            list_vertices::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes,
                units,
                self.lists(kind),
                list.arg(),
                len,
                halvings(gpu),
            );
        }
        Ok(LISTING + 1)
    }

    /// Makes the vertices of a level the frontier. Returns the number of the next launch.
    pub fn start_at(&self, op: &AnyOperation<dyn PullObject>, level: u32) -> Result<u32> {
        let gpu = self.graph.gpu();
        gpu.fill(&self.words, 0)?;
        let (cubes, units) = wide_cubes(gpu);
        // SAFETY: the list of parts has space for all vertices, all words are allocated, and an unchecked operation
        // accesses only its buffers.
        launch_with_bounds!(
            op.checked,
            list_level::<Erased<dyn PullObject>>(
                gpu.client(),
                cubes,
                units,
                op.arg(),
                self.lists(op.kind),
                level,
                self.graph.vertices(),
                halvings(gpu),
            )
        );
        Ok(LISTING + 1)
    }

    /// Runs to the end, from this launch on. Returns the batches and the number of the next launch.
    pub fn run<Op: ?Sized + EdgeObject + 'static, O: Order<Erased<Op>>>(
        &self,
        op: &AnyOperation<Op>,
        order: impl Fn(Launch) -> Result<O::RuntimeArg<GpuRuntime>>,
        first_launch: u32,
    ) -> Result<(Vec<LoopBatch>, u32)> {
        let mut next = first_launch;
        if let (LoopMode::OneLaunch { cubes }, true) = (self.mode, self.graph.cubes_can_wait()) {
            let order = || order(Launch::Wide);
            if let Some(batches) = self.run_at_once::<Op, O>(op, order, &mut next, cubes)? {
                return Ok((batches, next));
            }
            self.graph.cubes_cannot_wait();
        }
        pace::run(self.graph.gpu(), &self.words, next, |number, launch| {
            self.enqueue::<Op, O>(op, order(launch)?, number, launch);
            Ok(())
        })
    }

    /// Runs to the end in one launch, or as few as possible; returns nothing if cubes cannot wait for each other, and
    /// nothing was done. `next` is the number of the next launch.
    ///
    /// Wide iterations in launches of their own come several at a time.
    fn run_at_once<Op: ?Sized + EdgeObject + 'static, O: Order<Erased<Op>>>(
        &self,
        op: &AnyOperation<Op>,
        order: impl Fn() -> Result<O::RuntimeArg<GpuRuntime>>,
        next: &mut u32,
        cubes: u32,
    ) -> Result<Option<Vec<LoopBatch>>> {
        let gpu = self.graph.gpu();
        let mut progress = Progress::default();
        let (mut wide, mut rounds) = (0, 1);
        loop {
            let clock = gpu.stopwatch();
            for _ in 0..rounds {
                for number in *next..*next + wide {
                    self.enqueue::<Op, O>(op, order()?, number, Launch::Wide);
                }
                *next += wide;
                self.enqueue_all::<Op, O>(op, order()?, *next, cubes);
                *next += 1;
            }
            let words = gpu.download(&self.words)?;
            match barrier::outcome(&words[BARRIER as usize..]) {
                Outcome::NotStarted => return Ok(None),
                Outcome::GivenUp => {
                    let problem = "cubes waited for each other in vain, in the middle of a loop";
                    return Err(Error::Device(problem.into()));
                }
                Outcome::Complete => {}
            }
            // If a loop starts with a wide iteration, the next round runs it.
            let state = HostState::before(*next, &words);
            if progress.see(state, clock.elapsed(), wide > 0)? {
                return Ok(Some(progress.batches));
            }
            rounds = if wide == 0 { 1 } else { (2 * rounds).min(MOST_ROUNDS) };
            wide = WIDE_AT_A_TIME;
        }
    }

    /// Enqueues a launch that runs all iterations.
    fn enqueue_all<Op: ?Sized + EdgeObject + 'static, O: Order<Erased<Op>>>(
        &self,
        op: &AnyOperation<Op>,
        order: O::RuntimeArg<GpuRuntime>,
        launch: u32,
        cubes: u32,
    ) {
        let gpu = self.graph.gpu();
        let (units, fences) = (waiting_cube(gpu, O::IS_LOOSE), gpu.takes_cuda_source());
        let limits = if fences {
            LaunchLimitsLaunch::new(MOST_OF_ALL, ROUNDS, FIRST_LOOKS)
        } else {
            LaunchLimitsLaunch::new(MOST_ITERATIONS, FEW_ROUNDS, 0)
        };
        // SAFETY: as in `enqueue`.
        launch_with_bounds!(
            op.checked,
            all_iterations::<Erased<Op>, O>(
                gpu.client(),
                gpu.cubes(cubes.min(MOST_CUBES).into()),
                CubeDim::new_1d(units),
                op.arg(),
                order,
                self.lists(op.kind),
                launch,
                limits,
                units,
                halvings(gpu),
                fences,
            )
        );
    }

    /// Enqueues a launch.
    pub fn enqueue<Op: ?Sized + EdgeObject + 'static, O: Order<Erased<Op>>>(
        &self,
        op: &AnyOperation<Op>,
        order: O::RuntimeArg<GpuRuntime>,
        number: u32,
        launch: Launch,
    ) {
        let gpu = self.graph.gpu();
        // SAFETY: each vertex has an offset, and each edge a target. Both halves of the list have space for the parts
        // of all vertices, each of which is listed once; all words are allocated; an order accesses only its arrays,
        // and an unchecked operation its buffers.
        match launch {
            Launch::Narrow => {
                let units = large_cube(gpu);
                launch_with_bounds!(
                    op.checked,
                    narrow_iterations::<Erased<Op>, O>(
                        gpu.client(),
                        CubeCount::new_single(),
                        CubeDim::new_1d(units),
                        op.arg(),
                        order,
                        self.lists(op.kind),
                        number,
                        units,
                        halvings(gpu),
                    )
                );
            }
            Launch::Wide => {
                let (cubes, units) = wide_cubes(gpu);
                launch_with_bounds!(
                    op.checked,
                    wide_iteration::<Erased<Op>, O>(
                        gpu.client(),
                        cubes,
                        units,
                        op.arg(),
                        order,
                        self.lists(op.kind),
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

/// Steps from all units of the largest planes of a device to one by halving.
fn halvings(gpu: &Gpu) -> u32 {
    gpu.properties().plane_size.max.max(1).ilog2()
}

/// Units of a cube that waits for others. One that goes deep has a queue, needs more memory, and is faster with fewer
/// units.
fn waiting_cube(gpu: &Gpu, goes_deep: bool) -> u32 {
    if goes_deep { large_cube(gpu).min(LARGE_CUBE / 2) } else { large_cube(gpu) }
}

/// Units of a large cube: a power of two.
pub(super) fn large_cube(gpu: &Gpu) -> u32 {
    let most = gpu.properties().max_units.max(1);
    LARGE_CUBE.min(1 << most.ilog2())
}
