//! Searches from one vertex: by levels, and in the order of distances.

use super::{
    DeviceGraph, DirectionTree, LoopMode, Operation,
    counts::*,
    device_loop::LoopBuffers,
    edge::*,
    levels::{ByLevels, ByLevelsLaunch, EITHER, PULL},
    near_far::{FAR_WORDS, NearFar, NearFarLaunch},
    order::{AtOnce, AtOnceLaunch},
    pace::{Launch, LoopBatch},
    pull::{PullLaunch, WORD},
    state::*,
};
use crate::{
    Error, Result,
    device::{Buffer, GpuRuntime},
};

/// A frontier with at most so many edges is narrow, whatever its parts are.
const SURELY_NARROW: u32 = NARROW_LONG;
/// A search that has had as many levels has many more.
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

/// The side from which a level is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Along the edges that leave the frontier.
    Push,
    /// From the vertices that are not reached, along the edges that enter them.
    Pull,
}

/// A search by levels that is pushed or pulled, as the device decides at each level.
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
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let path = GraphBuilder::new().undirected(true).build(Edges::from(vec![(0, 1), (1, 2)]))?;
/// let path = DeviceGraph::upload(&gpu, &path)?;
/// let levels = gpu.empty(3)?;
/// let op = Operation::<Levels>::checked(|| LevelsLaunch::new(AtomicArray::of(&gpu, &levels)));
/// LevelSearch::new::<Levels>(&path, None)?.run(&op, 1, LevelLimits::default())?;
/// assert_eq!(gpu.download(&levels)?, [1, 0, 1]);
/// # Ok(())
/// # }
/// ```
pub struct LevelSearch<'g> {
    memory: LoopBuffers<'g>,
    bitmaps: Buffer<u32>,
    by_tree: bool,
}

impl<'g> LevelSearch<'g> {
    /// Makes room for searches of a graph in which this tree decides, or without one the
    /// [rule](super::pulls()).
    ///
    /// Fails where the edges that enter vertices are not there, or there is no memory.
    pub fn new<Op: PullOp + EdgeOpKind>(
        graph: &'g DeviceGraph,
        tree: Option<&DirectionTree>,
    ) -> Result<Self> {
        graph.entering()?;
        Ok(Self {
            memory: LoopBuffers::new(
                graph,
                EdgeKind::of::<Op>(),
                tree.map_or(&[], |tree| &tree.words),
            )?,
            bitmaps: graph.gpu().empty(2 * graph.vertices().div_ceil(WORD) as usize)?,
            by_tree: tree.is_some(),
        })
    }

    /// Searches from a vertex; what happened between host synchronisations.
    ///
    /// Fails where the source is no vertex, or the device does.
    pub fn run<Op: PullOp + EdgeOpKind>(
        &self,
        op: &Operation<Op>,
        source: u32,
        limits: LevelLimits,
    ) -> Result<Vec<LoopBatch>> {
        let op = &op.as_pull_op();
        let order = |launch| self.order(limits, EITHER, u32::MAX, launch);
        self.memory.start::<_, ByLevels>(op, order(Launch::Narrow)?, source)?;
        if limits.target == Some(source) || limits.last == 0 {
            return Ok(Vec::new());
        }
        Ok(self.memory.run::<_, ByLevels>(op, order, 0)?.0)
    }

    /// As [`run`](Self::run) without limits. After many levels, narrow ones are left to `deep`: an
    /// operation that comes to the same labels in any order, which goes several levels deep between
    /// two waits. Whether it did is said, too.
    pub fn run_deep<Op: PullOp + EdgeOpKind, Deep: EdgeOp + EdgeOpKind>(
        &self,
        op: &Operation<Op>,
        deep: &Operation<Deep>,
        source: u32,
    ) -> Result<(Vec<LoopBatch>, bool)> {
        let limits = LevelLimits::default();
        if self.memory.mode == LoopMode::Launches {
            return Ok((self.run(op, source, limits)?, false));
        }
        let op = &op.as_pull_op();
        let order = |launch| self.order(limits, EITHER, MANY_LEVELS, launch);
        self.memory.start::<_, ByLevels>(op, order(Launch::Narrow)?, source)?;
        let (mut batches, next) = self.memory.run::<_, ByLevels>(op, order, 0)?;
        let is_left = batches.last().is_some_and(|batch| batch.left > 0);
        if is_left {
            self.memory.forget_joined()?;
            let order = |_| Ok(AtOnceLaunch::new());
            batches.extend(self.memory.run::<_, AtOnce>(&deep.as_edge_op(), order, next)?.0);
        }
        Ok((batches, is_left))
    }

    /// Lists the vertices of a level of a search, to go on from there one level at a time. The
    /// number of the next launch.
    ///
    /// Fails where a tree decides: what leads the search then is the tree.
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

    /// Does one level from a side; its frontier has so many edges.
    pub fn one_level<Op: PullOp + EdgeOpKind>(
        &self,
        op: &Operation<Op>,
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
        self.memory.enqueue::<_, ByLevels>(&op.as_pull_op(), order, launch, kind);
        Ok(())
    }

    /// What is changed by a level beside labels and lists, and needed to do it again.
    pub fn words(&self) -> &Buffer<u32> {
        &self.memory.words
    }

    /// Where in [`words`](Self::words) the launch before this one counted the edges that it pulled
    /// along.
    pub fn looked(launch: u32) -> u32 {
        launch % SLOTS * COUNTERS as u32 + LOOKED as u32
    }

    /// The order for a launch: narrow ones do not pull.
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
                let entering = match graph.is_symmetric() {
                    true => None,
                    false => Some(graph.entering()?.arg()),
                };
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

/// A search in the order of distances, by [near and far worklists](super): vertices nearer than a
/// limit are worked on until there are none, then the limit moves on.
///
/// By how much it does is chosen from several steps: the next larger one where one cube would do what
/// is near, the next smaller one where it was more than enough for all.
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
/// # fn main() -> equipoise_schedule::Result<()> {
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let graph = DeviceGraph::from_rows(&gpu, &[0, 2, 3, 3], &[1, 2, 2])?;
/// let (distances, weights) = (gpu.empty(3)?, gpu.upload(&[1u32, 5, 2])?);
/// let arg = || RelaxLaunch::new(AtomicArray::of(&gpu, &distances), weights.arg());
/// NearFarSearch::new::<Relax>(&graph, &[2], 0)?.run(&Operation::<Relax>::checked(arg), 0)?;
/// assert_eq!(gpu.download(&distances)?, [0, 1, 3]);
/// # Ok(())
/// # }
/// ```
pub struct NearFarSearch<'g> {
    memory: LoopBuffers<'g>,
    far: Buffer<u32>,
    steps: Buffer<u32>,
    first_step: u32,
}

impl<'g> NearFarSearch<'g> {
    /// Makes room for searches of a graph. `steps` are lengths by which the limit can move on,
    /// ascending, of which it starts with the one at `first`.
    ///
    /// Fails where there is no such step, vertices are more than the far worklist can have, or there
    /// is no memory.
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
        let mut memory = LoopBuffers::new(graph, EdgeKind::of::<Op>(), &[])?;
        memory.mode = LoopMode::of_distances(graph);
        Ok(Self {
            memory,
            far: gpu.empty(words as usize)?,
            steps: gpu.upload(steps)?,
            first_step: first as u32,
        })
    }

    /// Searches from a vertex; what happened between host synchronisations.
    ///
    /// Fails where the source is no vertex, or the device does.
    pub fn run<Op: DistanceOp + EdgeOpKind>(
        &self,
        op: &Operation<Op>,
        source: u32,
    ) -> Result<Vec<LoopBatch>> {
        let op = &op.as_distance_op();
        self.memory.start::<_, NearFar>(op, self.order(), source)?;
        Ok(self.memory.run::<_, NearFar>(op, |_| Ok(self.order()), 0)?.0)
    }

    fn order(&self) -> NearFarLaunch<GpuRuntime> {
        let vertices = self.memory.graph.vertices();
        NearFarLaunch::new(self.far.arg(), self.steps.arg(), self.first_step, vertices)
    }
}
