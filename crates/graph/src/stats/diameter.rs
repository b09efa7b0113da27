//! A lower bound on the diameter, by a double sweep of breadth-first search.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::{Graph, Result, parallel::*};

/// Levels with fewer vertices are searched by one thread: parallelism does not pay off.
const FEW: usize = 1 << 11;

/// The depth of a search from the lowest of the vertices that a search from `start` reaches last.
pub(super) fn double_sweep(graph: &Graph, start: u32) -> Result<u32> {
    let reversed = graph.transpose()?;
    let (_, farthest) = sweep(graph, reversed, start);
    Ok(sweep(graph, reversed, farthest).0)
}

/// The depth of a breadth-first search along edges in either direction, and the lowest of the
/// vertices reached last.
fn sweep(graph: &Graph, reversed: &Graph, start: u32) -> (u32, u32) {
    let seen: Vec<AtomicBool> =
        (0..graph.vertices()).into_par_iter().map(|_| AtomicBool::new(false)).collect();
    seen[start as usize].store(true, Relaxed);
    let is_new = |vertex: &u32| {
        let seen = &seen[*vertex as usize];
        !seen.load(Relaxed) && !seen.swap(true, Relaxed)
    };
    let joined = |vertex: u32| {
        let back: &[u32] = if graph.is_undirected() { &[] } else { reversed.neighbors(vertex) };
        graph.neighbors(vertex).iter().chain(back).copied()
    };
    let (mut depth, mut level) = (0, vec![start]);
    loop {
        let next: Vec<u32> = if level.len() < FEW {
            level.iter().flat_map(|&vertex| joined(vertex)).filter(is_new).collect()
        } else {
            level.par_iter().flat_map_iter(|&vertex| joined(vertex).filter(is_new)).collect()
        };
        if next.is_empty() {
            let lowest = level.iter().min().copied().unwrap_or(start);
            return (depth, lowest);
        }
        (depth, level) = (depth + 1, next);
    }
}
