//! Tools of verifiers: waves of vertices, trees joined in parallel, sizes of classes, and the simple rows of any graph.
//!
//! Verifiers share no code with the algorithms whose results they check.

use std::{
    iter,
    sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use equipoise_graph::{Csr, Graph, cancel::Cancel, parallel::*};

use crate::Result;

/// Waves of fewer vertices run on the calling thread.
const SMALL_WAVE: usize = 1 << 11;
/// Vertices of a wave that a thread takes at once.
const VERTICES_AT_ONCE: usize = 1 << 8;
/// Labels that a thread counts at once.
const LABELS_AT_ONCE: usize = 1 << 14;

/// Visits the vertices of the first wave, then those that these visits push, until a wave is empty. Waves end one after
/// the other; within one, visits are concurrent.
pub(crate) fn waves(mut wave: Vec<u32>, visit: impl Fn(u32, &mut Vec<u32>) + Sync) {
    let cancel = Cancel::current();
    let visit_all = |vertices: &[u32]| {
        let mut next = Vec::new();
        vertices.iter().for_each(|&vertex| visit(vertex, &mut next));
        next
    };
    while !wave.is_empty() {
        cancel.poll();
        wave = if wave.len() < SMALL_WAVE {
            visit_all(&wave)
        } else {
            let parts: Vec<Vec<u32>> = wave.par_chunks(VERTICES_AT_ONCE).map(visit_all).collect();
            parts.concat()
        };
    }
}

/// Disjoint sets of vertices that threads join concurrently. The root of a set is its smallest vertex.
pub(crate) struct Sets(Vec<AtomicU32>);

impl Sets {
    pub(crate) fn new(vertices: u32) -> Self {
        Self((0..vertices).into_par_iter().map(AtomicU32::new).collect())
    }

    /// The root of the set of a vertex; halves the path to it.
    pub(crate) fn root(&self, mut vertex: u32) -> u32 {
        loop {
            let parent = self.0[vertex as usize].load(Relaxed);
            if parent == vertex {
                return vertex;
            }
            let next = self.0[parent as usize].load(Relaxed);
            if next != parent {
                // Parents only become smaller: whichever thread wins, the vertex is nearer to its root.
                self.0[vertex as usize].fetch_min(next, Relaxed);
            }
            vertex = next;
        }
    }

    /// Joins the sets of two vertices. Whether they were different.
    pub(crate) fn join(&self, a: u32, b: u32) -> bool {
        let (mut a, mut b) = (self.root(a), self.root(b));
        while a != b {
            let (low, high) = (a.min(b), a.max(b));
            match self.0[high as usize].compare_exchange(high, low, Relaxed, Relaxed) {
                Ok(_) => return true,
                Err(parent) => (a, b) = (low, self.root(parent)),
            }
        }
        false
    }
}

/// The number of times that each of `0..classes` occurs among the labels, all of which are below `classes`.
pub(crate) fn class_sizes(labels: &[u32], classes: u32) -> Vec<u32> {
    let sizes: Vec<AtomicU32> = (0..classes).into_par_iter().map(|_| AtomicU32::new(0)).collect();
    labels.par_chunks(LABELS_AT_ONCE).for_each(|labels| {
        // One addition per run of equal labels: most labels are those of a few large classes.
        for run in labels.chunk_by(|a, b| a == b) {
            sizes[run[0] as usize].fetch_add(run.len() as u32, Relaxed);
        }
    });
    sizes.into_iter().map(AtomicU32::into_inner).collect()
}

/// The rows of the simple undirected graph under any graph, merged as they are read.
#[derive(Clone, Copy)]
pub(crate) struct SimpleRows<'g> {
    forward: &'g Csr,
    /// The edges reversed, of a directed graph.
    backward: Option<&'g Csr>,
}

impl<'g> SimpleRows<'g> {
    /// Fails where the edges of a directed graph cannot be reversed for want of memory.
    pub(crate) fn new(graph: &'g Graph) -> Result<Self> {
        let backward = if graph.is_undirected() { None } else { Some(graph.transpose()?.csr()) };
        Ok(Self { forward: graph.csr(), backward })
    }

    /// The neighbours of a vertex over edges of either direction, ascending, without the vertex itself.
    #[inline]
    pub(crate) fn row(self, vertex: u32) -> impl Iterator<Item = u32> + 'g {
        let mut forward = self.forward.row(vertex);
        let mut backward = self.backward.map_or(&[][..], |rows| rows.row(vertex));
        let mut last = vertex;
        iter::from_fn(move || {
            loop {
                let next = match (forward.split_first(), backward.split_first()) {
                    (Some((&a, rest)), b) if b.is_none_or(|(&b, _)| a <= b) => {
                        forward = rest;
                        a
                    }
                    (_, Some((&b, rest))) => {
                        backward = rest;
                        b
                    }
                    (_, None) => return None,
                };
                if next != last && next != vertex {
                    last = next;
                    return Some(next);
                }
            }
        })
    }

    pub(crate) fn degree(self, vertex: u32) -> u32 {
        self.row(vertex).count() as u32
    }
}

#[cfg(test)]
mod tests {
    use equipoise_graph::{Edges, GraphBuilder};

    use super::*;

    #[test]
    fn waves_follow_a_path_and_a_crowd() {
        let length = 3 * SMALL_WAVE as u32;
        let count = AtomicU32::new(0);
        waves((0..length).collect(), |vertex, next| {
            count.fetch_add(1, Relaxed);
            if vertex + length < 3 * length {
                next.push(vertex + length);
            }
        });
        assert_eq!(count.into_inner(), 3 * length);
    }

    #[test]
    fn sets_joined_concurrently_have_their_smallest_vertex_as_root() {
        let vertices = 100_000;
        let sets = Sets::new(vertices);
        let joins = (0..vertices).into_par_iter().filter(|&vertex| {
            let other = vertex.wrapping_mul(0x9e37_79b9) % vertices / 2 * 2 + vertex % 2;
            sets.join(vertex, other)
        });
        let (joins, mut roots) = (joins.count(), 0);
        for vertex in 0..vertices {
            let root = sets.root(vertex);
            assert!(root <= vertex && root % 2 == vertex % 2 && sets.root(root) == root);
            roots += usize::from(root == vertex);
        }
        assert_eq!(joins + roots, vertices as usize);
    }

    #[test]
    fn sizes_of_classes_add_up() {
        let labels: Vec<u32> = (0..100_000).map(|n| if n % 3 == 0 { n % 7 } else { 2 }).collect();
        let sizes = class_sizes(&labels, 8);
        for (class, &size) in (0..).zip(&sizes) {
            let expected = labels.iter().filter(|&&label| label == class).count();
            assert_eq!(size as usize, expected);
        }
    }

    #[test]
    fn simple_rows_have_each_neighbor_once() {
        let edges = Edges::from(vec![(2, 0), (0, 2), (0, 1), (0, 1), (1, 1), (3, 1), (0, 0)]);
        for undirected in [false, true] {
            let builder = GraphBuilder::new().vertices(5).undirected(undirected);
            let graph = builder.build(edges.clone()).unwrap();
            let rows = SimpleRows::new(&graph).unwrap();
            let all: Vec<Vec<u32>> = (0..5).map(|vertex| rows.row(vertex).collect()).collect();
            assert_eq!(all, [vec![1, 2], vec![0, 3], vec![0], vec![1], vec![]]);
            assert_eq!(rows.degree(0), 2);
        }
    }
}
