//! One single-source run a vertex: the sources are shared among the threads, and each run is
//! sequential and writes straight into its row of the matrix.

use std::{cmp::Reverse, collections::BinaryHeap};

use equipoise_graph::Graph;
use rayon::prelude::*;

use super::length::Length;

/// All distances, row after row, in `matrix`, which has room for them. Where all edges weigh the
/// same, as `equal_weight` says, breadth-first search does.
pub(super) fn rows<T: Length>(
    graph: &Graph,
    weight: impl Fn(usize) -> T + Sync,
    equal_weight: Option<T>,
    matrix: &mut Vec<T>,
) {
    let vertices = graph.vertices() as usize;
    matrix.par_extend(rayon::iter::repeat_n(T::UNREACHED, vertices * vertices));
    let sources = matrix.par_chunks_mut(vertices.max(1)).enumerate();
    match equal_weight {
        Some(weight) => sources.for_each_init(Vec::new, |queue, (source, row)| {
            breadth_first(graph, weight, source as u32, row, queue);
        }),
        None => sources.for_each_init(BinaryHeap::new, |heap, (source, row)| {
            dijkstra(graph, &weight, source as u32, row, heap);
        }),
    }
}

/// The weight of every edge, if they all have the same.
pub(super) fn equal_weight<T: Length>(
    graph: &Graph,
    weight: impl Fn(usize) -> T + Sync,
) -> Option<T> {
    let edges = graph.csr().indices().len();
    let first = if edges == 0 { T::default() } else { weight(0) };
    (0..edges).into_par_iter().all(|edge| weight(edge) == first).then_some(first)
}

fn breadth_first<T: Length>(
    graph: &Graph,
    weight: T,
    source: u32,
    row: &mut [T],
    queue: &mut Vec<u32>,
) {
    queue.clear();
    queue.push(source);
    row[source as usize] = T::default();
    let (mut start, mut end, mut level) = (0, 1, 0);
    while start < end {
        level += 1;
        let length = weight.times(level);
        // Only a sum that overflowed; what is further is no nearer.
        if length == T::UNREACHED {
            return;
        }
        for index in start..end {
            for &target in graph.neighbors(queue[index]) {
                if row[target as usize] == T::UNREACHED {
                    row[target as usize] = length;
                    queue.push(target);
                }
            }
        }
        (start, end) = (end, queue.len());
    }
}

fn dijkstra<T: Length>(
    graph: &Graph,
    weight: impl Fn(usize) -> T,
    source: u32,
    row: &mut [T],
    heap: &mut BinaryHeap<Reverse<T::HeapKey>>,
) {
    row[source as usize] = T::default();
    heap.push(T::default().heap_key(source));
    while let Some(key) = heap.pop() {
        let (length, vertex) = T::from_heap_key(key);
        if length > row[vertex as usize] {
            continue;
        }
        let edges = graph.csr().range(vertex);
        for (&target, edge) in graph.neighbors(vertex).iter().zip(edges) {
            let longer = length.plus(weight(edge));
            if longer < row[target as usize] {
                row[target as usize] = longer;
                heap.push(longer.heap_key(target));
            }
        }
    }
}
