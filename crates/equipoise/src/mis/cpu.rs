//! Independent sets on the cpu.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use equipoise_graph::Csr;
use rayon::prelude::*;

use super::order::{IN, OUT, Order};
use crate::{Step, Trace, times::Clock};

/// Vertices that a thread takes at once.
const VERTICES_AT_ONCE: usize = 1 << 11;

/// Finds a set: whether each vertex is in it, and the rounds that took.
pub(super) fn mis(neighbors: &Csr, order: Order) -> (Vec<bool>, Trace) {
    let mut clock = Clock::start();
    let vertices = neighbors.rows();
    let set = GrowingSet::new(neighbors, order);
    let mut left: Vec<u32> = (0..vertices).into_par_iter().collect();
    let mut trace = Trace::default();
    while !left.is_empty() {
        let rounds = left.par_chunks(VERTICES_AT_ONCE).map(|some| set.decide(some));
        let rounds: Vec<Round> = rounds.collect();
        let edges = rounds.iter().map(|round| round.edges).sum();
        let still: Vec<u32> = rounds.into_iter().flat_map(|round| round.left).collect();
        let (frontier, found) = (left.len() as u64, (left.len() - still.len()) as u64);
        let step = Step::new(trace.steps.len() as u32, "all left");
        trace.steps.push(Step { frontier, edges, found, time: clock.lap(), ..step });
        left = still;
    }
    let in_set = set.keys.into_par_iter().map(|key| key.into_inner() == IN).collect();
    (in_set, trace)
}

/// A set that all threads add to.
struct GrowingSet<'g> {
    neighbors: &'g Csr,
    /// The key of each vertex, until it is decided.
    keys: Vec<AtomicU32>,
}

/// What came of some vertices in a round.
struct Round {
    edges: u64,
    left: Vec<u32>,
}

impl<'g> GrowingSet<'g> {
    fn new(neighbors: &'g Csr, order: Order) -> Self {
        let key = |vertex| AtomicU32::new(order.key(vertex, neighbors.row_len(vertex)));
        Self { neighbors, keys: (0..neighbors.rows()).into_par_iter().map(key).collect() }
    }

    fn key(&self, vertex: u32) -> u32 {
        self.keys[vertex as usize].load(Relaxed)
    }

    /// Decides those of some vertices that can be.
    fn decide(&self, some: &[u32]) -> Round {
        let edges = some.iter().map(|&vertex| self.neighbors.row_len(vertex) as u64).sum();
        let left = some.iter().copied().filter(|&vertex| !self.is_decided(vertex)).collect();
        Round { edges, left }
    }

    /// Whether a vertex is decided, perhaps now: it joins if no neighbour goes before that is not left out.
    ///
    /// A vertex in the set goes before all others. What is decided stays so, so that what was read while others decide
    /// may be out of date, but is not wrong: two neighbours never both find that they go before.
    fn is_decided(&self, vertex: u32) -> bool {
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
