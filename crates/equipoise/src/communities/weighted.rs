//! The undirected graph with weights under any graph, and the one of its communities.

use std::ops::Range;

use equipoise_graph::{Csr, Graph, memory};
use rayon::prelude::*;

use super::tally::Tally;
use crate::{Error, Result};

/// Rows that a thread makes at once.
const ROWS_PER_PIECE: u32 = 1 << 8;

/// An undirected graph with a weight for each edge, of which there is one between two vertices.
pub(super) struct Weighted {
    /// The neighbours of each vertex, itself left out.
    pub neighbors: Csr,
    /// The weight of each edge to a neighbour.
    weights: Vec<f64>,
    /// Twice the weight of the loops of each vertex: what is within it, seen from both ends.
    pub within: Vec<f64>,
    /// The weight of all edges of each vertex, loops counted twice.
    pub strengths: Vec<f64>,
    /// All strengths together: twice the weight of all edges.
    pub total: f64,
}

impl Weighted {
    /// The graph under a sound one: parallel edges add up, and an edge of a directed graph leads both ways.
    ///
    /// Fails where a weight is negative or not finite, or there is no memory.
    pub fn of(graph: &Graph) -> Result<Self> {
        check_weights(graph)?;
        let backward = match graph.is_undirected() {
            true => None,
            false => Some(graph.transpose()?),
        };
        let entries = graph.edges().saturating_mul(1 + u64::from(backward.is_some()));
        Self::of_rows(graph.vertices(), entries, |vertex, tally| {
            let both = [Some((graph, 2.0)), backward.map(|graph| (graph, 0.0))];
            for (graph, of_loop) in both.into_iter().flatten() {
                let row = graph.csr().range(vertex);
                for (&target, edge) in graph.neighbors(vertex).iter().zip(row) {
                    let weight = graph.weights().map_or(1.0, |weights| weights.get(edge));
                    // A loop is in both directions, and counts in the first, twice.
                    tally.add(target, if target == vertex { of_loop * weight } else { weight });
                }
            }
        })
    }

    /// The graph whose vertices are communities of this one: numbers from 0 to `count`.
    pub fn aggregated(&self, communities: &[u32], count: u32) -> Result<Self> {
        let (starts, members) = sorted_by(communities, count);
        Self::of_rows(count, self.neighbors.entries(), |community, tally| {
            let range =
                starts[community as usize] as usize..starts[community as usize + 1] as usize;
            for &vertex in &members[range] {
                tally.add(community, self.within[vertex as usize]);
                for (target, weight) in self.edges(vertex) {
                    tally.add(communities[target as usize], weight);
                }
            }
        })
    }

    /// A graph of so many vertices: `fill` adds up the weights of the edges of each, of which there are so many or less.
    fn of_rows(vertices: u32, entries: u64, fill: impl Fn(u32, &mut Tally) + Sync) -> Result<Self> {
        // Neighbours and weights in pieces, with room to grow, and then in one; of a vertex its end, what is within it,
        // its strength and its place among others.
        let edges = memory::bytes_of::<[u32; 9]>(entries);
        let beside = memory::bytes_of::<[u64; 6]>(vertices.into());
        let what = format_args!("the weights between {vertices} vertices");
        memory::check(what, edges.saturating_add(beside))?;
        let pieces: Vec<Piece> = (0..vertices.div_ceil(ROWS_PER_PIECE))
            .into_par_iter()
            .map_init(Tally::default, |tally, piece| {
                let start = piece * ROWS_PER_PIECE;
                let end = vertices.min(start.saturating_add(ROWS_PER_PIECE));
                Piece::of(start..end, tally, &fill)
            })
            .collect();
        Self::joined(vertices, pieces)
    }

    fn joined(vertices: u32, pieces: Vec<Piece>) -> Result<Self> {
        let entries = pieces.iter().map(|piece| piece.targets.len()).sum();
        let (mut offsets, mut targets) = (vec![0], Vec::with_capacity(entries));
        let (mut weights, mut within) = (Vec::with_capacity(entries), Vec::new());
        let mut strengths = Vec::new();
        for piece in pieces {
            offsets.extend(piece.ends.iter().map(|&end| (targets.len() + end) as u64));
            targets.extend(piece.targets);
            weights.extend(piece.weights);
            within.extend(piece.within);
            strengths.extend(piece.strengths);
        }
        let neighbors = Csr::new(vertices, offsets, targets)?;
        // One after the other, so that the sum does not depend on the threads.
        let total = strengths.iter().sum();
        Ok(Self { neighbors, weights, within, strengths, total })
    }

    /// The neighbours of a vertex with the weights of the edges to them.
    pub fn edges(&self, vertex: u32) -> impl Iterator<Item = (u32, f64)> {
        let weights = &self.weights[self.neighbors.range(vertex)];
        self.neighbors.row(vertex).iter().copied().zip(weights.iter().copied())
    }

    /// The weight of each edge and of the loops of each vertex in 32 bits, if they are whole numbers and those of no vertex
    /// add up to more.
    pub fn whole_weights(&self) -> Option<(Vec<u32>, Vec<u32>)> {
        let is_small = |&strength: &f64| strength <= f64::from(u32::MAX);
        let is_whole = |&weight: &f64| weight.fract() == 0.0;
        let loops = self.within.par_iter().map(|within| within / 2.0);
        let are_whole = self.weights.par_iter().all(is_whole)
            && loops.clone().all(|weight| is_whole(&weight))
            && self.strengths.par_iter().all(is_small);
        are_whole.then(|| {
            let weights = self.weights.par_iter().map(|&weight| weight as u32).collect();
            (weights, loops.map(|weight| weight as u32).collect())
        })
    }

    /// Weights in 32 bits that add up to as much for each vertex: as they are if they are whole numbers and small enough,
    /// or else in the same proportions but for what is rounded down.
    pub fn scaled(&self) -> Scaled {
        let is_whole = |&weight: &f64| weight.fract() == 0.0;
        let (weights, most) = (&self.weights, f64::from(u32::MAX));
        let strongest = self.strengths.par_iter().copied().reduce(|| 0.0, f64::max);
        let are_whole = weights.par_iter().all(is_whole) && self.within.par_iter().all(is_whole);
        let factor = if are_whole && strongest <= most { 1.0 } else { most / strongest };
        let scale = |weight: &f64| (weight * factor) as u32;
        let weights: Vec<u32> = weights.par_iter().map(scale).collect();
        let within: Vec<u32> = self.within.par_iter().map(scale).collect();
        let strength = |(vertex, &within): (usize, &u32)| {
            let of_edges = &weights[self.neighbors.range(vertex as u32)];
            of_edges.iter().fold(within, |sum, &weight| sum.saturating_add(weight))
        };
        let strengths = within.par_iter().enumerate().map(strength).collect();
        Scaled { weights, within: within.into_par_iter().map(u64::from).sum(), strengths }
    }

    /// The modularity of communities, which are numbers of vertices.
    pub fn modularity(&self, communities: &[u32], resolution: f64) -> f64 {
        if self.total == 0.0 {
            return 0.0;
        }
        let inside: Vec<f64> = (0..self.neighbors.rows())
            .into_par_iter()
            .map(|vertex| {
                let own = communities[vertex as usize];
                let same =
                    self.edges(vertex).filter(|&(other, _)| communities[other as usize] == own);
                self.within[vertex as usize] + same.map(|(_, weight)| weight).sum::<f64>()
            })
            .collect();
        let by_chance: f64 =
            self.totals(communities).into_iter().map(|total| (total / self.total).powi(2)).sum();
        inside.into_iter().sum::<f64>() / self.total - resolution * by_chance
    }

    /// The strengths of the vertices of each community together.
    pub fn totals(&self, communities: &[u32]) -> Vec<f64> {
        let mut totals = vec![0.0; communities.len()];
        for (&community, strength) in communities.iter().zip(&self.strengths) {
            totals[community as usize] += strength;
        }
        totals
    }
}

/// Weights of a graph in 32 bits.
pub(super) struct Scaled {
    /// Of each edge.
    pub weights: Vec<u32>,
    /// What is within all vertices together.
    pub within: u64,
    /// Of each vertex.
    pub strengths: Vec<u32>,
}

/// Some rows of a graph.
#[derive(Default)]
struct Piece {
    ends: Vec<usize>,
    targets: Vec<u32>,
    weights: Vec<f64>,
    within: Vec<f64>,
    strengths: Vec<f64>,
}

impl Piece {
    fn of(rows: Range<u32>, tally: &mut Tally, fill: impl Fn(u32, &mut Tally)) -> Self {
        let mut piece = Self::default();
        let mut row = Vec::new();
        for vertex in rows {
            tally.clear();
            fill(vertex, tally);
            row.clear();
            row.extend(tally.sums());
            row.sort_unstable_by_key(|&(target, _)| target);
            let (mut within, mut others) = (0.0, 0.0);
            for &(target, weight) in &row {
                if target == vertex {
                    within = weight;
                } else {
                    piece.targets.push(target);
                    piece.weights.push(weight);
                    others += weight;
                }
            }
            piece.ends.push(piece.targets.len());
            piece.within.push(within);
            piece.strengths.push(within + others);
        }
        piece
    }
}

/// Where the members of each group start, and where the last one's end; and all members, group by group.
pub(super) fn sorted_by(groups: &[u32], count: u32) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0; count as usize + 1];
    groups.iter().for_each(|&group| starts[group as usize + 1] += 1);
    for group in 1..starts.len() {
        starts[group] += starts[group - 1];
    }
    let (mut next, mut members) = (starts.clone(), vec![0; groups.len()]);
    for (member, &group) in (0..).zip(groups) {
        members[next[group as usize] as usize] = member;
        next[group as usize] += 1;
    }
    (starts, members)
}

fn check_weights(graph: &Graph) -> Result<()> {
    let Some(weights) = graph.weights() else { return Ok(()) };
    let odd = |&edge: &usize| !(weights.get(edge) >= 0.0 && weights.get(edge).is_finite());
    let Some(edge) = (0..weights.len()).into_par_iter().find_first(odd) else { return Ok(()) };
    let source = graph.csr().offsets().partition_point(|&offset| offset <= edge as u64) - 1;
    Err(Error::Option(format!(
        "the edge from {} to {} has weight {}: communities need weights that are zero or more and \
         finite",
        graph.ids().id(source as u32),
        graph.ids().id(graph.csr().indices()[edge]),
        weights.get(edge)
    )))
}
