//! Peel: vertices with few neighbours left are taken away, again and again.

use cubecl::{prelude::*, unexpanded};

use super::{
    DeviceGraph, LoopBatch, Operation, counts::*, device_loop::LoopBuffers, edge::*, order::*,
    parts::*, relax::*, state::*,
};
use crate::{
    Error, Result,
    atomics::*,
    device::{Buffer, GpuRuntime},
    erase::{Erased, ErasedExpand, erasable},
    ranges::grid_stride_range,
};

/// Vertices with at most so many neighbours left are peeled.
const LEVEL: usize = OWN;
/// Vertices of the half of the rest that is looked through.
const LOOKING: usize = OWN + 1;
/// Which half of the rest that is.
const REST_HALF: usize = OWN + 2;
/// Vertices of the rest, as it was left when it was last looked through.
const REST: usize = OWN + 3;

/// The rest is looked through.
const LOOK: u32 = OTHER;
/// Vertices of the rest, for each cube that waits for the others, that more units look through faster.
const WIDE_REST: u32 = 1 << 13;
/// A rest of at most so many vertices is looked through by one cube.
const NARROW_REST: u32 = 1 << 13;
const UNITS: u32 = 256;

/// An operation that peels vertices: its label is the level that a vertex was peeled at, and relaxing an edge tells the
/// other end that it has one neighbour less. Who has as few left then as the label says is peeled, and joins.
///
/// See [`peel`] for an example.
// The macro adds functions without documentation.
#[allow(missing_docs)]
#[cube]
pub trait PeelOp: EdgeOp {
    /// Whether a vertex is peeled.
    fn is_peeled(&self, vertex: u32) -> bool;
    /// How many neighbours a vertex that is not peeled has left.
    fn left(&self, vertex: u32) -> u32;
    /// Peels a vertex that has at most so many left; no other unit does so.
    fn peel(&mut self, vertex: u32, level: u32);
}

/// Peels all vertices of a graph: level by level, from 0 on, those that have at most as many neighbours left, as long as
/// there are any. What happened between host synchronisations.
///
/// A level without vertices is skipped. The device goes from level to level by itself.
///
/// Fails where there is no memory, or vertices are more than a list of the rest can have.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{atomics::*, device::{Device, OpenDevice}, engine::*};
///
/// #[derive(CubeType, CubeLaunch)]
/// struct Cores {
///     left: AtomicArray,
///     /// The largest number for who is not peeled.
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
/// # fn main() -> equipoise_schedule::Result<()> {
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// // A triangle with a tail, and a vertex alone.
/// let graph = DeviceGraph::from_rows(&gpu, &[0, 2, 4, 7, 8, 8], &[1, 2, 0, 2, 0, 1, 3, 2])?;
/// let (left, cores) = (gpu.upload(&[2, 2, 3, 1, 0])?, gpu.filled(5, u32::MAX)?);
/// let arg = || CoresLaunch::new(AtomicArray::of(&gpu, &left), AtomicArray::of(&gpu, &cores));
/// peel(&graph, &Operation::<Cores>::checked(arg))?;
/// assert_eq!(gpu.download(&cores)?, [2, 2, 2, 1, 0]);
/// # Ok(())
/// # }
/// ```
pub fn peel<Op: PeelOp + EdgeOpKind>(
    graph: &DeviceGraph,
    op: &Operation<Op>,
) -> Result<Vec<LoopBatch>> {
    let (gpu, vertices) = (graph.gpu(), graph.vertices());
    if vertices == 0 {
        return Ok(Vec::new());
    }
    let words = 2 * u64::from(vertices);
    if words > u64::from(u32::MAX) {
        let what = "the rest of a peeled graph".into();
        return Err(Error::TooMany { what, count: words, limit: u32::MAX.into() });
    }
    let op = op.as_peel_op();
    let memory = LoopBuffers::new(graph, op.kind, &[])?;
    let rest: Buffer<u32> = gpu.empty(words as usize)?;
    let enough = vertices.div_ceil(UNITS).min(gpu.properties().cubes_at_work());
    // SAFETY: there is room for each vertex, and there are as many words as are written.
    unsafe {
        start_peeling::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            gpu.cubes(enough.into()),
            CubeDim::new_1d(UNITS),
            rest.arg(),
            AtomicArray::of(gpu, &memory.words),
            vertices,
        );
    }
    let order = |_| Ok(PeelLaunch::new(rest.arg(), vertices));
    Ok(memory.run::<_, Peel>(&op, order, 0)?.0)
}

/// All vertices are the rest, which is about to be looked through.
#[cube(launch_unchecked)]
fn start_peeling(rest: &mut Array<u32>, words: &mut AtomicArray, vertices: u32) {
    for vertex in grid_stride_range(0, vertices) {
        rest[vertex as usize] = vertex;
    }
    if ABSOLUTE_POS == 0 {
        let mut now = first_state(words, 0u32);
        now[MODE] = LOOK;
        now[VERTICES] = 0u32;
        now[LOOKING] = vertices;
        // As if a launch before the first had left it.
        write_state(words, &now, 1u32);
    }
}

/// Vertices in the order of how few neighbours they have left.
#[derive(CubeType, CubeLaunch)]
struct Peel {
    /// The vertices that were not peeled when they were last looked at: two halves, one of which is looked through
    /// while the other is filled.
    rest: Array<u32>,
    /// The vertices of the graph.
    vertices: u32,
}

impl OrderKind for Peel {}

#[cube]
impl<Op: PeelOp> Order<Op> for Peel {
    fn leave(&mut self, _vertex: u32, _label: u32) {}

    fn kind(&self, _label: u32, _now: &Array<u32>) -> u32 {
        NEXT.runtime()
    }

    fn listed(&self, _vertex: u32, _counts: &Counts, _slot: u32) {}

    fn defer(
        &mut self,
        _offers: &Offers,
        _counts: &Counts,
        _words: &mut AtomicArray,
        _slot: u32,
        _now: &Array<u32>,
        #[comptime] _count: usize,
    ) {
    }

    /// Peels those of the rest that have few enough left, and keeps the others that are not peeled.
    fn other(
        &mut self,
        op: &mut Op,
        lists: &mut Worklists,
        counts: &Counts,
        slot: u32,
        now: &Array<u32>,
        #[comptime] _units: u32,
    ) {
        let from = now[REST_HALF] * self.vertices;
        let to = (1 - now[REST_HALF]) * self.vertices;
        let units = CUBE_COUNT as u32 * CUBE_DIM;
        // As often for all units.
        for round in 0..now[LOOKING].div_ceil(units) {
            let index = round * units + ABSOLUTE_POS as u32;
            let mut candidates = Candidates::new(1usize);
            let mut vertex = 0u32;
            let mut stays = 0u32;
            // Counted from the largest number, so that zero is none.
            let mut fewness = 0u32;
            if index < now[LOOKING] {
                vertex = self.rest[(from + index) as usize];
                if !op.is_peeled(vertex) {
                    let left = op.left(vertex);
                    if left <= now[LEVEL] {
                        op.peel(vertex, now[LEVEL]);
                        candidates.read(&lists.rows, vertex, 0usize);
                        candidates.listed[0] = 1u32;
                    } else {
                        stays = 1u32;
                        fewness = u32::MAX - left;
                    }
                }
            }
            lists.list(&candidates, counts, slot, now, 1usize);
            let place = to + counts.reserve_together(&mut lists.words, slot, stays, OWN_SUM);
            if stays == 1 {
                self.rest[place as usize] = vertex;
            }
            counts.raise(slot, fewness, OWN_MAX);
        }
    }

    fn start(&mut self, _words: &AtomicArray, _now: &mut Array<u32>) {}

    /// Where no edges are left to relax, the rest is looked through at the next level: where nobody lost a neighbour
    /// since it last was, at the next that has a vertex.
    fn next(&self, _op: &Op, _words: &AtomicArray, now: &mut Array<u32>, counted: &Array<u32>) {
        next_frontier(now, counted);
        let mut level = now[LEVEL] + 1;
        if now[MODE] == LOOK {
            now[REST] = counted[OWN_SUM];
            level = u32::MAX - counted[OWN_MAX];
        }
        if now[PARTS] > 0 {
            now[MODE] = PUSH;
        } else if now[REST] == 0 {
            now[MODE] = DONE;
        } else {
            now[MODE] = LOOK;
            now[LEVEL] = level;
            now[LOOKING] = now[REST];
            now[REST_HALF] = 1 - now[REST_HALF];
        }
    }

    fn limit(&self, _now: &mut Array<u32>) {}

    fn is_for_one(&self, now: &Array<u32>) -> bool {
        (now[MODE] == PUSH && is_narrow(now)) || (now[MODE] == LOOK && now[LOOKING] <= NARROW_REST)
    }

    fn is_wide(&self, now: &Array<u32>) -> bool {
        is_wide_frontier(now) || (now[MODE] == LOOK && now[LOOKING] / WIDE_REST > CUBE_COUNT as u32)
    }

    fn reset(&mut self, _vertex: u32) {}
}

erasable! {
    /// What kernels call of a [`PeelOp`].
    PeelOp / PeelOpExpand + EdgeOpExpand as PeelObject: EdgeObject {
        is_peeled / __expand_is_peeled_method [] (vertex: u32) -> bool;
        left / __expand_left_method [] (vertex: u32) -> u32;
        peel / __expand_peel_method [mut] (vertex: u32, level: u32) -> ();
    }
}
