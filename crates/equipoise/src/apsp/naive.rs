//! Floyd-Warshall as it is told: for each vertex that paths may go through, over the whole matrix.

use equipoise_graph::Graph;
use rayon::prelude::*;

use super::length::Length;

/// All distances, row after row, in `matrix`, which has room for them.
pub(super) fn naive<T: Length>(
    graph: &Graph,
    weight: impl Fn(usize) -> T + Sync,
    matrix: &mut Vec<T>,
) {
    let vertices = graph.vertices() as usize;
    matrix.par_extend(rayon::iter::repeat_n(T::FAR, vertices * vertices));
    if vertices == 0 {
        return;
    }
    matrix.par_chunks_mut(vertices).enumerate().for_each(|(vertex, row)| {
        let edges = graph.csr().range(vertex as u32);
        for (&target, edge) in graph.neighbors(vertex as u32).iter().zip(edges) {
            let best = &mut row[target as usize];
            *best = best.smaller(weight(edge));
        }
        row[vertex] = T::default();
    });
    for through in 0..vertices {
        let second = matrix[through * vertices..][..vertices].to_vec();
        matrix.par_chunks_mut(vertices).for_each(|row| {
            let first = row[through];
            if first < T::FAR {
                for (best, &second) in row.iter_mut().zip(&second) {
                    *best = best.smaller(first.plus(second));
                }
            }
        });
    }
    matrix.par_iter_mut().filter(|length| **length >= T::FAR).for_each(|length| {
        *length = T::UNREACHED;
    });
}
