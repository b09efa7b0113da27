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
    Bounds, Uploaded,
    contest::Contestant,
    frontier::state::ALL_WORDS,
    metric::Hops,
    metric_on::MetricOn,
    search::{Frontier, Listed, Search, UNITS},
};
use crate::{
    BfsOptions, Error, MeasureOptions, MeasuredBfs, MeasuredLevel, Result, Trace,
    TraversalSettings, Way,
    learned::unless_too_large,
    traverse::{memory::device_bytes, on::OnGpu},
};

impl Uploaded<'_> {
    /// A search at each level of which all candidates are timed. Where the ways that `auto` chooses
    /// from can run, it stands as a search of theirs does: what another one makes of the frontier
    /// before it can start is in its time.
    pub(super) fn measured(&self, source: u32, options: &MeasureOptions) -> Result<MeasuredBfs> {
        options.check()?;
        self.check_bounds(Bounds { source, target: None, most_turns: u32::MAX })?;
        let last_level = match options.most_levels {
            Some(_) => self.bfs(source, &BfsOptions::default())?.depth,
            None => u32::MAX - 1,
        };
        let base = TraversalSettings::default();
        let mut contestants: Vec<Contestant> = Vec::new();
        for candidate in &options.candidates {
            let settings = candidate.settings(&base);
            settings.check()?;
            let refused =
                unless_too_large(self.check_whole_memory(candidate.way, &settings))?.err();
            contestants.push(Contestant::new(candidate.way, settings, refused));
        }
        let mut search = Search::<Hops>::new(&self.graph, &base)?;
        search.target = source;
        // Before candidates take what is left.
        let mut noted = search.room_to_note()?;
        for contestant in contestants.iter_mut().filter(|it| it.refused.is_none()) {
            contestant.refused =
                unless_too_large(search.prepare([contestant.way].into_iter()))?.err();
        }
        search.start(source)?;
        let (mut levels, mut trace) = (Vec::new(), Trace::default());
        let (mut discovered, mut next) = (0, 0);
        let is_fused = contestants.iter().any(|it| it.way.is_fused() && it.refused.is_none());
        while search.frontier.vertices > 0 {
            let Frontier { vertices, edges } = search.frontier;
            discovered += u64::from(vertices);
            if options.wants(search.turn, last_level + 1) {
                if is_fused {
                    search.list_fused()?;
                }
                search.note(&mut noted)?;
                let times = search.time_all(&contestants, options.repeat, &noted)?;
                next = place_of_next(&contestants, &times)?;
                let step =
                    Step { frontier: vertices.into(), frontier_edges: edges.into(), discovered };
                levels.push(MeasuredLevel { level: search.turn, step, times });
            }
            search.settings = &contestants[next].settings;
            trace.steps.push(search.advance(contestants[next].way)?.step);
        }
        let labels = search.labels.clone();
        // Parents need the room that it takes.
        drop((search, noted));
        let found =
            self.collect::<Hops>(&labels, source, Duration::ZERO, (trace, Duration::ZERO))?;
        Ok(MeasuredBfs { levels, search: self.bfs_of(source, found, &BfsOptions::default()) })
    }

    /// Refuses a strategy that would not have enough memory on a device with nothing else on it.
    fn check_whole_memory(&self, way: Way, settings: &TraversalSettings) -> Result<()> {
        let needed = device_bytes(self.graph.graph, way, false, settings);
        match self.graph.gpu.memory().limit {
            Some(available) if needed > available => {
                let what = format!("the strategy `{way}`");
                Err(DeviceError::OutOfMemory { what, needed, available }.into())
            }
            _ => Ok(()),
        }
    }
}

/// The candidate to go on with: of those that can be fused, if there are some, the one with the
/// least time; else of all. Fails where none has one.
fn place_of_next(contestants: &[Contestant], times: &[Result<Duration, String>]) -> Result<usize> {
    let timed = times.iter().enumerate().filter_map(|(at, time)| Some((time.as_ref().ok()?, at)));
    let rank = |&(time, at): &(&Duration, usize)| (!contestants[at].way.is_fused(), *time);
    let reasons = || times.iter().filter_map(|time| time.as_ref().err());
    timed.min_by_key(rank).map(|(_, at)| at).ok_or_else(|| {
        let reason = reasons().next().map_or("", String::as_str);
        Error::Option(format!("no candidate can run: {reason}"))
    })
}

/// Where a search stood before a level.
pub(super) struct Noted {
    labels: Buffer<u32>,
    list: Buffer<u32>,
    /// What the ways of direction-optimising go on from beside their list, which they leave.
    words: Buffer<u32>,
    listed: Listed,
    turn: u32,
    frontier: Frontier,
}

impl<M: MetricOn> Search<'_, M> {
    fn room_to_note(&self) -> Result<Noted> {
        let vertices = self.labels.len();
        Ok(Noted {
            labels: self.gpu.empty(vertices)?,
            list: self.gpu.empty(vertices)?,
            words: self.gpu.empty(ALL_WORDS)?,
            listed: Listed::Nothing,
            turn: 0,
            frontier: Frontier::default(),
        })
    }

    fn note(&mut self, noted: &mut Noted) -> Result<()> {
        let (_, count) = self.list();
        if count as usize > noted.list.len() {
            match unless_too_large(self.gpu.empty(count as usize).map_err(Error::from))? {
                Ok(larger) => noted.list = larger,
                // Labels tell the frontier as well.
                Err(_) => self.listed = Listed::Nothing,
            }
        }
        (noted.listed, noted.turn, noted.frontier) = (self.listed, self.turn, self.frontier);
        let (list, count) = self.list();
        self.copy(&self.labels, &noted.labels, self.graph.vertices());
        self.copy(list, &noted.list, count);
        if let Some(fused) = &self.fused {
            self.copy(fused.words(), &noted.words, ALL_WORDS as u32);
        }
        Ok(())
    }

    pub(super) fn return_to(&mut self, noted: &Noted) -> Result<()> {
        (self.listed, self.turn, self.frontier) = (noted.listed, noted.turn, noted.frontier);
        let (list, count) = self.list();
        self.copy(&noted.labels, &self.labels, self.graph.vertices());
        self.copy(&noted.list, list, count);
        if let Some(fused) = &self.fused {
            self.copy(&noted.words, fused.words(), ALL_WORDS as u32);
        }
        Ok(self.gpu.finish()?)
    }

    /// The list that the search goes on from, and how many it has.
    fn list(&self) -> (&Buffer<u32>, u32) {
        match (self.listed, &self.edge_lists, &self.split) {
            (Listed::Vertices(count), _, _) => (&self.this, count),
            (Listed::Edges(count), Some(lists), _) => (&lists.this, count),
            (Listed::Parts(count), _, Some(split)) => (&split.this, count),
            _ => (&self.this, 0),
        }
    }

    fn copy(&self, from: &Buffer<u32>, to: &Buffer<u32>, count: u32) {
        if count == 0 {
            return;
        }
        // SAFETY: both have at least `count` elements.
        unsafe {
            copy_some::launch_unchecked::<GpuRuntime>(
                self.gpu.client(),
                self.cubes(count),
                CubeDim::new_1d(UNITS),
                from.arg(),
                to.arg(),
                count,
            );
        }
    }
}

#[cube(launch_unchecked)]
fn copy_some(from: &Array<u32>, to: &mut Array<u32>, count: u32) {
    for index in grid_stride_range(0, count) {
        to[index as usize] = from[index as usize];
    }
}
