//! One level from the frontier.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use equipoise_graph::{Csr, Graph};
use rayon::prelude::*;

/// The least number of edges per thread.
const EDGES_AT_ONCE: usize = 1 << 14;

/// A vertex visited for the first time, and its parent; both are local.
pub(super) type Visit = (u32, u32);

/// Visits the targets of the edges of `frontier`. Returns the first visits.
pub(super) fn push(
    local: &Graph,
    frontier: &[u32],
    edges: u64,
    visited: &mut [AtomicU64],
) -> Vec<Visit> {
    let csr = local.csr();
    if rayon::current_num_threads() == 1 || edges < 2 * EDGES_AT_ONCE as u64 {
        return visit(csr, frontier, |vertex| {
            let (word, bit) = (visited[vertex as usize / 64].get_mut(), 1 << (vertex % 64));
            let first = *word & bit == 0;
            *word |= bit;
            first
        });
    }
    let each = frontier.len().div_ceil((edges as usize).div_ceil(EDGES_AT_ONCE)).max(1);
    let visited = &*visited;
    let parts: Vec<Vec<Visit>> = frontier
        .par_chunks(each)
        .map(|frontier| {
            visit(csr, frontier, |vertex| {
                let (word, bit) = (&visited[vertex as usize / 64], 1 << (vertex % 64));
                word.load(Relaxed) & bit == 0 && word.fetch_or(bit, Relaxed) & bit == 0
            })
        })
        .collect();
    parts.concat()
}

/// `is_first` marks a vertex and says whether it was unmarked.
#[inline]
fn visit(csr: &Csr, frontier: &[u32], mut is_first: impl FnMut(u32) -> bool) -> Vec<Visit> {
    let mut visits = Vec::new();
    for &vertex in frontier {
        for &target in csr.row(vertex) {
            if is_first(target) {
                visits.push((target, vertex));
            }
        }
    }
    visits
}
