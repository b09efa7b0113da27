//! Unscaled betweenness by sequential searches: the share of shortest paths through each vertex, summed from the farthest
//! vertex back.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
    marker::PhantomData,
};

use equipoise_graph::{Graph, memory, parallel::*};

use super::super::{
    BetweennessOptions, Plan, Sums,
    count::{PathCount, WideCount},
    weighted::{Lengths, UNREACHED},
};
use crate::Result;

/// The bytes per vertex that a thread needs in addition to its sums.
const BYTES_PER_VERTEX: u64 = 96;

/// The sums over all sources of a plan.
pub(super) fn sums<L: Lengths>(
    graph: &Graph,
    plan: &Plan,
    options: &BetweennessOptions,
    lengths: L,
) -> Result<Sums> {
    let threads = rayon::current_num_threads().min(plan.sources.len()).max(1);
    let bytes = u64::from(graph.vertices()).saturating_mul(BYTES_PER_VERTEX);
    let bytes = bytes.saturating_add(Sums::bytes(graph, options)).saturating_mul(threads as u64);
    memory::check("verifying betweenness", bytes)?;
    let zeros = || Sums {
        vertices: vec![0.0; graph.vertices() as usize],
        edges: options.edges.then(|| vec![0.0; graph.edges() as usize]),
    };
    let parts: Vec<Sums> = plan
        .sources
        .par_chunks(plan.sources.len().div_ceil(threads).max(1))
        .map(|sources| {
            let mut sums = zeros();
            let mut search = Search::<f64, L>::new(graph, lengths);
            let mut wide = None;
            for &source in sources {
                if search.count_paths(source) {
                    search.add_dependencies(options.endpoints, &mut sums);
                } else {
                    // Some vertex has more shortest paths than an f64 can count.
                    let wide =
                        wide.get_or_insert_with(|| Search::<WideCount, L>::new(graph, lengths));
                    wide.count_paths(source);
                    wide.add_dependencies(options.endpoints, &mut sums);
                }
            }
            sums
        })
        .collect();
    let add = |all: &mut [f64], part: &[f64]| all.iter_mut().zip(part).for_each(|(a, b)| *a += b);
    Ok(parts.into_iter().fold(zeros(), |mut all, part| {
        add(&mut all.vertices, &part.vertices);
        if let (Some(all), Some(part)) = (&mut all.edges, &part.edges) {
            add(all, part);
        }
        all
    }))
}

/// The shortest paths from one source.
struct Search<'a, C, L> {
    graph: &'a Graph,
    lengths: L,
    distances: Vec<u64>,
    counts: Vec<C>,
    /// Per vertex, the share of the paths to all other vertices that lead through it.
    dependencies: Vec<f64>,
    waiting: Waiting<L>,
    /// The vertices reached, the source first, by ascending distance.
    reached: Vec<u32>,
}

impl<'a, C: PathCount, L: Lengths> Search<'a, C, L> {
    fn new(graph: &'a Graph, lengths: L) -> Self {
        let vertices = graph.vertices() as usize;
        Self {
            graph,
            lengths,
            distances: vec![UNREACHED; vertices],
            counts: vec![C::ZERO; vertices],
            dependencies: vec![0.0; vertices],
            waiting: Waiting::new(),
            reached: Vec::new(),
        }
    }

    /// Counts the shortest paths to each vertex. Whether all counts are safe to divide by.
    fn count_paths(&mut self, source: u32) -> bool {
        self.distances.fill(UNREACHED);
        self.reached.clear();
        self.distances[source as usize] = 0;
        self.counts[source as usize] = C::from(1.0);
        self.waiting.clear();
        self.waiting.push(0, source);
        while let Some((distance, vertex)) = self.waiting.pop() {
            if self.distances[vertex as usize] != distance {
                continue;
            }
            if !self.counts[vertex as usize].is_safe() {
                return false;
            }
            self.reached.push(vertex);
            self.extend_paths(vertex, distance);
        }
        true
    }

    fn extend_paths(&mut self, vertex: u32, distance: u64) {
        let count = self.counts[vertex as usize];
        let row = self.graph.csr().range(vertex).zip(self.graph.neighbors(vertex));
        for (edge, &target) in row.filter(|&(_, &target)| target != vertex) {
            let (length, index) = (self.lengths.plus(distance, edge), target as usize);
            if length < self.distances[index] {
                self.distances[index] = length;
                self.counts[index] = C::ZERO;
                self.waiting.push(length, target);
            }
            if length == self.distances[index] {
                self.counts[index] = self.counts[index].plus(count);
            }
        }
    }

    fn add_dependencies(&mut self, endpoints: bool, sums: &mut Sums) {
        let others = self.reached.len() as f64 - 1.0;
        for (index, &vertex) in self.reached.iter().enumerate().rev() {
            let (count, distance) = (self.counts[vertex as usize], self.distances[vertex as usize]);
            let row = self.graph.csr().range(vertex).zip(self.graph.neighbors(vertex));
            let mut dependency = 0.0;
            for (edge, &target) in row.filter(|&(_, &target)| target != vertex) {
                if self.lengths.plus(distance, edge) == self.distances[target as usize] {
                    let share = count.over(self.counts[target as usize]).to_f64();
                    let along = share * (1.0 + self.dependencies[target as usize]);
                    dependency += along;
                    if let Some(edges) = &mut sums.edges {
                        edges[edge] += along;
                    }
                }
            }
            self.dependencies[vertex as usize] = dependency;
            let is_source = index == 0;
            sums.vertices[vertex as usize] += match (is_source, endpoints) {
                (true, true) => others,
                (true, false) => 0.0,
                (false, true) => dependency + 1.0,
                (false, false) => dependency,
            };
        }
    }
}

/// Vertices by distance: a queue if all edges have the same length, else a heap.
struct Waiting<L> {
    heap: BinaryHeap<Reverse<(u64, u32)>>,
    queue: VecDeque<(u64, u32)>,
    lengths: PhantomData<L>,
}

impl<L: Lengths> Waiting<L> {
    fn new() -> Self {
        Self { heap: BinaryHeap::new(), queue: VecDeque::new(), lengths: PhantomData }
    }

    fn clear(&mut self) {
        self.heap.clear();
        self.queue.clear();
    }

    fn push(&mut self, distance: u64, vertex: u32) {
        if L::ARE_ONES {
            self.queue.push_back((distance, vertex));
        } else {
            self.heap.push(Reverse((distance, vertex)));
        }
    }

    fn pop(&mut self) -> Option<(u64, u32)> {
        if L::ARE_ONES {
            self.queue.pop_front()
        } else {
            self.heap.pop().map(|Reverse(first)| first)
        }
    }
}
