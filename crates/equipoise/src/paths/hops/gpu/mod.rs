//! Groups of searches on a GPU. The host reads the counters of several levels at once, and chooses how the next levels are
//! found.

mod bits;
mod counters;
#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod lower;
mod near;
mod pull;
mod push;
mod sums;

use equipoise_schedule::{Error, device::Buffer, engine::DeviceRows};

use self::{
    counters::{Counters, MOST_LEVELS},
    near::count_reached,
    pull::{PulledLevel, Pulls},
    push::{Level, Pushes},
    sums::{WORDS, WordSums},
};
use super::{Group, LevelSums, SEARCHES, Searches};
use crate::{Result, gpu_graph::GpuGraph, run::buffer_bytes};

/// Vertices pull if those of the last level have more than this share of the edges.
const PULL_SHARE: u64 = 8;
/// Vertices that pulled push again if those of the last level have less than this share of the edges: they are listed first.
const PUSH_SHARE: u64 = 256;
/// Levels of pulling between two readbacks.
const PULLED_LEVELS: u32 = 2;

/// Searches of a graph on a GPU.
pub(super) struct GpuSearches<'a> {
    graph: &'a GpuGraph<'a>,
    leaving: &'a DeviceRows,
    entering: &'a DeviceRows,
    /// The searches that reached each vertex, in two words. The first array is the current one; a pull writes the other.
    reached: [Buffer<u32>; 2],
    sums: Buffer<u32>,
    counters: Counters,
    pushes: Pushes,
    pulls: Pulls,
}

/// How the levels between two readbacks are found.
#[derive(Clone, Copy)]
struct Pace {
    pulls: bool,
    levels: u32,
}

impl Searches for GpuSearches<'_> {
    type Sums = WordSums;

    fn search(&mut self, sources: &[u32], within: Option<u32>) -> Result<Group> {
        let mut group = Group::new(sources);
        let mut last = self.start(sources)?;
        let (mut hops, mut pace) = (0, None);
        while last.reached > 0 {
            if within == Some(hops) {
                group.near = Some(self.count_reached(sources)?);
            }
            let next =
                self.next_pace(pace, last.edges, within.map(|within| within - hops.min(within)));
            self.counters.restart(pace.map_or(0, |pace| pace.levels));
            if !next.pulls && pace.is_some_and(|pace| pace.pulls) {
                self.list();
            }
            for slot in 1..=next.levels {
                self.advance(next.pulls, hops + slot, slot, sources)?;
            }
            for level in &self.counters.levels(next.levels + 1)?[1..] {
                hops += 1;
                group.add(hops, level);
                group.edges += if next.pulls { self.graph.edges().into() } else { last.edges };
                last = *level;
            }
            pace = Some(next);
        }
        if within.is_some() && group.near.is_none() {
            group.near = Some(self.count_reached(sources)?);
        }
        Ok(group)
    }

    fn sums(&self) -> Result<WordSums> {
        Ok(WordSums(self.graph.gpu.download(&self.sums)?))
    }
}

impl<'a> GpuSearches<'a> {
    pub fn new(graph: &'a GpuGraph<'a>) -> Result<Self> {
        let (gpu, vertices) = (&graph.gpu, graph.vertices());
        let (count, edges) = (u64::from(vertices), u64::from(graph.edges()));
        let limit = u64::from(u32::MAX / WORDS);
        if count > limit {
            let what = "the vertices of searches in groups".into();
            return Err(Error::TooMany { what, count, limit }.into());
        }
        graph.engine_graph()?;
        let words = u64::from(WORDS) * count + 4 * count + Pulls::words(count);
        let bytes = buffer_bytes(gpu, words + Pushes::words(count, edges), 1);
        gpu.require(&format!("{SEARCHES} searches at once"), bytes)?;
        let (leaving, entering) = (graph.leaving()?, graph.entering()?);
        gpu.wake();
        let words = 2 * vertices as usize;
        Ok(Self {
            graph,
            leaving,
            entering,
            reached: [gpu.empty(words)?, gpu.empty(words)?],
            sums: gpu.filled((WORDS * vertices) as usize, 0)?,
            counters: Counters::new(gpu)?,
            pushes: Pushes::new(gpu, vertices, graph.edges())?,
            pulls: Pulls::new(gpu, entering, vertices)?,
        })
    }

    /// The arguments of a level of which the edges that leave vertices are followed.
    fn level(&self, slot: u32) -> Level<'_> {
        let (gpu, counters) = (&self.graph.gpu, &self.counters);
        Level { gpu, rows: self.leaving.arg(), counters, slot }
    }

    /// Starts a search from each source. Returns what that adds to the group, without reading it from the device.
    fn start(&mut self, sources: &[u32]) -> Result<LevelSums> {
        let gpu = &self.graph.gpu;
        gpu.fill(&self.reached[0], 0)?;
        self.counters.clear()?;
        self.pushes.begin(&self.level(0), sources)?;
        self.pushes.arrive(self.level(0), 0, &self.reached[0], &self.sums);
        let mut level = LevelSums::default();
        for (bit, &source) in sources.iter().enumerate() {
            level.add(source, 1 << bit, self.graph.graph.degree(source) as u64);
        }
        Ok(level)
    }

    /// How the next levels are found, with so many edges of the vertices of the last level, and at least one level before
    /// vertices are counted, if they are.
    fn next_pace(&self, last: Option<Pace>, edges: u64, until_counted: Option<u32>) -> Pace {
        let pulled = last.is_some_and(|last| last.pulls);
        let share = if pulled { PUSH_SHARE } else { PULL_SHARE };
        let pulls = edges.saturating_mul(share) > self.graph.edges().into();
        let levels = match last {
            _ if pulls => PULLED_LEVELS,
            Some(last) if !pulled => (2 * last.levels).min(MOST_LEVELS),
            _ => 1,
        };
        let until = until_counted.filter(|&levels| levels > 0).unwrap_or(u32::MAX);
        Pace { pulls, levels: levels.min(until) }
    }

    /// Finds the level at a distance.
    fn advance(&mut self, pulls: bool, hops: u32, slot: u32, sources: &[u32]) -> Result<()> {
        if pulls {
            let [reached, written] = &self.reached;
            self.pulls.pull(&PulledLevel {
                gpu: &self.graph.gpu,
                entering: self.entering,
                reached,
                written,
                sums: &self.sums,
                counters: &self.counters,
                hops,
                slot,
                all: u64::MAX >> (SEARCHES - sources.len()),
            });
            self.reached.swap(0, 1);
        } else {
            self.pushes.push(self.level(slot), &self.reached[0])?;
            self.pushes.arrive(self.level(slot), hops, &self.reached[0], &self.sums);
        }
        Ok(())
    }

    /// Lists the vertices of the last level, after a pull.
    fn list(&self) {
        let [reached, before] = &self.reached;
        self.pushes.list(self.level(0), before, reached);
    }

    /// Per source, the number of vertices reached so far.
    fn count_reached(&self, sources: &[u32]) -> Result<Vec<u32>> {
        let mut counts = count_reached(&self.graph.gpu, &self.reached[0])?;
        counts.truncate(sources.len());
        Ok(counts)
    }
}
