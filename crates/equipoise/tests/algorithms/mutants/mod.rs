//! Verifiers under test: right results are changed in every way in which a device, an overflow or a
//! race could make them wrong, and an oracle that knows nothing of verifiers says which of them are
//! still right. A verifier must agree with it on every one.

mod bfs;
mod color;
mod pairs;
mod products;
mod sssp;
mod whole_graphs;

use equipoise::graph::{Edges, Graph};
use proptest::prelude::*;

use crate::graphs::multigraph;

type Edge = (u32, u32, u32);

/// Vertices and edges of a graph, which keeps loops and parallel edges.
#[derive(Clone, Debug)]
struct Shape {
    vertices: u32,
    edges: Vec<Edge>,
}

impl Shape {
    fn new(vertices: u32, edges: &[Edge]) -> Self {
        Self { vertices, edges: edges.to_vec() }
    }

    fn built(&self, edges: impl Into<Edges>) -> Graph {
        multigraph(self.vertices, edges, false)
    }

    fn unweighted(&self) -> Graph {
        self.built(self.edges.iter().map(|&(from, to, _)| (from, to)).collect::<Vec<_>>())
    }

    fn whole(&self) -> Graph {
        self.built(self.edges.clone())
    }

    fn real(&self) -> Graph {
        let edges = self.edges.iter().map(|&(from, to, weight)| (from, to, weight as f32 / 4.0));
        self.built(edges.collect::<Vec<_>>())
    }

    fn double(&self) -> Graph {
        let edges =
            self.edges.iter().map(|&(from, to, weight)| (from, to, f64::from(weight) / 4.0));
        self.built(edges.collect::<Vec<_>>())
    }

    /// The same with one edge left out, turned round, or of another weight: what is right for these
    /// is a plausible wrong answer for this one.
    fn neighbours(&self) -> Vec<Shape> {
        let changed = |change: &dyn Fn(&mut Vec<Edge>, usize)| {
            (0..self.edges.len())
                .map(|edge| {
                    let mut other = self.clone();
                    change(&mut other.edges, edge);
                    other
                })
                .collect::<Vec<_>>()
        };
        let mut all = changed(&|edges, edge| _ = edges.swap_remove(edge));
        all.extend(changed(&|edges, edge| edges[edge].2 += 1));
        all.extend(changed(&|edges, edge| edges[edge].2 = 0));
        all.extend(changed(&|edges, edge| {
            let (from, to, weight) = edges[edge];
            edges[edge] = (to, from, weight);
        }));
        all
    }
}

/// Graphs that are odd in one way each.
fn odd() -> Vec<Shape> {
    vec![
        Shape::new(1, &[]),
        Shape::new(1, &[(0, 0, 1)]),
        Shape::new(2, &[(0, 1, 2), (0, 1, 3), (1, 1, 0)]),
        Shape::new(4, &[(0, 1, 1), (2, 3, 1), (3, 2, 1)]),
        // A circle of no length, in and out of which paths lead.
        Shape::new(5, &[(0, 1, 4), (1, 2, 0), (2, 3, 0), (3, 1, 0), (3, 4, 2), (0, 4, 9)]),
        // Two ways of the same length.
        Shape::new(5, &[(0, 1, 1), (0, 2, 1), (1, 3, 1), (2, 3, 1), (3, 4, 0), (4, 3, 0)]),
        Shape::new(4, &[(0, 1, 0), (1, 0, 0), (0, 2, 0), (2, 3, 0), (3, 0, 0)]),
        Shape::new(5, &[(0, 4, 7), (1, 4, 1), (2, 4, 1), (3, 4, 1), (4, 0, 1)]),
    ]
}

/// Small random graphs with few weights, so that many paths are equally long.
fn random() -> impl Strategy<Value = Shape> {
    (1u32..7).prop_flat_map(|vertices| {
        let edge = (0..vertices, 0..vertices, 0u32..4);
        prop::collection::vec(edge, 0..14).prop_map(move |edges| Shape { vertices, edges })
    })
}

/// Arrays that are wrong as a whole: shifted, swapped, cut, longer, with a block of one value.
fn rearranged<T: Copy + PartialEq>(right: &[T], initial: &[T]) -> Vec<Vec<T>> {
    let len = right.len();
    let mut all = Vec::new();
    for first in 0..len {
        for second in first + 1..len {
            let mut swapped = right.to_vec();
            swapped.swap(first, second);
            all.push(swapped);
            for &value in initial {
                let mut block = right.to_vec();
                block[first..=second].fill(value);
                all.push(block);
            }
        }
    }
    let mut shifted = right.to_vec();
    shifted.rotate_left(1.min(len));
    all.push(shifted.clone());
    shifted.rotate_right(2.min(len));
    all.push(shifted);
    all.push(right.iter().rev().copied().collect());
    for &value in initial {
        all.push(vec![value; len]);
        all.push([right, &[value]].concat());
    }
    all.extend((0..len).map(|end| right[..end].to_vec()));
    all
}
