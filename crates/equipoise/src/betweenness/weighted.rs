//! A search by the sum of weights: Dijkstra's algorithm there, and back.

use std::{cmp::Reverse, collections::BinaryHeap};

use equipoise_graph::{Graph, VertexIds, Weights, cancel};
use rayon::prelude::*;

use super::{
    count::Count,
    search::{Search, Stop},
};
use crate::{Error, Result, rows::Rows};

/// No path; larger than the bits of any length.
pub(super) const UNREACHED: u64 = u64::MAX;

/// Lengths of paths as 64 bits that have the order of the lengths.
pub(super) trait Lengths: Copy + Send + Sync {
    /// Whether all edges have the length 1.
    const ARE_ONES: bool = false;

    /// The length one edge further on.
    fn plus(self, length: u64, edge: usize) -> u64;
    /// The weight of an edge.
    fn weight(self, edge: usize) -> f64;
}

/// Sums of whole weights: there are fewer than 2³² edges on a path, of less than 2³² each.
#[derive(Clone, Copy)]
pub(super) struct Whole<'a>(pub &'a [u32]);

/// Sums of decimal weights, the bits of an `f64` that is not negative.
#[derive(Clone, Copy)]
pub(super) struct Real<'a, F>(pub &'a [F]);

impl Lengths for Whole<'_> {
    #[inline]
    fn plus(self, length: u64, edge: usize) -> u64 {
        length + u64::from(self.0[edge])
    }

    fn weight(self, edge: usize) -> f64 {
        self.0[edge].into()
    }
}

impl<F: Copy + Into<f64> + Send + Sync> Lengths for Real<'_, F> {
    #[inline]
    fn plus(self, length: u64, edge: usize) -> u64 {
        (f64::from_bits(length) + self.0[edge].into()).to_bits()
    }

    fn weight(self, edge: usize) -> f64 {
        self.0[edge].into()
    }
}

/// Fails where an edge between two vertices weighs nothing: it could be added to a path without making it longer.
pub(super) fn check_above_zero(graph: &Graph) -> Result<()> {
    let Some(weights) = graph.weights() else { return Ok(()) };
    let free = (0..graph.vertices()).into_par_iter().find_map_first(|source| {
        let (range, row) = (graph.csr().range(source), graph.neighbors(source));
        let mut edges = range.zip(row);
        edges
            .find(|&(edge, &target)| target != source && weights.get(edge) == 0.0)
            .map(|(_, &target)| (source, target))
    });
    let Some((source, target)) = free else { return Ok(()) };
    let ids = graph.ids();
    Err(Error::Option(format!(
        "the edge from {} to {} has weight 0: shortest paths can only be counted where all weights are above zero",
        ids.id(source),
        ids.id(target)
    )))
}

/// Fails where weights are no whole numbers: of two sums of decimal ones, 32 bits do not tell which is shorter where 64 do.
pub(super) fn check_whole(graph: &Graph) -> Result<()> {
    match graph.weights() {
        None | Some(Weights::U32(_)) => Ok(()),
        Some(Weights::F32(_) | Weights::F64(_)) => Err(Error::Option(
            "a GPU finds betweenness by whole weights only, and these are decimal: the cpu finds it by any".into(),
        )),
    }
}

pub(super) struct Weighted<'a, C, L> {
    rows: Rows<'a>,
    ids: &'a VertexIds,
    lengths: L,
    distances: Vec<u64>,
    /// As those of [`Hops`](super::hops::Hops).
    counts: Vec<C>,
    dependencies: Vec<f64>,
    /// The vertices that were reached, in the order of their distances.
    order: Vec<u32>,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

impl<'a, C: Count, L: Lengths> Weighted<'a, C, L> {
    pub fn new(graph: &'a Graph, lengths: L) -> Self {
        let vertices = graph.vertices() as usize;
        Self {
            rows: Rows::of(graph),
            ids: graph.ids(),
            lengths,
            distances: vec![UNREACHED; vertices],
            counts: vec![C::ZERO; vertices],
            dependencies: vec![0.0; vertices],
            order: Vec::with_capacity(vertices),
            heap: BinaryHeap::new(),
        }
    }

    fn edges(&self, vertex: u32) -> impl Iterator<Item = (usize, u32)> + use<'a, C, L> {
        self.rows.range(vertex).zip(self.rows.row(vertex).iter().copied())
    }

    /// Visits vertices in the order of their distances, and counts the paths to each: all vertices before one on a path
    /// are nearer, and were visited before it.
    fn there(&mut self, source: u32) -> Result<(), Stop> {
        for vertex in self.order.drain(..) {
            self.distances[vertex as usize] = UNREACHED;
        }
        self.distances[source as usize] = 0;
        self.counts[source as usize] = C::of(1.0);
        self.heap.clear();
        self.heap.push(Reverse((0, source)));
        while let Some(Reverse((distance, vertex))) = self.heap.pop() {
            if distance != self.distances[vertex as usize] {
                continue;
            }
            cancel::poll_at(self.order.len());
            self.order.push(vertex);
            let count = self.counts[vertex as usize];
            if !count.is_safe() {
                return Err(Stop::TooManyPaths);
            }
            for (edge, target) in self.edges(vertex) {
                if target == vertex {
                    continue;
                }
                let sum = self.lengths.plus(distance, edge);
                if sum <= distance {
                    return Err(Stop::Failed(self.lost(vertex, edge, target)));
                }
                let known = &mut self.distances[target as usize];
                let paths = &mut self.counts[target as usize];
                if sum < *known {
                    (*known, *paths) = (sum, count);
                    self.heap.push(Reverse((sum, target)));
                } else if sum == *known {
                    *paths = paths.plus(count);
                }
            }
        }
        Ok(())
    }

    /// A weight so small that a path is not longer by it.
    fn lost(&self, vertex: u32, edge: usize, target: u32) -> Error {
        Error::Option(format!(
            "the edge from {} to {} has weight {}, which is lost beside the length of a path there: shortest paths can \
             only be counted where each edge makes a path longer",
            self.ids.id(vertex),
            self.ids.id(target),
            self.lengths.weight(edge)
        ))
    }

    /// Finds the dependencies, the farthest vertices first.
    fn back(&mut self) {
        for &vertex in self.order.iter().rev() {
            let mut sum = C::ZERO;
            for (edge, target) in self.edges(vertex) {
                if self.leads_on(vertex, edge, target) {
                    sum = sum.plus(self.counts[target as usize]);
                }
            }
            let paths = self.counts[vertex as usize];
            let dependency = sum.times(paths).to_f64();
            self.dependencies[vertex as usize] = dependency;
            self.counts[vertex as usize] = C::of(1.0 + dependency).over(paths);
        }
    }

    /// Whether an edge is on a shortest path from the source to where it leads.
    fn leads_on(&self, vertex: u32, edge: usize, target: u32) -> bool {
        let sum = self.lengths.plus(self.distances[vertex as usize], edge);
        sum == self.distances[target as usize] && target != vertex
    }
}

impl<C: Count, L: Lengths> Search for Weighted<'_, C, L> {
    fn run(&mut self, source: u32) -> Result<(), Stop> {
        self.there(source)?;
        self.back();
        Ok(())
    }

    fn reached(&self) -> usize {
        self.order.len()
    }

    fn vertex(&self, place: usize) -> u32 {
        self.order[place]
    }

    fn dependency(&self, vertex: u32) -> f64 {
        self.dependencies[vertex as usize]
    }

    fn dependency_of_edge(&self, vertex: u32, edge: usize, target: u32) -> f64 {
        if !self.leads_on(vertex, edge, target) {
            return 0.0;
        }
        let of_vertex = C::of(1.0 + self.dependencies[vertex as usize]);
        let paths = of_vertex.over(self.counts[vertex as usize]);
        paths.times(self.counts[target as usize]).to_f64()
    }
}
