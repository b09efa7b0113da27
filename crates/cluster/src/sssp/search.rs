//! The search of one rank: it relaxes its own edges as long as it can, then tells the owners of its mirrors.

use std::time::Instant;

use super::{
    buckets::{Buckets, Entry, NO_BUCKET},
    distance::{Distance, EdgeWeights},
};
use crate::{Comm, DistGraph, Exchange, Reduction, Step, Trace, Traffic, bitmap};

/// So many buckets are worked on between two exchanges. More of them need fewer exchanges, but rank the edges of
/// vertices whose distance another rank still improves.
const BUCKETS_PER_STEP: u64 = 32;

/// No vertex of a rank.
const NONE: u32 = u32::MAX;

/// What is known of a vertex.
#[derive(Clone, Copy)]
struct Label<D> {
    distance: D,
    /// The vertex before it, of this rank; itself where another rank has that vertex.
    before: u32,
}

/// What a search found of the vertices of this rank.
pub(super) struct Found<D> {
    pub distances: Vec<D>,
    /// The vertex before each one on a shortest path; [`crate::NONE`] where not reached.
    pub predecessors: Vec<u64>,
    pub trace: Trace,
    /// Whether a sum did not fit on some rank: there may be vertices that were not reached for that reason alone.
    pub overflowed: bool,
}

/// Shortest paths from `source`, in steps of some buckets that are `delta` wide.
pub(super) fn search<D: Distance, W: EdgeWeights<Weight = D::Weight>>(
    comm: &dyn Comm,
    graph: &DistGraph,
    weights: W,
    source: u64,
    delta: f64,
) -> Found<D> {
    let mut exchange = Exchange::new(comm, graph);
    let mut work = Work::<D, W>::new(graph, weights, delta);
    work.start(source);
    let mut trace = Trace::default();
    loop {
        let start = Instant::now();
        let mut first = [work.first_bucket()];
        exchange.all_reduce(&mut first, Reduction::Min);
        let [first] = first;
        if first == NO_BUCKET {
            break;
        }
        let mut step = Step::new("near");
        work.run(first, &mut step);
        work.tell_owners(&mut exchange);
        let Traffic { bytes, waited } = exchange.take_traffic();
        trace.steps.push(Step { bytes, waited, time: start.elapsed(), ..step });
    }
    let mut overflowed = [u64::from(work.overflowed)];
    comm.all_reduce(&mut overflowed, Reduction::Max);
    work.finish(trace, overflowed != [0])
}

/// The state of a rank.
struct Work<'a, D, W> {
    graph: &'a DistGraph,
    weights: W,
    /// Of owned vertices, then mirrors.
    labels: Vec<Label<D>>,
    /// The global vertex before each owned one, where another rank has it.
    outside: Vec<u64>,
    buckets: Buckets<D>,
    /// The mirrors that improved since their owners were told, a bit each.
    improved: Vec<u64>,
    overflowed: bool,
}

impl<'a, D: Distance, W: EdgeWeights<Weight = D::Weight>> Work<'a, D, W> {
    fn new(graph: &'a DistGraph, weights: W, delta: f64) -> Self {
        let vertices = graph.local.vertices() as usize;
        let unknown = Label { distance: D::UNREACHED, before: NONE };
        Self {
            graph,
            weights,
            labels: vec![unknown; vertices],
            outside: vec![crate::NONE; graph.owned() as usize],
            buckets: Buckets::new(delta),
            improved: vec![0; bitmap::words(graph.local.vertices())],
            overflowed: false,
        }
    }

    /// The source has a distance, on the rank that owns it.
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

    /// The first bucket that has something to do, or one before it.
    fn first_bucket(&mut self) -> u64 {
        let labels = &self.labels;
        self.buckets.first(|entry| is_fresh(labels, entry))
    }

    /// Works on the buckets of a step, `first` being the first one of all ranks, until they are empty.
    fn run(&mut self, first: u64, step: &mut Step) {
        let end = first.saturating_add(BUCKETS_PER_STEP);
        let labels = &self.labels;
        self.buckets.advance(first, end, |entry| is_fresh(labels, entry));
        while let Some(entry) = self.buckets.pop(end) {
            if is_fresh(&self.labels, &entry) {
                step.active += 1;
                step.edges += self.graph.local.degree(entry.vertex) as u64;
                self.relax(entry);
            }
        }
    }

    #[inline]
    fn relax(&mut self, Entry { vertex, distance }: Entry<D>) {
        let csr = self.graph.local.csr();
        let (edges, owned) = (csr.range(vertex), self.graph.owned());
        for (&target, weight) in csr.indices()[edges.clone()].iter().zip(self.weights.of(edges)) {
            let sum = distance.plus(weight);
            let label = &mut self.labels[target as usize];
            if sum < label.distance {
                *label = Label { distance: sum, before: vertex };
                match target < owned {
                    true => self.buckets.push(Entry { vertex: target, distance: sum }),
                    false => bitmap::insert(&mut self.improved, target),
                }
            } else {
                self.overflowed |= !sum.is_reached();
            }
        }
    }

    /// Offers the distances of improved mirrors to their owners, who take what is shorter.
    ///
    /// A vertex takes distance and predecessor together, and only what is shorter. So the vertex before it had its own
    /// distance earlier, and predecessors never form a cycle, not even over edges of weight 0.
    fn tell_owners(&mut self, exchange: &mut Exchange) {
        let Self { graph, labels, outside, buckets, improved: marked, .. } = self;
        let mut improved = Vec::new();
        bitmap::for_each(marked, |mirror| improved.push(mirror));
        marked.fill(0);
        let mut taken = Vec::new();
        let offer = |mirror: u32| {
            let label = labels[mirror as usize];
            label.distance.offer(label.before)
        };
        exchange.reduce_from(&improved, offer, |rank, vertex, offer| {
            taken.push((rank, vertex, offer));
        });
        for (rank, vertex, offer) in taken {
            let (distance, before) = D::offered(offer);
            let label = &mut labels[vertex as usize];
            if distance < label.distance {
                *label = Label { distance, before: vertex };
                outside[vertex as usize] = graph.partition.range(rank).start + u64::from(before);
                buckets.push(Entry { vertex, distance });
            }
        }
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
