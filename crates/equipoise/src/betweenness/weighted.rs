//! A search by weights: Dijkstra's algorithm forward, then backward.

use std::{cmp::Reverse, collections::BinaryHeap};

use equipoise_graph::{Graph, VertexIds, Weights, cancel, numbers::short, parallel::*};

use super::{
    count::PathCount,
    search::{PathSearch, Stop},
};
use crate::{Error, Result, rows::Rows};

/// The length of an absent path, larger than the bits of any length.
pub(super) const UNREACHED: u64 = u64::MAX;

/// Lengths of paths as 64 bits in the order of the lengths.
pub(super) trait Lengths: Copy + Send + Sync {
    /// Whether all edges have the length 1.
    const ARE_ONES: bool = false;

    /// The length of a path extended by an edge.
    fn plus(self, length: u64, edge: usize) -> u64;
    /// The weight of an edge.
    fn weight(self, edge: usize) -> f64;
}

/// Sums of whole weights. They fit 64 bits: a path has fewer than 2³² edges.
#[derive(Clone, Copy)]
pub(super) struct WholeLengths<'a>(pub &'a [u32]);

/// Sums of decimal weights: the bits of a non-negative `f64`.
#[derive(Clone, Copy)]
pub(super) struct DecimalLengths<'a, F>(pub &'a [F]);

impl Lengths for WholeLengths<'_> {
    #[inline]
    fn plus(self, length: u64, edge: usize) -> u64 {
        length + u64::from(self.0[edge])
    }

    fn weight(self, edge: usize) -> f64 {
        self.0[edge].into()
    }
}

impl<F: Copy + Into<f64> + Send + Sync> Lengths for DecimalLengths<'_, F> {
    #[inline]
    fn plus(self, length: u64, edge: usize) -> u64 {
        (f64::from_bits(length) + self.0[edge].into()).to_bits()
    }

    fn weight(self, edge: usize) -> f64 {
        self.0[edge].into()
    }
}

/// Fails if an edge between two vertices has weight 0: it could extend a path without making it longer.
pub(super) fn check_above_zero(graph: &Graph) -> Result<()> {
    let Some(weights) = graph.weights() else { return Ok(()) };
    let free = (0..graph.vertices()).into_par_iter().find_map_first(|source| {
        let mut edges = graph.csr().range(source).zip(graph.neighbors(source));
        let edge = edges.find(|&(edge, &other)| other != source && weights.get(edge) == 0.0);
        edge.map(|(_, &target)| [source, target])
    });
    let Some(ends) = free else { return Ok(()) };
    let [source, target] = ends.map(|vertex| graph.ids().id(vertex));
    Err(Error::Option(format!(
        "the edge from {source} to {target} has weight 0: shortest paths can only be counted where all weights are above zero"
    )))
}

/// Fails if weights are decimal: 32 bits cannot distinguish all sums that 64 bits can.
pub(super) fn check_whole(graph: &Graph) -> Result<()> {
    match graph.weights() {
        None | Some(Weights::U32(_)) => Ok(()),
        Some(Weights::F32(_) | Weights::F64(_)) => Err(Error::Option(
            "a GPU finds betweenness by whole weights only, and these are decimal: the cpu finds it by any".into(),
        )),
    }
}

pub(super) struct WeightedSearch<'a, C, L> {
    rows: Rows<'a>,
    ids: &'a VertexIds,
    lengths: L,
    distances: Vec<u64>,
    /// Like the counts of [`HopSearch`](super::hops::HopSearch).
    counts: Vec<C>,
    dependencies: Vec<f64>,
    /// The vertices reached, in the order of their distances.
    order: Vec<u32>,
    heap: BinaryHeap<Reverse<(u64, u32)>>,
}

impl<'a, C: PathCount, L: Lengths> WeightedSearch<'a, C, L> {
    pub fn new(graph: &'a Graph, lengths: L) -> Self {
        let vertices = graph.vertices() as usize;
        Self {
            rows: Rows::new(graph),
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

    /// Visits vertices in the order of their distances, and counts the paths to each. All vertices on a path to a vertex
    /// are nearer, and visited before it.
    fn forward(&mut self, source: u32) -> Result<(), Stop> {
        for vertex in self.order.drain(..) {
            self.distances[vertex as usize] = UNREACHED;
        }
        self.distances[source as usize] = 0;
        self.counts[source as usize] = C::from(1.0);
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
                    return Err(self.too_small(vertex, edge, target).into());
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

    /// The error for a weight that is too small to make a path longer.
    fn too_small(&self, vertex: u32, edge: usize, target: u32) -> Error {
        Error::Option(format!(
            "the edge from {} to {} has weight {}, which is lost beside the length of a path there: shortest paths can \
             only be counted where each edge makes a path longer",
            self.ids.id(vertex),
            self.ids.id(target),
            short(&self.lengths.weight(edge))
        ))
    }

    /// Computes the dependencies, the farthest vertices first.
    fn backward(&mut self) {
        for &vertex in self.order.iter().rev() {
            let mut sum = C::ZERO;
            for (edge, target) in self.edges(vertex) {
                if self.is_on_path(vertex, edge, target) {
                    sum = sum.plus(self.counts[target as usize]);
                }
            }
            let paths = self.counts[vertex as usize];
            let dependency = sum.times(paths).to_f64();
            self.dependencies[vertex as usize] = dependency;
            self.counts[vertex as usize] = C::from(1.0 + dependency).over(paths);
        }
    }

    /// Whether an edge is on a shortest path from the source to its target.
    fn is_on_path(&self, vertex: u32, edge: usize, target: u32) -> bool {
        let sum = self.lengths.plus(self.distances[vertex as usize], edge);
        sum == self.distances[target as usize] && target != vertex
    }
}

impl<C: PathCount, L: Lengths> PathSearch for WeightedSearch<'_, C, L> {
    fn run(&mut self, source: u32) -> Result<(), Stop> {
        self.forward(source)?;
        self.backward();
        Ok(())
    }

    fn reached(&self) -> usize {
        self.order.len()
    }

    fn vertex(&self, index: usize) -> u32 {
        self.order[index]
    }

    fn dependency(&self, vertex: u32) -> f64 {
        self.dependencies[vertex as usize]
    }

    fn dependency_of_edge(&self, vertex: u32, edge: usize, target: u32) -> f64 {
        if !self.is_on_path(vertex, edge, target) {
            return 0.0;
        }
        let dependency = C::from(1.0 + self.dependencies[vertex as usize]);
        let paths = dependency.over(self.counts[vertex as usize]);
        paths.times(self.counts[target as usize]).to_f64()
    }
}
