//! The matrix of path lengths, row after row: its start, and plain Floyd-Warshall over it.

use equipoise_graph::{Graph, cancel, parallel::*};

use super::length::Length;

/// Puts the lengths of edges into a matrix filled with `FAR`: the least of parallel edges, and 0 from
/// each vertex to itself.
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

/// Replaces lengths beyond `FAR` by `UNREACHED`.
pub(super) fn mark_unreached<T: Length>(lengths: &mut [T]) {
    lengths.par_iter_mut().for_each(|length| *length = length.in_result());
}

/// Floyd-Warshall over the whole matrix for each vertex. The matrix is filled with `FAR`.
pub(super) fn naive<T: Length>(graph: &Graph, lengths: &mut [T]) {
    let vertices = graph.vertices() as usize;
    put_edges(graph, lengths);
    for through in 0..vertices {
        cancel::poll();
        let second = lengths[through * vertices..][..vertices].to_vec();
        lengths.par_chunks_mut(vertices).for_each(|row| {
            let first = row[through];
            if first < T::FAR {
                for (best, &second) in row.iter_mut().zip(&second) {
                    *best = best.smaller(first.plus(second));
                }
            }
        });
    }
    mark_unreached(lengths);
}
