//! The vertices of a rank whose distance has improved, by distance.

use super::distance::Distance;

/// A vertex, and the distance it had when it was put into a bucket. Once it has improved further
/// the entry is stale: another one, made then, stands for it.
#[derive(Clone, Copy)]
pub(super) struct Entry<D> {
    pub vertex: u32,
    pub distance: D,
}

/// So many buckets are kept apart; what belongs behind them lies on one heap until they are done.
/// It bounds the memory where weights are large for the bucket's width.
const WINDOW: usize = 1 << 10;

/// No bucket: larger than the number of any.
pub(super) const NO_BUCKET: u64 = u64::MAX;

/// Buckets of equal width, numbered from 0 on all ranks alike.
pub(super) struct Buckets<D> {
    /// Buckets in a distance of 1.
    per_unit: f64,
    /// The number of the first of the buckets that are kept apart.
    base: u64,
    near: Vec<Vec<Entry<D>>>,
    /// None of those before this place has entries.
    first: usize,
    far: Vec<Entry<D>>,
    /// The first bucket that something on the heap belongs to.
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

    /// Puts a vertex into the bucket of its distance, which is not before the [base](Self::advance).
    #[inline]
    pub fn push(&mut self, entry: Entry<D>) {
        let bucket = self.bucket(entry.distance);
        let place = bucket.saturating_sub(self.base);
        match self.near.get_mut(usize::try_from(place).unwrap_or(usize::MAX)) {
            Some(near) => {
                near.push(entry);
                self.first = self.first.min(place as usize);
            }
            None => {
                self.far.push(entry);
                self.first_far = self.first_far.min(bucket);
            }
        }
    }

    /// The first bucket with an entry that is `fresh`, or one before it; [`NO_BUCKET`] where there is none.
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

    /// The next entry of the buckets before `end`, of the first of them that has one.
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

    /// Makes sure that the buckets from `first`, the first one of all ranks, to `end` are kept apart. Entries of the
    /// heap that are not `fresh` are dropped on the way.
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
