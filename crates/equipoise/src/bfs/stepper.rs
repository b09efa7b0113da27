//! A breadth-first search on a GPU that is led by hand, level by level.

use std::time::Duration;

use cubecl::prelude::*;
use equipoise_schedule::{
    Error as DeviceError,
    device::{Buffer, GpuRuntime},
    ranges::*,
};
use equipoise_select::features::Step;

use super::{Bfs, BfsOptions, BfsSearch, gpu::Discover};
use crate::{
    Error, Result, Trace,
    gpu_graph::GpuGraph,
    traversal::{
        Bounds, Found, FrontierSize, Listed, Search, Strategies, Strategy, TraversalSettings,
        UNITS, device_bytes,
    },
};

/// A search from one source on a GPU that stands at a level until its caller says how to go on. There it
/// measures how long strategies take for the level, each from the same state.
///
/// ```no_run
/// use equipoise::{LoadedGraph, device::Device, traversal::{Strategy, TraversalSettings}};
/// use equipoise::graph::{io::ReadOptions, load};
///
/// let graph = load("rmat:scale=10", &ReadOptions::default())?;
/// let there = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
/// let settings = TraversalSettings::default();
/// let mut stepper = there.bfs_stepper(0, &settings)?;
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
    /// What strategies are prepared with.
    settings: &'g TraversalSettings,
    search: Search<'g, Discover>,
    strategies: Strategies<'g, Discover>,
    prepared: Vec<Strategy>,
    standing: Standing,
    /// Whether `standing` is where the search stands.
    is_noted: bool,
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
        let mut search = Search::<Discover>::new(graph, settings)?;
        search.target = source;
        // Before strategies take what is left.
        let standing = Standing::new(&search)?;
        search.start(source)?;
        Ok(Self {
            graph,
            source,
            settings,
            search,
            strategies: Strategies::new(),
            prepared: Vec::new(),
            standing,
            is_noted: false,
            discovered: 1,
            trace: Trace::default(),
        })
    }

    /// The level that the search stands at: that of the frontier.
    pub fn level(&self) -> u32 {
        self.search.iteration
    }

    /// The frontier, its edges, and how many vertices were found so far.
    pub fn step(&self) -> Step {
        let FrontierSize { vertices, edges } = self.search.frontier;
        let discovered = self.discovered;
        Step { frontier: vertices.into(), frontier_edges: edges.into(), discovered }
    }

    /// Whether all is found that can be.
    pub fn is_done(&self) -> bool {
        self.search.frontier.vertices == 0
    }

    /// Makes what a strategy needs, before levels are done by it.
    ///
    /// Fails where it is not one for a level of a breadth-first search, or there is no memory for
    /// it: others can run nevertheless.
    pub fn prepare(&mut self, strategy: Strategy) -> Result<()> {
        self.strategies.get(strategy)?;
        self.check_whole_memory(strategy)?;
        self.search.settings = self.settings;
        self.strategies.prepare(strategy, &self.search)?;
        if !self.prepared.contains(&strategy) {
            self.prepared.push(strategy);
            self.is_noted = false;
        }
        Ok(())
    }

    /// How long a strategy takes for this level, with what it makes of the frontier before it can
    /// start. The search stays where it is, also where there is no memory for the strategy. Where
    /// one of those that can be [fused](Strategy::is_fused) is prepared, the frontier is listed as
    /// these leave it.
    ///
    /// The first time may be longer than others, as memory is taken; compiling is not in it. `mdt`
    /// and `bins` of the settings are those that the search was made with.
    ///
    /// Fails where the strategy is not prepared, and where all is found.
    pub fn time(
        &mut self,
        strategy: Strategy,
        settings: &'g TraversalSettings,
    ) -> Result<Duration> {
        self.check(strategy, settings)?;
        self.note()?;
        self.search.settings = settings;
        let timed = self.strategies.timed(strategy, &mut self.search);
        if timed.is_err() {
            // What was stopped halfway may have left something there.
            self.strategies.get(strategy)?.forget();
        }
        let returned = self.return_there();
        let timed = timed?;
        returned.map(|()| timed.time)
    }

    /// Does this level by a strategy, and goes on to the next.
    ///
    /// Fails where the strategy is not prepared, and where all is found.
    pub fn advance(&mut self, strategy: Strategy, settings: &'g TraversalSettings) -> Result<()> {
        self.check(strategy, settings)?;
        self.search.settings = settings;
        let done = self.search.advance(&mut self.strategies, strategy)?;
        self.is_noted = false;
        self.discovered += done.step.found;
        self.trace.steps.push(done.step);
        Ok(())
    }

    /// What was found up to here. Its times are of the levels as they were gone on from.
    pub fn finish(self) -> Result<Bfs> {
        let max_depth = (!self.is_done()).then_some(self.level());
        let Self { graph, source, search, trace, .. } = self;
        let labels = search.labels.clone();
        // Parents need the room that the search takes.
        drop((search, self.strategies, self.standing));
        let bounds = Bounds { source, target: None, most_iterations: u32::MAX };
        let found = Found::new::<Discover>(graph, bounds, &labels, (trace, Duration::ZERO))?;
        let options = BfsOptions { max_depth, ..BfsOptions::default() };
        BfsSearch::on_device(found, &options)?.download()
    }

    fn check(&self, strategy: Strategy, settings: &TraversalSettings) -> Result<()> {
        settings.check()?;
        if self.is_done() {
            return Err(Error::Option("the search is done: there is no further level".into()));
        }
        match self.prepared.contains(&strategy) {
            true => Ok(()),
            false => Err(Error::Option(format!("the strategy `{strategy}` is not prepared"))),
        }
    }

    /// Refuses a strategy that would not have enough memory on a device with nothing else on it.
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

/// Where a search stood before a level.
struct Standing {
    labels: Buffer<u32>,
    list: Buffer<u32>,
    /// What the strategies of direction-optimising go on from beside their list, which they leave.
    state: Option<Buffer<u32>>,
    listed: Listed,
    iteration: u32,
    frontier: FrontierSize,
}

impl Standing {
    fn new(search: &Search<Discover>) -> Result<Self> {
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
    /// Notes where the search stands, unless that was done.
    fn note(&mut self) -> Result<()> {
        if self.is_noted {
            return Ok(());
        }
        if self.prepared.iter().any(|strategy| strategy.is_fused()) {
            self.strategies.get(Strategy::FusedPush)?.make_list(&mut self.search)?;
        }
        let gpu = self.search.gpu();
        let (_, count) = self.list()?;
        if count as usize > self.standing.list.len() {
            match gpu.empty(count as usize).map_err(Error::from) {
                Ok(larger) => self.standing.list = larger,
                // Labels say who is in the frontier as well.
                Err(error) if error.is_too_large() => self.search.listed = Listed::Nothing,
                Err(error) => return Err(error),
            }
        }
        let Search { listed, iteration, frontier, .. } = self.search;
        (self.standing.listed, self.standing.iteration) = (listed, iteration);
        self.standing.frontier = frontier;
        let (list, count) = self.list()?;
        self.copy(&self.search.labels, &self.standing.labels, self.search.graph.vertices());
        self.copy(&list, &self.standing.list, count);
        if let Some(state) = self.strategies.get(Strategy::FusedPush)?.state() {
            let kept = match self.standing.state.take() {
                Some(kept) => kept,
                None => gpu.empty(state.len())?,
            };
            copy(&self.search, state, &kept, state.len() as u32);
            self.standing.state = Some(kept);
        }
        gpu.finish()?;
        self.is_noted = true;
        Ok(())
    }

    /// Returns to where the search stood.
    fn return_there(&mut self) -> Result<()> {
        let Standing { listed, iteration, frontier, .. } = self.standing;
        (self.search.listed, self.search.iteration) = (listed, iteration);
        self.search.frontier = frontier;
        self.search.list_version += 1;
        let (list, count) = self.list()?;
        self.copy(&self.standing.labels, &self.search.labels, self.search.graph.vertices());
        self.copy(&self.standing.list, &list, count);
        let state = self.strategies.get(Strategy::FusedPush)?.state();
        if let (Some(kept), Some(state)) = (&self.standing.state, state) {
            copy(&self.search, kept, state, state.len() as u32);
        }
        Ok(self.search.gpu().finish()?)
    }

    /// The list that the search goes on from, and how many it has.
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

fn copy(search: &Search<Discover>, from: &Buffer<u32>, to: &Buffer<u32>, count: u32) {
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
