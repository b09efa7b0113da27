//! The matrix before any path is longer than an edge.

use equipoise_graph::Graph;
use rayon::prelude::*;

use super::length::Length;

/// Puts edges into a matrix of which all is far, of parallel ones the least, and each vertex at
/// distance 0 from itself.
pub(super) fn put_edges<T: Length>(graph: &Graph, lengths: &mut [T]) {
    let vertices = graph.vertices() as usize;
    lengths.par_chunks_mut(vertices.max(1)).enumerate().for_each(|(vertex, row)| {
        let edges = graph.csr().range(vertex as u32);
        for (&target, edge) in graph.neighbors(vertex as u32).iter().zip(edges) {
            let best = &mut row[target as usize];
            *best = best.smaller(T::weight_of(graph, edge));
        }
        row[vertex] = T::default();
    });
}

/// Puts the end of each edge into a matrix of next hops; a vertex has none to itself.
pub(super) fn put_hops(graph: &Graph, hops: &mut [u32]) {
    let vertices = graph.vertices() as usize;
    hops.par_chunks_mut(vertices.max(1)).enumerate().for_each(|(vertex, row)| {
        let others = graph.neighbors(vertex as u32).iter().filter(|&&to| to as usize != vertex);
        others.for_each(|&target| row[target as usize] = target);
    });
}

/// Says what is not reached.
pub(super) fn tell<T: Length>(lengths: &mut [T]) {
    lengths.par_iter_mut().for_each(|length| *length = length.in_result());
}
