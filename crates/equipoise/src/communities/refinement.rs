//! Refinement: the communities of the local moves are built anew from single vertices, so that each part is connected.
//!
//! By Traag, Waltman and van Eck, "From Louvain to Leiden: guaranteeing well-connected communities" (2019), Algorithm A.2. A vertex
//! that is still alone, and well connected to the rest of its community, joins the well-connected part with the largest gain, where
//! the paper draws one at random. Only vertices that are alone move, and none joins a vertex that moves in the same batch: so parts
//! grow along edges, and lose no vertex. Several vertices of a batch may join one part, each with the gain that it has alone.

use equipoise_graph::{cancel::Cancel, memory, parallel::*};

use super::{
    CommunitiesOptions,
    groups::Groups,
    local_moves::{BATCHES, must_wait},
    objective::Gains,
    random_order::RandomOrder,
    tally::{Tallies, Tally},
    undirected::UndirectedGraph,
};
use crate::Result;

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
    let mut refinement = Refinement::new(graph, communities, options);
    // Another order than that of the local moves.
    let order = RandomOrder::new(!options.seed);
    let cancel = Cancel::current();
    let mut waiting: Vec<u32> = (0..vertices).into_par_iter().collect();
    while !waiting.is_empty() {
        cancel.poll();
        let batch_of = waiting.par_iter().map(|&vertex| order.part(vertex, BATCHES));
        let batch_of: Vec<u32> = batch_of.collect();
        let mut next = Vec::new();
        for members in Groups::new(&batch_of, BATCHES).iter() {
            let batch: Vec<u32> = members.iter().map(|&index| waiting[index as usize]).collect();
            refinement.visit(&batch, &mut next);
        }
        waiting = next;
    }
    Ok(refinement.parts)
}

struct Refinement<'g> {
    graph: &'g UndirectedGraph,
    gains: Gains<'g>,
    communities: &'g [u32],
    /// The mass of each community.
    masses: Vec<f64>,
    parts: Vec<u32>,
    part_masses: Vec<f64>,
    /// The weight from each part to the rest of its community.
    outside: Vec<f64>,
    /// Whether each vertex is a part of its own.
    is_alone: Vec<bool>,
    /// The part that each vertex of a batch wants to join; everywhere else its own.
    wanted: Vec<u32>,
    tallies: Tallies,
}

/// A vertex that joins a part.
#[derive(Clone, Copy, Default)]
struct Join {
    vertex: u32,
    part: u32,
    /// The change of the part's weight to the rest of its community.
    outside: f64,
}

impl<'g> Refinement<'g> {
    fn new(
        graph: &'g UndirectedGraph,
        communities: &'g [u32],
        options: &CommunitiesOptions,
    ) -> Self {
        let gains = Gains::new(graph, options);
        let parts: Vec<u32> = (0..graph.neighbors.rows()).into_par_iter().collect();
        let outside = |&vertex: &u32| {
            let own = communities[vertex as usize];
            let others =
                graph.edges(vertex).filter(|&(other, _)| communities[other as usize] == own);
            others.map(|(_, weight)| weight).sum::<f64>()
        };
        Self {
            graph,
            communities,
            masses: graph.sums(communities, &gains.masses),
            part_masses: gains.masses.to_vec(),
            outside: parts.par_iter().map(outside).collect(),
            is_alone: vec![true; parts.len()],
            wanted: parts.clone(),
            parts,
            gains,
            tallies: Tallies::new(),
        }
    }

    /// Lets the vertices of a batch join parts. Adds those that wait for a neighbour to `waiting`.
    fn visit(&mut self, batch: &[u32], waiting: &mut Vec<u32>) {
        let mut choices = Vec::new();
        self.tallies.for_each(&self.graph.neighbors, batch, &mut choices, |vertex, tally| {
            let part = self.choose(vertex, tally);
            Join { vertex, part, outside: 0.0 }
        });
        let mut joins = choices;
        joins.retain(|join| join.part != join.vertex);
        for join in &joins {
            self.wanted[join.vertex as usize] = join.part;
        }
        let waits = |join: &Join| {
            let (neighbors, parts) = (&self.graph.neighbors, &self.parts);
            must_wait(neighbors, parts, &self.wanted, join.vertex, join.part)
        };
        let waits: Vec<bool> = joins.par_iter().map(waits).collect();
        let mut waits = waits.into_iter();
        joins.retain(|join| {
            let waits = waits.next().unwrap_or(false);
            if waits {
                self.wanted[join.vertex as usize] = join.vertex;
                waiting.push(join.vertex);
            }
            !waits
        });
        self.apply(&joins);
    }

    /// The part that a vertex joins; its own if it stays.
    fn choose(&self, vertex: u32, tally: &mut Tally) -> u32 {
        let community = self.communities[vertex as usize];
        if !self.is_alone[vertex as usize] || !self.is_well_connected(vertex, community) {
            return vertex;
        }
        tally.clear(self.graph.neighbors.row_len(vertex));
        for (other, weight) in self.graph.edges(vertex) {
            if self.communities[other as usize] == community {
                tally.add(self.parts[other as usize], weight);
            }
        }
        let gain =
            |part: u32, weight| self.gains.of(vertex, weight, self.part_masses[part as usize]);
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
        let (outside, mass) = (self.outside[part as usize], self.part_masses[part as usize]);
        self.gains.is_well_connected(outside, mass, self.masses[community as usize] - mass)
    }

    fn apply(&mut self, joins: &[Join]) {
        let change = |&Join { vertex, part, .. }: &Join| {
            let community = self.communities[vertex as usize];
            let change = |(other, weight): (u32, f64)| {
                let [from, to] = [&self.parts, &self.wanted].map(|of| of[other as usize]);
                if self.communities[other as usize] != community {
                    0.0
                } else if to != part {
                    weight
                } else if from == part {
                    // The part had this edge to the vertex.
                    -weight
                } else {
                    // Another vertex that joins.
                    0.0
                }
            };
            let outside = self.graph.edges(vertex).map(change).sum();
            Join { vertex, part, outside }
        };
        let changed: Vec<Join> = joins.par_iter().map(change).collect();
        for Join { vertex, part, outside } in changed {
            self.parts[vertex as usize] = part;
            self.part_masses[part as usize] += self.gains.masses[vertex as usize];
            self.outside[part as usize] += outside;
            self.is_alone[vertex as usize] = false;
            self.is_alone[part as usize] = false;
        }
    }
}

/// The connected parts of communities, labelled with vertices.
pub(super) fn connected_parts(graph: &UndirectedGraph, communities: &[u32]) -> Vec<u32> {
    const UNSEEN: u32 = crate::NONE;
    let mut parts = vec![UNSEEN; communities.len()];
    let mut stack = Vec::new();
    for start in 0..communities.len() as u32 {
        if parts[start as usize] != UNSEEN {
            continue;
        }
        parts[start as usize] = start;
        stack.push(start);
        while let Some(vertex) = stack.pop() {
            for &other in graph.neighbors.row(vertex) {
                let is_new = parts[other as usize] == UNSEEN;
                if is_new && communities[other as usize] == communities[vertex as usize] {
                    parts[other as usize] = start;
                    stack.push(other);
                }
            }
        }
    }
    parts
}
