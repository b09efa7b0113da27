//! Weights added up by what they are for: labels, communities.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::weighted::Weighted;
use crate::NONE;

/// The fewest places.
const FEWEST: usize = 16;
/// Vertices that a thread takes at once.
const VERTICES_AT_ONCE: usize = 1 << 5;
/// The fewest edges that threads share: to wake them takes longer than fewer.
const SHARED_EDGES: usize = 1 << 12;

/// Sums of weights for numbers that are not `NONE`, in a table of open addresses that is used again and again.
#[derive(Default)]
pub(super) struct Tally {
    /// The number at each place, `NONE` where there is none; a power of two of them.
    keys: Vec<u32>,
    sums: Vec<f64>,
    /// The places that have a number, in the order in which they came.
    used: Vec<u32>,
}

impl Tally {
    /// Forgets all sums.
    pub fn clear(&mut self) {
        for &place in &self.used {
            self.keys[place as usize] = NONE;
        }
        self.used.clear();
    }

    /// Adds a weight to the sum of a number.
    pub fn add(&mut self, key: u32, weight: f64) {
        if 2 * self.used.len() >= self.keys.len() {
            self.grow();
        }
        let place = self.place_of(key);
        match self.keys[place] == key {
            true => self.sums[place] += weight,
            false => self.put(place, key, weight),
        }
    }

    /// The sum of a number, 0 where it has none.
    pub fn get(&self, key: u32) -> f64 {
        match self.keys.is_empty() {
            true => 0.0,
            false => {
                let place = self.place_of(key);
                if self.keys[place] == key { self.sums[place] } else { 0.0 }
            }
        }
    }

    /// The numbers with their sums, in the order in which they came.
    pub fn sums(&self) -> impl Iterator<Item = (u32, f64)> {
        self.used.iter().map(|&place| (self.keys[place as usize], self.sums[place as usize]))
    }

    /// Where a number is, or where it can be put.
    fn place_of(&self, key: u32) -> usize {
        let mask = self.keys.len() - 1;
        let mut place = (key.wrapping_mul(0x9e37_79b9) >> 7) as usize & mask;
        while self.keys[place] != key && self.keys[place] != NONE {
            place = (place + 1) & mask;
        }
        place
    }

    fn put(&mut self, place: usize, key: u32, weight: f64) {
        self.keys[place] = key;
        self.sums[place] = weight;
        self.used.push(place as u32);
    }

    fn grow(&mut self) {
        let sums: Vec<(u32, f64)> = self.sums().collect();
        let room = (2 * self.keys.len()).max(FEWEST);
        (self.keys, self.sums) = (vec![NONE; room], vec![0.0; room]);
        self.used.clear();
        for (key, sum) in sums {
            let place = self.place_of(key);
            self.put(place, key, sum);
        }
    }
}

/// A tally for each thread.
pub(super) struct Tallies(Vec<Mutex<Tally>>);

impl Tallies {
    pub fn new() -> Self {
        Self((0..rayon::current_num_threads().max(1)).map(|_| Mutex::default()).collect())
    }

    /// Puts into `found` what `find` makes of each of these vertices, which it may look for with a tally.
    pub fn for_each(
        &self,
        graph: &Weighted,
        vertices: &[u32],
        found: &mut Vec<u32>,
        find: impl Fn(u32, &mut Tally) -> u32 + Sync,
    ) {
        found.clear();
        found.resize(vertices.len(), 0);
        let find_all = |(vertices, found): (&[u32], &mut [u32])| {
            let thread = rayon::current_thread_index().unwrap_or(0) % self.0.len();
            let mut tally = self.0[thread].lock().unwrap_or_else(PoisonError::into_inner);
            for (&vertex, found) in vertices.iter().zip(found) {
                *found = find(vertex, &mut tally);
            }
        };
        let edges: usize = vertices.iter().map(|&vertex| graph.neighbors.row_len(vertex)).sum();
        match edges < SHARED_EDGES {
            true => find_all((vertices, found)),
            false => {
                let pieces = vertices.par_chunks(VERTICES_AT_ONCE);
                pieces.zip(found.par_chunks_mut(VERTICES_AT_ONCE)).for_each(find_all);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_kept_apart_in_their_order_and_forgotten() {
        let mut tally = Tally::default();
        assert_eq!(tally.get(3), 0.0);
        // Numbers that all want the same place in a small table.
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
