//! Peel: removes vertices with few neighbours left, level by level.

use cubecl::prelude::*;

use super::{
    DeviceGraph, LoopBatch, counts::*, device_loop::LoopBuffers, operation::*, order::*, state::*,
    worklists::*,
};
use crate::{
    Error, Result,
    atomics::*,
    device::{Buffer, GpuRuntime},
    ranges::grid_stride_range,
};

// The words of the order.

/// The most neighbours left of peeled vertices.
const LEVEL: usize = 0;
/// The size of the half of the rest that is scanned.
const LOOKING: usize = 1;
/// The half of the rest that is scanned.
const REST_HALF: usize = 2;
/// The size of the rest after the last scan.
const REST: usize = 3;

/// The mode that scans the rest.
const LOOK: u32 = OTHER;
/// Vertices of the rest per waiting cube that more units scan faster.
const WIDE_REST: u32 = 1 << 13;
/// One cube scans a rest of at most this size.
const NARROW_REST: u32 = 1 << 13;
const UNITS: u32 = 256;

/// Peels all vertices of a graph: level by level from 0, those with at most that number of neighbours left, until
/// none is left. Returns the batches between host synchronisations.
///
/// Levels without vertices are skipped. The device runs all levels by itself.
///
/// Fails if memory does not suffice, or the graph has too many vertices for a list of the rest.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{atomics::*, device::{Device, OpenDevice}, engine::*};
///
/// #[derive(CubeType, CubeLaunch)]
/// struct Cores {
///     left: AtomicArray,
///     /// `u32::MAX` for a vertex that is not peeled.
///     cores: AtomicArray,
/// }
///
/// impl EdgeOpKind for Cores {
///     const JOINS_ONCE: bool = true;
/// }
///
/// #[cube]
/// impl EdgeOp for Cores {
///     fn label(&self, source: u32) -> u32 {
///         self.cores.get(source)
///     }
///     fn along(&self, label: u32, _edge: u32) -> u32 {
///         label
///     }
///     fn improves(&self, target: u32, label: u32) -> bool {
///         self.left.get(target) > label
///     }
///     fn relax(&mut self, target: u32, label: u32, _source: u32) -> bool {
///         // One less, modulo 2³².
///         let joins = self.left.fetch_add(target, u32::MAX.runtime()) == label + 1;
///         if joins {
///             self.cores.set(target, label);
///         }
///         joins
///     }
/// }
///
/// #[cube]
/// impl PeelOp for Cores {
///     fn is_peeled(&self, vertex: u32) -> bool {
///         self.cores.get(vertex) != u32::MAX.runtime()
///     }
///     fn left(&self, vertex: u32) -> u32 {
///         self.left.get(vertex)
///     }
///     fn peel(&mut self, vertex: u32, level: u32) {
///         self.cores.set(vertex, level);
///     }
/// }
///
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// // A triangle with a tail, and an isolated vertex.
/// let graph = DeviceGraph::from_rows(&gpu, &[0, 2, 4, 7, 8, 8], &[1, 2, 0, 2, 0, 1, 3, 2])?;
/// let (left, cores) = (gpu.upload(&[2, 2, 3, 1, 0])?, gpu.filled(5, u32::MAX)?);
/// let arg = || CoresLaunch::new(AtomicArray::bind(&gpu, &left), AtomicArray::bind(&gpu, &cores));
/// peel(&graph, &Operation::<Cores>::checked(arg))?;
/// assert_eq!(gpu.download(&cores)?, [2, 2, 2, 1, 0]);
/// # Ok::<(), equipoise_schedule::Error>(())
/// ```
pub fn peel<Op: PeelOp + EdgeOpKind>(
    graph: &DeviceGraph,
    op: &Operation<Op>,
) -> Result<Vec<LoopBatch>> {
    peel_any(graph, &op.as_peel_op())
}

/// The same for operations of any type.
fn peel_any(graph: &DeviceGraph, op: &AnyOperation<dyn PeelObject>) -> Result<Vec<LoopBatch>> {
    let (gpu, vertices) = (graph.gpu(), graph.vertices());
    if vertices == 0 {
        return Ok(Vec::new());
    }
    let words = 2 * u64::from(vertices);
    if words > u64::from(u32::MAX) {
        let what = "the rest of a peeled graph".into();
        return Err(Error::TooMany { what, count: words, limit: u32::MAX.into() });
    }
    let memory = LoopBuffers::new(graph, op.kind, &[])?;
    let rest: Buffer<u32> = gpu.empty(words as usize)?;
    let enough = vertices.div_ceil(UNITS).min(gpu.properties().cubes_at_work());
    // SAFETY: `rest` has an element per vertex, and all words are allocated.
    unsafe {
        start_peeling::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            gpu.cubes(enough.into()),
            CubeDim::new_1d(UNITS),
            rest.arg(),
            AtomicArray::bind(gpu, &memory.words),
            vertices,
        );
    }
    let order = |_| Ok(PeelLaunch::new(rest.arg(), vertices));
    Ok(memory.run::<_, Peel>(op, order, 0)?.0)
}

/// Makes all vertices the rest to be scanned.
#[cube(launch_unchecked)]
fn start_peeling(rest: &mut Array<u32>, words: &mut AtomicArray, vertices: u32) {
    for vertex in grid_stride_range(0, vertices) {
        rest[vertex as usize] = vertex;
    }
    if ABSOLUTE_POS == 0 {
        let mut state = LoopState::first(words, 0u32, 0u32);
        state.mode = LOOK.runtime();
        state.vertices = 0u32.runtime();
        state.own[LOOKING] = vertices;
        // In place of a launch before the first.
        state.write(words, 1u32);
    }
}

/// Vertices in ascending order of their neighbours left.
#[derive(CubeType, CubeLaunch)]
struct Peel {
    /// The unpeeled vertices at the last scan: two halves, one of which is scanned while the other is filled.
    rest: Array<u32>,
    vertices: u32,
}

impl OrderKind for Peel {}

admit_all!(Peel);

#[cube]
impl<Op: PeelOp> Order<Op> for Peel {
    /// Peels vertices of the rest with few enough neighbours left, and keeps the other unpeeled ones.
    fn other(&mut self, op: &mut Op, lists: &mut Worklists, iteration: &Iteration) {
        let state = &iteration.state;
        let counts = &iteration.counts;
        let from = state.own[REST_HALF] * self.vertices;
        let to = (1 - state.own[REST_HALF]) * self.vertices;
        let units = CUBE_COUNT as u32 * CUBE_DIM;
        // All units do the same number of rounds.
        for round in 0..state.own[LOOKING].div_ceil(units) {
            let index = round * units + ABSOLUTE_POS as u32;
            let mut candidates = Candidates::new(1usize);
            let mut vertex = 0u32;
            let mut stays = 0u32;
            // `u32::MAX` minus the neighbours left, so that a maximum finds the minimum and zero means none.
            let mut fewness = 0u32;
            if index < state.own[LOOKING] {
                vertex = self.rest[(from + index) as usize];
                if !op.is_peeled(vertex) {
                    let left = op.left(vertex);
                    if left <= state.own[LEVEL] {
                        op.peel(vertex, state.own[LEVEL]);
                        candidates.read(&lists.rows, vertex, 0usize);
                        candidates.listed[0] = 1u32;
                    } else {
                        stays = 1u32;
                        fewness = u32::MAX - left;
                    }
                }
            }
            lists.list(&candidates, iteration, 1usize);
            let position = to + counts.reserve_together(&mut lists.words, stays, OWN_SUM);
            if stays == 1 {
                self.rest[position as usize] = vertex;
            }
            counts.raise(fewness, OWN_MAX);
        }
    }

    /// If no edges are left to relax, the rest is scanned at the next level; if no vertex lost a neighbour since the
    /// last scan, at the next level that has a vertex.
    fn next(&self, _op: &Op, _words: &AtomicArray, state: &mut LoopState, counted: &Counted) {
        state.advance(counted);
        let mut level = state.own[LEVEL] + 1;
        if state.mode == LOOK {
            state.own[REST] = counted.own_sum;
            level = u32::MAX - counted.own_max;
        }
        if state.parts > 0 {
            state.mode = PUSH.runtime();
        } else if state.own[REST] == 0 {
            state.mode = DONE.runtime();
        } else {
            state.mode = LOOK.runtime();
            state.own[LEVEL] = level;
            state.own[LOOKING] = state.own[REST];
            state.own[REST_HALF] = 1 - state.own[REST_HALF];
        }
    }

    fn enter(&self, _state: &mut LoopState) {}

    fn is_for_one(&self, state: &LoopState) -> bool {
        (state.mode == PUSH && state.is_narrow())
            || (state.mode == LOOK && state.own[LOOKING] <= NARROW_REST)
    }

    fn is_wide(&self, state: &LoopState) -> bool {
        state.is_wide()
            || (state.mode == LOOK && state.own[LOOKING] / WIDE_REST > CUBE_COUNT as u32)
    }
}
