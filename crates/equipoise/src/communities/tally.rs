//! Sums of weights by label.

use std::sync::{Mutex, PoisonError};

use equipoise_graph::{Csr, parallel::*};

use crate::NONE;

/// The smallest table.
const FEWEST_SLOTS: usize = 16;
/// Vertices per task of a thread.
const VERTICES_AT_ONCE: usize = 1 << 5;
/// The number of edges from which on threads share the work: waking them for less takes longer.
const SHARED_EDGES: usize = 1 << 12;

/// Sums of weights by key, in a reusable open-addressing hash table. `NONE` is no key.
#[derive(Default)]
pub(super) struct Tally {
    /// The key of each slot, `NONE` if it is free. The length is a power of two.
    keys: Vec<u32>,
    sums: Vec<f64>,
    /// The used slots in the order of insertion.
    used: Vec<u32>,
}

impl Tally {
    pub fn clear(&mut self) {
        for &slot in &self.used {
            self.keys[slot as usize] = NONE;
        }
        self.used.clear();
    }

    /// Adds a weight to the sum of a key.
    pub fn add(&mut self, key: u32, weight: f64) {
        if 2 * self.used.len() >= self.keys.len() {
            self.grow();
        }
        let slot = self.slot(key);
        if self.keys[slot] == key {
            self.sums[slot] += weight;
        } else {
            self.insert(slot, key, weight);
        }
    }

    /// The sum of a key, 0 for an absent key.
    pub fn get(&self, key: u32) -> f64 {
        if self.keys.is_empty() {
            return 0.0;
        }
        let slot = self.slot(key);
        if self.keys[slot] == key { self.sums[slot] } else { 0.0 }
    }

    /// The keys with their sums, in the order of insertion.
    pub fn sums(&self) -> impl Iterator<Item = (u32, f64)> {
        self.used.iter().map(|&slot| (self.keys[slot as usize], self.sums[slot as usize]))
    }

    /// The slot of a key, or a free slot where it can be inserted.
    fn slot(&self, key: u32) -> usize {
        let mask = self.keys.len() - 1;
        let mut slot = (key.wrapping_mul(0x9e37_79b9) >> 7) as usize & mask;
        while self.keys[slot] != key && self.keys[slot] != NONE {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn insert(&mut self, slot: usize, key: u32, weight: f64) {
        self.keys[slot] = key;
        self.sums[slot] = weight;
        self.used.push(slot as u32);
    }

    fn grow(&mut self) {
        let sums: Vec<(u32, f64)> = self.sums().collect();
        let slots = (2 * self.keys.len()).max(FEWEST_SLOTS);
        (self.keys, self.sums) = (vec![NONE; slots], vec![0.0; slots]);
        self.used.clear();
        for (key, sum) in sums {
            self.insert(self.slot(key), key, sum);
        }
    }
}

/// A tally for each thread.
pub(super) struct Tallies(Vec<Mutex<Tally>>);

impl Tallies {
    pub fn new() -> Self {
        Self((0..rayon::current_num_threads().max(1)).map(|_| Mutex::default()).collect())
    }

    /// Computes `result` for each vertex with a tally of the current thread, and stores the results in `results`.
    pub fn for_each(
        &self,
        neighbors: &Csr,
        vertices: &[u32],
        results: &mut Vec<u32>,
        result: impl Fn(u32, &mut Tally) -> u32 + Sync,
    ) {
        results.clear();
        results.resize(vertices.len(), 0);
        let run = |(vertices, results): (&[u32], &mut [u32])| {
            let thread = rayon::current_thread_index().unwrap_or(0) % self.0.len();
            let mut tally = self.0[thread].lock().unwrap_or_else(PoisonError::into_inner);
            for (&vertex, slot) in vertices.iter().zip(results) {
                *slot = result(vertex, &mut tally);
            }
        };
        let edges: usize = vertices.iter().map(|&vertex| neighbors.row_len(vertex)).sum();
        if edges < SHARED_EDGES {
            run((vertices, results));
        } else {
            let pieces = vertices.par_chunks(VERTICES_AT_ONCE);
            pieces.zip(results.par_chunks_mut(VERTICES_AT_ONCE)).for_each(run);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_in_the_order_of_insertion_and_cleared() {
        let mut tally = Tally::default();
        assert_eq!(tally.get(3), 0.0);
        // All keys have the same first slot in a small table.
        let keys: Vec<u32> = (0..500u32).map(|key| key << 20).collect();
        for round in 0..3 {
            for &key in keys.iter().chain(&keys) {
                tally.add(key, 0.25 + f64::from(round));
            }
            let expected: Vec<(u32, f64)> =
                keys.iter().map(|&key| (key, 0.5 + 2.0 * f64::from(round))).collect();
            assert_eq!(tally.sums().collect::<Vec<_>>(), expected);
            assert_eq!((tally.get(keys[7]), tally.get(1)), (expected[7].1, 0.0));
            tally.clear();
            assert_eq!(tally.sums().count(), 0);
        }
    }
}
