//! A breadth-first search on a GPU that the caller advances level by level.

use std::time::Duration;

use cubecl::prelude::*;
use equipoise_schedule::{
    Error as DeviceError,
    device::{Buffer, GpuRuntime},
    ranges::*,
};
use equipoise_select::features::Step;

use super::{Bfs, BfsOptions, gpu::Discover, search::on_device};
use crate::{
    Error, Result, Trace,
    gpu_graph::GpuGraph,
    traversal::{
        Bounds, DeviceResult, FrontierSize, Listed, SearchState, Strategies, Strategy,
        TraversalSettings, UNITS, device_bytes,
    },
};

/// A search from one source on a GPU that the caller advances level by level. At each level it can measure several
/// strategies from the same state.
///
/// ```no_run
/// use equipoise::{LoadedGraph, device::Device, traversal::{Strategy, TraversalSettings}};
/// use equipoise::graph::{io::ReadOptions, load};
///
/// let graph = load("rmat:scale=10", &ReadOptions::default())?;
/// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
/// let settings = TraversalSettings::default();
/// let mut stepper = loaded.bfs_stepper(0, &settings)?;
/// let both = [Strategy::Node, Strategy::Pull];
/// both.iter().try_for_each(|&strategy| stepper.prepare(strategy))?;
/// while !stepper.is_done() {
///     let push = stepper.time(Strategy::Node, &settings)?;
///     let pull = stepper.time(Strategy::Pull, &settings)?;
///     println!("level {}: {push:?} or {pull:?}", stepper.level());
///     stepper.advance(both[usize::from(pull < push)], &settings)?;
/// }
/// assert_eq!(stepper.finish()?.levels[0], 0);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub struct LevelStepper<'g> {
    graph: &'g GpuGraph<'g>,
    source: u32,
    /// The settings with which strategies are prepared.
    settings: &'g TraversalSettings,
    search: SearchState<'g, Discover>,
    strategies: Strategies<'g, Discover>,
    prepared: Vec<Strategy>,
    snapshot: Snapshot,
    /// Whether the snapshot is of the current level.
    is_saved: bool,
    discovered: u64,
    trace: Trace,
}

impl<'g> LevelStepper<'g> {
    pub(crate) fn new(
        graph: &'g GpuGraph<'g>,
        source: u32,
        settings: &'g TraversalSettings,
    ) -> Result<Self> {
        settings.check()?;
        graph.check_bounds(Bounds { source, target: None, most_iterations: u32::MAX })?;
        let mut search = SearchState::<Discover>::new(graph, settings)?;
        search.target = source;
        // Allocated before strategies take the remaining memory.
        let snapshot = Snapshot::new(&search)?;
        search.start(source)?;
        Ok(Self {
            graph,
            source,
            settings,
            search,
            strategies: Strategies::new(),
            prepared: Vec::new(),
            snapshot,
            is_saved: false,
            discovered: 1,
            trace: Trace::default(),
        })
    }

    /// The current level: that of the frontier.
    pub fn level(&self) -> u32 {
        self.search.iteration
    }

    /// The features of the current level: the frontier, its edges, and the vertices found so far.
    pub fn step(&self) -> Step {
        let FrontierSize { vertices, edges } = self.search.frontier;
        let discovered = self.discovered;
        Step { frontier: vertices.into(), frontier_edges: edges.into(), discovered }
    }

    /// Whether all reachable vertices are found.
    pub fn is_done(&self) -> bool {
        self.search.frontier.vertices == 0
    }

    /// Prepares a strategy.
    ///
    /// Fails where it is not a strategy for one level of a breadth-first search, or memory is insufficient: others can
    /// still be used.
    pub fn prepare(&mut self, strategy: Strategy) -> Result<()> {
        self.strategies.get(strategy)?;
        self.check_whole_memory(strategy)?;
        self.search.settings = self.settings;
        self.strategies.prepare(strategy, &self.search)?;
        if !self.prepared.contains(&strategy) {
            self.prepared.push(strategy);
            self.is_saved = false;
        }
        Ok(())
    }

    /// The time of a strategy for this level, including converting the frontier to its representation. The search stays at
    /// this level, also if this fails for lack of memory. If a [fused](Strategy::is_fused) strategy is prepared, the
    /// frontier starts in its representation.
    ///
    /// The first time includes allocating memory, but not compiling. `mdt` and `bins` of the settings have no effect: those
    /// of the search hold.
    ///
    /// Fails where the strategy is not prepared, and where the search is done.
    pub fn time(
        &mut self,
        strategy: Strategy,
        settings: &'g TraversalSettings,
    ) -> Result<Duration> {
        self.check(strategy, settings)?;
        self.save()?;
        self.search.settings = settings;
        let time = self.strategies.launch(strategy, &mut self.search);
        if time.is_err() {
            // A failed iteration may have left its arrays in any state.
            self.strategies.get(strategy)?.forget();
        }
        let restored = self.restore();
        let time = time?;
        restored.map(|()| time.total)
    }

    /// Does this level by a strategy, and advances to the next.
    ///
    /// Fails where the strategy is not prepared, and where the search is done.
    pub fn advance(&mut self, strategy: Strategy, settings: &'g TraversalSettings) -> Result<()> {
        self.check(strategy, settings)?;
        self.search.settings = settings;
        let done = self.strategies.advance(strategy, &mut self.search)?;
        self.is_saved = false;
        self.discovered += done.step.found;
        self.trace.steps.push(done.step);
        Ok(())
    }

    /// The result up to the current level, with the times of the levels as they were advanced.
    pub fn finish(self) -> Result<Bfs> {
        let max_depth = (!self.is_done()).then_some(self.level());
        let Self { graph, source, search, trace, .. } = self;
        let labels = search.labels.clone();
        // Frees memory for finding parents.
        drop((search, self.strategies, self.snapshot));
        let bounds = Bounds { source, target: None, most_iterations: u32::MAX };
        let ran = (trace, Duration::ZERO);
        let result = DeviceResult::new::<Discover>(graph, bounds, &labels, ran)?;
        let options = BfsOptions { max_depth, ..BfsOptions::default() };
        on_device(result, &options)?.download()
    }

    fn check(&self, strategy: Strategy, settings: &TraversalSettings) -> Result<()> {
        settings.check()?;
        if self.is_done() {
            return Err(Error::Option("the search is done: no level is left".into()));
        }
        if !self.prepared.contains(&strategy) {
            return Err(Error::Option(format!("the strategy `{strategy}` is not prepared")));
        }
        Ok(())
    }

    /// Fails where the strategy would not fit in the memory of the device even if nothing else were on it.
    fn check_whole_memory(&self, strategy: Strategy) -> Result<()> {
        let needed = device_bytes::<Discover>(self.graph.graph, strategy, self.settings);
        match self.graph.gpu.memory().limit {
            Some(available) if needed > available => {
                let what = format!("the strategy `{strategy}`");
                Err(DeviceError::OutOfMemory { what, needed, available }.into())
            }
            _ => Ok(()),
        }
    }
}

/// The state of a search before a level.
struct Snapshot {
    labels: Buffer<u32>,
    list: Buffer<u32>,
    /// The state of direction-optimising in addition to its list, which it leaves unchanged.
    state: Option<Buffer<u32>>,
    listed: Listed,
    iteration: u32,
    frontier: FrontierSize,
}

impl Snapshot {
    fn new(search: &SearchState<Discover>) -> Result<Self> {
        let (gpu, vertices) = (search.gpu(), search.labels.len());
        Ok(Self {
            labels: gpu.empty(vertices)?,
            list: gpu.empty(vertices)?,
            state: None,
            listed: Listed::Nothing,
            iteration: 0,
            frontier: FrontierSize::default(),
        })
    }
}

impl LevelStepper<'_> {
    /// Saves the state of the search, once per level.
    fn save(&mut self) -> Result<()> {
        if self.is_saved {
            return Ok(());
        }
        if self.prepared.iter().any(|strategy| strategy.is_fused()) {
            self.strategies.get(Strategy::FusedPush)?.make_list(&mut self.search)?;
        }
        let gpu = self.search.gpu();
        let (_, count) = self.list()?;
        if count as usize > self.snapshot.list.len() {
            match gpu.empty(count as usize).map_err(Error::from) {
                Ok(larger) => self.snapshot.list = larger,
                // Labels also tell which vertices are in the frontier.
                Err(error) if error.is_too_large() => self.search.listed = Listed::Nothing,
                Err(error) => return Err(error),
            }
        }
        let SearchState { listed, iteration, frontier, .. } = self.search;
        (self.snapshot.listed, self.snapshot.iteration) = (listed, iteration);
        self.snapshot.frontier = frontier;
        let (list, count) = self.list()?;
        self.copy(&self.search.labels, &self.snapshot.labels, self.search.graph.vertices());
        self.copy(&list, &self.snapshot.list, count);
        if let Some(state) = self.strategies.get(Strategy::FusedPush)?.state() {
            let saved = match self.snapshot.state.take() {
                Some(saved) => saved,
                None => gpu.empty(state.len())?,
            };
            copy(&self.search, state, &saved, state.len() as u32);
            self.snapshot.state = Some(saved);
        }
        gpu.finish()?;
        self.is_saved = true;
        Ok(())
    }

    fn restore(&mut self) -> Result<()> {
        let Snapshot { listed, iteration, frontier, .. } = self.snapshot;
        (self.search.listed, self.search.iteration) = (listed, iteration);
        self.search.frontier = frontier;
        self.search.list_version += 1;
        let (list, count) = self.list()?;
        self.copy(&self.snapshot.labels, &self.search.labels, self.search.graph.vertices());
        self.copy(&self.snapshot.list, &list, count);
        let state = self.strategies.get(Strategy::FusedPush)?.state();
        if let (Some(saved), Some(state)) = (&self.snapshot.state, state) {
            copy(&self.search, saved, state, state.len() as u32);
        }
        Ok(self.search.gpu().finish()?)
    }

    /// The list of the frontier, and its length.
    fn list(&mut self) -> Result<(Buffer<u32>, u32)> {
        let vertices = &self.search.lists.this;
        Ok(match self.search.listed {
            Listed::Vertices(count) => (vertices.clone(), count),
            Listed::Own(name, count) => match self.strategies.get(name)?.list() {
                Some(list) => (list.clone(), count),
                None => (vertices.clone(), 0),
            },
            Listed::Nothing => (vertices.clone(), 0),
        })
    }

    fn copy(&self, from: &Buffer<u32>, to: &Buffer<u32>, count: u32) {
        copy(&self.search, from, to, count);
    }
}

fn copy(search: &SearchState<Discover>, from: &Buffer<u32>, to: &Buffer<u32>, count: u32) {
    if count == 0 {
        return;
    }
    // SAFETY: both have at least `count` elements.
    unsafe {
        copy_some::launch_unchecked::<GpuRuntime>(
            search.gpu().client(),
            search.cubes(count),
            CubeDim::new_1d(UNITS),
            from.arg(),
            to.arg(),
            count,
        );
    }
}

#[cube(launch_unchecked)]
fn copy_some(from: &Array<u32>, to: &mut Array<u32>, count: u32) {
    for index in grid_stride_range(0, count) {
        to[index as usize] = from[index as usize];
    }
}
