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
    groups::Groups,
    local_moves::batches,
    masses::CommunityMasses,
    objective::Gains,
    random_order::RandomOrder,
    tally::{Tallies, Tally},
    totals::ExactSums,
    undirected::UndirectedGraph,
    wishes::Wishes,
};
use crate::{NONE, Result, certificate::Sets};

/// Vertices per task of a thread.
const VERTICES_AT_ONCE: usize = 1 << 6;

/// The parts of each community, labelled with vertices.
pub(super) fn refine(
    graph: &UndirectedGraph,
    communities: &[u32],
    options: &CommunitiesOptions,
) -> Result<Vec<u32>> {
    let vertices = graph.neighbors.rows();
    // Parts, wanted ones, masses, those of parts and communities, weights to the rest, flags, and the vertices in batches.
    let bytes = memory::bytes_of::<[u32; 20]>(vertices.into());
    memory::check(format_args!("refining communities of {vertices} vertices"), bytes)?;
    let refinement = Refinement::new(graph, communities, options);
    // Another order than that of the local moves.
    let order = RandomOrder::new(!options.seed);
    let cancel = Cancel::current();
    let mut waiting: Vec<u32> = (0..vertices).into_par_iter().collect();
    while !waiting.is_empty() {
        cancel.poll();
        let batches = batches(waiting.len(), vertices);
        let batch_of = waiting.par_iter().map(|&vertex| order.part(vertex, batches));
        let batch_of: Vec<u32> = batch_of.collect();
        let mut next = Vec::new();
        for members in Groups::new(&batch_of, batches).iter() {
            let batch = members.par_iter().with_min_len(VERTICES_AT_ONCE);
            let batch: Vec<u32> = batch
                .map(|&index| waiting[index as usize])
                .filter(|&vertex| refinement.may_join(vertex))
                .collect();
            next.extend(refinement.visit(&batch));
        }
        waiting = next;
    }
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
    tallies: Tallies,
}

impl<'g> Refinement<'g> {
    fn new(
        graph: &'g UndirectedGraph,
        communities: &'g [u32],
        options: &CommunitiesOptions,
    ) -> Self {
        let gains = Gains::new(graph, options);
        let parts: Vec<u32> = (0..graph.neighbors.rows()).into_par_iter().collect();
        let outside =
            |&vertex: &u32| {
                let own = communities[vertex as usize];
                graph.sum_around(vertex, |other, weight| {
                    if communities[other as usize] == own { weight } else { 0.0 }
                })
            };
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
            tallies: Tallies::new(),
        }
    }

    /// Lets the vertices of a batch join parts. Returns those that wait for a neighbour.
    fn visit(&self, batch: &[u32]) -> Vec<u32> {
        let mut wanted = Vec::new();
        let part = |vertex: u32, other: u32| {
            let [own, its] = [vertex, other].map(|vertex| self.communities[vertex as usize]);
            if own == its { self.parts.label(other) } else { NONE }
        };
        self.tallies.for_each(self.graph, batch, &mut wanted, part, |vertex, tally| {
            let part = self.choose(vertex, tally);
            self.parts.want(vertex, part);
            part
        });
        let wishes = batch.par_iter().zip(&wanted).with_min_len(VERTICES_AT_ONCE);
        let wishes = wishes.filter(|&(vertex, part)| part != vertex);
        let wishes: Vec<(u32, bool)> =
            wishes.map(|(&vertex, _)| (vertex, self.parts.must_wait(self.graph, vertex))).collect();
        let those = |wait: bool| -> Vec<u32> {
            wishes.iter().filter(|wish| wish.1 == wait).map(|wish| wish.0).collect()
        };
        let (waiting, joining) = (those(true), those(false));
        waiting.iter().for_each(|&vertex| self.parts.keep(vertex));
        let each = || joining.par_iter().with_min_len(VERTICES_AT_ONCE);
        let outside: Vec<f64> = each().map(|&vertex| self.change_of_outside(vertex)).collect();
        each().zip(&outside).for_each(|(&vertex, &outside)| self.join(vertex, outside));
        waiting
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
        let choices = tally
            .sums()
            .filter(|&(part, weight)| weight > 0.0 && self.is_well_connected(part, community))
            .map(|(part, weight)| (part, gain(part, weight)))
            .filter(|&(_, gain)| gain >= 0.0);
        let better = |best: (u32, f64), other: (u32, f64)| {
            let is_better = other.1 > best.1 || (other.1 == best.1 && other.0 < best.0);
            if is_better { other } else { best }
        };
        choices.reduce(better).map_or(vertex, |(part, _)| part)
    }

    /// Whether a part is well connected to the rest of its community.
    fn is_well_connected(&self, part: u32, community: u32) -> bool {
        let (outside, mass) = (self.outside.get(part), self.part_masses.get(part));
        self.gains.is_well_connected(outside, mass, self.masses.get(community) - mass)
    }

    /// By how much the weight of a part to the rest of its community changes when a vertex joins it.
    fn change_of_outside(&self, vertex: u32) -> f64 {
        let (community, part) = (self.communities[vertex as usize], self.parts.wanted(vertex));
        self.graph.sum_around(vertex, |other, weight| {
            if self.communities[other as usize] != community {
                0.0
            } else if self.parts.wanted(other) != part {
                weight
            } else if self.parts.label(other) == part {
                // The part had this edge to the vertex.
                -weight
            } else {
                // Another vertex that joins.
                0.0
            }
        })
    }

    fn join(&self, vertex: u32, outside: f64) {
        let part = self.parts.wanted(vertex);
        self.part_masses.add(part, self.gains.masses.of(vertex));
        self.outside.add(part, outside);
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
