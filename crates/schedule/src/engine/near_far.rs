//! Near and far worklists (Davidson et al.): vertices with a label below a limit are processed until none is left, and
//! others are deferred; then the limit increases, and the deferred vertices are split at it. [`NearFarSearch`] is a
//! search in that order.

use cubecl::prelude::*;

use super::{
    DeviceGraph,
    counts::*,
    device_loop::LoopBuffers,
    operation::*,
    order::*,
    pace::{LoopBatch, LoopMode},
    state::*,
    worklists::*,
};
use crate::{
    Error, Result,
    atomics::*,
    device::{Buffer, GpuRuntime},
    input::Input,
};

// The words of the order.

/// The label from which on vertices are far.
const LIMIT: usize = 0;
/// The size of the half of the far worklist that is split.
const SPLITTING: usize = 1;
/// The half of the far worklist that grows.
const FAR_HALF: usize = 2;
/// Its size.
const FAR: usize = 3;
/// A lower bound on its labels.
const NEAREST: usize = 4;
/// The index of the step of the limit.
const STEP: usize = 5;

/// The mode that splits the far worklist.
const SPLIT: u32 = OTHER;
/// Vertices of a far worklist per waiting cube that more units split faster.
const WIDE_FAR: u32 = 1 << 13;
/// One cube splits a far worklist of at most this size.
const NARROW_FAR: u32 = 1 << 13;
/// More edges than this keep all cubes busy at once.
const ENOUGH_EDGES: u32 = 1 << 18;
/// A label that no vertex has.
const NO_LABEL: u32 = u32::MAX;

/// Edges of a graph per waiting cube, and edges per vertex, from which on most work is in wide iterations.
const MANY_EDGES: u32 = 1 << 19;
const HIGH_DEGREE: u32 = 8;

/// Words per vertex in [`NearFar::far`].
pub(super) const FAR_WORDS: u32 = 4;

/// Vertices roughly in the order of their labels.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct NearFar {
    /// Per vertex, the label with which its edges were last relaxed; per vertex, whether it is in the far worklist; the
    /// two halves of the far worklist.
    pub far: Array<u32>,
    /// The steps of the limit, ascending.
    pub steps: Input<u32>,
    pub first_step: u32,
    pub vertices: u32,
}

#[cube]
impl NearFar {
    /// The index of a vertex's deferred flag.
    fn deferred(&self, vertex: u32) -> usize {
        (self.vertices + vertex) as usize
    }

    /// The start of a half of the far worklist.
    fn half(&self, half: u32) -> u32 {
        (2 + half) * self.vertices
    }

    /// Puts vertices into the far worklist, unless they are in it. All units of a plane call it together.
    pub fn put_far(
        &mut self,
        offers: &Offers,
        words: &mut AtomicArray,
        iteration: &Iteration,
        #[comptime] count: usize,
    ) {
        let mut new = Array::<u32>::new(count);
        let mut all_new = 0u32;
        // Subtracted from the largest label, so that zero means none.
        let mut nearness = 0u32;
        #[unroll]
        for item in 0..count {
            new[item] = 0u32;
            if offers.kinds[item] == LATER {
                nearness = max(nearness, u32::MAX - offers.labels[item]);
                new[item] = 1 - self.far[self.deferred(offers.vertices[item])];
            }
            all_new += new[item];
        }
        if plane_any(nearness > 0) {
            let state = &iteration.state;
            let counts = &iteration.counts;
            let end = self.half(state.own[FAR_HALF]) + state.own[FAR];
            let mut position = end + counts.reserve_together(words, all_new, OWN_SUM);
            #[unroll]
            for item in 0..count {
                if new[item] == 1 {
                    let vertex = offers.vertices[item];
                    let deferred = self.deferred(vertex);
                    self.far[deferred] = 1u32;
                    self.far[position as usize] = vertex;
                    position += 1;
                }
            }
            counts.raise(nearness, OWN_MAX);
        }
    }

    /// After a split: a larger step if one cube suffices for the near vertices, a smaller one if they are more than
    /// enough for all.
    fn choose_step(&self, state: &mut LoopState) {
        if state.is_narrow() {
            state.own[STEP] = min(state.own[STEP] + 1, self.steps.len() as u32 - 1);
        } else if state.edges > ENOUGH_EDGES {
            state.own[STEP] -= min(state.own[STEP], 1u32);
        }
    }
}

impl OrderKind for NearFar {
    const IS_LOOSE: bool = true;
}

#[cube]
impl Admission for NearFar {
    fn leave(&mut self, vertex: u32, label: u32) {
        self.far[vertex as usize] = label;
    }

    fn kind(&self, label: u32, state: &LoopState) -> u32 {
        let mut kind = LATER.runtime();
        if label < state.own[LIMIT] {
            kind = NEXT.runtime();
        }
        kind
    }

    fn listed(&self, _vertex: u32, _counts: &Counts) {}

    fn defer(
        &mut self,
        offers: &Offers,
        words: &mut AtomicArray,
        iteration: &Iteration,
        #[comptime] count: usize,
    ) {
        self.put_far(offers, words, iteration, count);
    }
}

#[cube]
impl<Op: DistanceOp> Order<Op> for NearFar {
    /// Splits the far worklist at the limit.
    fn other(&mut self, op: &mut Op, lists: &mut Worklists, iteration: &Iteration) {
        let limit = iteration.state.own[LIMIT];
        let split = self.half(1 - iteration.state.own[FAR_HALF]);
        let splitting = iteration.state.own[SPLITTING];
        let units = CUBE_COUNT as u32 * CUBE_DIM;
        // All units do the same number of rounds.
        for round in 0..splitting.div_ceil(units) {
            let index = round * units + ABSOLUTE_POS as u32;
            let mut candidates = Candidates::new(1usize);
            let mut offers = Offers::new(1usize);
            offers.vertices[0] = 0u32;
            offers.labels[0] = 0u32;
            offers.kinds[0] = NOTHING;
            if index < splitting {
                let vertex = self.far[(split + index) as usize];
                let label = op.label(vertex);
                let deferred = self.deferred(vertex);
                self.far[deferred] = 0u32;
                offers.vertices[0] = vertex;
                offers.labels[0] = label;
                if label >= limit {
                    offers.kinds[0] = LATER;
                } else if self.far[vertex as usize] != label {
                    candidates.read(&lists.rows, vertex, 0usize);
                    candidates.listed[0] = 1u32;
                }
            }
            lists.list(&candidates, iteration, 1usize);
            self.put_far(&offers, &mut lists.words, iteration, 1usize);
        }
    }

    /// If no vertex is near, the limit increases and the far worklist is split.
    fn next(&self, op: &Op, _words: &AtomicArray, state: &mut LoopState, counted: &Counted) {
        state.advance(counted);
        if state.mode == SPLIT {
            self.choose_step(state);
        }
        state.own[FAR] += counted.own_sum;
        state.own[NEAREST] = min(state.own[NEAREST], u32::MAX - counted.own_max);
        if state.parts > 0 {
            state.mode = PUSH.runtime();
        } else if state.own[FAR] == 0 {
            state.mode = DONE.runtime();
        } else {
            state.mode = SPLIT.runtime();
            state.own[SPLITTING] = state.own[FAR];
            state.own[FAR_HALF] = 1 - state.own[FAR_HALF];
            let step = self.steps[state.own[STEP] as usize];
            state.own[LIMIT] = op.beyond(max(state.own[LIMIT], state.own[NEAREST]), step);
            state.own[FAR] = 0u32;
            state.own[NEAREST] = u32::MAX;
        }
    }

    fn enter(&self, _state: &mut LoopState) {}

    fn is_for_one(&self, state: &LoopState) -> bool {
        (state.mode == PUSH && state.is_narrow())
            || (state.mode == SPLIT && state.own[SPLITTING] <= NARROW_FAR)
    }

    fn is_wide(&self, state: &LoopState) -> bool {
        state.is_wide()
            || (state.mode == SPLIT && state.own[SPLITTING] / WIDE_FAR > CUBE_COUNT as u32)
    }
}

#[cube]
impl<Op: DistanceOp> SourceOrder<Op> for NearFar {
    fn start(&mut self, _words: &AtomicArray, state: &mut LoopState) {
        state.own[STEP] = self.first_step;
        state.own[LIMIT] = self.steps[self.first_step as usize];
        state.own[NEAREST] = u32::MAX;
    }

    fn reset(&mut self, vertex: u32) {
        self.far[vertex as usize] = NO_LABEL;
        let deferred = self.deferred(vertex);
        self.far[deferred] = 0u32;
    }
}

/// A search in the order of distances, by [near and far worklists](super): vertices nearer than a limit are processed
/// until none is left, then the limit increases.
///
/// Its step is chosen from several: a larger one if one cube suffices for the near vertices, a smaller one if they are
/// more than enough for all.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{atomics::*, device::{Device, OpenDevice}, engine::*, input::Input};
///
/// #[derive(CubeType, CubeLaunch)]
/// struct Relax {
///     distances: AtomicArray,
///     weights: Input<u32>,
/// }
///
/// impl EdgeOpKind for Relax {}
///
/// #[cube]
/// impl EdgeOp for Relax {
///     fn label(&self, source: u32) -> u32 {
///         self.distances.get(source)
///     }
///     fn along(&self, label: u32, edge: u32) -> u32 {
///         label + self.weights[edge as usize]
///     }
///     fn improves(&self, target: u32, label: u32) -> bool {
///         label < self.distances.get(target)
///     }
///     fn relax(&mut self, target: u32, label: u32, _source: u32) -> bool {
///         label < self.distances.fetch_min(target, label)
///     }
/// }
///
/// #[cube]
/// impl SearchOp for Relax {
///     fn reset(&mut self, vertex: u32, is_source: bool) {
///         let mut distance = u32::MAX.runtime();
///         if is_source {
///             distance = 0u32.runtime();
///         }
///         self.distances.set(vertex, distance);
///     }
///     fn is_at(&self, _vertex: u32, _iteration: u32) -> bool {
///         false.runtime()
///     }
/// }
///
/// #[cube]
/// impl DistanceOp for Relax {
///     fn beyond(&self, label: u32, length: u32) -> u32 {
///         label + min(length, u32::MAX - label)
///     }
/// }
///
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let graph = DeviceGraph::from_rows(&gpu, &[0, 2, 3, 3], &[1, 2, 2])?;
/// let (distances, weights) = (gpu.empty(3)?, gpu.upload(&[1u32, 5, 2])?);
/// let arg = || RelaxLaunch::new(AtomicArray::bind(&gpu, &distances), weights.arg());
/// NearFarSearch::new::<Relax>(&graph, &[2], 0)?.run(&Operation::<Relax>::checked(arg), 0)?;
/// assert_eq!(gpu.download(&distances)?, [0, 1, 3]);
/// # Ok::<(), equipoise_schedule::Error>(())
/// ```
pub struct NearFarSearch<'g> {
    memory: LoopBuffers<'g>,
    far: Buffer<u32>,
    steps: Buffer<u32>,
    first_step: u32,
}

impl<'g> NearFarSearch<'g> {
    /// Allocates the memory for searches of a graph. `steps` are the steps of the limit, ascending; it starts with that
    /// at `first`.
    ///
    /// Fails if `first` is no index of a step, the graph has too many vertices for the far worklist, or memory does
    /// not suffice.
    pub fn new<Op: DistanceOp + EdgeOpKind>(
        graph: &'g DeviceGraph,
        steps: &[u32],
        first: usize,
    ) -> Result<Self> {
        if first >= steps.len() {
            let count = steps.len();
            return Err(Error::Schedule(format!("step {first} of {count} steps, from 0 on")));
        }
        let words = u64::from(FAR_WORDS) * u64::from(graph.vertices());
        if words > u64::from(u32::MAX) {
            let what = "the far worklist".into();
            return Err(Error::TooMany { what, count: words, limit: u32::MAX.into() });
        }
        let gpu = graph.gpu();
        let mut memory = LoopBuffers::new(graph, EdgeKind::new::<Op>(), &[])?;
        memory.mode = mode_of(graph);
        Ok(Self {
            memory,
            far: gpu.empty(words as usize)?,
            steps: gpu.upload(steps)?,
            first_step: first as u32,
        })
    }

    /// Searches from a vertex, and returns the batches between host synchronisations.
    ///
    /// Fails if the source is not a vertex, or the device fails.
    pub fn run<Op: DistanceOp + EdgeOpKind>(
        &self,
        op: &Operation<Op>,
        source: u32,
    ) -> Result<Vec<LoopBatch>> {
        self.run_any(&op.as_distance_op(), source)
    }

    fn run_any(
        &self,
        op: &AnyOperation<dyn DistanceObject>,
        source: u32,
    ) -> Result<Vec<LoopBatch>> {
        self.memory.start::<_, NearFar>(op, self.order(), source)?;
        Ok(self.memory.run::<_, NearFar>(op, |_| Ok(self.order()), 0)?.0)
    }

    fn order(&self) -> NearFarLaunch<GpuRuntime> {
        let vertices = self.memory.graph.vertices();
        NearFarLaunch::new(self.far.arg(), self.steps.arg(), self.first_step, vertices)
    }
}

/// The mode of a search for distances: one launch, unless iterations are so wide that more units than can wait for each
/// other gain more than barriers cost.
fn mode_of(graph: &DeviceGraph) -> LoopMode {
    let (vertices, edges) = (graph.vertices(), graph.edges());
    match (graph.mode(), LoopMode::best_for(graph.gpu())) {
        (Some(chosen), _) => chosen,
        (None, LoopMode::OneLaunch { cubes })
            if edges / MANY_EDGES > cubes && edges / vertices.max(1) >= HIGH_DEGREE =>
        {
            LoopMode::Launches
        }
        (None, mode) => mode,
    }
}
