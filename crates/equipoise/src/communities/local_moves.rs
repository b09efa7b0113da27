//! Local moves on the cpu: vertices move to the community of a neighbour, or to one of their own, as long as the objective rises.
//!
//! Vertices are visited in batches. All of a batch choose at the same time, by the communities before it. Where a vertex wants to
//! join a neighbour's community that the neighbour itself wants to leave, only one of the two moves: otherwise they could
//! swap communities forever. The result does not depend on the number of threads. After its first visit, a vertex is visited
//! again only after a neighbour has moved.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use equipoise_graph::{cancel::Cancel, memory, parallel::*};

use super::{
    CommunitiesOptions,
    batch::{Batch, BatchTallies, VERTICES_PER_THREAD, shares},
    groups::Groups,
    objective::{Gains, quality},
    random_order::RandomOrder,
    tally::Tally,
    totals::Totals,
    undirected::UndirectedGraph,
    wishes::Wishes,
};
use crate::{
    NONE, Result,
    team::{self, Team},
};

/// Batches per sweep over all vertices. With more, vertices know more of each other's moves; with fewer, threads have more to
/// share.
const BATCHES: u32 = 64;
/// The fewest batches of a sweep over some vertices.
const FEWEST_BATCHES: u32 = 4;
/// The share of a level's rise of modularity that a sweep must exceed for another one to follow: the next level moves the same
/// vertices in groups, in less time.
pub(super) const LITTLE: f64 = 1e-3;
/// Sweeps after which the objective must have risen.
const SWEEPS_PER_CHECK: u32 = 16;
/// Groups of vertices whose active ones a thread lists at once.
const GROUPS_AT_ONCE: usize = 4;

/// The communities after the sweeps of a level.
#[derive(Clone)]
pub(super) struct Moved {
    /// For each vertex a vertex that represents its community.
    pub communities: Vec<u32>,
    /// The modularity, or other objective.
    pub modularity: f64,
    pub sweeps: u32,
    /// False if the maximum number of sweeps ended the level.
    pub converged: bool,
}

/// Sweeps over the vertices until one raises the objective by no more than `little` as a share of its rise. They start from
/// communities that are labelled with vertices, with `first` as the value of the objective; each as a community without them.
pub(super) fn move_all(
    graph: &UndirectedGraph,
    options: &CommunitiesOptions,
    start: Option<&[u32]>,
    first: f64,
    little: f64,
) -> Result<Moved> {
    let vertices = graph.neighbors.rows();
    // Communities, wanted ones, masses, their totals, sizes, unused labels, active vertices in batches, their choices and moves.
    let bytes = memory::bytes_of::<[u32; 24]>(vertices.into());
    memory::check(format_args!("moving {vertices} vertices between communities"), bytes)?;
    let singletons = || (0..vertices).into_par_iter().collect();
    let start: Vec<u32> = start.map_or_else(singletons, <[u32]>::to_vec);
    let mut moved = sweep_all(graph, options, &start, little, true);
    if moved.has_moved && moved.result.modularity <= first {
        // Moves at the same time cancelled each other's gains. Moves one after the other cannot.
        moved = sweep_all(graph, options, &start, little, false);
    }
    let SweepsEnd { result, has_moved } = moved;
    Ok(if has_moved && result.modularity > first {
        result
    } else {
        Moved { communities: start, modularity: first, ..result }
    })
}

/// How sweeps ended.
struct SweepsEnd {
    result: Moved,
    has_moved: bool,
}

/// Sweeps in batches, or in batches of one vertex.
fn sweep_all(
    graph: &UndirectedGraph,
    options: &CommunitiesOptions,
    start: &[u32],
    little: f64,
    in_batches: bool,
) -> SweepsEnd {
    let mut moves = LocalMoves::new(graph, options, start);
    let (sweeps, converged) = team::run(|team| moves.sweep_all(team, options, little, in_batches));
    let (communities, has_moved) = (moves.communities.to_labels(), moves.has_moved);
    let modularity = if has_moved { quality(graph, &communities, options) } else { 0.0 };
    SweepsEnd { result: Moved { communities, modularity, sweeps, converged }, has_moved }
}

/// The batches of a sweep over some of all vertices. In proportion: as many vertices of a neighbourhood move at once as in a sweep
/// over all.
pub(super) fn batches(some: usize, all: u32) -> u32 {
    let batches = (u64::from(BATCHES) * some as u64).div_ceil(u64::from(all.max(1)));
    (batches as u32).clamp(FEWEST_BATCHES, BATCHES)
}

/// What the objective rises by if each vertex alone joins its best neighbour, summed over all vertices, each of which is a
/// community.
pub(super) fn all_gains(graph: &UndirectedGraph, options: &CommunitiesOptions) -> f64 {
    let vertices: Vec<u32> = (0..graph.neighbors.rows()).into_par_iter().collect();
    let moves = LocalMoves::new(graph, options, &vertices);
    let choices = team::run(|team| moves.choices(team, &vertices));
    graph.rise(choices.iter().map(|choice| choice.gain).sum())
}

/// The state of the sweeps over a graph.
struct LocalMoves<'g> {
    graph: &'g UndirectedGraph,
    gains: Gains<'g>,
    order: RandomOrder,
    /// The vertices by the smallest batches that they are in.
    groups: Groups,
    /// The vertices to visit.
    active: Vec<AtomicBool>,
    communities: Wishes,
    totals: Totals,
    /// Labels that no vertex had in this sweep, if one was needed.
    unused: Option<Vec<u32>>,
    tallies: BatchTallies,
    has_moved: bool,
}

/// The best community for a vertex, and the gain.
#[derive(Clone, Copy, Default)]
struct BestMove {
    /// [`NONE`] for a new one.
    community: u32,
    gain: f64,
}

/// A vertex that wants to move.
struct Mover {
    vertex: u32,
    choice: BestMove,
    waits: bool,
}

impl<'g> LocalMoves<'g> {
    fn new(graph: &'g UndirectedGraph, options: &CommunitiesOptions, communities: &[u32]) -> Self {
        let gains = Gains::new(graph, options);
        let (vertices, neighbors) = (0..graph.neighbors.rows(), &graph.neighbors);
        let are_alone =
            communities.par_iter().zip(vertices.clone()).all(|(&own, vertex)| own == vertex);
        // Without neighbours, a vertex that is alone has nowhere to go.
        let is_active = |vertex| !are_alone || neighbors.row_len(vertex) > 0;
        let order = RandomOrder::new(options.seed);
        let group_of = vertices.clone().into_par_iter().map(|vertex| order.part(vertex, BATCHES));
        let group_of: Vec<u32> = group_of.collect();
        Self {
            graph,
            order,
            groups: Groups::new(&group_of, BATCHES),
            active: vertices.into_par_iter().map(|vertex| is_active(vertex).into()).collect(),
            communities: Wishes::new(communities),
            totals: Totals::new(graph, &gains, communities, options.max_community_size),
            gains,
            unused: None,
            tallies: BatchTallies::new(graph.neighbors.rows()),
            has_moved: false,
        }
    }

    /// Sweeps until the objective converges. Returns the number of sweeps, and whether they converged.
    fn sweep_all(
        &mut self,
        team: &Team,
        options: &CommunitiesOptions,
        little: f64,
        mut in_batches: bool,
    ) -> (u32, bool) {
        let (mut sweeps, mut converged, mut rise) = (0, false, 0.0);
        let mut checked = f64::NEG_INFINITY;
        let cancel = Cancel::current();
        while !converged && sweeps < options.max_iterations {
            cancel.poll();
            let gain = if in_batches { self.sweep(team) } else { self.sweep_one_by_one(team) };
            let last = self.graph.rise(gain);
            rise += last;
            converged = last <= options.tolerance.max(little * rise);
            sweeps += 1;
            if in_batches && sweeps % SWEEPS_PER_CHECK == 0 {
                // Moves at the same time may undo each other's gains, sweep after sweep.
                let now = quality(self.graph, &self.communities.to_labels(), options);
                in_batches = now > checked;
                checked = now;
            }
        }
        (sweeps, converged)
    }

    /// Visits the active vertices in batches. Returns the sum of the gains.
    fn sweep(&mut self, team: &Team) -> f64 {
        let groups = self.start_sweep(team);
        let active = groups.iter().map(Vec::len).sum();
        let batches = batches(active, self.graph.neighbors.rows()) as usize;
        let start = |batch: usize| batch * groups.len() / batches;
        let batch = |batch| groups[start(batch)..start(batch + 1)].concat();
        (0..batches).map(|index| self.visit(team, &batch(index))).sum()
    }

    /// Visits the active vertices, each alone. Returns the sum of the gains.
    fn sweep_one_by_one(&mut self, team: &Team) -> f64 {
        let mut active = self.start_sweep(team).concat();
        active.sort_unstable_by_key(|&vertex| self.order.rank(vertex));
        active.into_iter().map(|vertex| self.visit(team, &[vertex])).sum()
    }

    /// The active vertices of each group.
    fn start_sweep(&mut self, team: &Team) -> Vec<Vec<u32>> {
        self.unused = None;
        let mut groups = vec![Vec::new(); BATCHES as usize];
        let threads = team.threads_for(self.active.len() as u64, VERTICES_PER_THREAD);
        team.for_chunks(threads, &mut groups, GROUPS_AT_ONCE, |_, first, groups| {
            for (group, active) in (first as u32..).zip(groups) {
                let vertices = self.groups.members(group).iter().copied();
                active.extend(vertices.filter(|&it| self.active[it as usize].load(Relaxed)));
            }
        });
        groups
    }

    /// Visits a batch. Returns the sum of the gains.
    fn visit(&mut self, team: &Team, batch: &[u32]) -> f64 {
        let choices = self.choices(team, batch);
        let movers = batch.iter().zip(&choices).filter(|(_, choice)| choice.gain > 0.0);
        let mut movers: Vec<Mover> =
            movers.map(|(&vertex, &choice)| Mover { vertex, choice, waits: false }).collect();
        if movers.is_empty() {
            return 0.0;
        }
        let (threads, size) = shares(team, self.graph, movers.iter().map(|mover| mover.vertex));
        team.for_chunks(threads, &mut movers, size, |_, _, movers| {
            for mover in movers {
                mover.waits = self.communities.must_wait(self.graph, mover.vertex);
            }
        });
        self.apply(team, &movers)
    }

    /// What each vertex of a batch wants.
    fn choices(&self, team: &Team, vertices: &[u32]) -> Vec<BestMove> {
        let batch = Batch { team, graph: self.graph, vertices };
        let mut choices = Vec::new();
        let community = |_, other| self.communities.label(other);
        self.tallies.for_each(batch, &mut choices, community, |vertex, tally| {
            self.active[vertex as usize].store(false, Relaxed);
            let choice = self.choose(vertex, tally);
            if choice.gain > 0.0 {
                self.communities.want(vertex, choice.community);
            }
            choice
        });
        choices
    }

    /// The community with the largest gain: a vertex's own if no other is better, the smallest of several others, and a new one
    /// if that is better than all of them. The tally has the weights to the communities around.
    fn choose(&self, vertex: u32, tally: &Tally) -> BestMove {
        let own = self.communities.label(vertex);
        let mass = self.gains.masses.of(vertex);
        let size = self.graph.sizes[vertex as usize];
        if mass.all == 0.0 {
            return BestMove { community: own, gain: 0.0 };
        }
        let mass_without = self.totals.masses.get(own) - mass;
        let stay = self.gains.of(vertex, tally.get(own), mass_without);
        let is_possible = |&(community, _): &(u32, f64)| {
            community != own && self.totals.has_room(community, size)
        };
        let choices = tally.sums().filter(is_possible).map(|(community, weight)| BestMove {
            community,
            gain: self.gains.of(vertex, weight, self.totals.masses.get(community)) - stay,
        });
        let best = choices.fold(BestMove { community: own, gain: 0.0 }, |best, other| {
            let is_tie = other.gain == best.gain && best.community != own;
            let is_better = other.gain > best.gain || (is_tie && other.community < best.community);
            if is_better { other } else { best }
        });
        if -stay > best.gain && mass_without.all > 0.0 {
            BestMove { community: NONE, gain: -stay }
        } else {
            best
        }
    }

    /// Moves vertices, and activates their neighbours in other communities. Returns the sum of the gains.
    fn apply(&mut self, team: &Team, movers: &[Mover]) -> f64 {
        let mut gains = vec![0.0; movers.len()];
        let threads = if self.totals.are_limited() {
            // A move may take the room of another one.
            1
        } else {
            team.threads_for(movers.len() as u64, VERTICES_PER_THREAD)
        };
        team.for_chunks(threads, &mut gains, VERTICES_PER_THREAD as usize, |_, first, gains| {
            let gains = gains.iter_mut().zip(&movers[first..]);
            gains.for_each(|(gain, mover)| *gain = self.move_one(mover));
        });
        for (mover, gain) in movers.iter().zip(&mut gains) {
            if mover.choice.community == NONE && !mover.waits {
                *gain = self.found(mover);
            }
        }
        self.activate(team, movers, &gains);
        let gain = gains.iter().sum();
        self.has_moved |= gain > 0.0;
        gain
    }

    /// Activates the vertices that did not move, and the neighbours of those that did in other communities.
    fn activate(&self, team: &Team, movers: &[Mover], gains: &[f64]) {
        let (threads, size) = shares(team, self.graph, movers.iter().map(|mover| mover.vertex));
        team.for_tasks(threads, movers.len().div_ceil(size), |_, task| {
            let movers = movers.iter().zip(gains).skip(task * size).take(size);
            for (&Mover { vertex, .. }, &gain) in movers {
                if gain == 0.0 {
                    self.active[vertex as usize].store(true, Relaxed);
                    continue;
                }
                let own = self.communities.label(vertex);
                for &other in self.graph.neighbors.row(vertex) {
                    if self.communities.label(other) != own {
                        self.active[other as usize].store(true, Relaxed);
                    }
                }
            }
        });
    }

    /// Moves a vertex to the community that it wants. Returns the gain: 0 if it waits, or finds no room.
    fn move_one(&self, mover: &Mover) -> f64 {
        let &Mover { vertex, choice: BestMove { community, gain }, waits } = mover;
        let size = self.graph.sizes[vertex as usize];
        if waits || community == NONE || !self.totals.has_room(community, size) {
            self.communities.keep(vertex);
            return 0.0;
        }
        let (mass, own) = (self.gains.masses.of(vertex), self.communities.label(vertex));
        self.totals.move_vertex(mass, size, own, community);
        self.communities.take(vertex, community);
        gain
    }

    /// Moves a vertex to a new community. Returns the gain: 0 until a label is free.
    fn found(&mut self, mover: &Mover) -> f64 {
        let unused = self.unused.get_or_insert_with(|| {
            let mut is_used = vec![false; self.active.len()];
            let vertices = 0..is_used.len() as u32;
            vertices.for_each(|it| is_used[self.communities.label(it) as usize] = true);
            (0..is_used.len() as u32).filter(|&label| !is_used[label as usize]).collect()
        });
        let Some(community) = unused.pop() else { return 0.0 };
        let choice = BestMove { community, ..mover.choice };
        self.move_one(&Mover { choice, ..*mover })
    }
}
