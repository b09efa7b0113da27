//! Independent sets on the cpu.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use equipoise_graph::{Csr, parallel::*};

use super::order::{IN, OUT, Order};
use crate::{Step, Trace, times::Clock};

/// Vertices per task of a thread.
const VERTICES_AT_ONCE: usize = 1 << 11;

/// Returns for each vertex whether it is in the set, and one step per round.
pub(super) fn mis(neighbors: &Csr, order: Order) -> (Vec<bool>, Trace) {
    let mut clock = Clock::start();
    let vertices = neighbors.rows();
    let set = GrowingSet::new(neighbors, order);
    let mut undecided: Vec<u32> = (0..vertices).into_par_iter().collect();
    let mut trace = Trace::default();
    while !undecided.is_empty() {
        let degree = |&vertex: &u32| neighbors.row_len(vertex) as u64;
        let edges = undecided.par_iter().map(degree).sum();
        let chunks = undecided.par_chunks(VERTICES_AT_ONCE);
        let remaining: Vec<u32> = chunks
            .flat_map_iter(|chunk| chunk.iter().copied().filter(|&vertex| !set.decide(vertex)))
            .collect();
        let frontier = undecided.len() as u64;
        let found = frontier - remaining.len() as u64;
        let step = Step::new(trace.steps.len() as u32, "all left");
        trace.steps.push(Step { frontier, edges, found, time: clock.lap(), ..step });
        undecided = remaining;
    }
    let in_set = set.keys.into_par_iter().map(|key| key.into_inner() == IN).collect();
    (in_set, trace)
}

/// A set that all threads add to.
struct GrowingSet<'g> {
    neighbors: &'g Csr,
    /// The key of each undecided vertex; [`IN`] or [`OUT`] once it is decided.
    keys: Vec<AtomicU32>,
}

impl<'g> GrowingSet<'g> {
    fn new(neighbors: &'g Csr, order: Order) -> Self {
        let key = |vertex| AtomicU32::new(order.key(vertex, neighbors.row_len(vertex)));
        Self { neighbors, keys: (0..neighbors.rows()).into_par_iter().map(key).collect() }
    }

    fn key(&self, vertex: u32) -> u32 {
        self.keys[vertex as usize].load(Relaxed)
    }

    /// Adds a vertex to the set if every neighbour is excluded or has a lower priority. Returns whether the vertex is
    /// decided.
    ///
    /// [`IN`] is the highest priority, and decisions are final. A stale read is therefore safe: of two neighbours, at
    /// most one sees itself as the one with the higher priority.
    fn decide(&self, vertex: u32) -> bool {
        let own = self.key(vertex);
        if own == OUT {
            return true;
        }
        let row = self.neighbors.row(vertex);
        if row.iter().any(|&other| (self.key(other), other) > (own, vertex)) {
            return false;
        }
        self.keys[vertex as usize].store(IN, Relaxed);
        row.iter().for_each(|&other| self.keys[other as usize].store(OUT, Relaxed));
        true
    }
}
