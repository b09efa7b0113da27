//! One single-source run per vertex. Threads share the sources; each run is sequential and writes
//! straight into its row of the matrix.
//!
//! Next hops need runs that all end at the same vertex: then a path is a branch of one tree, and next
//! hops lead down it. So runs go backwards, from each target against the edges, and the matrix is
//! transposed at the end. A vertex gets its hop when its distance falls, from a vertex whose distance
//! is final. The earlier of two vertices is nearer to the target in the tree, so edges of length 0
//! close no cycle.

use std::{cmp::Reverse, collections::BinaryHeap};

use equipoise_graph::{Graph, cancel::Cancel, parallel::*};

use super::{length::Length, matrix::mark_unreached};

/// Finds the distances from each source, row after row, in a matrix filled with `FAR`: by
/// breadth-first search where all edges have one weight.
pub(super) fn rows<T: Length>(
    graph: &Graph,
    sources: &[u32],
    equal_weight: Option<T>,
    lengths: &mut [T],
) {
    let rows = lengths.par_chunks_mut(graph.vertices().max(1) as usize).zip(sources);
    let cancel = Cancel::current();
    rows.for_each_init(Search::default, |search, (row, &source)| {
        cancel.poll();
        search.run(graph, equal_weight, source, row, |_, _| ());
    });
    mark_unreached(lengths);
}

/// Finds the distances between all vertices, and their next hops, by the graph's transpose.
pub(super) fn rows_and_hops<T: Length>(
    transpose: &Graph,
    equal_weight: Option<T>,
    lengths: &mut [T],
    hops: &mut [u32],
) {
    let vertices = transpose.vertices().max(1) as usize;
    let rows = lengths.par_chunks_mut(vertices).zip(hops.par_chunks_mut(vertices));
    let cancel = Cancel::current();
    rows.enumerate().for_each_init(Search::default, |search, (target, (row, hops))| {
        cancel.poll();
        search.run(transpose, equal_weight, target as u32, row, |vertex, hop| {
            hops[vertex as usize] = hop;
        });
    });
    mark_unreached(lengths);
    transpose_in_place(lengths, vertices);
    transpose_in_place(hops, vertices);
}

/// The weight of all edges, if it is the same.
pub(super) fn equal_weight<T: Length>(graph: &Graph) -> Option<T> {
    let edges = graph.csr().indices().len();
    let first = if edges == 0 { T::default() } else { T::weight_of(graph, 0) };
    (0..edges).into_par_iter().all(|edge| T::weight_of(graph, edge) == first).then_some(first)
}

/// Working memory, reused from run to run.
struct Search<T: Length> {
    queue: Vec<u32>,
    heap: BinaryHeap<Reverse<T::HeapKey>>,
}

impl<T: Length> Default for Search<T> {
    fn default() -> Self {
        Self { queue: Vec::new(), heap: BinaryHeap::new() }
    }
}

impl<T: Length> Search<T> {
    /// Finds all distances from a source. `record` receives each vertex whose distance falls, and its
    /// predecessor.
    fn run(
        &mut self,
        graph: &Graph,
        equal_weight: Option<T>,
        source: u32,
        row: &mut [T],
        record: impl FnMut(u32, u32),
    ) {
        row[source as usize] = T::default();
        match equal_weight {
            Some(weight) => self.breadth_first(graph, weight, source, row, record),
            None => self.dijkstra(graph, source, row, record),
        }
    }

    fn breadth_first(
        &mut self,
        graph: &Graph,
        weight: T,
        source: u32,
        row: &mut [T],
        mut record: impl FnMut(u32, u32),
    ) {
        let queue = &mut self.queue;
        queue.clear();
        queue.push(source);
        let (mut start, mut end, mut length) = (0, 1, T::default());
        while start < end {
            // Summed as along a path: a multiple of 0.1 would be another number.
            length = length.plus(weight);
            // The sum overflowed, and with it those of all farther vertices.
            if length == T::UNREACHED {
                return;
            }
            for index in start..end {
                let vertex = queue[index];
                for &target in graph.neighbors(vertex) {
                    if row[target as usize] == T::FAR {
                        row[target as usize] = length;
                        record(target, vertex);
                        queue.push(target);
                    }
                }
            }
            (start, end) = (end, queue.len());
        }
    }

    fn dijkstra(
        &mut self,
        graph: &Graph,
        source: u32,
        row: &mut [T],
        mut record: impl FnMut(u32, u32),
    ) {
        let heap = &mut self.heap;
        heap.push(T::default().heap_key(source));
        while let Some(key) = heap.pop() {
            let (length, vertex) = T::from_heap_key(key);
            if length > row[vertex as usize] {
                continue;
            }
            let edges = graph.csr().range(vertex);
            for (&target, edge) in graph.neighbors(vertex).iter().zip(edges) {
                let longer = length.plus(T::weight_of(graph, edge));
                if longer < row[target as usize] {
                    row[target as usize] = longer;
                    record(target, vertex);
                    heap.push(longer.heap_key(target));
                }
            }
        }
    }
}

/// The side of the squares that are exchanged, so that both stay in a cache.
const SQUARE: usize = 64;

fn transpose_in_place<T>(matrix: &mut [T], side: usize) {
    for top in (0..side).step_by(SQUARE) {
        for left in (top..side).step_by(SQUARE) {
            for row in top..(top + SQUARE).min(side) {
                for column in left.max(row + 1)..(left + SQUARE).min(side) {
                    matrix.swap(row * side + column, column * side + row);
                }
            }
        }
    }
}
