//! Searches from one vertex by levels.

use super::{
    DeviceGraph, DirectionTree, LoopMode,
    counts::*,
    device_loop::LoopBuffers,
    levels::{ByLevels, ByLevelsLaunch, EITHER, PULL},
    operation::*,
    order::{AtOnce, AtOnceLaunch},
    pace::{Launch, LoopBatch},
    pull_level::{PullLaunch, WORD},
    state::*,
};
use crate::{
    Error, Result,
    device::{Buffer, GpuRuntime},
};

/// A frontier with at most this number of edges is narrow, whatever its parts.
const SURELY_NARROW: u32 = NARROW_LONG;
/// A search with this number of levels probably has many more.
const MANY_LEVELS: u32 = 32;

/// Where a search by levels stops.
///
/// ```
/// use equipoise_schedule::engine::LevelLimits;
///
/// let three_hops = LevelLimits { last: 3, ..LevelLimits::default() };
/// assert_eq!(three_hops.target, None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelLimits {
    /// The vertex at whose level it stops.
    pub target: Option<u32>,
    /// The level at which it stops.
    pub last: u32,
}

impl Default for LevelLimits {
    fn default() -> Self {
        Self { target: None, last: u32::MAX }
    }
}

/// The direction of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Along the edges that leave the frontier.
    Push,
    /// From the unreached vertices, along their incoming edges.
    Pull,
}

/// A search by levels; the device chooses push or pull for each level.
///
/// ```
/// use cubecl::prelude::*;
/// use equipoise_graph::{Edges, GraphBuilder};
/// use equipoise_schedule::{atomics::*, device::{Device, OpenDevice}, engine::*};
///
/// #[derive(CubeType, CubeLaunch)]
/// struct Levels {
///     levels: AtomicArray,
/// }
///
/// impl EdgeOpKind for Levels {
///     const JOINS_ONCE: bool = true;
/// }
///
/// #[cube]
/// impl EdgeOp for Levels {
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
/// impl SearchOp for Levels {
///     fn reset(&mut self, vertex: u32, is_source: bool) {
///         let mut level = u32::MAX.runtime();
///         if is_source {
///             level = 0u32.runtime();
///         }
///         self.levels.set(vertex, level);
///     }
///     fn is_at(&self, vertex: u32, level: u32) -> bool {
///         self.levels.get(vertex) == level
///     }
/// }
///
/// #[cube]
/// impl PullOp for Levels {
///     fn is_open(&self, vertex: u32) -> bool {
///         self.levels.get(vertex) == u32::MAX
///     }
///     fn pull(&mut self, vertex: u32, level: u32, _parent: u32) {
///         self.levels.set(vertex, level + 1);
///     }
/// }
///
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let path = GraphBuilder::new().undirected(true).build(Edges::from(vec![(0, 1), (1, 2)]))?;
/// let path = DeviceGraph::upload(&gpu, &path)?;
/// let levels = gpu.empty(3)?;
/// let op = Operation::<Levels>::checked(|| LevelsLaunch::new(AtomicArray::bind(&gpu, &levels)));
/// LevelSearch::new::<Levels>(&path, None)?.run(&op, 1, LevelLimits::default())?;
/// assert_eq!(gpu.download(&levels)?, [1, 0, 1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct LevelSearch<'g> {
    memory: LoopBuffers<'g>,
    bitmaps: Buffer<u32>,
    by_tree: bool,
}

impl<'g> LevelSearch<'g> {
    /// Allocates the memory for searches of a graph. The tree decides on directions, or without one the
    /// [rule](super::pulls()).
    ///
    /// Fails if the incoming edges are not uploaded, or memory does not suffice.
    pub fn new<Op: PullOp + EdgeOpKind>(
        graph: &'g DeviceGraph,
        tree: Option<&DirectionTree>,
    ) -> Result<Self> {
        graph.entering()?;
        Ok(Self {
            memory: LoopBuffers::new(
                graph,
                EdgeKind::new::<Op>(),
                tree.map_or(&[], |tree| &tree.words),
            )?,
            bitmaps: graph.gpu().empty(2 * graph.vertices().div_ceil(WORD) as usize)?,
            by_tree: tree.is_some(),
        })
    }

    /// Searches from a vertex, and returns the batches between host synchronisations.
    ///
    /// Fails if the source is not a vertex, or the device fails.
    pub fn run<Op: PullOp + EdgeOpKind>(
        &self,
        op: &Operation<Op>,
        source: u32,
        limits: LevelLimits,
    ) -> Result<Vec<LoopBatch>> {
        self.run_any(&op.as_pull_op(), source, limits)
    }

    fn run_any(
        &self,
        op: &AnyOperation<dyn PullObject>,
        source: u32,
        limits: LevelLimits,
    ) -> Result<Vec<LoopBatch>> {
        let order = |launch| self.order(limits, EITHER, u32::MAX, launch);
        self.memory.start::<_, ByLevels>(op, order(Launch::Narrow)?, source)?;
        if limits.target == Some(source) || limits.last == 0 {
            return Ok(Vec::new());
        }
        Ok(self.memory.run::<_, ByLevels>(op, order, 0)?.0)
    }

    /// Like [`run`](Self::run) without limits. After many levels, narrow ones are left to `deep`: an operation with the
    /// same result in any order, which goes several levels deep between two barriers. Returns the batches, and whether
    /// it ran.
    pub fn run_deep<Op: PullOp + EdgeOpKind, Deep: EdgeOp + EdgeOpKind>(
        &self,
        op: &Operation<Op>,
        deep: &Operation<Deep>,
        source: u32,
    ) -> Result<(Vec<LoopBatch>, bool)> {
        self.run_any_deep(&op.as_pull_op(), &deep.as_edge_op(), source)
    }

    fn run_any_deep(
        &self,
        op: &AnyOperation<dyn PullObject>,
        deep: &AnyOperation<dyn EdgeObject>,
        source: u32,
    ) -> Result<(Vec<LoopBatch>, bool)> {
        let limits = LevelLimits::default();
        if self.memory.mode == LoopMode::Launches {
            return Ok((self.run_any(op, source, limits)?, false));
        }
        let order = |launch| self.order(limits, EITHER, MANY_LEVELS, launch);
        self.memory.start::<_, ByLevels>(op, order(Launch::Narrow)?, source)?;
        let (mut batches, next) = self.memory.run::<_, ByLevels>(op, order, 0)?;
        let is_left = batches.last().is_some_and(|batch| batch.left > 0);
        if is_left {
            self.memory.forget_joined()?;
            let order = |_| Ok(AtOnceLaunch::new());
            batches.extend(self.memory.run::<_, AtOnce>(deep, order, next)?.0);
        }
        Ok((batches, is_left))
    }

    /// Lists the vertices of a level of a search, to resume it one level at a time. Returns the number of the next
    /// launch.
    ///
    /// Fails if a tree decides on directions.
    pub fn list_level<Op: PullOp + EdgeOpKind>(
        &self,
        op: &Operation<Op>,
        level: u32,
    ) -> Result<u32> {
        if self.by_tree {
            let problem = "a search in which a tree decides is not led level by level";
            return Err(Error::Schedule(problem.into()));
        }
        self.memory.start_at(&op.as_pull_op(), level)
    }

    /// Runs one level in a direction; its frontier has `edges` edges.
    pub fn one_level<Op: PullOp + EdgeOpKind>(
        &self,
        op: &Operation<Op>,
        launch: u32,
        direction: Direction,
        level: u32,
        edges: u32,
    ) -> Result<()> {
        self.one_level_of_any(&op.as_pull_op(), launch, direction, level, edges)
    }

    fn one_level_of_any(
        &self,
        op: &AnyOperation<dyn PullObject>,
        launch: u32,
        direction: Direction,
        level: u32,
        edges: u32,
    ) -> Result<()> {
        let limits = LevelLimits { target: None, last: level + 1 };
        let (mode, kind) = match direction {
            Direction::Pull => (PULL, Launch::Wide),
            Direction::Push if edges <= SURELY_NARROW => (PUSH, Launch::Narrow),
            Direction::Push => (PUSH, Launch::Wide),
        };
        let order = self.order(limits, mode, u32::MAX, kind)?;
        self.memory.enqueue::<_, ByLevels>(op, order, launch, kind);
        Ok(())
    }

    /// The data, besides labels and lists, that a level changes and that is needed to repeat it.
    pub fn words(&self) -> &Buffer<u32> {
        &self.memory.words
    }

    /// The index in [`words`](Self::words) of the edges that the previous launch examined by pulling.
    pub fn looked(launch: u32) -> u32 {
        launch % SLOTS * COUNTERS as u32 + LOOKED as u32
    }

    /// The order of a launch: narrow ones do not pull.
    fn order(
        &self,
        limits: LevelLimits,
        only: u32,
        leaves_from: u32,
        launch: Launch,
    ) -> Result<ByLevelsLaunch<GpuRuntime>> {
        let graph = self.memory.graph;
        let target = limits.target.unwrap_or(u32::MAX);
        let pull = match launch {
            Launch::Narrow => None,
            Launch::Wide => {
                let is_symmetric = graph.is_symmetric();
                let entering = if is_symmetric { None } else { Some(graph.entering()?.arg()) };
                let bitmaps = self.bitmaps.arg();
                Some(PullLaunch::new(entering.into(), bitmaps, graph.vertices(), target))
            }
        };
        Ok(ByLevelsLaunch::new(
            pull.into(),
            graph.vertices(),
            graph.edges(),
            limits.last,
            target,
            only,
            leaves_from,
            self.by_tree,
        ))
    }
}
