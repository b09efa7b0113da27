//! Local moves on the cpu: vertices move to the community of a neighbour, or to one of their own, as long as the objective rises.
//!
//! Vertices are visited in batches. All of a batch choose at the same time, by the communities before it. Where a vertex wants to
//! join a neighbour's community that the neighbour itself wants to leave, only one of the two moves: otherwise they could
//! swap communities forever. The result does not depend on the number of threads. After its first visit, a vertex is visited
//! again only after a neighbour has moved.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use equipoise_graph::{Csr, cancel::Cancel, memory, parallel::*};

use super::{
    CommunitiesOptions,
    groups::Groups,
    objective::{Gains, quality},
    random_order::RandomOrder,
    tally::{Tallies, Tally},
    totals::Totals,
    undirected::UndirectedGraph,
};
use crate::{NONE, Result};

/// Batches per sweep. With more, vertices know more of each other's moves; with fewer, threads have more to share.
pub(super) const BATCHES: u32 = 64;
/// The share of a level's rise of modularity that a sweep must exceed for another one to follow: the next level moves the same
/// vertices in groups, in less time.
pub(super) const LITTLE: f64 = 3e-4;
/// Vertices per task of a thread.
const VERTICES_AT_ONCE: usize = 1 << 10;

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

/// Sweeps over the vertices until the objective converges. They start from communities that are labelled with vertices; each as a
/// community without them.
pub(super) fn move_all(
    graph: &UndirectedGraph,
    options: &CommunitiesOptions,
    start: Option<&[u32]>,
) -> Result<Moved> {
    let vertices = graph.neighbors.rows();
    // Communities, wanted ones, masses, their totals, sizes, unused labels, active vertices in batches, and their choices.
    let bytes = memory::bytes_of::<[u32; 20]>(vertices.into());
    memory::check(format_args!("moving {vertices} vertices between communities"), bytes)?;
    let singletons = || (0..vertices).into_par_iter().collect();
    let start: Vec<u32> = start.map_or_else(singletons, <[u32]>::to_vec);
    let first = quality(graph, &start, options);
    let mut moved = move_in_batches(graph, options, &start, BATCHES);
    if moved.has_moved && moved.result.modularity <= first {
        // Moves at the same time cancelled each other's gains. Moves one after the other cannot.
        moved = move_in_batches(graph, options, &start, vertices);
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

fn move_in_batches(
    graph: &UndirectedGraph,
    options: &CommunitiesOptions,
    start: &[u32],
    batches: u32,
) -> SweepsEnd {
    let mut moves = LocalMoves::new(graph, options, start.to_vec());
    let (mut sweeps, mut converged, mut rise) = (0, false, 0.0);
    let cancel = Cancel::current();
    while !converged && sweeps < options.max_iterations {
        cancel.poll();
        let last = moves.sweep(batches);
        rise += last;
        converged = last <= options.tolerance.max(LITTLE * rise);
        sweeps += 1;
    }
    let LocalMoves { communities, has_moved, .. } = moves;
    let modularity = if has_moved { quality(graph, &communities, options) } else { 0.0 };
    SweepsEnd { result: Moved { communities, modularity, sweeps, converged }, has_moved }
}

/// What the objective rises by if each vertex alone joins its best neighbour, summed over all vertices, each of which is a
/// community.
pub(super) fn all_gains(graph: &UndirectedGraph, options: &CommunitiesOptions) -> f64 {
    let vertices: Vec<u32> = (0..graph.neighbors.rows()).into_par_iter().collect();
    let moves = LocalMoves::new(graph, options, vertices.clone());
    let mut choices = Vec::new();
    moves.tallies.for_each(&graph.neighbors, &vertices, &mut choices, |vertex, tally| {
        moves.choose(vertex, tally)
    });
    graph.rise(choices.iter().map(|choice| choice.gain).sum())
}

/// The state of the sweeps over a graph.
struct LocalMoves<'g> {
    graph: &'g UndirectedGraph,
    gains: Gains<'g>,
    order: RandomOrder,
    /// The vertices to visit.
    active: Vec<AtomicBool>,
    communities: Vec<u32>,
    totals: Totals,
    /// The community that each vertex of a batch wants to join; everywhere else its own.
    wanted: Vec<u32>,
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

impl<'g> LocalMoves<'g> {
    fn new(
        graph: &'g UndirectedGraph,
        options: &CommunitiesOptions,
        communities: Vec<u32>,
    ) -> Self {
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
            wanted: communities.clone(),
            totals: Totals::new(graph, &gains, &communities, options.max_community_size),
            gains,
            communities,
            tallies: Tallies::new(),
            has_moved: false,
        }
    }

    /// Visits the active vertices, in at most as many batches. Returns the rise of the objective.
    fn sweep(&mut self, batches: u32) -> f64 {
        let is_active = |&vertex: &u32| self.active[vertex as usize].load(Relaxed);
        let vertices = (0..self.communities.len() as u32).into_par_iter();
        let active: Vec<u32> = vertices.filter(is_active).collect();
        let batch_of: Vec<u32> =
            active.par_iter().map(|&vertex| self.order.part(vertex, batches)).collect();
        let mut gain = 0.0;
        for members in Groups::new(&batch_of, batches).iter() {
            let vertices = members.par_iter().with_min_len(VERTICES_AT_ONCE);
            let vertices: Vec<u32> = vertices.map(|&index| active[index as usize]).collect();
            gain += self.visit(&vertices);
        }
        self.graph.rise(gain)
    }

    /// Visits a batch. Returns the sum of the gains.
    fn visit(&mut self, batch: &[u32]) -> f64 {
        let mut choices = Vec::new();
        self.tallies.for_each(&self.graph.neighbors, batch, &mut choices, |vertex, tally| {
            self.active[vertex as usize].store(false, Relaxed);
            self.choose(vertex, tally)
        });
        let moves =
            |(&vertex, &choice): (&u32, &BestMove)| (choice.gain > 0.0).then_some((vertex, choice));
        let choices = batch.par_iter().zip(choices.par_iter()).with_min_len(VERTICES_AT_ONCE);
        let mut movers: Vec<(u32, BestMove)> = choices.filter_map(moves).collect();
        for &(vertex, choice) in &movers {
            self.wanted[vertex as usize] = choice.community;
        }
        let waits: Vec<bool> = {
            let movers = movers.par_iter().with_min_len(VERTICES_AT_ONCE);
            movers.map(|&(vertex, choice)| self.waits(vertex, choice.community)).collect()
        };
        let mut waits = waits.into_iter();
        movers.retain(|&(vertex, _)| {
            let waits = waits.next().unwrap_or(false);
            if waits {
                self.stay(vertex);
            }
            !waits
        });
        self.apply(&mut movers)
    }

    /// Gives up what a vertex wants, until a later visit.
    fn stay(&mut self, vertex: u32) {
        self.wanted[vertex as usize] = self.communities[vertex as usize];
        self.active[vertex as usize].store(true, Relaxed);
    }

    /// The community with the largest gain: a vertex's own if no other is better, the smallest of several others, and a new one
    /// if that is better than all of them.
    fn choose(&self, vertex: u32, tally: &mut Tally) -> BestMove {
        let (graph, own) = (self.graph, self.communities[vertex as usize]);
        let mass = self.gains.masses[vertex as usize];
        let size = graph.sizes[vertex as usize];
        if mass == 0.0 {
            return BestMove { community: own, gain: 0.0 };
        }
        tally.clear(graph.neighbors.row_len(vertex));
        for (other, weight) in graph.edges(vertex) {
            tally.add(self.communities[other as usize], weight);
        }
        let mass_without = self.totals.masses[own as usize] - mass;
        let stay = self.gains.of(vertex, tally.get(own), mass_without);
        let is_possible = |&(community, _): &(u32, f64)| {
            community != own && self.totals.has_room(community, size)
        };
        let choices = tally.sums().filter(is_possible).map(|(community, weight)| BestMove {
            community,
            gain: self.gains.of(vertex, weight, self.totals.masses[community as usize]) - stay,
        });
        let best = choices.fold(BestMove { community: own, gain: 0.0 }, |best, other| {
            let is_tie = other.gain == best.gain && best.community != own;
            let is_better = other.gain > best.gain || (is_tie && other.community < best.community);
            if is_better { other } else { best }
        });
        if -stay > best.gain && self.totals.is_larger(own, size) {
            BestMove { community: NONE, gain: -stay }
        } else {
            best
        }
    }

    fn waits(&self, vertex: u32, target: u32) -> bool {
        must_wait(&self.graph.neighbors, &self.communities, &self.wanted, vertex, target)
    }

    /// Moves vertices, and activates their neighbours in other communities. Returns the sum of the gains.
    fn apply(&mut self, movers: &mut Vec<(u32, BestMove)>) -> f64 {
        let mut gain = 0.0;
        movers.retain_mut(|(vertex, choice)| {
            let (index, mass) = (*vertex as usize, self.gains.masses[*vertex as usize]);
            let (size, own) = (self.graph.sizes[index], self.communities[index]);
            let Some(community) = self.totals.move_vertex(mass, size, own, choice.community) else {
                self.wanted[index] = own;
                self.active[index].store(true, Relaxed);
                return false;
            };
            (self.communities[index], self.wanted[index]) = (community, community);
            choice.community = community;
            gain += choice.gain;
            true
        });
        self.has_moved |= !movers.is_empty();
        let (communities, active) = (&self.communities, &self.active);
        movers.par_iter().with_min_len(VERTICES_AT_ONCE).for_each(|&(vertex, choice)| {
            for &other in self.graph.neighbors.row(vertex) {
                if communities[other as usize] != choice.community {
                    active[other as usize].store(true, Relaxed);
                }
            }
        });
        gain
    }
}

/// Whether a neighbour with a smaller number wants to leave the community that a vertex wants to join, or to join its own.
pub(super) fn must_wait(
    neighbors: &Csr,
    communities: &[u32],
    wanted: &[u32],
    vertex: u32,
    target: u32,
) -> bool {
    let own = communities[vertex as usize];
    neighbors.row(vertex).iter().any(|&other| {
        let [from, to] = [communities, wanted].map(|of| of[other as usize]);
        other < vertex && from != to && (from == target || to == own)
    })
}
