//! One round of delta-stepping, and the work of each thread in it.

use std::ops::Range;

use super::{
    buckets::{Buckets, Entry, Width},
    distance::Distance,
    labels::Labels,
    network::{EdgeWeights, Network},
};
use crate::share::{CHUNK, Cursor, Shares};

/// A thread continues with its own part of a step's buckets while that of the first one has fewer entries than this.
const FUSE: usize = 1 << 10;

/// A vertex with more edges than this is shared by several threads.
const GIANT: usize = 1 << 13;

/// The distance of prefetching, in entries.
const AHEAD: usize = 12;

/// The distance of prefetching, in edges of a vertex.
const ROW_AHEAD: usize = 16;

/// The data of one thread.
pub(super) struct Lane<D> {
    pub buckets: Buckets<D>,
    /// The part of a bucket that only this thread works on.
    own: Vec<Entry<D>>,
    /// Entries whose vertices have too many edges for one thread.
    giants: Vec<Entry<D>>,
    pub work: Work,
}

/// The work of a thread.
#[derive(Clone, Copy, Default)]
pub(super) struct Work {
    pub vertices: u64,
    pub edges: u64,
    pub improved: u64,
    pub overflowed: bool,
}

impl<D: Distance> Lane<D> {
    pub fn new(width: Width) -> Self {
        let buckets = Buckets::new(width);
        Self { buckets, own: Vec::new(), giants: Vec::new(), work: Work::default() }
    }
}

/// A range of the edges that leave an entry's vertex.
pub(super) type Part<D> = (Entry<D>, Range<usize>);

/// One fork-join over the entries of a bucket, and what these add to the buckets of the same step.
pub(super) struct Round<'a, D: Distance, W> {
    pub network: Network<'a, W>,
    pub labels: &'a Labels<D>,
    pub shares: &'a Shares<Entry<D>>,
    /// The last bucket of the step.
    pub last: u64,
}

impl<D: Distance, W: EdgeWeights<Weight = D::Weight>> Round<'_, D, W> {
    /// The work of one thread: its own share, then the rest of the others' shares, then its own part of the step's
    /// buckets. `ALONE`: no other thread is at work.
    pub fn run<const ALONE: bool>(&self, index: usize, lane: &mut Lane<D>) {
        for taken in self.shares.take_all(index) {
            self.relax_all::<ALONE>(&taken.items[..taken.count], lane);
        }
        let mut own = std::mem::take(&mut lane.own);
        while let Some(bucket) = lane.buckets.next().filter(|&next| next <= self.last) {
            let bucket = lane.buckets.bucket(bucket);
            if bucket.len() >= FUSE {
                break;
            }
            own.clear();
            std::mem::swap(&mut own, bucket);
            self.relax_all::<ALONE>(&own, lane);
        }
        own.clear();
        lane.own = own;
        // Advances the search for the next bucket here, in parallel and with the buckets in this core's cache.
        lane.buckets.next();
    }

    /// Relaxes the edges of all entries that are not stale. Filters them first, per chunk, so that only their memory is
    /// prefetched.
    fn relax_all<const ALONE: bool>(&self, entries: &[Entry<D>], lane: &mut Lane<D>) {
        let is_fresh = |entry: &Entry<D>| self.labels.distance(entry.vertex) == entry.distance;
        let mut fresh = [Entry { vertex: 0, distance: D::ZERO }; CHUNK];
        for chunk in entries.chunks(CHUNK) {
            let mut count = 0;
            for &entry in chunk {
                fresh[count] = entry;
                count += usize::from(is_fresh(&entry));
            }
            for index in 0..count {
                self.look_ahead(&fresh[..count], index);
                if is_fresh(&fresh[index]) {
                    self.relax::<ALONE>(fresh[index], lane);
                }
            }
        }
    }

    /// Prefetches memory for the entries after `index`.
    #[inline]
    fn look_ahead(&self, entries: &[Entry<D>], index: usize) {
        if let Some(entry) = entries.get(index + AHEAD) {
            self.network.rows.prefetch_offset(entry.vertex);
        }
        if let Some(entry) = entries.get(index + AHEAD / 2) {
            self.network.prefetch_edges(entry.vertex);
        }
        if let Some(entry) = entries.get(index + 2) {
            let row = self.network.rows.row(entry.vertex);
            row.iter().take(ROW_AHEAD).for_each(|&target| self.labels.prefetch(target));
        }
    }

    /// Relaxes the edges of a vertex, or leaves them to [`Self::run_parts`].
    #[inline]
    fn relax<const ALONE: bool>(&self, entry: Entry<D>, lane: &mut Lane<D>) {
        let range = self.network.rows.range(entry.vertex);
        lane.work.vertices += 1;
        lane.work.edges += range.len() as u64;
        if ALONE || range.len() <= GIANT {
            self.relax_edges::<ALONE>(entry, range, lane);
        } else {
            lane.giants.push(entry);
        }
    }

    /// The parts of the giant vertices, removed from all lanes.
    pub fn giant_parts<'l>(&self, lanes: impl Iterator<Item = &'l mut Lane<D>>) -> Vec<Part<D>> {
        let giants = lanes.flat_map(|lane| lane.giants.drain(..));
        let cut = |entry: Entry<D>| {
            let range = self.network.rows.range(entry.vertex);
            let end = range.end;
            range.step_by(GIANT / 4).map(move |start| (entry, start..end.min(start + GIANT / 4)))
        };
        giants.flat_map(cut).collect()
    }

    /// Relaxes the parts that one thread takes.
    pub fn run_parts(&self, parts: &[Part<D>], cursor: &Cursor, lane: &mut Lane<D>) {
        for (entry, range) in cursor.parts().flat_map(|part| &parts[part]) {
            self.relax_edges::<false>(*entry, range.clone(), lane);
        }
    }

    /// Relaxes a range of the edges that leave the entry's vertex.
    #[inline]
    fn relax_edges<const ALONE: bool>(
        &self,
        Entry { vertex, distance }: Entry<D>,
        range: Range<usize>,
        lane: &mut Lane<D>,
    ) {
        let targets = self.network.rows.targets(range.clone());
        let (mut improved, mut overflowed) = (0, false);
        for (index, (target, weight)) in self.network.edges_in(range).enumerate() {
            if let Some(&ahead) = targets.get(index + ROW_AHEAD) {
                self.labels.prefetch(ahead);
            }
            let sum = distance.plus(weight);
            overflowed |= !sum.is_reached();
            let is_better = if ALONE {
                self.labels.improve_alone(target, sum, vertex)
            } else {
                self.labels.improve(target, sum, vertex)
            };
            if is_better {
                improved += 1;
                lane.buckets.push(Entry { vertex: target, distance: sum });
            }
        }
        lane.work.improved += improved;
        lane.work.overflowed |= overflowed;
    }
}
