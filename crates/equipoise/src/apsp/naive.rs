//! Floyd-Warshall in its plain form: for each vertex that paths may go through, over the whole matrix.

use equipoise_graph::{Graph, cancel};
use rayon::prelude::*;

use super::{length::Length, start};

/// All distances, row after row, in a matrix that is filled with what is far.
pub(super) fn naive<T: Length>(graph: &Graph, lengths: &mut [T]) {
    let vertices = graph.vertices() as usize;
    start::put_edges(graph, lengths);
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
    start::tell(lengths);
}
