//! The active vertices of a rank, in buckets by distance.

use super::distance::Distance;

/// A vertex, and its distance when it was put into a bucket. A later improvement makes another entry and this one stale.
#[derive(Clone, Copy)]
pub(super) struct Entry<D> {
    pub vertex: u32,
    pub distance: D,
}

/// The number of separate buckets; farther entries are on one heap. It bounds the memory if weights are large compared with
/// the width of buckets.
const WINDOW: usize = 1 << 10;

/// No bucket: larger than all numbers of buckets.
pub(super) const NO_BUCKET: u64 = u64::MAX;

/// Buckets of equal width, with the same numbers on all ranks.
pub(super) struct Buckets<D> {
    /// Buckets per unit of distance.
    per_unit: f64,
    /// The number of the first separate bucket.
    base: u64,
    near: Vec<Vec<Entry<D>>>,
    /// All before this index are empty.
    first: usize,
    far: Vec<Entry<D>>,
    /// The first bucket of the entries on the heap.
    first_far: u64,
}

impl<D: Distance> Buckets<D> {
    pub fn new(delta: f64) -> Self {
        let near = (0..WINDOW).map(|_| Vec::new()).collect();
        let (per_unit, far) = (1.0 / delta, Vec::new());
        Self { per_unit, base: 0, near, first: WINDOW, far, first_far: NO_BUCKET }
    }

    /// The number of the bucket of `distance`: larger distances never have smaller numbers.
    #[inline]
    fn bucket(&self, distance: D) -> u64 {
        ((distance.to_f64() * self.per_unit) as u64).min(NO_BUCKET - 1)
    }

    /// Puts a vertex into the bucket of its distance, which must not precede the [base](Self::advance).
    #[inline]
    pub fn push(&mut self, entry: Entry<D>) {
        let bucket = self.bucket(entry.distance);
        let index = bucket.saturating_sub(self.base);
        match self.near.get_mut(usize::try_from(index).unwrap_or(usize::MAX)) {
            Some(near) => {
                near.push(entry);
                self.first = self.first.min(index as usize);
            }
            None => {
                self.far.push(entry);
                self.first_far = self.first_far.min(bucket);
            }
        }
    }

    /// A lower bound on the first bucket with a `fresh` entry; [`NO_BUCKET`] without entries.
    pub fn first(&mut self, fresh: impl Fn(&Entry<D>) -> bool) -> u64 {
        while let Some(bucket) = self.near.get_mut(self.first) {
            while bucket.pop_if(|entry| !fresh(entry)).is_some() {}
            if !bucket.is_empty() {
                return self.base.saturating_add(self.first as u64);
            }
            self.first += 1;
        }
        self.first_far
    }

    /// The next entry of the first nonempty bucket before `end`.
    #[inline]
    pub fn pop(&mut self, end: u64) -> Option<Entry<D>> {
        while self.base.saturating_add(self.first as u64) < end {
            let bucket = self.near.get_mut(self.first)?;
            if let Some(entry) = bucket.pop() {
                return Some(entry);
            }
            self.first += 1;
        }
        None
    }

    /// Moves entries of the heap into the separate buckets from `first`, the first one of all ranks, to `end`. Drops entries
    /// that are not `fresh`.
    pub fn advance(&mut self, first: u64, end: u64, fresh: impl Fn(&Entry<D>) -> bool) {
        if self.first_far >= end || self.first < WINDOW {
            return;
        }
        self.base = first;
        self.first_far = NO_BUCKET;
        let far = std::mem::take(&mut self.far);
        far.into_iter().filter(fresh).for_each(|entry| self.push(entry));
    }
}
