//! The search of one rank: it relaxes its own edges until none improves a distance, then offers distances to the owners of its
//! mirrors.

use std::time::Instant;

use super::{
    buckets::{Buckets, Entry, NO_BUCKET},
    distance::Distance,
    rows::Rows,
};
use crate::{Comm, DistGraph, Exchange, Reduction, Step, Trace, Traffic, bitmap};

/// Buckets per step: a rank works almost in the order of distances within a step.
const BUCKETS_PER_STEP: f64 = 32.0;
/// Once this share of all edges leaves vertices of final distance, the rest is one step: many small steps would make ranks
/// wait for each other.
const LAST_STEP_FROM: f64 = 0.9;

/// No vertex of a rank.
const NONE: u32 = u32::MAX;

/// The state of a vertex.
#[derive(Clone, Copy)]
struct Label<D> {
    distance: D,
    /// Its local predecessor; itself if another rank owns the predecessor.
    before: u32,
}

/// The result of a search for the vertices of this rank.
pub(crate) struct Found<D> {
    pub distances: Vec<D>,
    /// The predecessor of each on a shortest path; [`crate::NONE`] if not reached.
    pub predecessors: Vec<u64>,
    pub trace: Trace,
    /// Whether a sum did not fit on some rank: then vertices may be unreached only for that reason.
    pub overflowed: bool,
}

/// Shortest paths from `source`, in steps that are `delta` wide.
pub(super) fn search<D: Distance>(
    comm: &dyn Comm,
    graph: &DistGraph,
    rows: &Rows<D::Weight>,
    source: u64,
    delta: f64,
) -> Found<D> {
    let width = (delta / BUCKETS_PER_STEP).max(D::LEAST_WIDTH);
    let per_step = (delta / width).ceil().max(1.0) as u64;
    let mut exchange = Exchange::new(comm, graph);
    let mut work = Work::<D>::new(graph, rows, width);
    work.start(source);
    let enough = (graph.edges_total() as f64 * LAST_STEP_FROM) as u64;
    let (mut trace, mut settled) = (Trace::default(), 0);
    let mut first = work.first_bucket(&mut exchange);
    while first != NO_BUCKET {
        let is_last = settled >= enough;
        let end = if is_last { NO_BUCKET } else { first.saturating_add(per_step) };
        while first < end {
            let start = Instant::now();
            let mut step = Step::new(if is_last { "rest" } else { "near" });
            work.run(first, end, is_last, &mut step);
            work.tell_owners(&mut exchange);
            first = work.first_bucket(&mut exchange);
            let Traffic { bytes, waited } = exchange.take_traffic();
            trace.steps.push(Step { bytes, waited, time: start.elapsed(), ..step });
        }
        if !is_last {
            let start = Instant::now();
            let mut step = Step::new("far");
            let mut edges = [work.finish_step(&mut step)];
            work.tell_owners(&mut exchange);
            exchange.all_reduce(&mut edges, Reduction::Sum);
            settled += edges[0];
            first = work.first_bucket(&mut exchange);
            let Traffic { bytes, waited } = exchange.take_traffic();
            trace.steps.push(Step { bytes, waited, time: start.elapsed(), ..step });
        }
    }
    let mut overflowed = [u64::from(work.overflowed)];
    comm.all_reduce(&mut overflowed, Reduction::Max);
    work.finish(trace, overflowed != [0])
}

/// The state of a rank.
struct Work<'a, D: Distance> {
    graph: &'a DistGraph,
    rows: &'a Rows<D::Weight>,
    /// Of owned vertices, then of mirrors.
    labels: Vec<Label<D>>,
    /// The global predecessor of each owned vertex, if another rank owns it.
    outside: Vec<u64>,
    buckets: Buckets<D>,
    /// The vertices of this step whose light edges were relaxed; some occur several times.
    near: Vec<u32>,
    /// The mirrors that improved since the last offers, one bit each.
    improved: Vec<u64>,
    overflowed: bool,
}

impl<'a, D: Distance> Work<'a, D> {
    fn new(graph: &'a DistGraph, rows: &'a Rows<D::Weight>, width: f64) -> Self {
        let unknown = Label { distance: D::UNREACHED, before: NONE };
        Self {
            graph,
            rows,
            labels: vec![unknown; graph.local.vertices() as usize],
            outside: vec![crate::NONE; graph.owned() as usize],
            buckets: Buckets::new(width),
            near: Vec::new(),
            improved: vec![0; bitmap::words(graph.local.vertices())],
            overflowed: false,
        }
    }

    /// Sets the distance of the source, on its owner.
    fn start(&mut self, source: u64) {
        let owned = self.graph.partition.range(self.graph.rank());
        if !owned.contains(&source) {
            return;
        }
        let vertex = (source - owned.start) as u32;
        self.labels[vertex as usize] = Label { distance: D::ZERO, before: vertex };
        self.outside[vertex as usize] = source;
        self.buckets.push(Entry { vertex, distance: D::ZERO });
    }

    /// A lower bound on the first bucket of all ranks with work.
    fn first_bucket(&mut self, exchange: &mut Exchange) -> u64 {
        let labels = &self.labels;
        let mut first = [self.buckets.first(|entry| is_fresh(labels, entry))];
        exchange.all_reduce(&mut first, Reduction::Min);
        first[0]
    }

    /// Empties the buckets from `first`, the first one of all ranks, to `end`: relaxes light edges, or all.
    fn run(&mut self, first: u64, end: u64, all: bool, step: &mut Step) {
        let labels = &self.labels;
        self.buckets.advance(first, end, |entry| is_fresh(labels, entry));
        let rows = self.rows;
        while let Some(entry) = self.buckets.pop(end) {
            if !is_fresh(&self.labels, &entry) {
                continue;
            }
            let edges = if all {
                rows.all(entry.vertex)
            } else {
                self.near.push(entry.vertex);
                rows.light(entry.vertex)
            };
            step.active += 1;
            step.edges += edges.len() as u64;
            self.relax(entry, edges);
        }
    }

    /// Relaxes the heavy edges of the step's vertices. Returns the number of all their edges.
    fn finish_step(&mut self, step: &mut Step) -> u64 {
        let mut near = std::mem::take(&mut self.near);
        near.sort_unstable();
        near.dedup();
        let (rows, mut leaving) = (self.rows, 0);
        for &vertex in &near {
            let (heavy, distance) = (rows.heavy(vertex), self.labels[vertex as usize].distance);
            step.edges += heavy.len() as u64;
            leaving += rows.all(vertex).len() as u64;
            self.relax(Entry { vertex, distance }, heavy);
        }
        step.active = near.len() as u64;
        near.clear();
        self.near = near;
        leaving
    }

    #[inline]
    fn relax(&mut self, Entry { vertex, distance }: Entry<D>, edges: &[(u32, D::Weight)]) {
        let owned = self.outside.len() as u32;
        for &(target, weight) in edges {
            let sum = distance.plus(weight);
            let label = &mut self.labels[target as usize];
            if sum < label.distance {
                *label = Label { distance: sum, before: vertex };
                if target < owned {
                    self.buckets.push(Entry { vertex: target, distance: sum })
                } else {
                    bitmap::insert(&mut self.improved, target)
                }
            } else {
                self.overflowed |= !sum.is_reached();
            }
        }
    }

    /// Offers the distances of improved mirrors to their owners, which take shorter ones.
    ///
    /// A vertex takes distance and predecessor together, and only a shorter distance. So its predecessor had its own distance
    /// earlier, and predecessors never form a cycle, not even over edges of weight 0.
    fn tell_owners(&mut self, exchange: &mut Exchange) {
        let Self { graph, labels, outside, buckets, improved: marked, .. } = self;
        let mut improved = Vec::new();
        bitmap::for_each(marked, |mirror| improved.push(mirror));
        marked.fill(0);
        let (owned, mirrors) = labels.split_at_mut(outside.len());
        let offer = |mirror: u32| {
            let label = mirrors[mirror as usize - outside.len()];
            label.distance.offer(label.before)
        };
        let mut taken = Vec::new();
        exchange.reduce_from(&improved, offer, |rank, vertex, offer| {
            let (distance, before) = D::offered(offer);
            let label = &mut owned[vertex as usize];
            if distance < label.distance {
                *label = Label { distance, before: vertex };
                taken.push((vertex, graph.partition.starts[rank] + u64::from(before)));
                buckets.push(Entry { vertex, distance });
            }
        });
        taken.iter().for_each(|&(vertex, before)| outside[vertex as usize] = before);
    }

    fn finish(self, trace: Trace, overflowed: bool) -> Found<D> {
        let owned = self.graph.owned() as usize;
        let predecessor = |(vertex, label): (usize, &Label<D>)| match label.before {
            NONE => crate::NONE,
            before if before as usize == vertex => self.outside[vertex],
            before => self.graph.global(before),
        };
        let labels = &self.labels[..owned];
        Found {
            distances: labels.iter().map(|label| label.distance).collect(),
            predecessors: labels.iter().enumerate().map(predecessor).collect(),
            trace,
            overflowed,
        }
    }
}

#[inline]
fn is_fresh<D: Distance>(labels: &[Label<D>], entry: &Entry<D>) -> bool {
    labels[entry.vertex as usize].distance == entry.distance
}
