//! What distances are checked against: plain algorithms in wider types.

use std::{cmp::Reverse, collections::BinaryHeap, fmt::Display};

use equipoise_graph::Graph;

/// The textbook's three loops.
pub(super) fn plain_floyd_warshall<W: Wide>(
    graph: &Graph,
    weight: impl Fn(usize) -> W,
) -> Vec<Vec<W>> {
    let vertices = graph.vertices() as usize;
    let mut rows = vec![vec![W::INFINITE; vertices]; vertices];
    for (source, row) in (0..).zip(&mut rows) {
        for (&target, edge) in graph.neighbors(source).iter().zip(graph.csr().range(source)) {
            if weight(edge) < row[target as usize] {
                row[target as usize] = weight(edge);
            }
        }
        row[source as usize] = W::default();
    }
    for k in 0..vertices {
        let through = rows[k].clone();
        for row in &mut rows {
            let first = row[k];
            for (best, &rest) in row.iter_mut().zip(&through) {
                if first.plus(rest) < *best {
                    *best = first.plus(rest);
                }
            }
        }
    }
    rows
}

/// The distances from `source` by Dijkstra's algorithm.
pub(super) fn plain_dijkstra<W: Wide>(
    graph: &Graph,
    weight: impl Fn(usize) -> W,
    source: u32,
) -> Vec<W> {
    let mut row = vec![W::INFINITE; graph.vertices() as usize];
    row[source as usize] = W::default();
    let mut heap = BinaryHeap::from([(Reverse(0), source)]);
    while let Some((key, vertex)) = heap.pop() {
        let length = row[vertex as usize];
        if key != Reverse(length.order()) {
            continue;
        }
        for (&target, edge) in graph.neighbors(vertex).iter().zip(graph.csr().range(vertex)) {
            let over = length.plus(weight(edge));
            if over < row[target as usize] {
                row[target as usize] = over;
                heap.push((Reverse(over.order()), target));
            }
        }
    }
    row
}

/// The type that distances are checked in: `u64` or `f64`.
pub(super) trait Wide: Copy + Default + PartialOrd + Send + Sync + Display {
    const INFINITE: Self;

    fn plus(self, other: Self) -> Self;
    /// A number that orders as this does.
    fn order(self) -> u64;
    /// Whether this is `expected`, within the rounding that so many vertices can bring.
    fn is(self, expected: Self, vertices: u32) -> bool;
    /// Whether this is `limit` or less, within that rounding on both sides.
    fn is_at_most(self, limit: Self, vertices: u32) -> bool;
}

impl Wide for u64 {
    const INFINITE: Self = u64::MAX;

    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }

    fn order(self) -> u64 {
        self
    }

    fn is(self, expected: Self, _: u32) -> bool {
        self == expected
    }

    fn is_at_most(self, limit: Self, _: u32) -> bool {
        self <= limit
    }
}

impl Wide for f64 {
    const INFINITE: Self = f64::INFINITY;

    fn plus(self, other: Self) -> Self {
        self + other
    }

    fn order(self) -> u64 {
        self.to_bits()
    }

    fn is(self, expected: Self, vertices: u32) -> bool {
        let slack = 2.0 * rounding(vertices) * expected;
        match expected.is_finite() {
            true => (self - expected).abs() <= slack,
            false => self == expected,
        }
    }

    fn is_at_most(self, limit: Self, vertices: u32) -> bool {
        self <= limit * (1.0 + 4.0 * rounding(vertices))
    }
}

fn rounding(vertices: u32) -> f64 {
    f64::from(vertices) * f64::from(f32::EPSILON)
}
