//! Cores on the cpu: peeling by levels, in rounds that threads share.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use equipoise_graph::{Csr, Graph, memory};

use super::KCore;
use crate::{
    Result, Step, Times, Trace,
    neighbors::Neighbors,
    share::Shares,
    team::{self, Lanes, Team, collect},
    times::{Clock, timed},
};

/// A round is shared by as many threads as have this many edges each to look at, or vertices of the rest.
const GRAIN: u64 = 1 << 10;
/// Vertices that a thread takes at once when the rest is made.
const VERTICES_AT_ONCE: usize = 1 << 13;

/// Finds the cores of a sound graph.
pub(super) fn kcore(graph: &Graph, neighbors: &Neighbors) -> Result<KCore> {
    let (neighbors, prepare) = neighbors.of(graph)?;
    let vertices = graph.vertices();
    // What each has left, the rest, and a round; lists have room to grow.
    let bytes = memory::bytes_of::<[u32; 5]>(vertices.into());
    memory::check(format_args!("the cores of {vertices} vertices"), bytes)?;
    let ((cores, trace), run) = timed(|| team::run(|team| Peeling::new(team, neighbors).run(team)));
    let kernel = trace.steps.iter().map(|step| step.time).sum();
    let overhead = run.saturating_sub(kernel);
    Ok(KCore::of(cores, trace, Times { prepare, kernel, overhead, ..Times::default() }))
}

/// What is left of a graph.
struct Peeling<'a> {
    neighbors: &'a Csr,
    /// How many neighbours a vertex has left; for one that is peeled, its core number.
    left: Vec<AtomicU32>,
    /// The vertices that were not peeled when they were last looked at.
    rest: Shares<u32>,
    /// Those that are peeled in a round.
    peeled: Shares<u32>,
    lanes: Lanes<Lane>,
}

/// What one thread has found.
#[derive(Default)]
struct Lane {
    stays: Vec<u32>,
    peeled: Vec<u32>,
    /// The edges that leave those.
    edges: u64,
    /// The fewest neighbours of those that stay, as a number that is larger the fewer they are.
    fewness: u32,
}

impl Lane {
    fn peel(&mut self, neighbors: &Csr, vertex: u32) {
        self.edges += neighbors.row_len(vertex) as u64;
        self.peeled.push(vertex);
    }
}

/// Vertices of a round, and the edges that leave them.
#[derive(Clone, Copy)]
struct Round {
    vertices: u64,
    edges: u64,
}

impl<'a> Peeling<'a> {
    fn new(team: &Team, neighbors: &'a Csr) -> Self {
        let vertices = neighbors.rows() as usize;
        let degree = |vertex| AtomicU32::new(neighbors.row_len(vertex as u32) as u32);
        let left = collect(team, vertices, degree);
        let mut lanes = Lanes::new(team.size(), Lane::default);
        team.for_parts(vertices, VERTICES_AT_ONCE, |thread, part| {
            lanes.of(thread).stays.extend(part.start as u32..part.end as u32);
        });
        let mut rest = Shares::new(team.size());
        rest.refill(lanes.iter_mut().map(|lane| &mut lane.stays));
        Self { neighbors, left, rest, peeled: Shares::new(team.size()), lanes }
    }

    /// Peels level by level; the core numbers, and what happened.
    fn run(mut self, team: &Team) -> (Vec<u32>, Trace) {
        let (mut level, mut left) = (0, self.left.len() as u64);
        let mut trace = Trace::default();
        while self.rest.len() > 0 {
            let mut clock = Clock::start();
            let (mut round, fewest) = self.look(team, level);
            if round.vertices == 0 {
                // Nobody has lost a neighbour since.
                level = fewest;
                continue;
            }
            let mut step = Step { sub_steps: 0, ..Step::new(level, "peel") };
            while round.vertices > 0 {
                step.frontier += round.vertices;
                step.edges += round.edges;
                step.sub_steps += 1;
                round = self.peel(team, round, level);
            }
            left -= step.frontier;
            trace.steps.push(Step { found: left, time: clock.lap(), ..step });
            level += 1;
        }
        (self.left.into_iter().map(AtomicU32::into_inner).collect(), trace)
    }

    /// Looks through the rest for those that are peeled first at a level, and for the fewest neighbours of the others.
    fn look(&mut self, team: &Team, level: u32) -> (Round, u32) {
        let threads = team.threads_for(self.rest.len() as u64, GRAIN);
        self.rest.cut_for(threads);
        let Self { neighbors, left, rest, lanes, .. } = self;
        team.each(threads, |thread| {
            let lane = &mut *lanes.of(thread);
            for vertex in rest.take_all(thread).flat_map(|taken| &taken.items[..taken.count]) {
                match left[*vertex as usize].load(Relaxed) {
                    now if now > level => {
                        lane.stays.push(*vertex);
                        lane.fewness = lane.fewness.max(u32::MAX - now);
                    }
                    now if now == level => lane.peel(neighbors, *vertex),
                    // Peeled at a level before.
                    _ => {}
                }
            }
        });
        self.rest.refill(self.lanes.iter_mut().map(|lane| &mut lane.stays));
        let fewness = self.lanes.iter_mut().map(|lane| std::mem::take(&mut lane.fewness)).max();
        (self.take_peeled(), u32::MAX - fewness.unwrap_or(0))
    }

    /// Tells the neighbours of those that are peeled. Who has as few left as the level by that is peeled in the next
    /// round.
    fn peel(&mut self, team: &Team, round: Round, level: u32) -> Round {
        let threads = team.threads_for(round.edges, GRAIN);
        self.peeled.cut_for(threads);
        let Self { neighbors, left, peeled, lanes, .. } = self;
        team.each(threads, |thread| {
            let lane = &mut *lanes.of(thread);
            for &vertex in peeled.take_all(thread).flat_map(|taken| &taken.items[..taken.count]) {
                for &other in neighbors.row(vertex) {
                    let left = &left[other as usize];
                    let reaches = match threads {
                        1 => loses_alone(left, level),
                        _ => loses_one(left, level),
                    };
                    if reaches {
                        lane.peel(neighbors, other);
                    }
                }
            }
        });
        self.take_peeled()
    }

    fn take_peeled(&mut self) -> Round {
        self.peeled.refill(self.lanes.iter_mut().map(|lane| &mut lane.peeled));
        let edges = self.lanes.iter_mut().map(|lane| std::mem::take(&mut lane.edges)).sum();
        Round { vertices: self.peeled.len() as u64, edges }
    }
}

/// Takes a neighbour from a vertex that is not peeled. Whether it has as few left as the level then, which only one of
/// several threads is told.
fn loses_one(left: &AtomicU32, level: u32) -> bool {
    if left.load(Relaxed) <= level {
        return false;
    }
    let before = left.fetch_sub(1, Relaxed);
    if before <= level {
        // Peeled meanwhile. Each of those who are here now is one of the neighbours that it still counts, so that it
        // never falls below zero.
        left.fetch_add(1, Relaxed);
    }
    before == level + 1
}

/// The same where no other thread is at work.
fn loses_alone(left: &AtomicU32, level: u32) -> bool {
    let before = left.load(Relaxed);
    if before > level {
        left.store(before - 1, Relaxed);
    }
    before == level + 1
}
