//! Local moves on the cpu: vertices move to the community of a neighbour as long as that raises modularity.
//!
//! Vertices are visited in batches. All of a batch choose at the same time, by the communities before it. Where a vertex wants to
//! join a neighbour's community that the neighbour itself wants to leave, only one of the two moves: otherwise they could
//! swap communities forever. The result does not depend on the number of threads. After its first visit, a vertex is visited
//! again only after a neighbour has moved.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use equipoise_graph::{cancel::Cancel, parallel::*};

use super::{
    CommunitiesOptions,
    groups::Groups,
    louvain::Moved,
    random_order::RandomOrder,
    tally::{Tallies, Tally},
    undirected::UndirectedGraph,
};

/// Batches per sweep. With more, vertices know more of each other's moves; with fewer, threads have more to share.
pub(super) const BATCHES: u32 = 64;
/// The share of a level's rise of modularity that a sweep must exceed for another one to follow: the next level moves the same
/// vertices in groups, in less time.
pub(super) const LITTLE: f64 = 3e-4;
/// Vertices per task of a thread.
const VERTICES_AT_ONCE: usize = 1 << 10;

/// Sweeps over the vertices, each of which starts as a community, until modularity converges.
pub(super) fn move_all(graph: &UndirectedGraph, options: &CommunitiesOptions) -> Moved {
    let start = Moved::none(graph, options.resolution);
    let moved = move_in_batches(graph, options, BATCHES);
    if moved.modularity > start.modularity {
        return moved;
    }
    // Moves at the same time cancelled each other's gains. Moves one after the other cannot.
    let moved = move_in_batches(graph, options, graph.neighbors.rows());
    if moved.modularity > start.modularity { moved } else { start }
}

fn move_in_batches(graph: &UndirectedGraph, options: &CommunitiesOptions, batches: u32) -> Moved {
    let mut moves = LocalMoves::new(graph, options);
    let (mut sweeps, mut converged, mut rise) = (0, false, 0.0);
    let cancel = Cancel::current();
    while !converged && sweeps < options.max_iterations {
        cancel.poll();
        let last = moves.sweep(batches);
        rise += last;
        converged = last <= options.tolerance.max(LITTLE * rise);
        sweeps += 1;
    }
    let modularity = graph.modularity(&moves.communities, options.resolution);
    Moved { communities: moves.communities, modularity, sweeps, converged }
}

/// What modularity rises by if each vertex alone joins its best neighbour, summed over all vertices, each of which is a community.
pub(super) fn all_gains(graph: &UndirectedGraph, options: &CommunitiesOptions) -> f64 {
    let moves = LocalMoves::new(graph, options);
    let (vertices, mut choices) = ((0..graph.neighbors.rows()).collect::<Vec<u32>>(), Vec::new());
    moves.tallies.for_each(&graph.neighbors, &vertices, &mut choices, |vertex, tally| {
        moves.choose(vertex, tally)
    });
    graph.rise(choices.iter().map(|choice| choice.gain).sum())
}

/// The state of the sweeps over a graph.
struct LocalMoves<'g> {
    graph: &'g UndirectedGraph,
    resolution: f64,
    order: RandomOrder,
    /// The vertices to visit.
    active: Vec<AtomicBool>,
    communities: Vec<u32>,
    /// The total strength of each community.
    totals: Vec<f64>,
    /// The community that each vertex of a batch wants to join; everywhere else its own.
    wanted: Vec<u32>,
    tallies: Tallies,
}

/// The best community for a vertex, and the gain.
#[derive(Clone, Copy, Default)]
struct BestMove {
    community: u32,
    gain: f64,
}

impl<'g> LocalMoves<'g> {
    fn new(graph: &'g UndirectedGraph, options: &CommunitiesOptions) -> Self {
        let vertices = graph.neighbors.rows();
        let communities: Vec<u32> = (0..vertices).collect();
        Self {
            graph,
            resolution: options.resolution,
            order: RandomOrder::new(options.seed),
            active: (0..vertices).into_par_iter().map(|_| AtomicBool::new(true)).collect(),
            wanted: communities.clone(),
            communities,
            totals: graph.strengths.clone(),
            tallies: Tallies::new(),
        }
    }

    /// Visits the active vertices, in at most as many batches. Returns the rise of modularity.
    fn sweep(&mut self, batches: u32) -> f64 {
        let is_active = |&vertex: &u32| self.active[vertex as usize].load(Relaxed);
        let vertices = (0..self.communities.len() as u32).into_par_iter();
        let active: Vec<u32> = vertices.filter(is_active).collect();
        let batch_of: Vec<u32> =
            active.par_iter().map(|&vertex| self.order.part(vertex, batches)).collect();
        let mut gain = 0.0;
        for members in Groups::new(&batch_of, batches).iter() {
            let vertices: Vec<u32> = members.iter().map(|&index| active[index as usize]).collect();
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
        let moves = |(_, choice): &(&u32, &BestMove)| choice.gain > 0.0;
        let mut movers: Vec<(u32, BestMove)> = { batch.iter().zip(&choices) }
            .filter(moves)
            .map(|(&vertex, &choice)| (vertex, choice))
            .collect();
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
                self.wanted[vertex as usize] = self.communities[vertex as usize];
                self.active[vertex as usize].store(true, Relaxed);
            }
            !waits
        });
        self.apply(&movers)
    }

    /// The community of a vertex or of a neighbour with the largest gain of modularity: its own if no other is better, the
    /// smallest of several others.
    fn choose(&self, vertex: u32, tally: &mut Tally) -> BestMove {
        let (graph, own) = (self.graph, self.communities[vertex as usize]);
        let strength = graph.strengths[vertex as usize];
        if strength == 0.0 {
            return BestMove { community: own, gain: 0.0 };
        }
        tally.clear(graph.neighbors.row_len(vertex));
        for (other, weight) in graph.edges(vertex) {
            tally.add(self.communities[other as usize], weight);
        }
        let scale = self.resolution * strength / graph.total;
        let gain = |weight: f64, total: f64| weight - scale * total;
        let stay = gain(tally.get(own), self.totals[own as usize] - strength);
        let others = tally.sums().filter(|&(community, _)| community != own);
        let choices = others.map(|(community, weight)| BestMove {
            community,
            gain: gain(weight, self.totals[community as usize]) - stay,
        });
        choices.fold(BestMove { community: own, gain: 0.0 }, |best, other| {
            let is_tie = other.gain == best.gain && best.community != own;
            let is_better = other.gain > best.gain || (is_tie && other.community < best.community);
            if is_better { other } else { best }
        })
    }

    /// Whether a neighbour with a smaller number wants to leave the community that a vertex wants to join, or to join its own.
    fn waits(&self, vertex: u32, target: u32) -> bool {
        let own = self.communities[vertex as usize];
        self.graph.neighbors.row(vertex).iter().any(|&other| {
            let [from, to] = [&self.communities, &self.wanted].map(|of| of[other as usize]);
            other < vertex && from != to && (from == target || to == own)
        })
    }

    /// Moves vertices, and activates their neighbours in other communities. Returns the sum of the gains.
    fn apply(&mut self, movers: &[(u32, BestMove)]) -> f64 {
        let mut gain = 0.0;
        for &(vertex, choice) in movers {
            let strength = self.graph.strengths[vertex as usize];
            let own = std::mem::replace(&mut self.communities[vertex as usize], choice.community);
            self.totals[own as usize] -= strength;
            self.totals[choice.community as usize] += strength;
            gain += choice.gain;
        }
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
