//! Delta-stepping: its rounds, and what a thread does in one.

use std::{
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    time::Instant,
};

use rayon::prelude::*;

use super::{
    buckets::{Buckets, Entry, Width},
    cpu::Found,
    distance::Distance,
    labels::Labels,
    network::{EdgeWeights, Network},
};
use crate::{Step, Trace};

/// Rounds with fewer entries than this run on the calling thread: waking another costs more.
const NARROW: usize = 1 << 7;

/// Entries that a thread takes at a time.
const CHUNK: usize = 64;

/// A thread works on its own part of the current bucket as long as it has fewer entries than this.
const FUSE: usize = 1 << 10;

/// How many entries ahead to ask for memory.
const AHEAD: usize = 12;

/// How many of a vertex's edges ahead to ask for memory.
const ROW_AHEAD: usize = 16;

/// The buffers of delta-stepping, for many sources.
pub(super) struct Stepper<D: Distance> {
    width: Width,
    labels: D::Labels,
    lanes: Vec<Lane<D>>,
    shares: Vec<Share<D>>,
    /// Whether the buffers hold what a search has left.
    used: bool,
}

/// What one thread has of a run. Aligned so that no two share a cache line.
#[repr(align(128))]
struct Lane<D> {
    buckets: Buckets<D>,
    /// The part of the current bucket that this thread works on by itself.
    own: Vec<Entry<D>>,
    work: Work,
}

/// What a thread did.
#[derive(Default)]
struct Work {
    vertices: u64,
    edges: u64,
    improved: u64,
    overflowed: bool,
}

/// What a thread has put into the bucket that a round works on. Threads take chunks of it.
#[repr(align(128))]
struct Share<D> {
    entries: Vec<Entry<D>>,
    taken: AtomicUsize,
}

impl<D> Default for Share<D> {
    fn default() -> Self {
        Self { entries: Vec::new(), taken: AtomicUsize::new(0) }
    }
}

impl<D: Distance> Lane<D> {
    fn new(width: Width) -> Self {
        Self { buckets: Buckets::new(width), own: Vec::new(), work: Work::default() }
    }
}

impl<D> Share<D> {
    fn take(&self) -> Option<&[Entry<D>]> {
        let start = self.taken.fetch_add(CHUNK, Relaxed);
        let rest = self.entries.get(start..)?;
        (!rest.is_empty()).then(|| &rest[..rest.len().min(CHUNK)])
    }
}

impl<D: Distance> Stepper<D> {
    /// Buffers for a graph with `vertices` vertices and buckets that are `delta` wide.
    pub fn new(vertices: u32, delta: f64) -> Self {
        let width = Width::new(delta);
        let lanes = 0..rayon::current_num_threads();
        Self {
            width,
            labels: D::Labels::new(vertices),
            shares: lanes.clone().map(|_| Share::default()).collect(),
            lanes: lanes.map(|_| Lane::new(width)).collect(),
            used: false,
        }
    }

    /// Shortest paths from `source`; those to vertices farther than `target` are left out.
    pub fn run<W: EdgeWeights<Weight = D::Weight>>(
        &mut self,
        network: Network<W>,
        source: u32,
        target: Option<u32>,
    ) -> Found<D> {
        self.clear();
        self.labels.improve_alone(source, D::ZERO, source);
        self.lanes[0].buckets.push(Entry { vertex: source, distance: D::ZERO });
        let mut trace = Trace::default();
        let mut next = Some(0);
        while let Some(bucket) = next {
            let (step, after) = self.settle(network, bucket);
            trace.steps.push(step);
            next =
                after.filter(|&after| !target.is_some_and(|target| self.is_before(target, after)));
        }
        let reached = target.map(|target| self.labels.distance(target)).filter(|d| d.is_reached());
        let limit = reached.unwrap_or(D::UNREACHED);
        let (distances, predecessors) = self.labels.finish(network, source, limit);
        let overflowed = self.lanes.iter().any(|lane| lane.work.overflowed);
        Found { distances, predecessors, trace, overflowed }
    }

    fn clear(&mut self) {
        if !std::mem::replace(&mut self.used, true) {
            return;
        }
        self.labels.clear();
        for lane in &mut self.lanes {
            lane.buckets.clear();
            lane.work = Work::default();
        }
    }

    /// Whether `vertex` has a distance that belongs before `bucket`.
    fn is_before(&self, vertex: u32, bucket: u64) -> bool {
        let distance = self.labels.distance(vertex);
        distance.is_reached() && self.width.bucket(distance) < bucket
    }

    /// Works on `bucket` until it is empty. Gives the next one that is not.
    fn settle<W: EdgeWeights<Weight = D::Weight>>(
        &mut self,
        network: Network<W>,
        bucket: u64,
    ) -> (Step, Option<u64>) {
        let start = Instant::now();
        let before = self.work();
        let mut next = Some(bucket);
        while next == Some(bucket) {
            self.share_out(bucket);
            self.round(network, bucket);
            next = self.next_bucket(bucket);
        }
        let after = self.work();
        let step = Step {
            frontier: after.vertices - before.vertices,
            edges: after.edges - before.edges,
            found: after.improved - before.improved,
            time: start.elapsed(),
            ..Step::new(bucket.try_into().unwrap_or(u32::MAX), "delta")
        };
        (step, next)
    }

    /// What all threads did so far.
    fn work(&self) -> Work {
        self.lanes.iter().fold(Work::default(), |sum, lane| Work {
            vertices: sum.vertices + lane.work.vertices,
            edges: sum.edges + lane.work.edges,
            improved: sum.improved + lane.work.improved,
            overflowed: sum.overflowed || lane.work.overflowed,
        })
    }

    /// Moves what is in `bucket` to where all threads can take it.
    fn share_out(&mut self, bucket: u64) {
        for (lane, share) in self.lanes.iter_mut().zip(&mut self.shares) {
            share.entries.clear();
            *share.taken.get_mut() = 0;
            std::mem::swap(&mut share.entries, lane.buckets.bucket(bucket));
        }
    }

    fn round<W: EdgeWeights<Weight = D::Weight>>(&mut self, network: Network<W>, bucket: u64) {
        let Self { labels, lanes, shares, .. } = self;
        let entries: usize = shares.iter().map(|share| share.entries.len()).sum();
        let round = Round { network, labels: &*labels, shares, bucket };
        if lanes.len() == 1 || entries < NARROW {
            round.run::<true>(0, &mut lanes[0]);
        } else {
            let lanes = lanes.par_iter_mut().with_max_len(1).enumerate();
            lanes.for_each(|(index, lane)| round.run::<false>(index, lane));
        }
    }

    /// The first bucket from `bucket` on that is not empty in all lanes.
    fn next_bucket(&mut self, bucket: u64) -> Option<u64> {
        let mut start = bucket;
        loop {
            let next = self.lanes.iter().filter_map(|lane| lane.buckets.next(start)).min();
            if next.is_some() {
                return next;
            }
            start = self.lanes.iter().filter_map(|lane| lane.buckets.first_far()).min()?;
            for lane in &mut self.lanes {
                let labels = &self.labels;
                lane.buckets.advance(start, |e| labels.distance(e.vertex) == e.distance);
            }
        }
    }
}

/// One fork-join over the entries of a bucket.
struct Round<'a, D: Distance, W> {
    network: Network<'a, W>,
    labels: &'a D::Labels,
    shares: &'a [Share<D>],
    bucket: u64,
}

impl<D: Distance, W: EdgeWeights<Weight = D::Weight>> Round<'_, D, W> {
    /// What one thread does: first its own share, then what is left of the others', then what
    /// that has put into its own bucket.
    fn run<const ALONE: bool>(&self, index: usize, lane: &mut Lane<D>) {
        let (before, from) = self.shares.split_at(index);
        for share in from.iter().chain(before) {
            while let Some(entries) = share.take() {
                self.relax_all::<ALONE>(entries, lane);
            }
        }
        let mut own = std::mem::take(&mut lane.own);
        while (1..FUSE).contains(&lane.buckets.bucket(self.bucket).len()) {
            own.clear();
            std::mem::swap(&mut own, lane.buckets.bucket(self.bucket));
            self.relax_all::<ALONE>(&own, lane);
        }
        own.clear();
        lane.own = own;
    }

    fn relax_all<const ALONE: bool>(&self, entries: &[Entry<D>], lane: &mut Lane<D>) {
        let is_fresh = |entry: &Entry<D>| self.labels.distance(entry.vertex) == entry.distance;
        let mut fresh = [Entry { vertex: 0, distance: D::ZERO }; CHUNK];
        for chunk in entries.chunks(CHUNK) {
            let mut count = 0;
            for &entry in chunk {
                fresh[count] = entry;
                count += usize::from(is_fresh(&entry));
            }
            for place in 0..count {
                self.look_ahead(&fresh[..count], place);
                if is_fresh(&fresh[place]) {
                    self.relax::<ALONE>(fresh[place], lane);
                }
            }
        }
    }

    /// Asks for the memory that the entries behind `place` will need.
    #[inline]
    fn look_ahead(&self, entries: &[Entry<D>], place: usize) {
        if let Some(entry) = entries.get(place + AHEAD) {
            self.network.rows.prefetch_offset(entry.vertex);
        }
        if let Some(entry) = entries.get(place + AHEAD / 2) {
            self.network.prefetch_edges(entry.vertex);
        }
        if let Some(entry) = entries.get(place + 2) {
            let row = self.network.rows.row(entry.vertex);
            row.iter().take(ROW_AHEAD).for_each(|&target| self.labels.prefetch(target));
        }
    }

    /// Looks at the edges of a vertex.
    #[inline]
    fn relax<const ALONE: bool>(&self, Entry { vertex, distance }: Entry<D>, lane: &mut Lane<D>) {
        let row = self.network.rows.row(vertex);
        let (mut improved, mut overflowed) = (0, false);
        for (place, (target, weight)) in self.network.edges(vertex).enumerate() {
            if let Some(&ahead) = row.get(place + ROW_AHEAD) {
                self.labels.prefetch(ahead);
            }
            let sum = distance.plus(weight);
            overflowed |= !sum.is_reached();
            let better = match ALONE {
                true => self.labels.improve_alone(target, sum, vertex),
                false => self.labels.improve(target, sum, vertex),
            };
            if better {
                improved += 1;
                lane.buckets.push(Entry { vertex: target, distance: sum });
            }
        }
        lane.work.vertices += 1;
        lane.work.edges += row.len() as u64;
        lane.work.improved += improved;
        lane.work.overflowed |= overflowed;
    }
}
