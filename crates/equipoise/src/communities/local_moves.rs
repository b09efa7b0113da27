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
    groups::Groups,
    objective::{Gains, quality},
    random_order::RandomOrder,
    tally::{Tallies, Tally, is_little},
    totals::Totals,
    undirected::{UndirectedGraph, sum_in_parts},
    wishes::Wishes,
};
use crate::{NONE, Result};

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
/// Vertices per task of a thread.
const VERTICES_AT_ONCE: usize = 1 << 6;

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

/// Sweeps over the vertices until the objective converges. They start from communities that are labelled with vertices, with
/// `first` as the value of the objective; each as a community without them.
pub(super) fn move_all(
    graph: &UndirectedGraph,
    options: &CommunitiesOptions,
    start: Option<&[u32]>,
    first: f64,
) -> Result<Moved> {
    let vertices = graph.neighbors.rows();
    // Communities, wanted ones, masses, their totals, sizes, unused labels, active vertices in batches, their choices and moves.
    let bytes = memory::bytes_of::<[u32; 24]>(vertices.into());
    memory::check(format_args!("moving {vertices} vertices between communities"), bytes)?;
    let singletons = || (0..vertices).into_par_iter().collect();
    let start: Vec<u32> = start.map_or_else(singletons, <[u32]>::to_vec);
    let mut moved = sweep_all(graph, options, &start, true);
    if moved.has_moved && moved.result.modularity <= first {
        // Moves at the same time cancelled each other's gains. Moves one after the other cannot.
        moved = sweep_all(graph, options, &start, false);
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
    mut in_batches: bool,
) -> SweepsEnd {
    let mut moves = LocalMoves::new(graph, options, start);
    let (mut sweeps, mut converged, mut rise) = (0, false, 0.0);
    let mut checked = f64::NEG_INFINITY;
    let cancel = Cancel::current();
    while !converged && sweeps < options.max_iterations {
        cancel.poll();
        let gain = if in_batches { moves.sweep() } else { moves.sweep_one_by_one() };
        let last = graph.rise(gain);
        rise += last;
        converged = last <= options.tolerance.max(LITTLE * rise);
        sweeps += 1;
        if in_batches && sweeps % SWEEPS_PER_CHECK == 0 {
            // Moves at the same time may undo each other's gains, sweep after sweep.
            let now = quality(graph, &moves.communities.to_labels(), options);
            in_batches = now > checked;
            checked = now;
        }
    }
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
    graph.rise(moves.choices(&vertices).iter().map(|choice| choice.gain).sum())
}

/// The state of the sweeps over a graph.
struct LocalMoves<'g> {
    graph: &'g UndirectedGraph,
    gains: Gains<'g>,
    order: RandomOrder,
    /// The vertices to visit.
    active: Vec<AtomicBool>,
    communities: Wishes,
    totals: Totals,
    /// Labels that no vertex had in this sweep, if one was needed.
    unused: Option<Vec<u32>>,
    tallies: Tallies,
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
        Self {
            graph,
            order: RandomOrder::new(options.seed),
            active: vertices.into_par_iter().map(|vertex| is_active(vertex).into()).collect(),
            communities: Wishes::new(communities),
            totals: Totals::new(graph, &gains, communities, options.max_community_size),
            gains,
            unused: None,
            tallies: Tallies::new(),
            has_moved: false,
        }
    }

    /// Visits the active vertices in batches. Returns the sum of the gains.
    fn sweep(&mut self) -> f64 {
        let active = self.start_sweep();
        let batches = batches(active.len(), self.graph.neighbors.rows());
        let batch_of: Vec<u32> =
            active.par_iter().map(|&vertex| self.order.part(vertex, batches)).collect();
        let mut gain = 0.0;
        for members in Groups::new(&batch_of, batches).iter() {
            let vertices: Vec<u32> = members.iter().map(|&index| active[index as usize]).collect();
            gain += self.visit(&vertices);
        }
        gain
    }

    /// Visits the active vertices, each alone. Returns the sum of the gains.
    fn sweep_one_by_one(&mut self) -> f64 {
        let mut active = self.start_sweep();
        active.sort_unstable_by_key(|&vertex| self.order.rank(vertex));
        active.into_iter().map(|vertex| self.visit(&[vertex])).sum()
    }

    /// The active vertices.
    fn start_sweep(&mut self) -> Vec<u32> {
        self.unused = None;
        let is_active = |&vertex: &u32| self.active[vertex as usize].load(Relaxed);
        (0..self.active.len() as u32).into_par_iter().filter(is_active).collect()
    }

    /// Visits a batch. Returns the sum of the gains.
    fn visit(&mut self, batch: &[u32]) -> f64 {
        let choices = self.choices(batch);
        let least = if is_little(self.graph, batch) { batch.len() } else { VERTICES_AT_ONCE };
        let movers = batch.par_iter().zip(&choices).with_min_len(least);
        let movers = movers.filter(|(_, choice)| choice.gain > 0.0);
        let movers: Vec<Mover> = movers
            .map(|(&vertex, &choice)| {
                let waits = self.communities.must_wait(self.graph, vertex);
                Mover { vertex, choice, waits }
            })
            .collect();
        if movers.is_empty() {
            return 0.0;
        }
        self.apply(&movers, least)
    }

    /// What each vertex of a batch wants.
    fn choices(&self, batch: &[u32]) -> Vec<BestMove> {
        let mut choices = Vec::new();
        let community = |_, other| self.communities.label(other);
        self.tallies.for_each(self.graph, batch, &mut choices, community, |vertex, tally| {
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
    fn apply(&mut self, movers: &[Mover], least: usize) -> f64 {
        let mut gains: Vec<f64> = if self.totals.are_limited() {
            // A move may take the room of another one.
            movers.iter().map(|mover| self.move_one(mover)).collect()
        } else {
            movers.par_iter().with_min_len(least).map(|mover| self.move_one(mover)).collect()
        };
        for (mover, gain) in movers.iter().zip(&mut gains) {
            if mover.choice.community == NONE && !mover.waits {
                *gain = self.found(mover);
            }
        }
        movers.par_iter().zip(&gains).with_min_len(least).for_each(|(mover, &gain)| {
            if gain == 0.0 {
                return self.active[mover.vertex as usize].store(true, Relaxed);
            }
            let own = self.communities.label(mover.vertex);
            self.graph.any_around(mover.vertex, |other| {
                if self.communities.label(other) != own {
                    self.active[other as usize].store(true, Relaxed);
                }
                false
            });
        });
        let gain = sum_in_parts(&gains, |&gain| gain);
        self.has_moved |= gain > 0.0;
        gain
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
            self.communities.to_labels().iter().for_each(|&label| is_used[label as usize] = true);
            (0..is_used.len() as u32).filter(|&label| !is_used[label as usize]).collect()
        });
        let Some(community) = unused.pop() else { return 0.0 };
        let choice = BestMove { community, ..mover.choice };
        self.move_one(&Mover { choice, ..*mover })
    }
}
