//! Delta-stepping: the buckets one after the other, each in rounds.

use std::time::Instant;

use rayon::prelude::*;

use super::{
    buckets::{Entry, Width},
    distance::Distance,
    found::Found,
    labels::Labels,
    network::{EdgeWeights, Network},
    round::{Lane, Round, Work},
};
use crate::{Step, Trace, share::Share};

/// Rounds with fewer entries than this run on the calling thread: waking another costs more.
const NARROW: usize = 1 << 7;

/// The buffers of delta-stepping, for many sources.
pub(super) struct Stepper<D: Distance> {
    width: Width,
    labels: D::Labels,
    lanes: Vec<Lane<D>>,
    shares: Vec<Share<Entry<D>>>,
    /// Whether the buffers hold what a search has left.
    used: bool,
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
            share.refill(lane.buckets.bucket(bucket));
        }
    }

    fn round<W: EdgeWeights<Weight = D::Weight>>(&mut self, network: Network<W>, bucket: u64) {
        let Self { labels, lanes, shares, .. } = self;
        let entries: usize = shares.iter().map(Share::len).sum();
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
