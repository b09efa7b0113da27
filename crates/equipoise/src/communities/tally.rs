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
    /// All slots so far; those of any number of keys are the first ones. Few keys get few slots, which stay in the cache.
    slots: Vec<Slot>,
    /// The number of slots in use less one; the former is a power of two.
    mask: usize,
    /// The filled slots in the order of insertion.
    filled: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Slot {
    /// `NONE` if the slot is free.
    key: u32,
    sum: f64,
}

impl Tally {
    /// Empties the table, and makes room for some keys.
    pub fn clear(&mut self, keys: usize) {
        for slot in self.filled.drain(..) {
            self.slots[slot as usize].key = NONE;
        }
        let slots = (2 * keys).next_power_of_two().max(FEWEST_SLOTS);
        self.mask = slots - 1;
        if self.slots.len() < slots {
            self.slots.resize(slots, Slot { key: NONE, sum: 0.0 });
        }
    }

    /// Adds a weight to the sum of a key. There must be room for it.
    #[inline]
    pub fn add(&mut self, key: u32, weight: f64) {
        let index = self.index(key);
        let slot = &mut self.slots[index];
        if slot.key == key {
            slot.sum += weight;
        } else {
            *slot = Slot { key, sum: weight };
            self.filled.push(index as u32);
        }
    }

    /// The sum of a key, 0 for an absent key.
    pub fn get(&self, key: u32) -> f64 {
        let slot = self.slots[self.index(key)];
        if slot.key == key { slot.sum } else { 0.0 }
    }

    /// The keys with their sums, in the order of insertion.
    #[inline]
    pub fn sums(&self) -> impl Iterator<Item = (u32, f64)> {
        self.filled.iter().map(|&index| {
            let Slot { key, sum } = self.slots[index as usize];
            (key, sum)
        })
    }

    /// The slot of a key, or a free slot where it can be inserted.
    #[inline]
    fn index(&self, key: u32) -> usize {
        let mut index = (key.wrapping_mul(0x9e37_79b9) >> 7) as usize & self.mask;
        while self.slots[index].key != key && self.slots[index].key != NONE {
            index = (index + 1) & self.mask;
        }
        index
    }
}

/// A tally for each thread.
pub(super) struct Tallies(Vec<Mutex<Tally>>);

impl Tallies {
    pub fn new() -> Self {
        Self((0..rayon::current_num_threads().max(1)).map(|_| Mutex::default()).collect())
    }

    /// Computes `result` for each vertex with a tally of the current thread, and stores the results in `results`.
    pub fn for_each<T: Clone + Default + Send>(
        &self,
        neighbors: &Csr,
        vertices: &[u32],
        results: &mut Vec<T>,
        result: impl Fn(u32, &mut Tally) -> T + Sync,
    ) {
        results.clear();
        results.resize(vertices.len(), T::default());
        let run = |(vertices, results): (&[u32], &mut [T])| {
            let thread = rayon::current_thread_index().unwrap_or(0) % self.0.len();
            let mut tally = self.0[thread].lock().unwrap_or_else(PoisonError::into_inner);
            for (&vertex, slot) in vertices.iter().zip(results) {
                *slot = result(vertex, &mut tally);
            }
        };
        let edges = || vertices.iter().map(|&vertex| neighbors.row_len(vertex)).sum::<usize>();
        if vertices.len() < SHARED_EDGES && edges() < SHARED_EDGES {
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
        tally.clear(0);
        assert_eq!(tally.get(3), 0.0);
        // All keys have the same first slot in a small table.
        let keys: Vec<u32> = (0..500u32).map(|key| key << 20).collect();
        for round in 0..3 {
            tally.clear(keys.len());
            for &key in keys.iter().chain(&keys) {
                tally.add(key, 0.25 + f64::from(round));
            }
            let expected: Vec<(u32, f64)> =
                keys.iter().map(|&key| (key, 0.5 + 2.0 * f64::from(round))).collect();
            assert_eq!(tally.sums().collect::<Vec<_>>(), expected);
            assert_eq!((tally.get(keys[7]), tally.get(1)), (expected[7].1, 0.0));
            tally.clear(1);
            assert_eq!(tally.sums().count(), 0);
        }
    }
}
