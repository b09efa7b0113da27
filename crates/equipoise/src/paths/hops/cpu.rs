//! Groups of searches on the cpu.

use std::{
    mem::take,
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
};

use equipoise_graph::{Graph, memory};

use super::{Group, HopSum, LevelSums, SEARCHES, Searches, inverse};
use crate::{
    Result,
    prefetch::prefetch,
    rows::Rows,
    team::{Lanes, Team, collect},
};

/// Vertices per task of a thread: a pull examines the edges of each.
const PART: usize = 1 << 9;
/// Listed vertices per task of a thread.
const LISTED_PART: usize = 1 << 6;
/// Vertices pull if those of the last level have more than this share of the edges.
const PULL_SHARE: u64 = 4;

/// The distance of prefetching, in listed vertices.
const AHEAD: usize = 16;

/// A word per vertex. Threads write different words, or set bits.
type Words = Vec<AtomicU64>;

/// Searches of a graph on the cpu.
pub(super) struct CpuSearches<'a> {
    team: &'a Team<'a>,
    graph: &'a Graph,
    /// The searches that reached each vertex. The first array is the current one; a pull writes the other.
    reached: [Words; 2],
    /// The searches that reached each listed vertex in the last level.
    fresh: Words,
    /// The searches that reach each vertex in the next level, while vertices push.
    next: Words,
    /// The vertices of the last level, if they pushed or are about to.
    frontier: Vec<u32>,
    sums: Vec<Sums>,
    lanes: Lanes<Lane>,
}

/// The state of a thread.
#[derive(Default)]
struct Lane {
    list: Vec<u32>,
    level: LevelSums,
    edges: u64,
}

/// The sums of a vertex.
#[derive(Default)]
pub(super) struct Sums {
    reached: AtomicU32,
    distance: AtomicU64,
    inverse: [AtomicU64; 2],
}

/// A distance, and its reciprocal.
#[derive(Clone, Copy)]
pub(super) struct Distance {
    pub hops: u32,
    inverse: u128,
}

impl Distance {
    pub fn new(hops: u32) -> Self {
        Self { hops, inverse: inverse(hops) }
    }
}

impl Sums {
    pub fn get(&self) -> HopSum {
        let [low, high] = &self.inverse;
        HopSum {
            reached: self.reached.load(Relaxed),
            distance: self.distance.load(Relaxed),
            inverse: u128::from(high.load(Relaxed)) << 64 | u128::from(low.load(Relaxed)),
        }
    }

    /// Adds a distance, while other threads may add to the same sums.
    #[inline]
    pub fn add_shared(&self, distance: Distance) {
        self.reached.fetch_add(1, Relaxed);
        self.distance.fetch_add(distance.hops.into(), Relaxed);
        let (low, high) = (distance.inverse as u64, (distance.inverse >> 64) as u64);
        let carries = self.inverse[0].fetch_add(low, Relaxed).checked_add(low).is_none();
        let high = high + u64::from(carries);
        if high > 0 {
            self.inverse[1].fetch_add(high, Relaxed);
        }
    }

    /// Adds the distance of several searches. No other thread adds to the same sums.
    #[inline]
    fn add(&self, searches: u64, distance: Distance) {
        let (count, sum) = (searches.count_ones(), self.get());
        self.reached.store(sum.reached + count, Relaxed);
        let more = u64::from(count) * u64::from(distance.hops);
        self.distance.store(sum.distance + more, Relaxed);
        let inverse = sum.inverse + u128::from(count) * distance.inverse;
        self.inverse[0].store(inverse as u64, Relaxed);
        self.inverse[1].store((inverse >> 64) as u64, Relaxed);
    }
}

impl Searches for CpuSearches<'_> {
    type Sums = Vec<HopSum>;

    fn search(&mut self, sources: &[u32], within: Option<u32>) -> Result<Group> {
        let mut group = Group::new(sources);
        let mut level = self.start(sources);
        let mut distance = Distance::new(0);
        let mut pulled = false;
        loop {
            if level.reached == 0 || within == Some(distance.hops) {
                group.near = group.near.or_else(|| within.map(|_| self.near(sources.len())));
            }
            if level.reached == 0 {
                return Ok(group);
            }
            let hops = distance.hops + 1;
            distance = Distance::new(hops);
            let pulls = level.edges.saturating_mul(PULL_SHARE) > self.graph.edges();
            if pulled && !pulls {
                self.list();
            }
            level = if pulls { self.pull(all(sources), distance)? } else { self.push(distance) };
            group.edges += take_edges(&mut self.lanes);
            group.add(hops, &level);
            pulled = pulls;
        }
    }

    fn sums(&self) -> Result<Vec<HopSum>> {
        let sums = &self.sums;
        Ok(collect(self.team, sums.len(), |vertex| sums[vertex].get()))
    }
}

/// A bit for each search.
fn all(sources: &[u32]) -> u64 {
    u64::MAX >> (SEARCHES - sources.len())
}

fn take_edges(lanes: &mut Lanes<Lane>) -> u64 {
    lanes.iter_mut().map(|lane| take(&mut lane.edges)).sum()
}

impl<'a> CpuSearches<'a> {
    /// Fails if memory does not suffice for the searches and their results.
    pub fn check_memory(vertices: u32) -> Result<()> {
        const BYTES: usize = 4 * size_of::<u64>() + size_of::<Sums>() + size_of::<HopSum>();
        // Two lists of vertices, and two numbers per vertex of the result.
        let bytes = memory::bytes_of::<[u8; BYTES + 24]>(vertices.into());
        Ok(memory::check(format_args!("distances between {vertices} vertices"), bytes)?)
    }

    pub fn new(team: &'a Team<'a>, graph: &'a Graph) -> Self {
        let vertices = graph.vertices() as usize;
        let words = || collect(team, vertices, |_| AtomicU64::default());
        Self {
            team,
            graph,
            reached: [words(), words()],
            fresh: words(),
            next: words(),
            frontier: Vec::new(),
            sums: collect(team, vertices, |_| Sums::default()),
            lanes: Lanes::new(team.size(), Lane::default),
        }
    }

    /// Starts a search from each source.
    fn start(&mut self, sources: &[u32]) -> LevelSums {
        let [reached, _] = &self.reached;
        self.team.for_parts(reached.len(), PART, |_, part| {
            reached[part].iter().for_each(|word| word.store(0, Relaxed));
        });
        for (bit, &source) in sources.iter().enumerate() {
            reached[source as usize].fetch_or(1 << bit, Relaxed);
        }
        self.frontier = sources.to_vec();
        self.frontier.sort_unstable();
        self.frontier.dedup();
        let mut level = LevelSums::default();
        for &source in &self.frontier {
            let searches = reached[source as usize].load(Relaxed);
            self.fresh[source as usize].store(searches, Relaxed);
            level.add(source, searches, Rows::new(self.graph).degree(source));
        }
        level
    }

    /// Finds the next level along the edges that leave the listed vertices.
    fn push(&mut self, distance: Distance) -> LevelSums {
        let ([reached, _], rows) = (&self.reached, Rows::new(self.graph));
        let Self { team, fresh, next, frontier, lanes, sums, .. } = self;
        team.for_parts(frontier.len(), LISTED_PART, |index, part| {
            let mut lane = lanes.get(index);
            for position in part {
                let vertex = frontier[position];
                if let Some(&ahead) = frontier.get(position + AHEAD) {
                    rows.prefetch_row(ahead);
                    prefetch(fresh, ahead as usize);
                }
                let searches = fresh[vertex as usize].load(Relaxed);
                let row = rows.row(vertex);
                lane.edges += row.len() as u64;
                for &target in row {
                    let new = searches & !reached[target as usize].load(Relaxed);
                    let word = &next[target as usize];
                    // Load first: a contended `fetch_or` is expensive.
                    if new & !word.load(Relaxed) != 0 && word.fetch_or(new, Relaxed) == 0 {
                        lane.list.push(target);
                    }
                }
            }
        });
        list_all(lanes, frontier);
        team.for_parts(frontier.len(), LISTED_PART, |index, part| {
            let mut lane = lanes.get(index);
            for position in part {
                let vertex = frontier[position];
                if let Some(&ahead) = frontier.get(position + AHEAD) {
                    prefetch(sums, ahead as usize);
                    prefetch(next, ahead as usize);
                    prefetch(fresh, ahead as usize);
                    prefetch(reached, ahead as usize);
                    rows.prefetch_offset(ahead);
                }
                let before = reached[vertex as usize].load(Relaxed);
                let searches = next[vertex as usize].load(Relaxed);
                next[vertex as usize].store(0, Relaxed);
                fresh[vertex as usize].store(searches, Relaxed);
                reached[vertex as usize].store(before | searches, Relaxed);
                sums[vertex as usize].add(searches, distance);
                lane.level.add(vertex, searches, rows.degree(vertex));
            }
        });
        take_level(lanes)
    }

    /// Finds the next level along the edges that enter vertices that some search has not reached.
    fn pull(&mut self, all: u64, distance: Distance) -> Result<LevelSums> {
        let entering = Rows::new(self.graph.transpose()?);
        let leaving = Rows::new(self.graph);
        let ([reached, written], lanes) = (&self.reached, &mut self.lanes);
        self.team.for_parts(reached.len(), PART, |index, part| {
            let mut lane = lanes.get(index);
            for vertex in part {
                let before = reached[vertex].load(Relaxed);
                let missing = all & !before;
                let mut searches = 0;
                if missing != 0 {
                    let row = entering.row(vertex as u32);
                    let mut neighbours = row.iter();
                    while searches & missing != missing
                        && let Some(&neighbour) = neighbours.next()
                    {
                        searches |= reached[neighbour as usize].load(Relaxed);
                    }
                    lane.edges += (row.len() - neighbours.len()) as u64;
                    searches &= missing;
                }
                written[vertex].store(before | searches, Relaxed);
                if searches != 0 {
                    self.sums[vertex].add(searches, distance);
                    lane.level.add(vertex as u32, searches, leaving.degree(vertex as u32));
                }
            }
        });
        let level = take_level(lanes);
        self.reached.swap(0, 1);
        Ok(level)
    }

    /// Lists the vertices of the last level, after a pull.
    fn list(&mut self) {
        let Self { team, reached: [reached, before], fresh, lanes, frontier, .. } = self;
        team.for_parts(reached.len(), PART, |index, part| {
            let mut lane = lanes.get(index);
            for vertex in part {
                let searches = reached[vertex].load(Relaxed) & !before[vertex].load(Relaxed);
                if searches != 0 {
                    fresh[vertex].store(searches, Relaxed);
                    lane.list.push(vertex as u32);
                }
            }
        });
        list_all(lanes, frontier);
    }

    /// The number of vertices that each search has reached.
    fn near(&self, searches: usize) -> Vec<u32> {
        let counts = Lanes::new(self.team.size(), || [0; SEARCHES]);
        let [reached, _] = &self.reached;
        self.team.for_parts(reached.len(), PART, |index, part| {
            let counts = &mut *counts.get(index);
            for word in &reached[part] {
                let word = word.load(Relaxed);
                for (bit, count) in counts.iter_mut().enumerate() {
                    *count += (word >> bit & 1) as u32;
                }
            }
        });
        let mut counts = counts;
        let mut sums = vec![0; searches];
        for counts in counts.iter_mut() {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += *count);
        }
        sums
    }
}

/// Moves the lists of all threads to one.
fn list_all(lanes: &mut Lanes<Lane>, list: &mut Vec<u32>) {
    list.clear();
    lanes.iter_mut().for_each(|lane| list.append(&mut lane.list));
}

fn take_level(lanes: &mut Lanes<Lane>) -> LevelSums {
    let levels = lanes.iter_mut().map(|lane| take(&mut lane.level));
    levels.fold(LevelSums::default(), LevelSums::and)
}
