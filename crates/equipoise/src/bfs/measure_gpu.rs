//! Timing every candidate at every level of a search.

use std::time::Duration;

use cubecl::prelude::*;
use equipoise_schedule::{
    Error as DeviceError,
    device::{Buffer, GpuRuntime},
    ranges::*,
};
use equipoise_select::features::Step;

use super::{
    Bfs, BfsOptions, MeasureOptions, MeasuredBfs, MeasuredLevel,
    contest::{Contest, Contestant},
    gpu::{self, Discover},
};
use crate::{
    Error, Result, Strategy, Trace, TraversalSettings,
    learned::unless_too_large,
    search::{Bounds, FrontierSize, GpuGraph, Listed, Search, Strategies, UNITS, device_bytes},
};

/// A search at each level of which all candidates are timed. Where those that `auto` chooses from can
/// run, it stands as a search of theirs does: what another one makes of the frontier before it can
/// start is in its time.
pub(crate) fn measure(
    graph: &GpuGraph,
    source: u32,
    options: &MeasureOptions,
) -> Result<MeasuredBfs> {
    options.check()?;
    graph.check_bounds(Bounds { source, target: None, most_iterations: u32::MAX })?;
    let last_level = match options.most_levels {
        Some(_) => gpu::bfs(graph, source, &BfsOptions::default())?.depth,
        None => u32::MAX - 1,
    };
    let base = TraversalSettings::default();
    let mut contestants = contestants(graph, options, &base)?;
    let mut search = Search::<Discover>::new(graph, &base)?;
    search.target = source;
    // Before candidates take what is left.
    let mut standing = Standing::new(&search)?;
    let mut strategies = Strategies::new();
    for contestant in contestants.iter_mut().filter(|it| it.refused.is_none()) {
        let prepared = strategies.prepare(contestant.strategy, &search);
        contestant.refused = unless_too_large(prepared)?.err();
    }
    search.start(source)?;
    let mut contest = Contest { search, strategies };
    let (levels, trace) = contest.measure(&contestants, options, last_level, &mut standing)?;
    let labels = contest.search.labels.clone();
    // Parents need the room that it takes.
    drop((contest, standing));
    let found =
        graph.collect::<Discover>(&labels, source, Duration::ZERO, (trace, Duration::ZERO))?;
    let search: Bfs = gpu::result(graph.graph, source, found, &BfsOptions::default());
    Ok(MeasuredBfs { levels, search })
}

/// The candidates, with why they cannot run where they cannot.
fn contestants(
    graph: &GpuGraph,
    options: &MeasureOptions,
    base: &TraversalSettings,
) -> Result<Vec<Contestant>> {
    let mut contestants = Vec::new();
    for candidate in &options.candidates {
        let settings = candidate.settings(base);
        settings.check()?;
        let fits = check_whole_memory(graph, candidate.strategy, &settings);
        let refused = unless_too_large(fits)?.err();
        contestants.push(Contestant::new(candidate.strategy, settings, refused));
    }
    Ok(contestants)
}

/// Refuses a strategy that would not have enough memory on a device with nothing else on it.
fn check_whole_memory(
    graph: &GpuGraph,
    strategy: Strategy,
    settings: &TraversalSettings,
) -> Result<()> {
    let needed = device_bytes::<Discover>(graph.graph, strategy, settings);
    match graph.gpu.memory().limit {
        Some(available) if needed > available => {
            let what = format!("the strategy `{strategy}`");
            Err(DeviceError::OutOfMemory { what, needed, available }.into())
        }
        _ => Ok(()),
    }
}

impl<'g> Contest<'g> {
    /// Times all candidates at the levels that are wanted; what they took, and what happened.
    fn measure(
        &mut self,
        contestants: &'g [Contestant],
        options: &MeasureOptions,
        last_level: u32,
        standing: &mut Standing,
    ) -> Result<(Vec<MeasuredLevel>, Trace)> {
        let (mut levels, mut trace) = (Vec::new(), Trace::default());
        let (mut discovered, mut next) = (0, 0);
        let is_fused = contestants.iter().any(|it| it.strategy.is_fused() && it.refused.is_none());
        while self.search.frontier.vertices > 0 {
            let FrontierSize { vertices, edges } = self.search.frontier;
            discovered += u64::from(vertices);
            if options.wants(self.search.iteration, last_level + 1) {
                if is_fused {
                    self.strategies.get(Strategy::FusedPush)?.make_list(&mut self.search)?;
                }
                self.record(standing)?;
                let times = self.time_all(contestants, options.repeat, standing)?;
                next = place_of_next(contestants, &times)?;
                let step =
                    Step { frontier: vertices.into(), frontier_edges: edges.into(), discovered };
                levels.push(MeasuredLevel { level: self.search.iteration, step, times });
            }
            self.search.settings = &contestants[next].settings;
            let done = self.search.advance(&mut self.strategies, contestants[next].strategy)?;
            trace.steps.push(done.step);
        }
        Ok((levels, trace))
    }
}

/// The candidate to go on with: of those that can be fused, if there are some, the one with the
/// least time; else of all. Fails where none has one.
fn place_of_next(contestants: &[Contestant], times: &[Result<Duration, String>]) -> Result<usize> {
    let timed = times.iter().enumerate().filter_map(|(at, time)| Some((time.as_ref().ok()?, at)));
    let rank = |&(time, at): &(&Duration, usize)| (!contestants[at].strategy.is_fused(), *time);
    let reasons = || times.iter().filter_map(|time| time.as_ref().err());
    timed.min_by_key(rank).map(|(_, at)| at).ok_or_else(|| {
        let reason = reasons().next().map_or("", String::as_str);
        Error::Option(format!("no candidate can run: {reason}"))
    })
}

/// Where a search stood before a level.
pub(super) struct Standing {
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

impl Contest<'_> {
    fn record(&mut self, standing: &mut Standing) -> Result<()> {
        let gpu = self.search.gpu();
        let (_, count) = self.list()?;
        if count as usize > standing.list.len() {
            match unless_too_large(gpu.empty(count as usize).map_err(Error::from))? {
                Ok(larger) => standing.list = larger,
                // Labels say who is in the frontier as well.
                Err(_) => self.search.listed = Listed::Nothing,
            }
        }
        let Search { listed, iteration, frontier, .. } = self.search;
        (standing.listed, standing.iteration, standing.frontier) = (listed, iteration, frontier);
        let (list, count) = self.list()?;
        self.copy(&self.search.labels, &standing.labels, self.search.graph.vertices());
        self.copy(&list, &standing.list, count);
        if let Some(state) = self.strategies.get(Strategy::FusedPush)?.state() {
            let kept = match standing.state.take() {
                Some(kept) => kept,
                None => gpu.empty(state.len())?,
            };
            copy(&self.search, state, &kept, state.len() as u32);
            standing.state = Some(kept);
        }
        Ok(())
    }

    pub(super) fn return_to(&mut self, standing: &Standing) -> Result<()> {
        let Standing { listed, iteration, frontier, .. } = *standing;
        (self.search.listed, self.search.iteration, self.search.frontier) =
            (listed, iteration, frontier);
        let (list, count) = self.list()?;
        self.copy(&standing.labels, &self.search.labels, self.search.graph.vertices());
        self.copy(&standing.list, &list, count);
        let state = self.strategies.get(Strategy::FusedPush)?.state();
        if let (Some(kept), Some(state)) = (&standing.state, state) {
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
