//! Floyd-Warshall with the next hop of each path.
//!
//! A step allows paths through one more vertex k: where d(i, k) + d(k, j) is less than d(i, j), it
//! replaces d(i, j), and the next hop from i to j becomes that from i to k. For any weights of zero or
//! more, rounded or not:
//!
//! - *The next hop is no farther.* Let v be the next hop from i to j. Then d(v, j) ≤ d(i, j). This
//!   holds for edges, where v is j. A step that changes (i, j) takes v from (i, k), for which d(v, k) ≤
//!   d(i, k) held before; so afterwards d(v, j) ≤ d(v, k) + d(k, j) ≤ d(i, k) + d(k, j) = d(i, j), as
//!   rounding keeps the order of sums. Row and column k do not change in their own step.
//! - *Next hops close no cycle.* Suppose that the next hops to j contain a cycle. All its distances
//!   are then equal. Consider the last step that changed any of them. It changed all: otherwise some
//!   next hop had a larger distance before it. So all next hops of the cycle are those to k, and were
//!   a cycle before that step, too. There was none at the start.
//!
//! Both need that paths through k use the distances just before step k. Steps in a block satisfy that:
//! the block keeps each of its rows as it is when its step begins, and every other row then takes all
//! steps of the block in order. So the result is the same, bit by bit, for any size of blocks.

use equipoise_graph::{Graph, cancel, parallel::*};

use super::{
    length::Length,
    matrix::{mark_unreached, put_edges, put_hops},
};

/// Finds all distances and next hops, row after row, in blocks of `block` steps. The matrices are
/// filled with `FAR` and `NONE`.
pub(super) fn with_hops<T: Length>(
    graph: &Graph,
    lengths: &mut [T],
    hops: &mut [u32],
    block: usize,
) {
    let vertices = graph.vertices() as usize;
    put_edges(graph, lengths);
    put_hops(graph, hops);
    for first in (0..vertices).step_by(block) {
        cancel::poll();
        let steps = first..(first + block).min(vertices);
        let panel = rows_when_their_steps_begin(lengths, vertices, steps.clone());
        let rows = lengths.par_chunks_mut(vertices).zip(hops.par_chunks_mut(vertices));
        rows.for_each(|(row, hops)| {
            for (through, second) in steps.clone().zip(panel.chunks_exact(vertices)) {
                if row[through] < T::FAR {
                    step(row, hops, row[through], hops[through], second);
                }
            }
        });
    }
    mark_unreached(lengths);
}

fn rows_when_their_steps_begin<T: Length>(
    lengths: &[T],
    vertices: usize,
    steps: std::ops::Range<usize>,
) -> Vec<T> {
    let mut panel: Vec<T> = lengths[steps.start * vertices..steps.end * vertices].to_vec();
    for row in 1..steps.len() {
        let (before, rest) = panel.split_at_mut(row * vertices);
        for (through, second) in steps.clone().zip(before.chunks_exact(vertices)) {
            let first = rest[through];
            for (best, &second) in rest[..vertices].iter_mut().zip(second) {
                *best = best.smaller(first.plus(second));
            }
        }
    }
    panel
}

#[inline(always)]
fn step<T: Length>(row: &mut [T], hops: &mut [u32], first: T, hop: u32, second: &[T]) {
    for ((best, next), &second) in row.iter_mut().zip(hops).zip(second) {
        let path = first.plus(second);
        let is_shorter = path < *best;
        *best = if is_shorter { path } else { *best };
        *next = if is_shorter { hop } else { *next };
    }
}
