//! Refinement: the communities of the local moves are built anew from single vertices, so that each part is connected.
//!
//! By Traag, Waltman and van Eck, "From Louvain to Leiden: guaranteeing well-connected communities" (2019), Algorithm A.2. A vertex
//! that is still alone, and well connected to the rest of its community, joins the well-connected part with the largest gain, where
//! the paper draws one at random. Only vertices that are alone move, and none joins a vertex that moves in the same batch: so parts
//! grow along edges, and lose no vertex. Several vertices of a batch may join one part, each with the gain that it has alone.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use equipoise_graph::{cancel::Cancel, memory, parallel::*};

use super::{
    CommunitiesOptions,
    batch::{Batch, BatchTallies, shares},
    groups::Groups,
    local_moves::batches,
    masses::CommunityMasses,
    objective::Gains,
    random_order::RandomOrder,
    tally::Tally,
    totals::ExactSums,
    undirected::UndirectedGraph,
    wishes::Wishes,
};
use crate::{
    NONE, Result,
    certificate::Sets,
    team::{self, Team},
};

/// The parts of each community, labelled with vertices.
pub(super) fn refine(
    graph: &UndirectedGraph,
    communities: &[u32],
    options: &CommunitiesOptions,
) -> Result<Vec<u32>> {
    let vertices = graph.neighbors.rows();
    // Parts, wanted ones, masses, those of parts and communities, weights to the rest, flags, joiners, and the vertices in batches.
    let bytes = memory::bytes_of::<[u32; 22]>(vertices.into());
    memory::check(format_args!("refining communities of {vertices} vertices"), bytes)?;
    let mut refinement = Refinement::new(graph, communities, options);
    team::run(|team| refinement.visit_all(team, options));
    Ok(refinement.parts.to_labels())
}

struct Refinement<'g> {
    graph: &'g UndirectedGraph,
    gains: Gains<'g>,
    communities: &'g [u32],
    /// The mass of each community.
    masses: CommunityMasses,
    parts: Wishes,
    part_masses: CommunityMasses,
    /// The weight from each part to the rest of its community.
    outside: ExactSums,
    /// Whether each vertex is a part of its own.
    is_alone: Vec<AtomicBool>,
    tallies: BatchTallies,
    /// The vertices of a batch that want to join each part; none between batches.
    joiners: Vec<Joiners>,
}

/// The vertices of a batch that want to join a part.
#[derive(Clone, Copy, Default)]
struct Joiners {
    count: u32,
    /// The smallest, if there are any.
    first: u32,
}

/// A vertex that joins a part.
#[derive(Clone, Copy, Default)]
struct Wish {
    vertex: u32,
    part: u32,
    /// The weight from the vertex to the part.
    weight: f64,
}

impl<'g> Refinement<'g> {
    fn new(
        graph: &'g UndirectedGraph,
        communities: &'g [u32],
        options: &CommunitiesOptions,
    ) -> Self {
        let gains = Gains::new(graph, options);
        let parts: Vec<u32> = (0..graph.neighbors.rows()).into_par_iter().collect();
        let outside = |&vertex: &u32| graph.weight_to_own(vertex, communities);
        let outside: Vec<f64> = parts.par_iter().map(outside).collect();
        Self {
            graph,
            communities,
            masses: gains.masses.sums(communities),
            part_masses: gains.masses.sums(&parts),
            outside: ExactSums::new(&parts, &outside, graph.unit),
            is_alone: parts.par_iter().map(|_| true.into()).collect(),
            parts: Wishes::new(&parts),
            gains,
            tallies: BatchTallies::new(graph.neighbors.rows()),
            joiners: vec![Joiners::default(); parts.len()],
        }
    }

    /// Visits all vertices, and those that wait for a neighbour again.
    fn visit_all(&mut self, team: &Team, options: &CommunitiesOptions) {
        // Another order than that of the local moves.
        let order = RandomOrder::new(!options.seed);
        let cancel = Cancel::current();
        let vertices = self.graph.neighbors.rows();
        let mut waiting: Vec<u32> = (0..vertices).collect();
        while !waiting.is_empty() {
            cancel.poll();
            let batches = batches(waiting.len(), vertices);
            let batch_of = waiting.iter().map(|&vertex| order.part(vertex, batches));
            let batch_of: Vec<u32> = batch_of.collect();
            let mut next = Vec::new();
            for members in Groups::new(&batch_of, batches).iter() {
                let batch = members.iter().map(|&index| waiting[index as usize]);
                let batch: Vec<u32> = batch.filter(|&vertex| self.may_join(vertex)).collect();
                self.visit(team, &batch, &mut next);
            }
            waiting = next;
        }
    }

    /// Lets the vertices of a batch join parts. Adds those that wait for a neighbour to `waiting`.
    fn visit(&mut self, team: &Team, vertices: &[u32], waiting: &mut Vec<u32>) {
        let batch = Batch { team, graph: self.graph, vertices };
        let mut wishes = Vec::new();
        let part = |vertex: u32, other: u32| {
            let [own, its] = [vertex, other].map(|vertex| self.communities[vertex as usize]);
            if own == its { self.parts.label(other) } else { NONE }
        };
        self.tallies.for_each(batch, &mut wishes, part, |vertex, tally| {
            let part = self.choose(vertex, tally);
            self.parts.want(vertex, part);
            Wish { vertex, part, weight: tally.get(part) }
        });
        wishes.retain(|wish| wish.part != wish.vertex);
        for wish in &wishes {
            let joiners = &mut self.joiners[wish.part as usize];
            let first = if joiners.count == 0 { wish.vertex } else { joiners.first };
            *joiners = Joiners { count: joiners.count + 1, first: first.min(wish.vertex) };
        }
        let (late, joining): (Vec<Wish>, Vec<Wish>) =
            wishes.iter().copied().partition(|wish| self.must_wait(wish));
        late.iter().for_each(|wish| self.parts.keep(wish.vertex));
        let mut changes = vec![0.0; joining.len()];
        let (threads, size) = shares(team, self.graph, joining.iter().map(|wish| wish.vertex));
        team.for_chunks(threads, &mut changes, size, |_, first, changes| {
            let changes = changes.iter_mut().zip(&joining[first..]);
            changes.for_each(|(change, wish)| *change = self.change_of_outside(wish));
        });
        joining.iter().zip(changes).for_each(|(wish, change)| self.join(wish, change));
        wishes.iter().for_each(|wish| self.joiners[wish.part as usize] = Joiners::default());
        waiting.extend(late.iter().map(|wish| wish.vertex));
    }

    /// Whether a neighbour with a smaller number wants to join a vertex, or is what the vertex wants to join and leaves it.
    fn must_wait(&self, wish: &Wish) -> bool {
        // Only vertices that are alone move. So a part that one of them leaves is that vertex, and has its label.
        let leaves = self.parts.wanted(wish.part) != self.parts.label(wish.part);
        let joiners = self.joiners[wish.vertex as usize];
        (leaves && wish.part < wish.vertex) || (joiners.count > 0 && joiners.first < wish.vertex)
    }

    /// Whether a vertex may join a part: it is alone, and well connected.
    fn may_join(&self, vertex: u32) -> bool {
        let community = self.communities[vertex as usize];
        self.is_alone[vertex as usize].load(Relaxed) && self.is_well_connected(vertex, community)
    }

    /// The part that a vertex joins; its own if it stays. The tally has the weights to the parts around in its community.
    fn choose(&self, vertex: u32, tally: &Tally) -> u32 {
        let community = self.communities[vertex as usize];
        let gain = |part, weight| self.gains.of(vertex, weight, self.part_masses.get(part));
        let choices = tally.sums().filter(|&(_, weight)| weight > 0.0);
        let choices = choices.map(|(part, weight)| (part, gain(part, weight)));
        let best = choices.fold((vertex, 0.0), |best, (part, gain)| {
            // The vertex itself stands for no part yet: any gain is better, also none.
            let is_better =
                gain > best.1 || (gain == best.1 && (part < best.0 || best.0 == vertex));
            // Last, since it takes the longest.
            if is_better && self.is_well_connected(part, community) { (part, gain) } else { best }
        });
        best.0
    }

    /// Whether a part is well connected to the rest of its community.
    fn is_well_connected(&self, part: u32, community: u32) -> bool {
        let (outside, mass) = (self.outside.get(part), self.part_masses.get(part));
        self.gains.is_well_connected(outside, mass, self.masses.get(community) - mass)
    }

    /// By how much the weight of a part to the rest of its community changes when a vertex joins it.
    fn change_of_outside(&self, wish: &Wish) -> f64 {
        // The part had the edges to the vertex, which now are within. So are those to other vertices that join.
        let within = if self.joiners[wish.part as usize].count == 1 {
            0.0
        } else {
            self.graph.sum_around(wish.vertex, |other, weight| {
                let joins =
                    self.parts.wanted(other) == wish.part && self.parts.label(other) != wish.part;
                if joins { weight } else { 0.0 }
            })
        };
        self.outside.get(wish.vertex) - 2.0 * wish.weight - within
    }

    fn join(&self, wish: &Wish, change: f64) {
        let &Wish { vertex, part, .. } = wish;
        self.part_masses.add(part, self.gains.masses.of(vertex));
        self.outside.add(part, change);
        self.parts.take(vertex, part);
        self.is_alone[vertex as usize].store(false, Relaxed);
        self.is_alone[part as usize].store(false, Relaxed);
    }
}

/// The connected parts of communities, labelled with vertices.
pub(super) fn connected_parts(graph: &UndirectedGraph, communities: &[u32]) -> Vec<u32> {
    let sets = Sets::new(communities.len() as u32);
    (0..communities.len() as u32).into_par_iter().for_each(|vertex| {
        for &other in graph.neighbors.row(vertex) {
            if other < vertex && communities[other as usize] == communities[vertex as usize] {
                sets.join(vertex, other);
            }
        }
    });
    (0..communities.len() as u32).into_par_iter().map(|vertex| sets.root(vertex)).collect()
}
