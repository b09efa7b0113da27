//! The buckets of one thread: improved vertices, by distance.

use super::distance::Distance;

/// A vertex, and its distance when it was put into a bucket. The entry is stale once the vertex has improved further, as
/// another entry exists then.
#[derive(Clone, Copy)]
pub(super) struct Entry<D> {
    pub vertex: u32,
    pub distance: D,
}

/// The width of all buckets, which are numbered from 0.
#[derive(Clone, Copy)]
pub(super) struct Width {
    /// Buckets per unit of distance.
    per_unit: f64,
}

impl Width {
    pub fn new(delta: f64) -> Self {
        Self { per_unit: 1.0 / delta }
    }

    /// The number of the bucket of `distance`; monotone.
    #[inline]
    pub fn bucket<D: Distance>(self, distance: D) -> u64 {
        (distance.to_f64() * self.per_unit) as u64
    }
}

/// The number of near buckets; entries of later buckets share one list until these are done. Bounds the memory where weights
/// are large for the bucket's width.
const WINDOW: usize = 1 << 10;

/// The buckets of one thread.
pub(super) struct Buckets<D> {
    width: Width,
    /// The number of the first near bucket.
    base: u64,
    near: Vec<Vec<Entry<D>>>,
    /// All near buckets before this index are empty.
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
        let index = self.width.bucket(entry.distance).saturating_sub(self.base) as usize;
        match self.near.get_mut(index) {
            Some(bucket) => {
                bucket.push(entry);
                self.first = self.first.min(index);
            }
            None => self.far.push(entry),
        }
    }

    /// The number of the first near bucket that is not empty.
    pub fn next(&mut self) -> Option<u64> {
        let rest = &self.near[self.first..];
        self.first += rest.iter().position(|bucket| !bucket.is_empty()).unwrap_or(rest.len());
        (self.first < WINDOW).then(|| self.base + self.first as u64)
    }

    /// The near bucket with this number.
    pub fn bucket(&mut self, bucket: u64) -> &mut Vec<Entry<D>> {
        &mut self.near[(bucket - self.base) as usize]
    }

    /// The number of the first bucket after the near ones.
    pub fn first_far(&self) -> Option<u64> {
        self.far.iter().map(|entry| self.width.bucket(entry.distance)).min()
    }

    /// Makes the buckets from `base` on the near ones. Those before must be empty. Drops stale entries.
    pub fn advance(&mut self, base: u64, is_fresh: impl Fn(&Entry<D>) -> bool) {
        self.base = base;
        let far = std::mem::take(&mut self.far);
        far.into_iter().filter(is_fresh).for_each(|entry| self.push(entry));
    }
}
