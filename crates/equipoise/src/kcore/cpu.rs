//! Core numbers on the cpu: peeling by levels, in rounds that threads share.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use equipoise_graph::{Csr, Graph, memory};

use super::KCore;
use crate::{
    Result, Step, Times, Trace,
    neighbors::Neighbors,
    share::Shares,
    team::{self, Lanes, Team, collect},
    times::{Clock, timed, times_of_steps},
};

/// The fewest edges or vertices per thread for which another thread joins a round.
const GRAIN: u64 = 1 << 10;
/// Vertices per task when the list of remaining vertices is built.
const VERTICES_AT_ONCE: usize = 1 << 13;

/// Finds the core numbers of a sound graph.
pub(super) fn kcore(graph: &Graph, neighbors: &Neighbors) -> Result<KCore> {
    let (neighbors, prepare) = neighbors.csr(graph)?;
    let vertices = graph.vertices();
    // Remaining degrees, the list of remaining vertices, and a round; lists have room to grow.
    let bytes = memory::bytes_of::<[u32; 5]>(vertices.into());
    memory::check(format_args!("the cores of {vertices} vertices"), bytes)?;
    let ((cores, trace), run) = timed(|| team::run(|team| Peeling::new(team, neighbors).run(team)));
    let times = times_of_steps(&trace.steps, run);
    Ok(KCore::new(cores, trace, Times { prepare, ..times }))
}

/// A graph that is being peeled.
struct Peeling<'a> {
    neighbors: &'a Csr,
    /// The remaining degree of each vertex; of a peeled vertex, its core number.
    degrees: Vec<AtomicU32>,
    /// The vertices that were not peeled at the last scan.
    remaining: Shares<u32>,
    /// The vertices that a round peels.
    peeled: Shares<u32>,
    lanes: Lanes<Lane>,
}

/// The results of one thread.
#[derive(Default)]
struct Lane {
    remaining: Vec<u32>,
    peeled: Vec<u32>,
    /// The edges that leave the peeled vertices.
    edges: u64,
    /// `u32::MAX - min_degree` of the remaining vertices, so that 0 is the identity of the maximum.
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
        let degrees = collect(team, vertices, degree);
        let mut lanes = Lanes::new(team.size(), Lane::default);
        team.for_parts(vertices, VERTICES_AT_ONCE, |thread, part| {
            lanes.get(thread).remaining.extend(part.start as u32..part.end as u32);
        });
        let mut remaining = Shares::new(team.size());
        remaining.refill(lanes.iter_mut().map(|lane| &mut lane.remaining));
        Self { neighbors, degrees, remaining, peeled: Shares::new(team.size()), lanes }
    }

    /// Peels level by level. Returns the core numbers, and a step per level.
    fn run(mut self, team: &Team) -> (Vec<u32>, Trace) {
        let (mut level, mut left) = (0, self.degrees.len() as u64);
        let mut trace = Trace::default();
        while self.remaining.len() > 0 {
            let mut clock = Clock::start();
            let (mut round, min_degree) = self.scan(team, level);
            if round.vertices == 0 {
                // No degree has changed since the scan.
                level = min_degree;
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
        (self.degrees.into_iter().map(AtomicU32::into_inner).collect(), trace)
    }

    /// Scans the remaining vertices. Returns the first round of a level, and the smallest degree of the other vertices.
    fn scan(&mut self, team: &Team, level: u32) -> (Round, u32) {
        let threads = team.threads_for(self.remaining.len() as u64, GRAIN);
        self.remaining.cut_for(threads);
        let Self { neighbors, degrees, remaining, lanes, .. } = self;
        team.each(threads, |thread| {
            let lane = &mut *lanes.get(thread);
            for vertex in remaining.take_all(thread).flat_map(|taken| &taken.items[..taken.count]) {
                let degree = degrees[*vertex as usize].load(Relaxed);
                if degree > level {
                    lane.remaining.push(*vertex);
                    lane.fewness = lane.fewness.max(u32::MAX - degree);
                } else if degree == level {
                    lane.peel(neighbors, *vertex);
                }
            }
        });
        self.remaining.refill(self.lanes.iter_mut().map(|lane| &mut lane.remaining));
        let fewness = self.lanes.iter_mut().map(|lane| std::mem::take(&mut lane.fewness)).max();
        (self.take_peeled(), u32::MAX - fewness.unwrap_or(0))
    }

    /// Peels a round: lowers the degrees of its neighbours. Those that fall to the level are the next round.
    fn peel(&mut self, team: &Team, round: Round, level: u32) -> Round {
        let threads = team.threads_for(round.edges, GRAIN);
        self.peeled.cut_for(threads);
        let Self { neighbors, degrees, peeled, lanes, .. } = self;
        team.each(threads, |thread| {
            let lane = &mut *lanes.get(thread);
            for &vertex in peeled.take_all(thread).flat_map(|taken| &taken.items[..taken.count]) {
                for &other in neighbors.row(vertex) {
                    let degree = &degrees[other as usize];
                    let falls_to_level = if threads == 1 {
                        lower_alone(degree, level)
                    } else {
                        lower_shared(degree, level)
                    };
                    if falls_to_level {
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

/// Lowers the degree of a vertex that is not peeled. Returns true to exactly one thread: the one that lowers it to the
/// level.
fn lower_shared(degree: &AtomicU32, level: u32) -> bool {
    if degree.load(Relaxed) <= level {
        return false;
    }
    let before = degree.fetch_sub(1, Relaxed);
    if before <= level {
        // Peeled since the load. The degree still counts the neighbours of all threads that are between these two
        // lines, so it cannot underflow.
        degree.fetch_add(1, Relaxed);
    }
    before == level + 1
}

/// [`lower_shared`] for a single thread.
fn lower_alone(degree: &AtomicU32, level: u32) -> bool {
    let before = degree.load(Relaxed);
    if before > level {
        degree.store(before - 1, Relaxed);
    }
    before == level + 1
}
