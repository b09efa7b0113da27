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
const MOST_DIRECT: u32 = 1 << 17;

/// Sums of weights by key, in a reusable open-addressing hash table that grows. `NONE` is no key.
#[derive(Default)]
pub(super) struct Tally {
    /// The number of slots of a table where the index of a slot is its key; 0 of a hash table.
    direct: usize,
    /// All slots so far; those in use are the first ones. Few keys get few slots, which stay in the cache.
    slots: Vec<Slot>,
    /// The number of slots in use less one; the former is a power of two.
    mask: usize,
    /// The filled slots in the order of insertion, and room for one that is not.
    filled: Vec<u32>,
    /// The number of filled slots.
    count: usize,
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
        let slots = (keys as usize).max(FEWEST_SLOTS).next_power_of_two();
        Self { direct: if keys <= MOST_DIRECT { slots } else { 0 }, ..Self::default() }
    }

    /// Empties the table for some keys, of which many may be equal.
    pub fn clear(&mut self, keys: usize) {
        self.clear_for(keys.min(EXPECTED_KEYS));
    }

    /// Empties the table for about as many different keys.
    pub fn clear_for(&mut self, keys: usize) {
        for &slot in &self.filled[..self.count] {
            self.slots[slot as usize].key = NONE;
        }
        self.count = 0;
        match self.direct {
            0 => self.use_slots((2 * keys).max(FEWEST_SLOTS).next_power_of_two()),
            slots => self.use_slots(slots),
        }
    }

    fn use_slots(&mut self, slots: usize) {
        self.mask = slots - 1;
        if self.slots.len() < slots {
            self.slots.resize(slots, FREE);
            self.filled.resize(slots + 1, 0);
        }
    }

    /// Adds a weight to the sum of a key.
    #[inline]
    pub fn add(&mut self, key: u32, weight: f64) {
        self.add_at(self.index(key), key, weight);
        if self.direct == 0 && 2 * self.count > self.mask {
            self.grow();
        }
    }

    /// Adds a weight to a slot that is free or has the key.
    #[inline(always)]
    fn add_at(&mut self, index: usize, key: u32, weight: f64) {
        let slot = &mut self.slots[index];
        // Without a branch, which nothing predicts.
        let is_new = slot.key != key;
        *slot = Slot { key, sum: weight + if is_new { 0.0 } else { slot.sum } };
        self.filled[self.count] = index as u32;
        self.count += usize::from(is_new);
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
        if self.direct != 0 {
            let weights = weights.filter(|&(key, _)| key != NONE);
            return weights.for_each(|(key, weight)| self.add_at(key as usize, key, weight));
        }
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
        self.filled[..self.count].iter().map(|&index| {
            let Slot { key, sum } = self.slots[index as usize];
            (key, sum)
        })
    }

    /// The slot of a key, or a free slot where it can be inserted.
    #[inline]
    fn index(&self, key: u32) -> usize {
        if self.direct != 0 {
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
    /// For labels below `labels`.
    pub fn new(labels: u32) -> Self {
        let new = || Mutex::new(Tally::for_keys(labels));
        Self(std::iter::repeat_with(new).take(rayon::current_num_threads().max(1)).collect())
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
        let shift = if tally.direct == 0 { 20 } else { 0 };
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
