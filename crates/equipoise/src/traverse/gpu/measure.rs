//! Timing every candidate at every level of a search.

use std::time::Duration;

use cubecl::prelude::*;
use equipoise_schedule::{Error as DeviceError, device::Buffer, ranges::*};
use equipoise_select::features::Step;

use super::{
    Bounds, Uploaded,
    metric::Hops,
    metric_on::MetricOn,
    search::{Frontier, Listed, Search, UNITS},
};
use crate::{
    BfsOptions, Error, MeasureOptions, MeasuredBfs, MeasuredLevel, Result, Trace,
    TraversalSettings, Way,
    traverse::{memory::device_bytes, on::OnGpu},
};

/// A candidate, and why it cannot run if it cannot.
struct Contestant {
    way: Way,
    settings: TraversalSettings,
    refused: Option<String>,
}

impl<R: Runtime> Uploaded<'_, R> {
    /// A search that takes the fastest candidate at each level, after all were timed there.
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
            let refused = fitting(self.check_whole_memory(candidate.way, &settings))?.err();
            contestants.push(Contestant { way: candidate.way, settings, refused });
        }
        let mut search = Search::<Hops, R>::new(&self.graph, &base)?;
        search.target = source;
        // Before candidates take what is left.
        let mut noted = search.room_to_note()?;
        for contestant in contestants.iter_mut().filter(|it| it.refused.is_none()) {
            contestant.refused = fitting(search.prepare([contestant.way].into_iter()))?.err();
        }
        search.start(source)?;
        let (mut levels, mut trace) = (Vec::new(), Trace::default());
        let (mut discovered, mut fastest) = (0, 0);
        while search.frontier.vertices > 0 {
            let Frontier { vertices, edges } = search.frontier;
            discovered += u64::from(vertices);
            if options.wants(search.turn, last_level + 1) {
                let times = search.time_all(&contestants, options.repeat, &mut noted)?;
                fastest = place_of_least(&times)?;
                let step =
                    Step { frontier: vertices.into(), frontier_edges: edges.into(), discovered };
                levels.push(MeasuredLevel { level: search.turn, step, times });
            }
            search.settings = &contestants[fastest].settings;
            trace.steps.push(search.advance(contestants[fastest].way)?.step);
        }
        let labels = search.labels.clone();
        // Parents need the room that it takes.
        drop((search, noted));
        let found =
            self.collect::<Hops>(&labels, source, Duration::ZERO, (trace, Duration::ZERO))?;
        Ok(MeasuredBfs { levels, search: self.bfs_of(source, found) })
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

/// What was done, or why there is no memory for it.
fn fitting<T>(done: Result<T>) -> Result<Result<T, String>> {
    use DeviceError::{BufferTooLarge, OutOfMemory, TooMany};
    match done {
        Ok(done) => Ok(Ok(done)),
        Err(Error::Device(
            error @ (OutOfMemory { .. } | BufferTooLarge { .. } | TooMany { .. }),
        )) => Ok(Err(error.to_string())),
        Err(error) => Err(error),
    }
}

/// The candidate with the least time. Fails where none has one.
fn place_of_least(times: &[Result<Duration, String>]) -> Result<usize> {
    let timed = times.iter().enumerate().filter_map(|(at, time)| Some((time.as_ref().ok()?, at)));
    let reasons = || times.iter().filter_map(|time| time.as_ref().err());
    timed.min().map(|(_, at)| at).ok_or_else(|| {
        let reason = reasons().next().map_or("", String::as_str);
        Error::Option(format!("no candidate can run: {reason}"))
    })
}

/// Where a search stood before a level.
struct Noted {
    labels: Buffer<u32>,
    list: Buffer<u32>,
    listed: Listed,
    turn: u32,
    frontier: Frontier,
}

impl<'g, M: MetricOn, R: Runtime> Search<'g, M, R> {
    /// Times all candidates at this level, and leaves the search where it stands.
    fn time_all(
        &mut self,
        contestants: &'g [Contestant],
        repeat: u32,
        noted: &mut Noted,
    ) -> Result<Vec<Result<Duration, String>>> {
        self.note(noted)?;
        let mut times = Vec::with_capacity(contestants.len());
        for contestant in contestants {
            times.push(match &contestant.refused {
                Some(reason) => Err(reason.clone()),
                None => fitting(self.time_one(contestant, repeat, noted))?,
            });
            if times.last().is_some_and(Result::is_err) {
                // What was stopped halfway may have left something there.
                self.finders = None;
            }
            self.return_to(noted)?;
        }
        Ok(times)
    }

    /// The median of several runs, after one that compiles kernels and takes memory.
    fn time_one(
        &mut self,
        contestant: &'g Contestant,
        repeat: u32,
        noted: &Noted,
    ) -> Result<Duration> {
        self.settings = &contestant.settings;
        self.timed_launches(contestant.way)?;
        let mut times = Vec::with_capacity(repeat as usize);
        for _ in 0..repeat {
            self.return_to(noted)?;
            times.push(self.timed_launches(contestant.way)?.1);
        }
        times.sort_unstable();
        Ok(times[times.len() / 2])
    }

    fn room_to_note(&self) -> Result<Noted> {
        let vertices = self.labels.len();
        Ok(Noted {
            labels: self.gpu.empty(vertices)?,
            list: self.gpu.empty(vertices)?,
            listed: Listed::Nothing,
            turn: 0,
            frontier: Frontier::default(),
        })
    }

    fn note(&mut self, noted: &mut Noted) -> Result<()> {
        let (_, count) = self.list();
        if count as usize > noted.list.len() {
            match fitting(self.gpu.empty(count as usize).map_err(Error::from))? {
                Ok(larger) => noted.list = larger,
                // Labels tell the frontier as well.
                Err(_) => self.listed = Listed::Nothing,
            }
        }
        (noted.listed, noted.turn, noted.frontier) = (self.listed, self.turn, self.frontier);
        let (list, count) = self.list();
        self.copy(&self.labels, &noted.labels, self.graph.vertices());
        self.copy(list, &noted.list, count);
        Ok(())
    }

    fn return_to(&mut self, noted: &Noted) -> Result<()> {
        (self.listed, self.turn, self.frontier) = (noted.listed, noted.turn, noted.frontier);
        let (list, count) = self.list();
        self.copy(&noted.labels, &self.labels, self.graph.vertices());
        self.copy(&noted.list, list, count);
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
            copy_some::launch_unchecked::<R>(
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
