//! What betweenness adds up to, known from the way there alone.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
    marker::PhantomData,
};

use equipoise_graph::{Graph, memory};
use rayon::prelude::*;

use super::super::{
    BetweennessOptions, Plan,
    count::{Count, Wide},
    weighted::{Lengths, UNREACHED},
};
use crate::Result;

/// The most bytes a vertex that a thread takes.
const BYTES_OF_VERTEX: u64 = 96;

/// Sums of dependencies, each times its random number.
#[derive(Clone, Copy, Default)]
pub(super) struct Expected {
    pub vertices: f64,
    pub edges: f64,
}

/// A random number from 1 to 2 for each vertex.
pub(super) fn random_of_vertex(vertex: u32) -> f64 {
    random(vertex.into())
}

/// The same for each edge, whichever way it is taken.
pub(super) fn random_of_edge(a: u32, b: u32) -> f64 {
    random(u64::from(a.min(b)) << 32 | u64::from(a.max(b)))
}

/// A number from 1 to 2 that looks random, by the last steps of SplitMix64.
fn random(of: u64) -> f64 {
    let mut bits = of.wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^= bits >> 31;
    1.0 + (bits >> 11) as f64 / (1u64 << 53) as f64
}

/// What the sums over vertices and edges should be, before they are scaled.
pub(super) fn expected<L: Lengths>(
    graph: &Graph,
    plan: &Plan,
    options: &BetweennessOptions,
    lengths: L,
) -> Result<Expected> {
    let threads = rayon::current_num_threads().min(plan.sources.len()).max(1);
    let bytes = u64::from(graph.vertices()).saturating_mul(BYTES_OF_VERTEX);
    let bytes = bytes.saturating_mul(threads as u64);
    memory::check("verifying betweenness", bytes)?;
    let parts: Vec<Expected> = plan
        .sources
        .par_chunks(plan.sources.len().div_ceil(threads).max(1))
        .map(|sources| {
            let mut search = Paths::<f64, L>::new(graph, lengths, options.edges);
            let mut wide = None;
            sources.iter().fold(Expected::default(), |sum, &source| {
                let found = search.means(source).unwrap_or_else(|| {
                    let search = wide.get_or_insert_with(|| {
                        Paths::<Wide, L>::new(graph, lengths, options.edges)
                    });
                    search.means(source).unwrap_or_default()
                });
                let ends = if options.endpoints { found.ends } else { 0.0 };
                let vertices = sum.vertices + found.vertices + ends;
                Expected { vertices, edges: sum.edges + found.edges }
            })
        })
        .collect();
    Ok(parts.into_iter().fold(Expected::default(), |sum, part| Expected {
        vertices: sum.vertices + part.vertices,
        edges: sum.edges + part.edges,
    }))
}

/// The shortest paths from one source.
struct Paths<'a, C, L> {
    graph: &'a Graph,
    lengths: L,
    distances: Vec<u64>,
    counts: Vec<C>,
    /// The random numbers of the vertices before, then of the edges, added up over all paths to each vertex.
    on_paths: Vec<[C; 2]>,
    waiting: Waiting<L>,
    reached: Vec<u32>,
    /// Whether edges are asked for.
    with_edges: bool,
}

/// Vertices by their distances: on a heap, or in a queue where all edges have the same length.
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
        match L::ARE_ONES {
            true => self.queue.push_back((distance, vertex)),
            false => self.heap.push(Reverse((distance, vertex))),
        }
    }

    fn pop(&mut self) -> Option<(u64, u32)> {
        match L::ARE_ONES {
            true => self.queue.pop_front(),
            false => self.heap.pop().map(|Reverse(first)| first),
        }
    }
}

/// Over all vertices that were reached.
#[derive(Default)]
struct Means {
    /// The sum of the random numbers between the source and the vertex, on the mean path.
    vertices: f64,
    edges: f64,
    /// Those of the source and the vertex.
    ends: f64,
}

impl<'a, C: Count, L: Lengths> Paths<'a, C, L> {
    fn new(graph: &'a Graph, lengths: L, with_edges: bool) -> Self {
        let vertices = graph.vertices() as usize;
        Self {
            graph,
            lengths,
            distances: vec![UNREACHED; vertices],
            counts: vec![C::ZERO; vertices],
            on_paths: vec![[C::ZERO; 2]; vertices],
            waiting: Waiting::new(),
            reached: Vec::new(),
            with_edges,
        }
    }

    /// Adds up means over the paths to each vertex; nothing where counts are not safe.
    fn means(&mut self, source: u32) -> Option<Means> {
        for vertex in self.reached.drain(..) {
            self.distances[vertex as usize] = UNREACHED;
        }
        self.distances[source as usize] = 0;
        self.counts[source as usize] = C::of(1.0);
        self.on_paths[source as usize] = [C::ZERO; 2];
        self.waiting.clear();
        self.waiting.push(0, source);
        let mut means = Means::default();
        while let Some((distance, vertex)) = self.waiting.pop() {
            if self.distances[vertex as usize] != distance {
                continue;
            }
            let count = self.counts[vertex as usize];
            if !count.is_safe() {
                self.distances.fill(UNREACHED);
                return None;
            }
            self.reached.push(vertex);
            if vertex != source {
                let [vertices, edges] = self.on_paths[vertex as usize];
                means.vertices += vertices.over(count).to_f64();
                means.edges += edges.over(count).to_f64();
                means.ends += random_of_vertex(source) + random_of_vertex(vertex);
            }
            self.hand_on(source, vertex, distance);
        }
        Some(means)
    }

    /// Tells the vertices beyond one of its paths.
    fn hand_on(&mut self, source: u32, vertex: u32, distance: u64) {
        let own = if vertex == source { 0.0 } else { random_of_vertex(vertex) };
        let count = self.counts[vertex as usize];
        let [vertices, edges] = self.on_paths[vertex as usize];
        let vertices = vertices.plus(count.times(C::of(own)));
        let row = self.graph.csr().range(vertex).zip(self.graph.neighbors(vertex));
        for (edge, &target) in row.filter(|&(_, &target)| target != vertex) {
            let sum = self.lengths.plus(distance, edge);
            let place = target as usize;
            if sum > self.distances[place] {
                continue;
            }
            if sum < self.distances[place] {
                self.distances[place] = sum;
                self.counts[place] = C::ZERO;
                self.on_paths[place] = [C::ZERO; 2];
                self.waiting.push(sum, target);
            }
            self.counts[place] = self.counts[place].plus(count);
            let [before, along] = &mut self.on_paths[place];
            *before = before.plus(vertices);
            if self.with_edges {
                let random = C::of(random_of_edge(vertex, target));
                *along = along.plus(edges.plus(count.times(random)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_are_from_1_to_2_and_differ() {
        let of_vertices: Vec<f64> = (0..1000).map(random_of_vertex).collect();
        let of_edges: Vec<f64> = (0..1000).map(|vertex| random_of_edge(vertex, 7)).collect();
        for mut numbers in [of_vertices, of_edges] {
            assert!(numbers.iter().all(|number| (1.0..2.0).contains(number)));
            numbers.sort_by(f64::total_cmp);
            assert!(numbers.is_sorted_by(|a, b| a < b));
        }
        assert_eq!(random_of_edge(3, 9), random_of_edge(9, 3));
    }
}
