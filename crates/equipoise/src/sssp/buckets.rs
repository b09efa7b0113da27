//! The buckets of one thread: vertices whose distance has improved, by distance.

use super::distance::Distance;

/// A vertex, and the distance it had when it was put into a bucket. Once it has improved further
/// the entry is stale: another one, made then, stands for it.
#[derive(Clone, Copy)]
pub(super) struct Entry<D> {
    pub vertex: u32,
    pub distance: D,
}

/// Buckets are numbered from 0, each as wide as the others.
#[derive(Clone, Copy)]
pub(super) struct Width {
    /// Buckets in a distance of 1.
    per_unit: f64,
}

impl Width {
    pub fn new(delta: f64) -> Self {
        Self { per_unit: 1.0 / delta }
    }

    /// The number of the bucket of `distance`: larger distances never have smaller numbers.
    #[inline]
    pub fn bucket<D: Distance>(self, distance: D) -> u64 {
        (distance.to_f64() * self.per_unit) as u64
    }
}

/// So many buckets are kept apart; what belongs behind them lies on one heap until they are done.
/// It bounds the memory where weights are large for the bucket's width.
const WINDOW: usize = 1 << 10;

/// The buckets of one thread.
pub(super) struct Buckets<D> {
    width: Width,
    /// The number of the first of the buckets that are kept apart.
    base: u64,
    near: Vec<Vec<Entry<D>>>,
    /// None of those before this place has entries.
    first: usize,
    far: Vec<Entry<D>>,
}

impl<D: Distance> Buckets<D> {
    pub fn new(width: Width) -> Self {
        Self { width, base: 0, near: vec![Vec::new(); WINDOW], first: WINDOW, far: Vec::new() }
    }

    pub fn clear(&mut self) {
        self.base = 0;
        self.near.iter_mut().for_each(Vec::clear);
        self.first = WINDOW;
        self.far.clear();
    }

    #[inline]
    pub fn push(&mut self, entry: Entry<D>) {
        let place = self.width.bucket(entry.distance).saturating_sub(self.base) as usize;
        match self.near.get_mut(place) {
            Some(bucket) => {
                bucket.push(entry);
                self.first = self.first.min(place);
            }
            None => self.far.push(entry),
        }
    }

    /// The first bucket that is not empty, of those kept apart.
    pub fn next(&mut self) -> Option<u64> {
        let rest = &self.near[self.first..];
        self.first += rest.iter().position(|bucket| !bucket.is_empty()).unwrap_or(rest.len());
        (self.first < WINDOW).then(|| self.base + self.first as u64)
    }

    /// The bucket with number `bucket`, which is one of those kept apart.
    pub fn bucket(&mut self, bucket: u64) -> &mut Vec<Entry<D>> {
        &mut self.near[(bucket - self.base) as usize]
    }

    /// The first bucket of those behind the ones kept apart.
    pub fn first_far(&self) -> Option<u64> {
        self.far.iter().map(|entry| self.width.bucket(entry.distance)).min()
    }

    /// Keeps the buckets from `base` on apart. Those before must be empty. Entries that are not
    /// `fresh` are dropped.
    pub fn advance(&mut self, base: u64, fresh: impl Fn(&Entry<D>) -> bool) {
        self.base = base;
        let far = std::mem::take(&mut self.far);
        far.into_iter().filter(fresh).for_each(|entry| self.push(entry));
    }
}
