//! Sums of weights by label.

use std::sync::{Mutex, TryLockError};

use crate::NONE;

/// The smallest table.
const FEWEST_SLOTS: usize = 16;
/// The most different keys that a table has slots for before it grows.
const EXPECTED_KEYS: usize = 1 << 9;
/// Labels that are read before the first of them is looked up, so that waiting for memory overlaps.
const READ_AT_ONCE: usize = 32;

/// The most keys of which each has a slot of its own, so that looking it up takes no search: the slots fit the second cache.
const MOST_DIRECT: u32 = 1 << 16;

/// Sums of weights by key, in a reusable open-addressing hash table that grows. `NONE` is no key.
#[derive(Default)]
pub(super) struct Tally {
    /// Whether the index of a slot is its key: then the table does not grow.
    is_direct: bool,
    /// All slots so far; those in use are the first ones. Few keys get few slots, which stay in the cache.
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

const FREE: Slot = Slot { key: NONE, sum: 0.0 };

impl Tally {
    /// For keys below `keys`.
    pub fn for_keys(keys: u32) -> Self {
        let mut new = Self::default();
        if keys <= MOST_DIRECT {
            new.use_slots(keys.max(1).next_power_of_two() as usize);
            new.is_direct = true;
        }
        new
    }

    /// Empties the table for some keys, of which many may be equal.
    pub fn clear(&mut self, keys: usize) {
        self.clear_for(keys.min(EXPECTED_KEYS));
    }

    /// Empties the table for about as many different keys.
    pub fn clear_for(&mut self, keys: usize) {
        for slot in self.filled.drain(..) {
            self.slots[slot as usize].key = NONE;
        }
        if self.is_direct {
            return;
        }
        self.use_slots((2 * keys).max(FEWEST_SLOTS).next_power_of_two());
    }

    fn use_slots(&mut self, slots: usize) {
        self.mask = slots - 1;
        if self.slots.len() < slots {
            self.slots.resize(slots, FREE);
        }
    }

    /// Adds a weight to the sum of a key.
    #[inline]
    pub fn add(&mut self, key: u32, weight: f64) {
        let index = self.index(key);
        let slot = &mut self.slots[index];
        if slot.key == key {
            slot.sum += weight;
        } else {
            *slot = Slot { key, sum: weight };
            self.filled.push(index as u32);
            if 2 * self.filled.len() > self.mask && !self.is_direct {
                self.grow();
            }
        }
    }

    #[cold]
    fn grow(&mut self) {
        let sums: Vec<(u32, f64)> = self.sums().collect();
        self.clear_for(2 * (self.mask + 1));
        sums.into_iter().for_each(|(key, sum)| self.add(key, sum));
    }

    /// Adds weights to the sums of their keys, except those of `NONE`.
    #[inline]
    pub fn add_all(&mut self, mut weights: impl Iterator<Item = (u32, f64)>) {
        let mut read = [(NONE, 0.0); READ_AT_ONCE];
        loop {
            let mut count = 0;
            for (slot, weight) in read.iter_mut().zip(&mut weights) {
                *slot = weight;
                count += 1;
            }
            for &(key, weight) in &read[..count] {
                if key != NONE {
                    self.add(key, weight);
                }
            }
            if count < READ_AT_ONCE {
                return;
            }
        }
    }

    /// The sum of a key, 0 for an absent key. The table must have been cleared once.
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
        if self.is_direct {
            return key as usize & self.mask;
        }
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

    /// Runs `work` with the tally of the current thread, or with another one while that is in use: a thread that waits for the
    /// edges of one vertex may begin with others.
    pub fn with_one<T>(&self, work: impl FnOnce(&mut Tally) -> T) -> T {
        let thread = rayon::current_thread_index().unwrap_or(0) % self.0.len();
        match self.0[thread].try_lock() {
            Ok(mut tally) => work(&mut tally),
            Err(TryLockError::Poisoned(tally)) => work(&mut tally.into_inner()),
            Err(TryLockError::WouldBlock) => work(&mut Tally::default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_in_the_order_of_insertion_and_cleared() {
        check(Tally::default());
        check(Tally::for_keys(1 << 9));
    }

    fn check(mut tally: Tally) {
        let shift = if tally.is_direct { 0 } else { 20 };
        tally.clear(0);
        assert_eq!(tally.get(3), 0.0);
        // All keys have the same first slot in a small hash table.
        let keys: Vec<u32> = (0..500u32).map(|key| key << shift).collect();
        for round in 0..3 {
            tally.clear(keys.len() / 9);
            let weight = 0.25 + f64::from(round);
            tally.add_all(keys.iter().chain(&keys).map(|&key| (key, weight)));
            tally.add_all([(NONE, 1.0)].into_iter());
            let expected: Vec<(u32, f64)> =
                keys.iter().map(|&key| (key, 0.5 + 2.0 * f64::from(round))).collect();
            assert_eq!(tally.sums().collect::<Vec<_>>(), expected);
            assert_eq!((tally.get(keys[7]), tally.get(501)), (expected[7].1, 0.0));
            tally.clear(1);
            assert_eq!(tally.sums().count(), 0);
        }
    }
}
