//! Delta-stepping: one or a few buckets after the other, in rounds.

use std::time::Instant;

use super::{
    buckets::{Entry, Width},
    distance::{Distance, PathTree},
    labels::Labels,
    network::{EdgeWeights, Network},
    round::{Lane, Round, Work},
    span::Span,
};
use crate::{
    Step, Trace,
    share::{Cursor, Shares},
    team::{Lanes, Team},
};

/// Entries per thread that are worth sharing a round.
const GRAIN: u64 = 1 << 2;

/// The buffers of delta-stepping, which several searches reuse.
pub(super) struct Stepper<'a, D: Distance> {
    team: &'a Team<'a>,
    width: Width,
    labels: Labels<D>,
    lanes: Lanes<Lane<D>>,
    shares: Shares<Entry<D>>,
    span: Span,
    /// The work of all threads in the previous buckets.
    work: Work,
    /// Whether the buffers hold the data of a previous search.
    used: bool,
}

impl<'a, D: Distance> Stepper<'a, D> {
    /// Buffers for a graph with `vertices` vertices and buckets that are `delta` wide.
    pub fn new(team: &'a Team<'a>, vertices: u32, delta: f64) -> Self {
        let width = Width::new(delta);
        Self {
            team,
            width,
            labels: Labels::new(team, vertices),
            lanes: Lanes::new(team.size(), || Lane::new(width)),
            shares: Shares::new(team.size()),
            span: Span::new(team.size()),
            work: Work::default(),
            used: false,
        }
    }

    /// Shortest paths from `source`, except those to vertices farther than `target`.
    pub fn run<W: EdgeWeights<Weight = D::Weight>>(
        &mut self,
        network: Network<W>,
        source: u32,
        target: Option<u32>,
    ) -> PathTree<D> {
        self.clear();
        self.labels.improve_alone(source, D::ZERO, source);
        self.lanes.first_mut().buckets.push(Entry { vertex: source, distance: D::ZERO });
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
        let (distances, predecessors) = self.labels.finish(self.team, network, source, limit);
        PathTree { distances, predecessors, trace, overflowed: self.work.overflowed }
    }

    fn clear(&mut self) {
        if !std::mem::replace(&mut self.used, true) {
            return;
        }
        self.labels.clear(self.team);
        self.span = Span::new(self.team.size());
        self.work = Work::default();
        for lane in self.lanes.iter_mut() {
            lane.buckets.clear();
            lane.work = Work::default();
        }
    }

    /// Whether the distance of `vertex` belongs before `bucket`.
    fn is_before(&self, vertex: u32, bucket: u64) -> bool {
        let distance = self.labels.distance(vertex);
        distance.is_reached() && self.width.bucket(distance) < bucket
    }

    /// Settles the buckets of a step from `bucket` on: rounds until they are empty. Returns the next bucket that is not empty.
    fn settle<W: EdgeWeights<Weight = D::Weight>>(
        &mut self,
        network: Network<W>,
        bucket: u64,
    ) -> (Step, Option<u64>) {
        let start = Instant::now();
        let last = self.span.last_from(bucket);
        let mut next = Some(bucket);
        while let Some(first) = next.filter(|&next| next <= last) {
            self.share_out(first);
            self.round(network, last);
            next = self.next_bucket();
        }
        let after = self.work();
        let before = std::mem::replace(&mut self.work, after);
        let step = Step {
            frontier: after.vertices - before.vertices,
            edges: after.edges - before.edges,
            found: after.improved - before.improved,
            time: start.elapsed(),
            ..Step::new(bucket.try_into().unwrap_or(u32::MAX), "delta")
        };
        self.span.adapt(step.frontier);
        (step, next)
    }

    /// The work of all threads so far.
    fn work(&mut self) -> Work {
        self.lanes.iter_mut().fold(Work::default(), |sum, lane| Work {
            vertices: sum.vertices + lane.work.vertices,
            edges: sum.edges + lane.work.edges,
            improved: sum.improved + lane.work.improved,
            overflowed: sum.overflowed || lane.work.overflowed,
        })
    }

    /// Moves the entries of `bucket` to the shares, from which all threads can take.
    fn share_out(&mut self, bucket: u64) {
        self.shares.refill(self.lanes.iter_mut().map(|lane| lane.buckets.bucket(bucket)));
    }

    fn round<W: EdgeWeights<Weight = D::Weight>>(&mut self, network: Network<W>, last: u64) {
        let Self { team, labels, lanes, shares, .. } = self;
        let threads = team.threads_for(shares.len() as u64, GRAIN);
        shares.cut_for(threads);
        let round = Round { network, labels: &*labels, shares, last };
        if threads == 1 {
            round.run::<true>(0, lanes.first_mut());
        } else {
            team.each(threads, |index| round.run::<false>(index, &mut lanes.get(index)));
            let parts = round.giant_parts(lanes.iter_mut());
            if !parts.is_empty() {
                let cursor = Cursor::new(parts.len(), 1);
                team.each(team.size(), |index| {
                    round.run_parts(&parts, &cursor, &mut lanes.get(index));
                });
            }
        }
    }

    /// The first bucket that is not empty, over all lanes.
    fn next_bucket(&mut self) -> Option<u64> {
        loop {
            let next = self.lanes.iter_mut().filter_map(|lane| lane.buckets.next()).min();
            if next.is_some() {
                return next;
            }
            let far = self.lanes.iter_mut().filter_map(|lane| lane.buckets.first_far());
            let start = far.min()?;
            for lane in self.lanes.iter_mut() {
                let labels = &self.labels;
                lane.buckets
                    .advance(start, |entry| labels.distance(entry.vertex) == entry.distance);
            }
        }
    }
}
