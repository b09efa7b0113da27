//! Settle: vertices examine their neighbours repeatedly, until each is settled.

mod classes;
mod iteration;

use std::time::Duration;

use cubecl::prelude::*;

pub use self::{classes::DegreeClasses, iteration::*};

use self::iteration::{DONE, ListsLaunch, RECORD, RECORDS_AT, UNITS, settle_iteration, start};
use super::{DeviceGraph, Operation};
use crate::{
    Error, Result,
    atomics::AtomicArray,
    device::{Buffer, GpuRuntime},
    model::launch::launch_with_bounds,
};

/// Iterations per host synchronisation.
const BATCH: u32 = 32;

/// An iteration of [`settle`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SettleIteration {
    /// The class of the examined vertices.
    pub class: u32,
    /// The number of examined vertices.
    pub vertices: u32,
    /// Its share of the time of the iterations for which the host waited together.
    pub time: Duration,
}

/// Lets every vertex examine its neighbours until it is settled: class after class, from the most neighbours on. The
/// vertices of a class run at the same time, each by a unit, a plane or a cube.
///
/// The two operations alternate. If each reads what the other has written, all vertices of an iteration see the data at
/// its start, and the result does not depend on timing.
///
/// At least one vertex of a class must settle within two iterations, otherwise it fails after the corresponding number.
/// The device runs the iterations by itself; the host waits once per batch.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_schedule::{
///     device::{Device, OpenDevice},
///     engine::*,
///     input::Input,
/// };
///
/// /// One more than the largest rank of the neighbours that precede a vertex: those of higher
/// /// classes, and in its own those with larger numbers.
/// #[derive(CubeType, CubeLaunch)]
/// struct Rank {
///     rows: Rows,
///     classes: Input<u32>,
///     /// 0 for an unsettled vertex.
///     before: Input<u32>,
///     after: Array<u32>,
/// }
///
/// #[cube]
/// impl SettleOp for Rank {
///     fn look(&mut self, vertex: u32, _iteration: u32, #[comptime] team: Team) -> bool {
///         let class = self.classes[vertex as usize];
///         let mut largest = 0u32;
///         let mut waits = 0u32;
///         let begin = self.rows.offsets[vertex as usize];
///         for edge in team_range(begin, self.rows.offsets[vertex as usize + 1], team) {
///             let other = self.rows.targets[edge as usize];
///             let same = self.classes[other as usize] == class;
///             if self.classes[other as usize] > class || (same && other > vertex) {
///                 let rank = self.before[other as usize];
///                 largest = max(largest, rank);
///                 waits = max(waits, u32::cast_from(rank == 0));
///             }
///         }
///         let rank = team_max(largest, team) + 1;
///         let is_settled = team_max(waits, team) == 0;
///         if leads_team(team) && is_settled {
///             self.after[vertex as usize] = rank;
///         }
///         is_settled
///     }
///
///     fn keep(&mut self, vertex: u32) {
///         self.after[vertex as usize] = self.before[vertex as usize];
///     }
/// }
///
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// // A path of four vertices.
/// let path = DeviceGraph::from_rows(&gpu, &[0, 1, 3, 5, 6], &[1, 0, 2, 1, 3, 2])?;
/// let classes = DegreeClasses::new(&path)?;
/// let ranks = [gpu.filled(4, 0u32)?, gpu.filled(4, 0u32)?];
/// let rank = |from: usize, to: usize| {
///     let (path, of_vertices, ranks) = (&path, &classes.of_vertices, &ranks);
///     Operation::<Rank>::checked(move || {
///         RankLaunch::new(path.rows(), of_vertices.arg(), ranks[from].arg(), ranks[to].arg())
///     })
/// };
/// let iterations = settle(&path, &classes, [&rank(0, 1), &rank(1, 0)])?;
/// assert_eq!(iterations.len(), 3);
/// assert_eq!(gpu.download(&ranks[1])?, [3, 2, 1, 2]);
/// # Ok::<(), equipoise_schedule::Error>(())
/// ```
pub fn settle<Op: SettleOp>(
    graph: &DeviceGraph,
    classes: &DegreeClasses,
    ops: [&Operation<Op>; 2],
) -> Result<Vec<SettleIteration>> {
    let (gpu, vertices) = (graph.gpu(), graph.vertices());
    if vertices == 0 {
        return Ok(Vec::new());
    }
    let room = vertices as usize;
    let memory = Memory {
        graph,
        classes,
        lists: [gpu.empty(room)?, gpu.empty(room)?],
        words: gpu.upload(&start(BATCH))?,
    };
    let most = 2 * u64::from(vertices) + u64::from(DegreeClasses::COUNT);
    let mut iterations = Vec::new();
    loop {
        let clock = gpu.stopwatch();
        let first = iterations.len() as u32;
        for iteration in first..first + BATCH {
            memory.enqueue(ops[iteration as usize % 2], iteration, first);
        }
        let words = gpu.download(&memory.words)?;
        let time = clock.elapsed() / BATCH;
        let (records, _) = words[RECORDS_AT as usize..].as_chunks::<{ RECORD as usize }>();
        for &[class, vertices] in records {
            if class == DONE {
                return Ok(iterations);
            }
            iterations.push(SettleIteration { class, vertices, time });
        }
        if iterations.len() as u64 > most {
            return Err(Error::Schedule(format!(
                "{} iterations in which vertices were to be settled, and not all are",
                iterations.len()
            )));
        }
    }
}

struct Memory<'a> {
    graph: &'a DeviceGraph,
    classes: &'a DegreeClasses,
    lists: [Buffer<u32>; 2],
    words: Buffer<u32>,
}

impl Memory<'_> {
    fn enqueue<Op: SettleOp>(&self, op: &Operation<Op>, iteration: u32, first: u32) {
        let gpu = self.graph.gpu();
        let [these, others] = [iteration as usize % 2, (iteration as usize + 1) % 2];
        // SAFETY: each list has an element per vertex, and each vertex is in a list once at most; the order has all
        // vertices; `starts` has an element per class and one more; the words are those of `start`; an unchecked operation
        // accesses only its buffers.
        launch_with_bounds!(
            op.is_checked(),
            settle_iteration::<Op>(
                gpu.client(),
                gpu.cubes(gpu.properties().cubes_at_work().into()),
                CubeDim::new_1d(UNITS),
                op.arg(),
                ListsLaunch::new(
                    self.classes.order.arg(),
                    self.classes.starts.arg(),
                    self.lists[these].arg(),
                    self.lists[others].arg(),
                ),
                AtomicArray::bind(gpu, &self.words),
                iteration,
                first,
            )
        );
    }
}
